"""Saboteurs of at.*: how an absolute time is read, and what is stored of it."""

import re
from collections.abc import Callable
from typing import Any, TypeGuard

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.lenient import (
    extended,
    hyphened,
    of_seconds,
    padded,
    unquoted,
    unsigned,
    visible,
    zoned,
)
from tests.saboteurs.pure.ways import (
    Object,
    code_of,
    coded,
    correct,
    creating,
    granted,
    members,
    moved,
    on_created,
    on_local,
    on_member,
    on_string,
    refused,
    rendered,
    sabotage,
)

from schedule_spec import absolute
from schedule_spec.instants import EARLIEST, parse
from schedule_spec.text import trim


def rewritten(pattern: str, replacement: str) -> Handler:
    """Show strings rewritten, so that what matches is taken for something of the strict form."""
    return on_string(lambda at: re.sub(pattern, replacement, at, flags=re.ASCII))


def where_granted(handle: Handler) -> Handler:
    """Answer otherwise only what has to be granted."""
    return lambda request: handle(request) if "result" in correct(request) else correct(request)


def is_local(at: object) -> TypeGuard[dict[str, str]]:
    """Tell whether an `at` is of the structured form, as far as its members go."""
    return (
        isinstance(at, dict)
        and at.keys() == {"date", "time", "time_zone"}
        and all(isinstance(value, str) for value in at.values())
    )


def fraction(read: Callable[[str], str]) -> Handler:
    """Read the digits of a second's fraction otherwise."""

    def altered(text: str) -> str:
        form = r"(?<=:[0-5][0-9])\.([0-9]{1,3})(?=[Z+-]|$)"
        return re.sub(form, lambda found: f".{read(found.group(1))}", text)

    def shown(at: Any) -> Any:
        if isinstance(at, str):
            return altered(at)
        timed = isinstance(at, dict) and isinstance(at.get("time"), str)
        return {**at, "time": altered(at["time"])} if timed else at

    return on_member("at", shown)


def _turned(at: str) -> str:
    if at.endswith("00:00"):
        return at
    return re.sub(r"([+-])(?=\d\d:\d\d$)", lambda found: "-+"["+-".index(found.group())], at)


def _twice_the_minutes(at: Any) -> int:
    """Return twice the minutes of a negative offset, in ms; 0 for any other value."""
    found = re.search(r"-([0-9]{2}):([0-9]{2})$", at) if isinstance(at, str) else None
    return int(found.group(2)) * 120_000 if found else 0


def _ascii_digits(at: str) -> str:
    return "".join(str(int(c)) if c.isdecimal() else c for c in at)


def is_clock(now: Any) -> bool:
    """Tell whether a clock sample is one."""
    return type(now) is int and abs(now) < 2**53


def clock_off_by(offset: int) -> Handler:
    """Compare the target with a clock that is off, in ms."""

    def handle(request: Object) -> Object:
        given = members(request)
        now = given.get("now")
        if request["cmd"] != "create" or "at" not in given or type(now) is not int or abs(now) > 2**53 - 5000:
            return correct(request)
        shown = {**given, "seq": request["seq"], "cmd": "create", "now": now + offset}
        return correct(shown)

    return handle


def beyond(reply_in_range: Callable[[int], int | None]) -> Handler:
    """Store an instant outside the range otherwise; None refuses it as past."""

    def handle(request: Object) -> Object:
        reply, given = correct(request), members(request)
        at, now = given.get("at"), given.get("now")
        if code_of(reply) != "time_out_of_range" or type(now) is not int or abs(now) >= 2**53:
            return reply
        instant = absolute.instant_of(at)
        if not isinstance(instant, int):
            return reply
        stored = reply_in_range(instant)
        if stored is None:
            return refused(request, "not_future")
        record = {
            "id": given["id"],
            "kind": "at",
            "prompt": trim(given["prompt"]),
            "scheduledAt": rendered(stored),
        }
        return granted(request, {"record": record})

    return handle


