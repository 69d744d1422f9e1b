"""Saboteurs of number.*, instant.*, record.* and change.*: how one durable change is read and handed back."""

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.lenient import extended, of_seconds, padded, unquoted, unsigned, visible, zoned
from tests.saboteurs.pure.ways import (
    REFUSED,
    Object,
    answering,
    applying,
    change_of,
    correct,
    every_of,
    on_changes,
    on_field,
    on_instants,
    on_records,
    record_in,
    refusing,
    sabotage,
    text_through,
)

from schedule_spec import fold, json_text
from schedule_spec.changes import Change, Create
from schedule_spec.fold import State
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection

# --- numbers


def has_float(value: Any) -> bool:
    """Tell whether a value holds a number spelt with a fraction or an exponent."""
    if isinstance(value, dict):
        return any(map(has_float, value.values()))
    return isinstance(value, float)


def _spells_float(request: Object) -> bool:
    if "json" not in request:
        return has_float(request.get("change"))
    try:
        return has_float(json.loads(request["json"]))
    except (ValueError, RecursionError):
        return False


def _rounded(number: Any) -> Any:
    return int(number) if isinstance(number, float) and abs(number) < 1e15 else number


def _safe(number: Any) -> Any:
    """Take what is beyond the safe integers, exactly or rounded, for the greatest of them."""
    return 2**53 - 1 if isinstance(number, int | float) and 2**53 <= number < 1e300 else number


def _in_32_bits(number: Any) -> Any:
    return number & 0x7FFFFFFF if type(number) is int and number >= 2**31 else number


def _digits(value: Any) -> Any:
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,15}", value) else value


def returned(alter: Callable[[Object], Object]) -> Handler:
    """Hand every decoded change back altered."""
    return answering("decode", lambda _, result: {"change": alter(result["change"])})


def returned_record(alter: Callable[[Object], Object]) -> Handler:
    """Hand the record of every decoded create back altered."""
    return returned(
        lambda change: {**change, "schedule": alter(change["schedule"])} if "schedule" in change else change
    )


# --- instants


