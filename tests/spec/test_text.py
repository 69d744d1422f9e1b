import json
import unicodedata

import pytest
from hypothesis import given
from tests.spec.strategies import odd_text

from schedule_spec import json_text
from schedule_spec.text import TRIM_SET, is_trimmed, join_surrogates, json_string, trim


def test_the_trim_set_is_white_space_and_line_terminators_of_ecmascript() -> None:
    """text.trim: Unicode's space separators, the named controls, the line separators, the BOM."""
    separators = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs"}
    assert set(TRIM_SET) == separators | set("\t\n\v\f\r\u2028\u2029\ufeff")
    assert len(TRIM_SET) == 25


def test_no_other_character_is_trimmed() -> None:
    """text.trim: the 25 by their numbers, among all that 16 bits hold."""
    blank = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    blank += "\u2028\u2029\u202f\u205f\u3000\ufeff"
    assert [chr(code) for code in range(0x10000) if trim(chr(code)) == ""] == list(blank)


@pytest.mark.parametrize(
    "kept", ["\x00", "\x1c", "\x1f", "\x85", "\u180e", "\u200b", "\u2060", "\u3164", "\ud800"]
)
def test_what_other_languages_strip_is_kept(kept: str) -> None:
    assert trim(f" {kept}a{kept}\ufeff") == f"{kept}a{kept}"
    assert is_trimmed(f"{kept}a{kept}")


@pytest.mark.parametrize("character", TRIM_SET)
def test_each_of_the_set_is_trimmed_at_both_ends_and_kept_inside(character: str) -> None:
    assert trim(f"{character}a{character}b{character}{character}") == f"a{character}b"
    assert trim(character * 3) == ""
    assert not is_trimmed(f"a{character}")
    assert not is_trimmed(f"{character}a")
    assert is_trimmed(f"a{character}b")


@given(odd_text)
def test_a_trimmed_string_begins_and_ends_outside_the_set(string: str) -> None:
    trimmed = trim(string)
    begin = string.index(trimmed)
    assert is_trimmed(trimmed)
    assert trimmed == "" or (trimmed[0] not in TRIM_SET and trimmed[-1] not in TRIM_SET)
    assert all(character in TRIM_SET for character in string[:begin] + string[begin + len(trimmed) :])


def test_json_string_has_one_form() -> None:
    """text.json-string: by hand, from the clause."""
    assert json_string('a"\\/\b\t\n\f\r') == '"a\\"\\\\/\\b\\t\\n\\f\\r"'
    assert json_string("\x00\x0b\x1f\x7f\x85\u2028é😀") == '"\\u0000\\u000b\\u001f\x7f\x85\u2028é😀"'
    assert json_string("\ud83d|\ude00|\udfff\udbff") == '"\\ud83d|\\ude00|\\udfff\\udbff"'
    assert json_string("\ud83d\ude00") == '"😀"'
    assert json_string("\x1f !\ud7ff\ue000") == '"\\u001f !\ud7ff\ue000"'
    assert json_string("\ud800|\udc00\udfff") == '"\\ud800|\\udc00\\udfff"'


@given(odd_text)
def test_json_string_reads_back(string: str) -> None:
    assert json_text.read(json_string(string)) == string
    assert json.loads(json_string(string)) == string
    assert "\n" not in json_string(string)


def test_surrogates_are_joined_only_where_they_make_a_pair() -> None:
    assert join_surrogates("\ud83d\ude00\ud83d\ud83d\ude00\ude00") == "😀\ud83d😀\ude00"
