"""Text: which white space is trimmed, what may be an id or a prompt, and how surrogates are joined."""

import pytest

from schedule_impl.text import WHITE_SPACE, is_label, joined, trim


def test_white_space_is_exactly_the_25_code_points_of_the_clause() -> None:
    ranges = [(0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)]
    ranges += [(0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)]
    stripped = [point for point in range(0x110000) if trim(chr(point)) == ""]
    assert stripped == [point for first, last in ranges for point in range(first, last + 1)]


@pytest.mark.parametrize("text", ["", " ", "\ufeffx", "x\u2028", "\v"])
def test_an_empty_or_padded_text_is_no_label(text: str) -> None:
    assert not is_label(text)


@pytest.mark.parametrize("text", ["x", "a b", "\u0085", "\x1f", "\u200b", "\ud800", f"x{WHITE_SPACE}y"])
def test_what_ecmascript_does_not_strip_is_a_label(text: str) -> None:
    assert is_label(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\u00e9\U0001f600", "a\u00e9\U0001f600", id="none"),
        pytest.param("\ud800\udc00", "\U00010000", id="first"),
        pytest.param("\ud83d\ude00", "\U0001f600", id="some"),
        pytest.param("\udbff\udfff", "\U0010ffff", id="last"),
        pytest.param("a\ud83d\ude00\ud83d\ude01b", "a\U0001f600\U0001f601b", id="two"),
        pytest.param("\ud83d\ud83d\ude00\ude00", "\ud83d\U0001f600\ude00", id="between-others"),
        pytest.param("\ude00\ud83d", "\ude00\ud83d", id="in-the-wrong-order"),
        pytest.param("\ud83d \ude00", "\ud83d \ude00", id="apart"),
        pytest.param("\ud83d\ue000", "\ud83d\ue000", id="high-alone"),
        pytest.param("\ud7ff\udc00", "\ud7ff\udc00", id="low-alone"),
    ],
)
def test_two_surrogates_that_are_a_pair_are_one_character(text: str, shown: str) -> None:
    assert joined(text) == shown