def compares_readings(request: Object) -> Object:
    """Hold the written reading against the clock, and not the instant."""
    reply, given = correct(request), members(request)
    at, now = given.get("at"), given.get("now")
    reading = absolute.instant_of(re.sub(r"[+-]\d\d:\d\d$", "Z", at)) if isinstance(at, str) else None
    if not isinstance(reading, int) or type(now) is not int:
        return reply
    past = "result" in reply and reading <= now
    return refused(request, "not_future") if past else reply


def zone_type_first(request: Object) -> Object:
    """Look at the zone's type before the keys and the other types."""
    at = members(request).get("at")
    if request["cmd"] == "create" and isinstance(at, dict) and not isinstance(at.get("time_zone", ""), str):
        return refused(request, "invalid_time_zone")
    return correct(request)


def _known_members(at: Any) -> Any:
    kept = ("date", "time", "time_zone")
    return {key: value for key, value in at.items() if key in kept} if isinstance(at, dict) else at


def _zone_by_default(at: Any) -> Any:
    return {"time_zone": "UTC", **at} if isinstance(at, dict) else at


def _camel_case(at: Any) -> Any:
    if not isinstance(at, dict):
        return at
    return {"time_zone" if key == "timeZone" else key: value for key, value in at.items()}


def _number_as_instant(at: Any) -> Any:
    return rendered(at) if type(at) is int and abs(at) < 2**53 else at


def _bad_zone(given: Object) -> bool:
    return not is_local(given.get("at"))


_DAY = 86_400_000


def year_0000_where_the_instant_is_in_range(request: Object) -> Object:
    """Read the last day of the year 0000, where the offset moves it into the year 0001."""
    given = members(request)
    at = given.get("at")
    if request["cmd"] != "create" or not isinstance(at, str) or not at.startswith("0000-12-31T"):
        return correct(request)
    shown = {**given, "seq": request["seq"], "cmd": "create", "at": f"0001-01-01{at[10:]}", "now": EARLIEST}
    reply = correct(shown)
    target = parse(reply["result"]["record"]["scheduledAt"]) if "result" in reply else None
    if target is None or not given["now"] < target - _DAY or target - _DAY < EARLIEST:
        return correct(request)
    return granted(request, {"record": moved(reply["result"]["record"], lambda ms: ms - _DAY)})


def _either(*others: str) -> Callable[[str], str]:
    """Write other separators of hours, minutes and seconds as colons."""
    joined = "|".join(map(re.escape, (":", *others)))
    separated = re.compile(rf"^(\d\d)(?:{joined})(\d\d)(?:{joined})(\d\d)", re.ASCII)
    return lambda text: separated.sub(r"\1:\2:\3", text)


def _in_any_order(date: str) -> str:
    """Read a date without hyphens, by the day of its year, or with the day first."""
    basic = re.sub(r"^(\d{4})(\d\d)(\d\d)$", r"\1-\2-\3", date, flags=re.ASCII)
    first = re.sub(r"^(\d\d)-(\d\d)-(\d{4})$", r"\3-\2-\1", basic, flags=re.ASCII)
    return re.sub(r"^(\d{4})-0([0-2]\d)$", r"\1-01-\2", first, flags=re.ASCII)


def _cut_at_zero(at: Object) -> Object:
    return {**at, "date": at["date"].split("\0")[0], "time": at["time"].split("\0")[0]}


def takes_the_epoch_for_past(request: Object) -> Object:
    """Refuse an instant that is 0 ms, as if there were none."""
    reply = correct(request)
    if request["cmd"] != "create" or "at" not in members(request) or "result" not in reply:
        return reply
    at_epoch = reply["result"]["record"]["scheduledAt"] == rendered(0)
    return refused(request, "not_future") if at_epoch else reply