def _parsed_leniently(text: str) -> str:
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{read.isoformat()[:19]}.{read.microsecond // 1000:03}Z"


def _year_zero_leniently(text: str) -> str:
    return f"0004{text[4:]}" if re.fullmatch(r"0000-.{18}Z", text) else text


def _ascii_digits(text: str) -> str:
    return "".join(str(int(c)) if c.isdecimal() else c for c in text)


def rewritten(pattern: str, replacement: str) -> Handler:
    """Show durable instants rewritten, so that what matches is taken for something canonical."""
    return on_instants(lambda text: re.sub(pattern, replacement, text, flags=re.ASCII))


def _has_instant(pattern: str) -> Callable[[Object], bool]:
    def found(request: Object) -> bool:
        change = change_of(request)
        given = change.get("acceptedAt") if isinstance(change, dict) else None
        texts = (given, record_in(request).get("scheduledAt"))
        return any(isinstance(text, str) and re.match(pattern, text) is not None for text in texts)

    return found


# --- changes


def without(*names: str) -> Callable[[Any], Any]:
    """Leave members of a change out, where it has them."""
    return lambda change: (
        {key: value for key, value in change.items() if key not in names}
        if isinstance(change, dict)
        else change
    )


def of_operation(operation: str, alter: Callable[[Any], Any]) -> Handler:
    """Show every change of an operation altered."""
    return on_changes(
        lambda change: (
            alter(change) if isinstance(change, dict) and change.get("operation") == operation else change
        )
    )


def only(*names: str) -> Callable[[Object], Object]:
    """Leave all other members out."""
    return lambda value: {key: given for key, given in value.items() if key in names}


def of_kind(kind: str, alter: Callable[[Object], Object]) -> Handler:
    """Show every record of a kind altered."""
    return on_records(lambda record: alter(record) if record.get("kind") == kind else record)


def _calendar_rule(record: Object) -> Object:
    if record.get("kind") not in ("after", "at", "every") and isinstance(record.get("kind"), str):
        return {**only("id", "prompt", "scheduledAt")(record), "kind": "at"}
    return record


def _unwrapped(change: Any) -> Any:
    if not isinstance(change, str):
        return change
    value = json_text.read(change)
    return change if isinstance(value, json_text.NotJson) else value


def _out_of_order(request: Object) -> bool:
    change = change_of(request)
    return isinstance(change, dict) and next(iter(change), None) not in (None, "version")


def edits_prompt(state: State, change: Change) -> State | None:
    """Edit a record when it is dispatched."""
    record = every_of(state, change)
    after = fold.apply(state, change)
    if record is None or not isinstance(after, State):
        return None
    edited = [
        replace(other, prompt=f"{other.prompt} again")
        if other.id == record.id and isinstance(other, Every)
        else other
        for other in after.active
    ]
    return State(tuple(edited), after.seen)


# --- JSON text


def first_of_duplicates(pairs: list[tuple[str, Any]]) -> Object:
    """Let the first of duplicate keys count."""
    return dict(reversed(pairs))


def no_duplicates(pairs: list[tuple[str, Any]]) -> Object:
    """Refuse duplicate keys."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands there twice")
    return dict(pairs)


def _from_text(shown: Callable[[str], str]) -> Handler:
    """Read JSON text rewritten."""
    return lambda request: (
        correct({**request, "json": shown(request["json"])})
        if request["cmd"] == "decode" and isinstance(request.get("json"), str)
        else correct(request)
    )


_STRINGS = re.compile(r'("(?:[^"\\]|\\.)*")', re.DOTALL)


def outside_strings(pattern: str, replacement: str) -> Handler:
    """Read JSON text rewritten outside its strings."""

    def shown(text: str) -> str:
        parts = _STRINGS.split(text)
        return "".join(
            part if position % 2 else re.sub(pattern, replacement, part, flags=re.DOTALL)
            for position, part in enumerate(parts)
        )

    return _from_text(shown)


def has_text(pattern: str) -> Callable[[Object], bool]:
    """Tell whether the JSON text of a request shows something."""
    return lambda request: (
        isinstance(request.get("json"), str) and re.search(pattern, request["json"]) is not None
    )


def recursive(request: Object) -> Object:
    """Break on JSON text that is nested deeper than a stack holds."""
    text = request.get("json")
    if request["cmd"] == "decode" and isinstance(text, str) and max(text.count("["), text.count("{")) > 900:
        return {"seq": request["seq"], "error": {"message": "maximum recursion depth exceeded"}}
    return correct(request)


def _paired(value: Any) -> Any:
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def _composed(value: Any) -> Any:
    return json.loads(unicodedata.normalize("NFC", json.dumps(value, ensure_ascii=False)))


def _first_of_instants(pairs: list[tuple[str, Any]]) -> Object:
    """Let the first of duplicate instants count, and of all else the last."""
    return {**dict(pairs), **dict(pair for pair in reversed(pairs) if pair[0] in ("scheduledAt", "kind"))}


def _returning_prompts(alter: Callable[[str], str]) -> Handler:
    """Hand prompts of changes back altered."""

    def altered(_: Object, result: Object) -> Object:
        schedule = result["change"].get("schedule")
        if schedule is None:
            return result
        return {"change": {**result["change"], "schedule": {**schedule, "prompt": alter(schedule["prompt"])}}}

    return answering("decode", altered)


def _separated(text: str) -> str:
    """Write other separators of an instant as those of the one form."""
    return re.sub(r"^(\d{4})[-./](\d\d)[-./](\d\d)(?:T|_| {0,2})(?=\d)", r"\1-\2-\3T", text, flags=re.ASCII)


def _of_any_precision(text: str) -> str:
    """Read a fraction of any number of digits, of which three are kept."""
    form = r"(?<=:\d\d)\.(\d*)Z$"
    return re.sub(form, lambda found: f".{found.group(1)[:3]:0<3}Z", text, flags=re.ASCII)


def _with_any_offset_of_zero(text: str) -> str:
    """Write an offset of zero as Z, however it is written."""
    return re.sub(r"(?<=\.\d{3})(?:Z?[-+\xb1\uff0b]0{1,3}:?0{0,2}(?::00)?Z?| Z)$", "Z", text, flags=re.ASCII)


SAYING_NOTHING = ("false", "null", "undefined", "NaN", "None", "[]", "{}")
"""Texts that a language takes for false or for none."""


def _says_nothing(_: State, change: Change) -> Rejection | None:
    bad = isinstance(change, Create) and change.schedule.prompt in SAYING_NOTHING
    return REFUSED if bad else None


SABOTEURS = (
    # number.safe-integer
    sabotage(
        "refuses_300_point_0",
        "number.safe-integer",
        "Takes a number for an integer by its spelling: 300.0 and 3e2 are refused.",
        refusing(_spells_float),
    ),
    sabotage(
        "rounds_stored_fractions",
        "number.safe-integer",
        "Cuts the fraction of a stored number off.",
        on_field("everySeconds", _rounded),
    ),
    sabotage(
        "reads_stored_numbers_from_texts",
        "number.safe-integer",
        "Takes a text of digits for a number.",
        on_field("afterSeconds", _digits),
    ),
    sabotage(
        "takes_true_for_a_stored_one",
        "number.safe-integer",
        "Takes true for 1, as an isinstance of int does.",
        on_field("afterSeconds", lambda value: 1 if value is True else value),
    ),
    sabotage(
        "accepts_integers_beyond_doubles",
        "number.safe-integer",
        "Takes integers from 2^53 on, which a double holds no longer apart.",
        on_field("afterSeconds", _safe),
    ),
    sabotage(
        "holds_seconds_in_32_bits",
        "number.safe-integer",
        "Holds seconds in a signed integer of 32 bits.",
        returned_record(
            lambda record: {key: _in_32_bits(value) for key, value in record.items()},
        ),
    ),
    # instant.canonical
    sabotage(
        "parses_instants_leniently",
        "instant.canonical",
        "Parses durable instants with a lenient parser of dates: other precisions, offsets, week dates.",
        on_instants(_parsed_leniently),
    ),
    sabotage(
        "accepts_instants_with_final_newline",
        "instant.canonical",
        "Matches with $, which stands before a final line end too.",
        on_instants(lambda text: text.removesuffix("\n")),
    ),
    sabotage(
        "accepts_instants_in_other_digits",
        "instant.canonical",
        "Matches with \\d, which has the digits of every script.",
        on_instants(_ascii_digits),
    ),
    sabotage(
        "accepts_instants_in_lower_case",
        "instant.canonical",
        "Matches t and z too, as RFC 3339 allows.",
        on_instants(str.upper),
    ),
    sabotage(
        "accepts_instants_without_milliseconds",
        "instant.canonical",
        "Takes an instant to the second.",
        rewritten(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z$", r"\1.000Z"),
    ),
    sabotage(
        "accepts_instants_in_microseconds",
        "instant.canonical",
        "Takes six digits of a fraction and cuts three off.",
        rewritten(r"(\.\d{3})\d{3}Z$", r"\1Z"),
    ),
    sabotage(
        "accepts_instants_with_zero_offset",
        "instant.canonical",
        "Takes +00:00 for Z.",
        rewritten(r"\+00:00$", "Z"),
    ),
    sabotage(
        "accepts_instants_of_hour_24",
        "instant.canonical",
        "Takes 24:00 for the end of the day, as Date.parse does.",
        rewritten(r"T24:00:00\.000Z$", "T23:59:59.999Z"),
    ),
    sabotage(
        "accepts_instants_of_second_60",
        "instant.canonical",
        "Takes a leap second.",
        rewritten(r":60\.(\d{3})Z$", r":59.\1Z"),
    ),
    sabotage(
        "accepts_30_february_in_the_log",
        "instant.canonical",
        "Checks the days of a month against 31 alone and lets the date roll over.",
        rewritten(r"^(\d{4})-02-(30|31)T", r"\1-03-01T"),
    ),
    sabotage(
        "takes_centuries_for_leap_years",
        "instant.canonical",
        "Takes every fourth year for a leap year: 1900-02-29 passes.",
        rewritten(r"^(\d\d(?<!00|04|08|12|16|20|24|28|32|36|40)00)-02-29T", r"\1-02-28T"),
    ),
    sabotage(
        "refuses_leap_days",
        "instant.canonical",
        "Takes no year for a leap year.",
        refusing(_has_instant(r"....-02-29T")),
    ),
    sabotage(
        "refuses_instants_before_1970",
        "instant.canonical",
        "Takes a time before the epoch for none.",
        refusing(_has_instant(r"(?:0\d|1[0-8]|19[0-6])")),
    ),
    sabotage(
        "reads_first_century_as_twentieth",
        "instant.canonical",
        "Builds dates with Date.UTC, which takes the years 0 to 99 for 1900 to 1999.",
        returned(
            lambda change: json.loads(
                re.sub(r'"00(\d\d-\d\d-\d\dT[0-9:.]+Z)"', r'"19\1"', json.dumps(change))
            )
        ),
    ),
    # instant.range
    sabotage(
        "accepts_year_0000_in_the_log",
        "instant.range",
        "Takes the year 0000, which the proleptic calendar has.",
        on_instants(_year_zero_leniently),
    ),
    sabotage(
        "refuses_year_1",
        "instant.range",
        "Takes a zero instant of another language, 0001-01-01, for an absent one.",
        refusing(_has_instant(r"0001-01-01T00:00:00\.000Z")),
    ),
    sabotage(
        "ends_the_range_in_2038",
        "instant.range",
        "Holds seconds since the epoch in a signed integer of 32 bits.",
        refusing(_has_instant(r"(?:20(?:39|[4-9]\d)|2[1-9]|[3-9])")),
    ),
    sabotage(
        "ends_the_range_at_the_last_second",
        "instant.range",
        "Ends the range at 23:59:59 of its last day, so that its last milliseconds are missing.",
        refusing(_has_instant(r"9999-12-31T23:59:59\.(?!000)")),
    ),
    # record.*
    sabotage(
        "ignores_unknown_members_of_records",
        "change.strict",
        "Decodes the members that it knows and passes over others.",
        on_records(only("id", "kind", "prompt", "afterSeconds", "everySeconds", "scheduledAt")),
    ),
    sabotage(
        "accepts_delay_of_zero",
        "record.after",
        "Takes a delay of zero.",
        on_field("afterSeconds", lambda value: 1 if type(value) is int and value == 0 else value),
    ),
    sabotage(
        "accepts_negative_delays",
        "record.after",
        "Checks that a delay is an integer and not that it is positive.",
        on_field("afterSeconds", lambda value: 1 if type(value) is int and value < 0 else value),
    ),
    sabotage(
        "accepts_after_without_delay",
        "record.after",
        "Takes a missing delay for the default of a field.",
        of_kind("after", lambda record: {"afterSeconds": 1, **record}),
    ),
    sabotage(
        "accepts_at_with_time_zone",
        "record.at",
        "Keeps the zone of an at for display and takes records that have one.",
        of_kind("at", without("timeZone", "time_zone", "offset", "date", "time")),
    ),
    sabotage(
        "accepts_at_with_delay",
        "record.at",
        "Shares one type among all kinds, in which delay and interval are optional.",
        of_kind("at", without("afterSeconds", "everySeconds")),
    ),
    sabotage(
        "raises_short_stored_intervals",
        "record.every",
        "Raises an interval below 300 s where the record has to be refused.",
        on_field("everySeconds", lambda value: max(value, 300) if type(value) is int else value),
    ),
    sabotage(
        "bounds_intervals_by_seconds_alone",
        "record.every",
        "Takes intervals whose milliseconds are no safe integer.",
        on_field(
            "everySeconds",
            lambda value: min(value, 9007199254740) if type(value) is int and value < 2**53 else value,
        ),
    ),
    sabotage(
        "refuses_intervals_beyond_a_day",
        "record.every",
        "Refuses long intervals as unlikely.",
        refusing(
            lambda request: (
                type(record_in(request).get("everySeconds")) is int
                and record_in(request)["everySeconds"] > 86_400
            )
        ),
    ),
    sabotage(
        "accepts_every_with_cooldown",
        "record.kinds",
        "Takes a cooldown or a gate in a record for a later version's.",
        on_records(without("cooldown", "cooldownSeconds", "gate", "cron", "timeZone", "time_zone")),
    ),
    sabotage(
        "accepts_calendar_kinds",
        "record.kinds",
        "Takes records of kinds that it does not know for one-shots.",
        on_records(_calendar_rule),
    ),
    sabotage(
        "compares_kinds_without_case",
        "record.kinds",
        "Compares kinds without regard to case.",
        on_field("kind", lambda value: value.lower() if isinstance(value, str) else value),
    ),
    sabotage(
        "edits_prompts_on_dispatch",
        "record.immutable",
        "Edits the prompt of an every when it is dispatched.",
        applying(edits_prompt),
    ),
    # change.version
    sabotage(
        "accepts_any_version",
        "change.version",
        "Demands a version and does not look at it.",
        on_field("version", lambda _: 1),
    ),
    sabotage(
        "accepts_true_as_version",
        "change.version",
        "Compares the version with ==, to which true is 1.",
        on_field("version", lambda value: 1 if value is True else value),
    ),
    sabotage(
        "accepts_version_as_text",
        "change.version",
        "Compares the version loosely, so that a text of it passes.",
        on_field("version", lambda value: 1 if value == "1" else value),
    ),
    sabotage(
        "accepts_later_versions",
        "change.version",
        "Reads changes of later versions as its own.",
        on_field("version", lambda value: 1 if type(value) is int and value > 1 else value),
    ),
    sabotage(
        "assumes_version_1",
        "change.version",
        "Takes a missing version for the first one.",
        on_changes(lambda change: {"version": 1, **change} if isinstance(change, dict) else change),
    ),
    # change.create, delete, dispatch
    sabotage(
        "accepts_create_with_id_beside",
        "change.create",
        "Takes further members of a create, such as a redundant id.",
        of_operation("create", only("version", "operation", "schedule")),
    ),
    sabotage(
        "accepts_delete_with_reason",
        "change.delete",
        "Takes further members of a delete, such as a reason or a time.",
        of_operation("delete", only("version", "operation", "id")),
    ),
    sabotage(
        "takes_null_for_absent_time",
        "change.dispatch-every",
        "Takes acceptedAt: null for an absent one, as optional fields of many encoders do.",
        of_operation(
            "dispatch", lambda change: {k: v for k, v in change.items() if k != "acceptedAt" or v is not None}
        ),
    ),
    sabotage(
        "accepts_dispatch_with_occurrence",
        "change.dispatch-one-shot",
        "Takes further members of a dispatch, such as the occurrence it delivered.",
        of_operation("dispatch", only("version", "operation", "id", "acceptedAt")),
    ),
    sabotage(
        "accepts_dispatch_time_in_milliseconds",
        "change.dispatch-every",
        "Takes the decision time of a dispatch as a number of milliseconds too.",
        of_operation(
            "dispatch",
            lambda change: (
                {**change, "acceptedAt": "2030-01-01T00:00:00.000Z"}
                if type(change.get("acceptedAt")) is int
                else change
            ),
        ),
    ),
    # change.strict
    sabotage(
        "ignores_unknown_members_of_changes",
        "change.strict",
        "Decodes the members of a change that it knows and passes over others.",
        on_changes(
            lambda change: (
                only("version", "operation", "schedule", "id", "acceptedAt")(change)
                if isinstance(change, dict)
                else change
            )
        ),
    ),
    sabotage(
        "compares_operations_without_case",
        "change.strict",
        "Compares operations without regard to case.",
        on_field("operation", lambda value: value.lower() if isinstance(value, str) else value),
    ),
    sabotage(
        "takes_unknown_operations_for_deletes",
        "change.strict",
        "Ends in a default branch that takes every other operation for a delete.",
        on_field(
            "operation",
            lambda value: (
                "delete" if isinstance(value, str) and value not in ("create", "dispatch") else value
            ),
        ),
    ),
    sabotage(
        "decodes_changes_from_texts",
        "change.strict",
        "Takes a change that is a JSON text for the change that the text holds.",
        on_changes(_unwrapped),
    ),
    sabotage(
        "takes_a_list_of_one_change",
        "change.strict",
        "Takes a list of one change for the change.",
        on_changes(lambda change: change[0] if isinstance(change, list) and len(change) == 1 else change),
    ),
    sabotage(
        "minds_the_order_of_keys",
        "change.strict",
        "Reads members in the order in which it writes them and refuses another.",
        refusing(_out_of_order),
    ),
    sabotage(
        "lets_the_first_duplicate_count",
        "change.strict",
        "Lets the first of duplicate keys count.",
        text_through(lambda text: json.loads(text, object_pairs_hook=first_of_duplicates)),
    ),
    sabotage(
        "refuses_duplicate_keys",
        "change.strict",
        "Refuses duplicate keys, as strict parsers do.",
        text_through(lambda text: json.loads(text, object_pairs_hook=no_duplicates)),
    ),
    # change.json
    sabotage(
        "reads_nan",
        "change.json",
        "Reads NaN and Infinity, as Python's json does.",
        text_through(lambda text: json.loads(text, parse_constant=lambda _: 1)),
    ),
    sabotage(
        "reads_raw_control_characters",
        "change.json",
        "Takes a raw control character within a string.",
        text_through(lambda text: json.loads(text, strict=False)),
    ),
    sabotage(
        "reads_past_byte_order_mark",
        "change.json",
        "Passes over a byte-order mark.",
        _from_text(lambda text: text.removeprefix("\ufeff")),
    ),
    sabotage(
        "reads_trailing_commas",
        "change.json",
        "Takes a comma before a closing bracket.",
        outside_strings(r",(\s*[}\]])", r"\1"),
    ),
    sabotage(
        "reads_comments",
        "change.json",
        "Takes comments.",
        outside_strings(r"/\*.*?\*/|//[^\n]*", " "),
    ),
    sabotage(
        "reads_single_quotes",
        "change.json",
        "Takes strings in single quotes.",
        _from_text(lambda text: text.replace("'", '"')),
    ),
    sabotage(
        "reads_numbers_loosely",
        "change.json",
        "Takes a plus sign or a zero before a number, and a full stop without digits.",
        outside_strings(r"\+(?=\d)|(?<![\d.eE+-])0+(?=\d)|(?<=\d)\.(?!\d)", ""),
    ),
    sabotage(
        "stops_at_the_end_of_the_value",
        "change.json",
        "Reads one value and does not look at what follows it.",
        text_through(lambda text: json.JSONDecoder().raw_decode(text.lstrip(" \t\n\r"))[0]),
    ),
    sabotage(
        "trims_json_as_python_does",
        "change.json",
        "Strips white space of Unicode around the text, of which JSON has four characters.",
        _from_text(str.strip),
    ),
    sabotage(
        "breaks_on_deep_nesting",
        "change.json",
        "Parses by recursion and breaks where the stack ends.",
        recursive,
    ),
    sabotage(
        "refuses_escapes_of_unicode",
        "change.json",
        "Does not know the escape of four digits.",
        refusing(has_text(r"\\u")),
    ),
    sabotage(
        "refuses_space_around_json",
        "change.json",
        "Refuses white space around the value.",
        refusing(has_text(r"\A[ \t\n\r]|[ \t\n\r]\Z")),
    ),
    # change.lossless
    sabotage(
        "replaces_unpaired_surrogates",
        "change.lossless",
        "Encodes strings to UTF-8, so that an unpaired surrogate is lost.",
        returned(_paired),
    ),
    sabotage(
        "normalises_texts",
        "change.lossless",
        "Hands strings back in the normal form NFC.",
        returned(_composed),
    ),
    sabotage(
        "normalises_line_ends",
        "change.lossless",
        "Hands a carriage return back as a line feed.",
        returned_record(
            lambda record: {**record, "prompt": re.sub("\r\n?", "\n", record["prompt"])},
        ),
    ),
    sabotage(
        "returns_instants_in_seconds",
        "change.lossless",
        "Holds instants in whole seconds, so that their milliseconds are lost.",
        returned(lambda change: json.loads(re.sub(r"(:\d\d)\.\d{3}Z", r"\1.000Z", json.dumps(change)))),
    ),
    sabotage(
        "returns_delays_as_milliseconds",
        "change.lossless",
        "Hands a delay back in the unit that it computes with.",
        returned_record(
            lambda record: (
                {**record, "afterSeconds": record["afterSeconds"] * 1000}
                if "afterSeconds" in record
                else record
            )
        ),
    ),
    # what is rare
    sabotage(
        "lets_the_first_duplicate_instant_count",
        "change.strict",
        "Reads the members of a record that it needs at once, and the others at the end.",
        text_through(lambda text: json.loads(text, object_pairs_hook=_first_of_instants)),
    ),
    sabotage(
        "returns_prompts_escaped_for_html",
        "change.lossless",
        "Escapes what HTML gives a meaning.",
        _returning_prompts(lambda prompt: prompt.replace("&", "&amp;").replace("<", "&lt;")),
    ),
    sabotage(
        "drops_byte_order_marks_within_prompts",
        "change.lossless",
        "Drops byte order marks wherever they stand.",
        _returning_prompts(lambda prompt: prompt.replace("\ufeff", "")),
    ),
    sabotage(
        "trims_the_ends_of_lines",
        "change.lossless",
        "Trims each line of a prompt.",
        _returning_prompts(lambda prompt: re.sub("[ \t]+(?=\n)", "", prompt)),
    ),
    sabotage(
        "refuses_stored_prompts_beyond_a_column",
        "text.prompt",
        "Refuses records whose prompt its column of 16,383 characters does not hold.",
        refusing(lambda request: len(str(record_in(request).get("prompt", ""))) > 16_383),
    ),
    # instants as other readers take them
    sabotage(
        "accepts_instants_without_zeros",
        "instant.canonical",
        "Parses by a pattern of numbers, which may lack their zeros.",
        on_instants(padded),
    ),
    sabotage(
        "accepts_instants_in_the_basic_form",
        "instant.canonical",
        "Takes hyphens and colons as ISO 8601 lets them be left out.",
        on_instants(extended),
    ),
    sabotage(
        "accepts_instants_with_other_separators",
        "instant.canonical",
        "Takes full stops in the date, and anything or nothing for the T.",
        on_instants(_separated),
    ),
    sabotage(
        "accepts_instants_of_any_precision",
        "instant.canonical",
        "Takes as many digits of a fraction as there are, or none behind its full stop.",
        on_instants(_of_any_precision),
    ),
    sabotage(
        "accepts_instants_with_any_offset_of_zero",
        "instant.canonical",
        "Takes an offset of zero, however it is written.",
        on_instants(_with_any_offset_of_zero),
    ),
    sabotage(
        "accepts_instants_with_zones_in_words",
        "instant.canonical",
        "Takes GMT, UTC and military letters for Z.",
        on_instants(zoned),
    ),
    sabotage(
        "accepts_instants_with_brackets",
        "instant.canonical",
        "Passes over a zone or calendar in brackets, as RFC 9557 writes it.",
        rewritten(r"Z\[[^\]]*\]$", "Z"),
    ),
    sabotage(
        "accepts_instants_with_signs_of_years",
        "instant.canonical",
        "Reads a year as a number, with a sign or a further zero.",
        on_instants(unsigned),
    ),
    sabotage(
        "takes_quotes_off_instants",
        "instant.canonical",
        "Reads a text that was encoded twice.",
        on_instants(unquoted),
    ),
    sabotage(
        "passes_over_what_is_invisible_in_instants",
        "instant.canonical",
        "Leaves controls and invisible characters out before it reads.",
        on_instants(visible),
    ),
    sabotage(
        "reads_stored_seconds_since_1970",
        "instant.canonical",
        "Takes a text of ten digits for seconds since 1970.",
        on_instants(of_seconds),
    ),
    sabotage(
        "takes_prompts_for_false",
        "fold.create",
        "Reads prompts as a configuration's values, where false and null say that there is none.",
        applying(_says_nothing),
    ),
)
