"""TZif files: every file of the release is read, and what is no such file is refused."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.time.tz_files import ALL_NAMES, block, file_bytes, made_file, ms, onset, oracle, oracle_offset

from schedule_spec import posix_rules, tzif
from schedule_spec.posix_rules import HOUR, Onset, Rule
from schedule_spec.tzif import TzifError, ZoneData

HEADER = 44


@pytest.mark.parametrize("name", ALL_NAMES)
def test_a_file_of_the_release(name: str) -> None:
    """The standard library reads the same offsets before, at and after the ends of the file's own table."""
    data = file_bytes(name)
    zone, second_opinion = tzif.read(data), oracle(data)
    for edge in (*zone.onsets[:1], *zone.onsets[-1:]):
        assert edge.offset == oracle_offset(second_opinion, edge.at)
    if zone.onsets:
        assert zone.initial == oracle_offset(second_opinion, zone.onsets[0].at - 1)
    assert zone.rule is not None
    for year in (2038, 2400, 9998):
        for month in (1, 7):
            t = ms(year, month, 1)
            assert posix_rules.offset_at(zone.rule, t) == oracle_offset(second_opinion, t)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_table_and_footer_meet(name: str) -> None:
    """RFC 9636, section 3.3: the footer agrees with the last entry of the table."""
    zone = tzif.read(file_bytes(name))
    assert zone.rule is not None
    if zone.onsets:
        last = zone.onsets[-1]
        assert posix_rules.offset_at(zone.rule, last.at) == last.offset
    else:
        assert posix_rules.offset_at(zone.rule, 0) == zone.initial


def test_a_table_that_is_known() -> None:
    """Africa/Abidjan left local mean time, 16 min 8 s behind, on 1 January 1912; its table has no more."""
    zone = tzif.read(file_bytes("Africa/Abidjan"))
    at = ms(1912, 1, 1, 0, 16, 8)
    assert zone == ZoneData(-968_000, (Onset(at, 0),), Rule(0, None))


def test_the_first_type_holds_before_the_first_transition() -> None:
    """Not the first that is standard time, nor the one that the first transition leads to."""
    zone = tzif.read(made_file((100, 200), (1, 0), (7_200, 3_600)))
    assert zone == ZoneData(2 * HOUR, (onset(100, 3_600), onset(200, 7_200)), None)


def test_times_have_64_bits() -> None:
    zone = tzif.read(made_file((-(2**40), 2**40), (1, 0), (0, 60)))
    assert [edge.at for edge in zone.onsets] == [-(2**40) * 1000, 2**40 * 1000]


def test_the_first_block_is_passed_over() -> None:
    """It holds the same zone cut down to 32-bit times; only its length counts."""
    counts = struct.pack(">6I", 1, 1, 0, 1, 1, 4)
    crowded = b"TZif2" + bytes(15) + counts + struct.pack(">iB", 5, 0) + bytes(6) + b"LMT\0" + bytes(2)
    zone = tzif.read(crowded + block(b"2", (9,), (0,), (60,)) + b"\n<+00>0\n")
    assert zone == ZoneData(60_000, (onset(9, 60),), Rule(0, None))


def test_the_first_block_may_count_leap_seconds() -> None:
    """Each takes eight bytes there: a time of 32 bits and a count."""
    counts = struct.pack(">6I", 1, 2, 3, 1, 2, 8)
    body = struct.pack(">iB", 5, 0) + bytes(2 * 6) + b"LMT\0UTC\0" + bytes(3 * 8) + bytes(2) + bytes(1)
    crowded = b"TZif2" + bytes(15) + counts + body
    zone = tzif.read(crowded + block(b"2", (9,), (0,), (60,)) + b"\n<+00>0\n")
    assert zone == ZoneData(60_000, (onset(9, 60),), Rule(0, None))


SOUND = made_file((100, 200), (1, 0), (0, 3_600), b"\n<+00>0\n")


def with_count(position: int, count: int) -> bytes:
    """Return the sound file with another count in the header of its second block."""
    at = HEADER + 6 + 4 + 20 + 4 * position
    return SOUND[:at] + struct.pack(">I", count) + SOUND[at + 4 :]


NO_FILES = {
    "nothing": (b"", "within the header that begins after 0 bytes"),
    "a second header that counts nothing, and nothing behind it": (
        SOUND[:54] + b"TZif2" + bytes(15 + 24),
        "type that the file lacks",
    ),
    "an offset of 26 hours beside a sound one": (made_file(offsets=(0, 26 * 3_600)), "26 hours"),
    "a footer that does not begin": (made_file(footer=b"UTC0\n"), "between two newlines"),
    "a footer of one letter before a newline": (made_file(footer=b"x\n"), "between two newlines"),
    "a text": (b"UTC" * 40, "no TZif header stands after 0 bytes"),
    "version 1": (made_file(version=b"\0"), "version 1"),
    "a file cut in its second header": (SOUND[:60], "within the header that begins after 54 bytes"),
    "no second block": (SOUND[:54] + b"\n" * 100, "no TZif header stands after 54 bytes"),
    "a file cut in its table": (SOUND[:110], "ends after 110 bytes; its header announces"),
    "leap seconds": (with_count(2, 1), "leap seconds"),
    "a count of four milliards": (with_count(3, 2**32 - 1), "its header announces"),
    "no types": (made_file(offsets=()), "type that the file lacks"),
    "a type too far": (made_file((1,), (1,), (0,)), "type that the file lacks"),
    "transitions that stand still": (made_file((5, 5), (0, 0), (0,)), "do not ascend"),
    "transitions that descend": (made_file((6, 5), (0, 0), (0,)), "do not ascend"),
    "an offset of 26 hours": (made_file(offsets=(26 * 3_600,)), "26 hours"),
    "no footer": (SOUND[: SOUND.index(b"\n")], "between two newlines"),
    "a footer that does not end": (SOUND[:-1], "between two newlines"),
    "one newline": (made_file(footer=b"\n"), "between two newlines"),
    "a footer with a text": (made_file(footer=b"\nEurope/Paris\n"), '"Europe/Paris" is no TZ string'),
    "a footer that is no ASCII": (made_file(footer=b"\n\xff\xfe0\n"), "is no TZ string"),
    "two footers": (made_file(footer=b"\nUTC0\nUTC0\n"), "is no TZ string"),
}


@pytest.mark.parametrize("seconds", [26 * 3_600 - 1, 1 - 26 * 3_600])
def test_an_offset_just_short_of_26_hours_is_read(seconds: int) -> None:
    assert tzif.read(made_file(offsets=(seconds,))).initial == seconds * 1000


@pytest.mark.parametrize("what", NO_FILES)
def test_what_is_no_file_is_refused(what: str) -> None:
    data, words = NO_FILES[what]
    with pytest.raises(TzifError, match=words):
        tzif.read(data)


@given(st.data())
def test_damage_never_escapes_as_another_error(data: st.DataObject) -> None:
    """Whatever a byte is changed to, or wherever the file is cut, it is read or refused."""
    sound = bytearray(file_bytes("Europe/Dublin"))
    position = data.draw(st.integers(0, len(sound) - 1))
    sound[position] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(position, len(sound)))
    try:
        zone = tzif.read(bytes(sound[:cut]))
    except TzifError:
        return
    assert list(zone.onsets) == sorted(zone.onsets)