SABOTEURS = (
    # at.offset-required, at.offset-form
    sabotage(
        "assumes_utc",
        "at.offset-required",
        "Takes a string without an offset for UTC.",
        rewritten(r"(T\d\d:\d\d:\d\d(?:\.\d+)?)$", r"\1Z"),
    ),
    sabotage(
        "assumes_a_zone",
        "at.offset-required",
        "Takes a string without an offset for the process's zone, as Date.parse does.",
        rewritten(r"(T\d\d:\d\d:\d\d(?:\.\d+)?)$", r"\1+05:30"),
    ),
    sabotage(
        "accepts_at_with_final_newline",
        "at.offset-form",
        "Matches with $, which stands before a final line end too.",
        on_string(lambda at: at.removesuffix("\n")),
    ),
    sabotage("trims_at", "at.offset-form", "Trims strings before it reads them.", on_string(trim)),
    sabotage(
        "accepts_at_in_lower_case",
        "at.offset-form",
        "Takes t and z, as RFC 3339 allows.",
        on_string(str.upper),
    ),
    sabotage(
        "accepts_space_for_t",
        "at.offset-form",
        "Takes a space between date and time, as RFC 3339 allows.",
        rewritten(r"^(\d{4}-\d\d-\d\d) ", r"\1T"),
    ),
    sabotage(
        "accepts_offsets_without_colon",
        "at.offset-form",
        "Takes +0530 and +05, as ISO 8601 allows.",
        rewritten(r"([+-]\d\d)(\d\d)$", r"\1:\2"),
    ),
    sabotage(
        "accepts_offsets_of_hours",
        "at.offset-form",
        "Takes an offset of hours alone.",
        rewritten(r"(:\d\d[+-]\d\d)$", r"\1:00"),
    ),
    sabotage(
        "accepts_minus_sign",
        "at.offset-form",
        "Takes U+2212 for a hyphen, as ISO 8601 prefers.",
        on_string(lambda at: at.replace("\u2212", "-")),
    ),
    sabotage(
        "accepts_digits_of_other_scripts",
        "at.offset-form",
        "Matches with \\d, which has the digits of every script.",
        on_string(_ascii_digits),
    ),
    sabotage(
        "cuts_long_fractions_off",
        "at.offset-form",
        "Takes more than three digits of a fraction and cuts them off.",
        rewritten(r"(\.\d{3})\d+", r"\1"),
    ),
    sabotage(
        "accepts_comma_for_full_stop",
        "at.offset-form",
        "Takes a comma before the fraction, as ISO 8601 prefers.",
        rewritten(r"(:\d\d),(?=\d)", r"\1."),
    ),
    sabotage(
        "accepts_minutes_alone",
        "at.offset-form",
        "Takes a time without seconds.",
        rewritten(r"(T\d\d:\d\d)(?=Z|[+-]\d\d:\d\d$)", r"\1:00"),
    ),
    sabotage(
        "accepts_expanded_years",
        "at.offset-form",
        "Takes years of six digits with a sign, as ECMAScript writes them.",
        rewritten(r"^\+00(?=\d{4}-)", ""),
    ),
    sabotage(
        "accepts_dates_alone",
        "at.offset-form",
        "Takes a date for its midnight in UTC, as Date.parse does.",
        rewritten(r"^(\d{4}-\d\d-\d\d)$", r"\1T00:00:00Z"),
    ),
    sabotage(
        "accepts_zone_in_brackets",
        "at.offset-form",
        "Passes over a zone in brackets, as RFC 9557 writes it.",
        rewritten(r"\[[A-Za-z/_]+\]$", ""),
    ),
    # at.offset-range, at.offset-meaning
    sabotage(
        "accepts_minus_zero_offset",
        "at.offset-range",
        "Takes -00:00, the unknown offset, for +00:00.",
        on_string(lambda at: at.replace("-00:00", "+00:00")),
    ),
    sabotage(
        "accepts_offset_hours_of_24",
        "at.offset-range",
        "Takes an offset of 24 hours.",
        rewritten(r"[+-]24:00$", "Z"),
    ),
    sabotage(
        "accepts_offset_minutes_of_60",
        "at.offset-range",
        "Takes 60 minutes of an offset.",
        rewritten(r"([+-]\d\d):60$", r"\1:59"),
    ),
    sabotage(
        "refuses_zero_offset",
        "at.offset-range",
        "Refuses +00:00 along with -00:00.",
        where_granted(rewritten(r"\+00:00$", "-00:00")),
    ),
    sabotage(
        "refuses_offsets_beyond_14_hours",
        "at.offset-range",
        "Takes the widest offset in use, 14 hours, for the widest allowed.",
        where_granted(rewritten(r"[+-](1[5-9]|2[0-3]):\d\d$", "-00:00")),
    ),
    sabotage(
        "turns_offsets_round",
        "at.offset-meaning",
        "Adds the offset that has to be subtracted.",
        on_string(_turned),
    ),
    sabotage(
        "ignores_offsets",
        "at.offset-meaning",
        "Reads the offset and does not subtract it.",
        rewritten(r"[+-](?!00:00)([01]\d|2[0-3]):[0-5]\d$", "Z"),
    ),
    sabotage(
        "ignores_the_minutes_of_offsets",
        "at.offset-meaning",
        "Reads the hours of an offset alone.",
        rewritten(r"([+-](?!00)\d\d):[0-5]\d$", r"\1:00"),
    ),
    sabotage(
        "adds_the_minutes_of_negative_offsets",
        "at.offset-meaning",
        "Negates the hours of an offset and not its minutes.",
        on_created(
            "at",
            lambda given, record: moved(record, lambda ms: ms - _twice_the_minutes(given["at"])),
        ),
    ),
    # at.fraction
    sabotage(
        "reads_point_5_as_5_milliseconds",
        "at.fraction",
        "Reads the digits of a fraction as a number of milliseconds.",
        fraction(lambda digits: digits.rjust(3, "0")),
    ),
    sabotage(
        "drops_fractions",
        "at.fraction",
        "Reads times to the second.",
        fraction(lambda _: "0"),
    ),
    sabotage(
        "reads_three_digits_alone",
        "at.fraction",
        "Takes fractions of exactly three digits.",
        where_granted(rewritten(r"(:\d\d\.\d{1,2})(?=[Z+-])", r"\g<1>0000")),
    ),
    # at.real-date
    sabotage(
        "normalises_30_february",
        "at.real-date",
        "Lets a day beyond its month roll over, as new Date does.",
        rewritten(r"^(\d{4})-02-30T", r"\1-03-01T"),
    ),
    sabotage(
        "normalises_day_31",
        "at.real-date",
        "Gives every month 31 days.",
        on_member(
            "at",
            lambda at: re.sub(r"^(\d{4}-(?:04|06|09|11))-31T", r"\1-30T", at) if isinstance(at, str) else at,
        ),
    ),
    sabotage(
        "accepts_hour_24",
        "at.real-date",
        "Takes 24:00:00 for the end of the day.",
        rewritten(r"T24:00:00", "T23:59:59"),
    ),
    sabotage(
        "accepts_second_60",
        "at.real-date",
        "Takes a leap second.",
        rewritten(r":60(?=Z$|\.)", ":59"),
    ),
    sabotage(
        "accepts_year_0000",
        "at.real-date",
        "Takes the year 0000.",
        rewritten(r"^0000-", "0004-"),
    ),
    sabotage(
        "takes_2100_for_a_leap_year",
        "at.real-date",
        "Takes every fourth year for a leap year.",
        on_local("date", lambda date: "2100-03-01" if date == "2100-02-29" else date),
    ),
    sabotage(
        "refuses_29_february",
        "at.real-date",
        "Takes no year for a leap year.",
        where_granted(rewritten(r"^(\d{4})-02-29T", r"\1-02-30T")),
    ),
    # at.local-form
    sabotage(
        "ignores_unknown_members_of_at",
        "at.local-form",
        "Passes over further members of a structured time.",
        on_member("at", _known_members),
    ),
    sabotage(
        "assumes_utc_for_wall_times",
        "at.local-form",
        "Takes a structured time without a zone for UTC.",
        on_member("at", _zone_by_default),
    ),
    sabotage(
        "accepts_camel_case_zone",
        "at.local-form",
        "Takes timeZone for time_zone.",
        on_member("at", _camel_case),
    ),
    sabotage(
        "looks_at_the_zones_type_first",
        "at.local-form",
        "Looks at the zone's type before keys and the other types.",
        zone_type_first,
    ),
    sabotage(
        "trims_times",
        "at.local-form",
        "Trims the time of a structured form.",
        on_local("time", str.strip),
    ),
    sabotage(
        "accepts_times_without_seconds",
        "at.local-form",
        "Takes a wall time to the minute.",
        on_local("time", lambda time: f"{time}:00" if re.fullmatch("[0-9]{2}:[0-9]{2}", time) else time),
    ),
    sabotage(
        "accepts_wall_times_with_offset",
        "at.local-form",
        "Passes over an offset after a wall time.",
        on_local("time", lambda time: re.sub(r"(?:Z|[+-]\d\d:\d\d)$", "", time, flags=re.ASCII)),
    ),
    sabotage(
        "accepts_dates_with_slashes",
        "at.local-form",
        "Takes slashes in a date.",
        on_local("date", lambda date: date.replace("/", "-")),
    ),
    sabotage(
        "accepts_short_dates",
        "at.local-form",
        "Takes months and days of one digit.",
        on_local("date", lambda date: re.sub(r"-(\d)(?!\d)", r"-0\1", date, flags=re.ASCII)),
    ),
    sabotage(
        "accepts_epoch_milliseconds",
        "at.local-form",
        "Takes a number for milliseconds since the epoch.",
        on_member("at", _number_as_instant),
    ),
    sabotage(
        "calls_a_zone_of_another_type_a_bad_rule",
        "at.local-form",
        "Checks the zone's type with the other types, under their code.",
        coded("invalid_time_zone", "invalid_rule", _bad_zone),
    ),
    # at.future
    sabotage(
        "takes_the_present_for_the_future",
        "at.future",
        "Takes a target at the very clock sample.",
        clock_off_by(-1),
    ),
    sabotage(
        "asks_for_a_millisecond_more",
        "at.future",
        "Refuses a target one millisecond after the clock sample.",
        clock_off_by(1),
    ),
    sabotage(
        "forgives_a_second",
        "at.future",
        "Takes a target that passed less than a second ago.",
        clock_off_by(-999),
    ),
    sabotage(
        "takes_what_is_past",
        "at.future",
        "Takes any target and lets it be overdue.",
        creating(
            lambda given: (
                {**given, "now": -(2**53) + 1} if "at" in given and is_clock(given.get("now")) else given
            )
        ),
    ),
    sabotage(
        "compares_readings_with_the_clock",
        "at.future",
        "Holds the written reading against the clock before the offset is subtracted.",
        compares_readings,
    ),
    sabotage(
        "calls_what_is_past_out_of_range",
        "at.future",
        "Has one code for all targets that will not do.",
        coded("not_future", "time_out_of_range"),
    ),
    # at.range
    sabotage(
        "checks_the_range_before_the_shift",
        "at.range",
        "Checks the range of the reading and stores what the shift makes of it, brought into the range.",
        beyond(lambda instant: instant),
    ),
    sabotage(
        "calls_what_is_out_of_range_past",
        "at.range",
        "Calls an instant after the range past, since it is not a number.",
        beyond(lambda _: None),
    ),
    sabotage(
        "calls_what_is_out_of_range_a_bad_rule",
        "at.range",
        "Has one code for every string that gives no instant of the range.",
        coded("time_out_of_range", "invalid_rule", lambda given: "at" in given),
    ),
    # at.utc-only
    sabotage(
        "keeps_the_offset",
        "at.utc-only",
        "Stores the offset beside the instant.",
        on_created("at", lambda _, record: {**record, "offset": "Z"}),
    ),
    sabotage(
        "keeps_the_zone",
        "at.utc-only",
        "Stores the zone of a wall time, to resolve it anew.",
        on_created(
            "at",
            lambda given, record: (
                {**record, "timeZone": given["at"]["time_zone"]} if isinstance(given["at"], dict) else record
            ),
        ),
    ),
    sabotage(
        "stores_instants_without_milliseconds",
        "at.utc-only",
        "Stores an instant to the second, without its milliseconds.",
        on_created("at", lambda _, record: {**record, "scheduledAt": f"{record['scheduledAt'][:19]}Z"}),
    ),
    sabotage(
        "stores_the_string_as_it_came",
        "at.utc-only",
        "Stores the string as it was given.",
        on_created(
            "at",
            lambda given, record: (
                {**record, "scheduledAt": given["at"]} if isinstance(given["at"], str) else record
            ),
        ),
    ),
    sabotage(
        "takes_the_year_0000_for_an_instant_in_range",
        "at.real-date",
        "Has a calendar with a year 0000, and looks whether the instant is in range.",
        year_0000_where_the_instant_is_in_range,
    ),
    # forms of other readers
    sabotage(
        "accepts_numbers_without_zeros",
        "at.offset-form",
        "Parses by a pattern of numbers, which may lack their zeros.",
        on_string(padded),
    ),
    sabotage(
        "accepts_half_of_the_basic_form",
        "at.offset-form",
        "Takes hyphens and colons as ISO 8601 lets them be left out, each for itself.",
        on_string(extended),
    ),
    sabotage(
        "accepts_dashes_for_hyphens",
        "at.offset-form",
        "Takes every dash that typographers know for a hyphen.",
        on_string(hyphened),
    ),
    sabotage(
        "accepts_signs_of_years",
        "at.offset-form",
        "Reads a year as a number, with a sign or a further zero.",
        on_string(unsigned),
    ),
    sabotage(
        "reads_zones_in_words",
        "at.offset-form",
        "Takes GMT, EST and military letters for zones, as RFC 822 does.",
        on_string(zoned),
    ),
    sabotage(
        "takes_quotes_off_times",
        "at.offset-form",
        "Reads a text that comes with its quotes.",
        on_string(unquoted),
    ),
    sabotage(
        "passes_over_what_is_invisible_in_times",
        "at.offset-form",
        "Leaves controls and invisible characters out before it reads.",
        on_string(visible),
    ),
    sabotage(
        "reads_seconds_since_1970",
        "at.offset-form",
        "Takes a text of ten digits for seconds since 1970.",
        on_string(of_seconds),
    ),
    sabotage(
        "reads_dates_in_other_orders",
        "at.local-form",
        "Reads a date without hyphens, by the day of its year, or with the day first.",
        on_local("date", _in_any_order),
    ),
    sabotage(
        "reads_times_with_any_separator",
        "at.local-form",
        "Takes full stops and wide colons for colons.",
        on_local("time", _either(".", "\uff1a")),
    ),
    sabotage(
        "reads_hours_with_a_sign",
        "at.local-form",
        "Reads the numbers of a time as integers, which may have a sign.",
        on_local("time", lambda time: time.lstrip("+-")),
    ),
    sabotage(
        "ends_dates_and_times_at_a_zero_character",
        "at.local-form",
        "Hands texts to C, where a zero character ends them.",
        creating(
            lambda given: {**given, "at": _cut_at_zero(given["at"])} if is_local(given.get("at")) else given
        ),
    ),
    sabotage(
        "takes_day_0_for_the_first",
        "at.real-date",
        "Takes a day 0 for the first of its month.",
        on_local("date", lambda date: re.sub(r"-00$", "-01", date)),
    ),
    sabotage(
        "takes_the_epoch_for_past",
        "at.future",
        "Asks whether there is an instant by whether it is true, and 0 ms is not.",
        takes_the_epoch_for_past,
    ),
)
