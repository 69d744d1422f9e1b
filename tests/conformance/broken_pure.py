"""Broken systems for creation, views, decisions and framings: the law with one fault each."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.conformance.broken import Broken, Handler, Object, altered_result

from schedule_conformance import law_adapter
from schedule_spec import absolute, instants, local_time, zones
from schedule_spec.instants import EARLIEST, LATEST, in_range, render
from schedule_spec.text import trim


def refused(request: Object, code: str) -> Object:
    return {"seq": request["seq"], "rejected": {"code": code}}


def granted(request: Object, instant: int) -> Object:
    """The record of an `at` with another instant."""
    record = {
        "id": request["id"],
        "kind": "at",
        "prompt": trim(request["prompt"]),
        "scheduledAt": render(instant),
    }
    return {"seq": request["seq"], "result": {"record": record}}


def on_at(alter: Callable[[Any], Any]) -> Handler:
    """The law, to which every `at` is shown altered."""

    def handle(request: Object) -> object:
        shown = {**request, "at": alter(request["at"])} if "at" in request else request
        return law_adapter.handle(shown)

    return handle


def on_string(alter: Callable[[str], str]) -> Handler:
    """The law, to which every `at` that is a string is shown altered."""
    return on_at(lambda at: alter(at) if isinstance(at, str) else at)


def on_member(member: str, alter: Callable[[Any], Any]) -> Handler:
    """The law, to which a member of every structured `at` is shown altered."""
    return on_at(
        lambda at: {**at, member: alter(at[member])} if isinstance(at, dict) and member in at else at
    )


def on_number(member: str, alter: Callable[[Any], Any]) -> Handler:
    """The law, to which a member of every creation by values is shown altered."""

    def handle(request: Object) -> object:
        shown = {**request, member: alter(request[member])} if member in request else request
        return law_adapter.handle(shown if request["cmd"] == "create" else request)

    return handle


def on_prompt(alter: Callable[[str], str]) -> Handler:
    """The law, to which every creation's prompt is shown altered."""
    return on_number("prompt", lambda prompt: alter(prompt) if isinstance(prompt, str) else prompt)


def resolving(resolve: Callable[[zones.Zone, int], int | None]) -> Handler:
    """The law, but a wall time in a zone is resolved otherwise; None where it is as it should be."""

    def handle(request: Object) -> object:
        at: Any = request.get("at")
        name = zones.canonical(at["time_zone"]) if _is_local(at) else None
        wall = absolute.parse_offset_form(f"{at['date']}T{at['time']}Z") if name else None
        now = request.get("now")
        if name is None or not isinstance(wall, int) or type(now) is not int:
            return law_adapter.handle(request)
        instant = resolve(zones.zone(name), wall)
        if instant is None or not in_range(instant):
            return law_adapter.handle(request)
        return granted(request, instant) if instant > now else refused(request, "not_future")

    return handle


def _is_local(at: Any) -> bool:
    return (
        isinstance(at, dict)
        and at.keys() == {"date", "time", "time_zone"}
        and all(isinstance(value, str) for value in at.values())
    )


def gap_shifted(zone: zones.Zone, wall: int, *, forward: bool) -> int | None:
    """Resolve a gap by the offset before it (forward) or after it (backward)."""
    if local_time.instants_of(zone, wall):
        return None
    gap = local_time.gap_around(zone, wall)
    return wall - (gap.before if forward else gap.after)


def second_of_overlap(zone: zones.Zone, wall: int) -> int | None:
    found = local_time.instants_of(zone, wall)
    return found[-1] if len(found) > 1 else None


def offset_to_minutes(zone: zones.Zone, wall: int) -> int | None:
    found = local_time.instants_of(zone, wall)
    return wall - (wall - found[0]) // 60_000 * 60_000 if len(found) == 1 else None


def as_utc(_: zones.Zone, wall: int) -> int:
    return wall


def second_where_first_is_past(request: Object) -> object:
    """Holds an overlap's second instant against the clock where the first is past."""
    reply = law_adapter.handle(request)
    at: Any = request.get("at")
    if not _is_local(at) or reply.get("rejected", {}).get("code") != "not_future":
        return reply
    wall = absolute.parse_offset_form(f"{at['date']}T{at['time']}Z")
    name = zones.canonical(at["time_zone"])
    found = local_time.instants_of(zones.zone(name), wall) if name and isinstance(wall, int) else ()
    later = [instant for instant in found if instant > request["now"]]
    return granted(request, later[0]) if later else reply


def plain_zones(named: Callable[[str], str]) -> Handler:
    return on_member("time_zone", lambda zone: named(zone) if isinstance(zone, str) else zone)


def case_sensitive(request: Object) -> object:
    at: Any = request.get("at")
    if _is_local(at) and zones.canonical(at["time_zone"]) not in (None, at["time_zone"]):
        return refused(request, "invalid_time_zone")
    return law_adapter.handle(request)


def _known_to_the_machine(zone: str) -> str:
    known = {
        "EST": "Etc/GMT+5",
        "GMT": "Etc/GMT",
        "Z": "UTC",
        "CET": "Europe/Paris",
        "localtime": "Europe/Paris",
    }
    return known.get(zone, zone)


def _below_a_folder(zone: str) -> str:
    return zone.removeprefix("posix/").removeprefix("right/")


def _unicode_case(zone: str) -> str:
    return zone.casefold() if "/" in zone else zone


def not_future_at(offset: int) -> Handler:
    """Compares the target with a clock that is off."""

    def handle(request: Object) -> object:
        now = request.get("now")
        if "at" not in request or type(now) is not int or abs(now) > 2**53 - 2:
            return law_adapter.handle(request)
        reply = law_adapter.handle({**request, "now": now + offset})
        return {**reply, "seq": request["seq"]}

    return handle


def range_before_shift(request: Object) -> object:
    """Checks the range of the reading, and not of the instant."""
    reply = law_adapter.handle(request)
    beyond = reply.get("rejected", {}).get("code") == "time_out_of_range"
    if beyond and isinstance(request.get("at"), str) and type(request.get("now")) is int:
        instant = absolute.instant_of(request["at"])
        if isinstance(instant, int) and abs(request["now"]) < 2**53:
            return granted(request, min(max(instant, EARLIEST), LATEST))
    return reply


def coded(clause_code: str, code: str, applies: Callable[[Object], bool]) -> Handler:
    """Answers another code where the law's is one and the request is such."""

    def handle(request: Object) -> object:
        reply = law_adapter.handle(request)
        if reply.get("rejected", {}).get("code") == clause_code and applies(request):
            return refused(request, code)
        return reply

    return handle


def short_every_from(least: int) -> Handler:
    """Takes intervals from another minimum on."""

    def handle(request: Object) -> object:
        seconds = request.get("every_seconds")
        if type(seconds) is not int or request["cmd"] != "create":
            return law_adapter.handle(request)
        if least <= seconds < 300:
            reply = law_adapter.handle({**request, "every_seconds": 300})
            if "result" in reply:
                reply["result"]["record"]["everySeconds"] = seconds
            return reply
        return (
            refused(request, "frequency_too_high") if 300 <= seconds < least else law_adapter.handle(request)
        )

    return handle


def on_record(alter: Callable[[Object], Object]) -> Handler:
    return altered_result(lambda result: {"record": alter(result["record"])}, "create")


def of_kind(kind: str, alter: Callable[[Object], Object]) -> Handler:
    return on_record(lambda record: alter(record) if record["kind"] == kind else record)


def moved(record: Object, move: Callable[[int], int]) -> Object:
    return {**record, "scheduledAt": render(move(instants.parse(record["scheduledAt"]) or 0))}


def to_seconds(record: Object) -> Object:
    return moved(record, lambda ms: ms // 1000 * 1000)


def clamped_to_range(request: Object) -> object:
    """Ends what would lie beyond the range at its end."""
    reply = law_adapter.handle(request)
    seconds = request.get("after_seconds", request.get("every_seconds"))
    if reply.get("rejected", {}).get("code") != "time_out_of_range" or type(request.get("now")) is not int:
        return reply
    smaller = 60 if "after_seconds" in request else 300
    member = "after_seconds" if "after_seconds" in request else "every_seconds"
    if "at" in request or type(seconds) is not int or abs(request["now"]) > LATEST:
        return reply
    return law_adapter.handle({**request, member: smaller})


def untrimmed(request: Object) -> object:
    reply = law_adapter.handle(request)
    if request["cmd"] == "create" and "result" in reply and isinstance(request.get("prompt"), str):
        reply["result"]["record"]["prompt"] = request["prompt"]
    return reply


def first_selector(request: Object) -> object:
    members = [name for name in ("after_seconds", "at", "every_seconds") if name in request]
    if request["cmd"] == "create" and len(members) > 1:
        return law_adapter.handle({key: value for key, value in request.items() if key not in members[1:]})
    return law_adapter.handle(request)


def without_nulls(request: Object) -> object:
    if request["cmd"] != "create":
        return law_adapter.handle(request)
    selectors = ("after_seconds", "at", "every_seconds")
    return law_adapter.handle(
        {key: value for key, value in request.items() if key not in selectors or value is not None}
    )


def zone_type_first(request: Object) -> object:
    at = request.get("at")
    if isinstance(at, dict) and not isinstance(at.get("time_zone", ""), str):
        return refused(request, "invalid_time_zone")
    return law_adapter.handle(request)


def extra_members_pass(request: Object) -> object:
    at = request.get("at")
    if isinstance(at, dict):
        kept = {key: value for key, value in at.items() if key in ("date", "time", "time_zone")}
        return law_adapter.handle({**request, "at": kept})
    return law_adapter.handle(request)


def normalised(at: str) -> str:
    """Take 30 February for the 1st or 2nd of March, and hour 24 for the next midnight, as some parsers do."""
    return re.sub(r"^(\d{4})-02-30T", r"\1-03-01T", at)


def ending(pattern: str, replacement: str) -> Callable[[str], str]:
    return lambda at: re.sub(pattern, replacement, at)


def fraction_of(read: Callable[[str], str]) -> Handler:
    """Reads the digits of a second's fraction otherwise."""

    def altered(text: str) -> str:
        return re.sub(
            r"(?<=:[0-5][0-9])\.([0-9]{1,3})(?=[Z+-]|$)", lambda found: f".{read(found.group(1))}", text
        )

    return on_at(
        lambda at: (
            altered(at)
            if isinstance(at, str)
            else {**at, "time": altered(at["time"])}
            if isinstance(at, dict) and isinstance(at.get("time"), str)
            else at
        )
    )


def due_by(decide: Callable[[list[Object], Any, Object], Object | None]) -> Handler:
    """The law, but another decision where one is given."""

    def handle(request: Object) -> object:
        reply = law_adapter.handle(request)
        if request["cmd"] != "due" or "result" not in reply:
            return reply
        now = int(request["now"])
        due = [record for record in request["records"] if (instants.parse(record["scheduledAt"]) or 0) <= now]
        other = decide(due, now, reply["result"])
        return reply if other is None else {**reply, "result": other}

    return handle


def latest_one_shot(due: list[Object], _: int, law: Object) -> Object | None:
    shots = [record for record in due if record["kind"] != "every"]
    return {"kind": "one-shot", "id": max(shots, key=lambda r: r["scheduledAt"])["id"]} if shots else None


def last_of_equals(due: list[Object], _: int, law: Object) -> Object | None:
    shots = [record for record in due if record["kind"] != "every"]
    return (
        {"kind": "one-shot", "id": min(reversed(shots), key=lambda r: r["scheduledAt"])["id"]}
        if shots
        else None
    )


def every_first(due: list[Object], now: int, law: Object) -> Object | None:
    everys = [record for record in due if record["kind"] == "every"]
    if not everys or law["kind"] != "one-shot":
        return None
    request = {"seq": 1, "cmd": "due", "records": everys, "now": now}
    return law_adapter.handle(request)["result"]  # type: ignore[no-any-return]


def batch_with(alter: Callable[[list[Object], list[Object]], list[Object]]) -> Handler:
    """Alters the reminders of a batch, given the due records too."""
    return due_by(
        lambda due, _, law: (
            {**law, "reminders": alter(law["reminders"], due)} if law["kind"] == "batch" else None
        )
    )


def in_creation_order(reminders: list[Object], due: list[Object]) -> list[Object]:
    order = [record["id"] for record in due]
    return sorted(reminders, key=lambda reminder: order.index(reminder["id"]))


def at_their_targets(reminders: list[Object], due: list[Object]) -> list[Object]:
    targets = {record["id"]: record["scheduledAt"] for record in due}
    return [{**reminder, "occurrenceAt": targets[reminder["id"]]} for reminder in reminders]


def accepted_at_occurrence(due: list[Object], _: int, law: Object) -> Object | None:
    return {**law, "acceptedAt": law["reminders"][0]["occurrenceAt"]} if law["kind"] == "batch" else None


def batch_in_any_clock(due: list[Object], now: int, law: Object) -> Object | None:
    everys = [record for record in due if record["kind"] == "every"]
    if law["kind"] != "wait" or not everys or in_range(now):
        return None
    request = {"seq": 1, "cmd": "due", "records": everys, "now": LATEST}
    return law_adapter.handle(request)["result"]  # type: ignore[no-any-return]


def stops_beside_the_range(request: Object) -> object:
    now = request.get("now")
    if request["cmd"] == "due" and type(now) is int and not in_range(now) and abs(now) < 2**53:
        return refused(request, "time_out_of_range")
    return law_adapter.handle(request)


def latest_wait(due: list[Object], _: int, law: Object) -> Object | None:
    return {"kind": "wait", "until": render(LATEST)} if law["kind"] == "wait" and "until" in law else None


def null_for_never(due: list[Object], _: int, law: Object) -> Object | None:
    return {"until": None, **law} if law["kind"] == "wait" else None


def framing(alter: Callable[[str], str], *commands: str) -> Handler:
    """Alters the text of framings."""

    def handle(request: Object) -> object:
        reply = law_adapter.handle(request)
        if request["cmd"] in (commands or ("frame", "frame_batch")) and "result" in reply:
            return {**reply, "result": {"text": alter(reply["result"]["text"])}}
        return reply

    return handle


LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def literals(spell: Callable[[str], str]) -> Handler:
    """Spells the string literals of framings otherwise."""
    return framing(lambda text: LITERAL.sub(lambda found: spell(json.loads(found.group())), text))


def _shortened(text: str) -> str:
    return json.dumps(text[:1000], ensure_ascii=False) if len(text) > 1000 else _python_raw(text)


def _python_raw(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _html_safe(text: str) -> str:
    return _python_raw(text).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _unescaped(text: str) -> str:
    return f'"{text}"'


def _upper_hex(text: str) -> str:
    return re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found.group()[2:].upper(), _js(text))


def _js(text: str) -> str:
    spelt = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", spelt)


def _key_order(text: str) -> str:
    found = re.compile(r'("schedule_id":"(?:[^"\\]|\\.)*"),("occurrence_at":"[^"]*")', re.DOTALL)
    return found.sub(r"\2,\1", text)


LOCAL = ("local.unique", "local.overlap-first", "at.local-form")
AT = ("at.offset-form", "at.local-form")

BROKEN_PURE: tuple[Broken, ...] = (
    # at: strings
    Broken("assumes UTC", "at.offset-required", on_string(ending(r"(T\d\d:\d\d:\d\d(?:\.\d+)?)$", r"\1Z"))),
    Broken("accepts -00:00", "at.offset-range", on_string(lambda at: at.replace("-00:00", "+00:00"))),
    Broken("accepts hours 24", "at.offset-range", on_string(ending(r"[+-]24:00$", "Z"))),
    Broken("accepts minutes 60", "at.offset-range", on_string(ending(r"([+-]\d\d):60$", r"\1:59"))),
    Broken("accepts a final newline", "at.offset-form", on_string(lambda at: at.removesuffix("\n"))),
    Broken("trims strings", "at.offset-form", on_string(trim)),
    Broken("accepts lower case", "at.offset-form", on_string(str.upper)),
    Broken("accepts a space for T", "at.offset-form", on_string(ending(r"^(\d{4}-\d\d-\d\d) ", r"\1T"))),
    Broken("accepts +0530", "at.offset-form", on_string(ending(r"([+-]\d\d)(\d\d)$", r"\1:\2"))),
    Broken("accepts a minus sign", "at.offset-form", on_string(lambda at: at.replace("\u2212", "-"))),
    Broken(
        "accepts digits of other scripts",
        "at.offset-form",
        on_string(lambda at: "".join(str(int(c)) if c.isdecimal() else c for c in at)),
        ("at.fraction",),
    ),
    Broken(
        "cuts fractions off", "at.offset-form", on_string(ending(r"(\.\d{3})\d+", r"\1")), ("at.fraction",)
    ),
    Broken("normalises 30 February", "at.real-date", on_string(normalised)),
    Broken("accepts hour 24", "at.real-date", on_string(ending(r"T24:00:00", "T23:59:59"))),
    Broken("accepts second 60", "at.real-date", on_string(lambda at: at.replace(":60Z", ":59Z"))),
    Broken("accepts year 0000", "at.real-date", on_string(ending(r"^0000-", "0004-"))),
    Broken(
        "takes 2100 for a leap year",
        "at.real-date",
        on_member("date", lambda d: "2100-03-01" if d == "2100-02-29" else d),
    ),
    Broken("reads .5 as 5 ms", "at.fraction", fraction_of(lambda digits: digits.rjust(3, "0"))),
    Broken("drops fractions", "at.fraction", fraction_of(lambda _: "0"), ("at.future",)),
    Broken(
        "turns offsets round",
        "at.offset-meaning",
        on_string(
            lambda at: (
                re.sub(r"([+-])(?=\d\d:\d\d$)", lambda found: "-+"["+-".index(found.group())], at)
                if not at.endswith("00:00")
                else at
            )
        ),
        ("at.range", "at.future"),
    ),
    Broken(
        "ignores an offset's minutes",
        "at.offset-meaning",
        on_string(ending(r"([+-](?!00)\d\d):[0-5]\d$", r"\1:00")),
    ),
    Broken("refuses +00:00", "at.offset-range", on_string(ending(r"\+00:00$", "-00:00"))),
    # at: the future, the range, the record
    Broken("takes the present for the future", "at.future", not_future_at(-1)),
    Broken("asks for a second more", "at.future", not_future_at(1), ("local.overlap-first",)),
    Broken("checks the range before the shift", "at.range", range_before_shift),
    Broken(
        "calls what is past out of range",
        "at.future",
        coded("not_future", "time_out_of_range", lambda _: True),
        ("local.overlap-first",),
    ),
    Broken("keeps the offset", "at.utc-only", of_kind("at", lambda record: {**record, "offset": "Z"})),
    Broken(
        "stores seconds",
        "at.utc-only",
        of_kind("at", lambda r: {**r, "scheduledAt": r["scheduledAt"][:19] + "Z"}),
    ),
    # at: the structured form
    Broken("accepts further members", "at.local-form", extra_members_pass),
    Broken("looks at the zone first", "at.local-form", zone_type_first, ("zone.names",)),
    Broken(
        "trims times", "at.local-form", on_member("time", lambda t: t.strip() if isinstance(t, str) else t)
    ),
    Broken(
        "calls a zone of another type a rule",
        "at.local-form",
        coded("invalid_time_zone", "invalid_rule", lambda r: not _is_local(r.get("at"))),
    ),
    # zones
    Broken("minds the case of zones", "zone.names", case_sensitive),
    Broken("accepts abbreviations", "zone.names", plain_zones(_known_to_the_machine)),
    Broken("accepts posix and right", "zone.names", plain_zones(_below_a_folder)),
    Broken("trims names", "zone.names", plain_zones(str.strip)),
    Broken(
        "accepts utc", "zone.names", plain_zones(lambda zone: zone.upper() if zone.lower() == "utc" else zone)
    ),
    Broken(
        "follows paths",
        "zone.names",
        plain_zones(lambda zone: zone.replace("Europe/../", "").replace("./", "")),
    ),
    Broken("folds case as Unicode does", "zone.names", plain_zones(_unicode_case)),
    Broken(
        "calls a bad name a bad rule",
        "zone.names",
        coded("invalid_time_zone", "invalid_rule", lambda r: _is_local(r.get("at"))),
        ("at.local-form",),
    ),
    # local times
    Broken(
        "moves gaps forward",
        "local.gap-rejected",
        resolving(partial(gap_shifted, forward=True)),
        ("at.range",),
    ),
    Broken(
        "moves gaps back", "local.gap-rejected", resolving(partial(gap_shifted, forward=False)), ("at.range",)
    ),
    Broken(
        "takes the second of an overlap", "local.overlap-first", resolving(second_of_overlap), ("at.range",)
    ),
    Broken("takes whichever of an overlap is to come", "local.overlap-first", second_where_first_is_past),
    Broken(
        "counts offsets in minutes", "local.unique", resolving(offset_to_minutes), ("at.future", "at.range")
    ),
    Broken("uses the process zone", "at.no-ambient", resolving(as_utc), ("at.future", "at.range")),
    # after and every
    Broken(
        "takes zero for a delay",
        "after.rule",
        on_number("after_seconds", lambda n: 1 if n == 0 and type(n) is int else n),
    ),
    Broken("rounds delays", "after.rule", on_number("after_seconds", lambda n: 1 if n == 1.5 else n)),
    Broken(
        "reads delays from strings",
        "after.rule",
        on_number("after_seconds", lambda n: int(n) if n in ("60", "300", "1") else n),
    ),
    Broken("takes true for one", "after.rule", on_number("after_seconds", lambda n: 1 if n is True else n)),
    Broken(
        "calls an unsafe delay out of range",
        "after.rule",
        coded(
            "invalid_rule",
            "time_out_of_range",
            lambda r: isinstance(r.get("after_seconds"), int) and r["after_seconds"] >= 2**53,
        ),
    ),
    Broken("stores targets of delays in seconds", "after.target", of_kind("after", to_seconds)),
    Broken(
        "forgets the delay",
        "record.after",
        of_kind("after", lambda r: {k: v for k, v in r.items() if k != "afterSeconds"}),
    ),
    Broken("ends delays at the range's end", "after.range", clamped_to_range, ("every.range",)),
    Broken("takes intervals from 299", "every.minimum", short_every_from(299)),
    Broken("takes intervals from 301", "every.minimum", short_every_from(301)),
    Broken(
        "calls zero a bad rule",
        "every.minimum",
        coded("frequency_too_high", "invalid_rule", lambda r: r.get("every_seconds") == 0),
    ),
    Broken(
        "calls fractions too frequent",
        "every.rule",
        coded("invalid_rule", "frequency_too_high", lambda r: "every_seconds" in r),
    ),
    Broken("rounds anchors to seconds", "every.first-target", of_kind("every", to_seconds)),
    Broken(
        "starts at once",
        "every.first-target",
        of_kind("every", lambda r: moved(r, lambda ms: max(EARLIEST, ms - r["everySeconds"] * 1000))),
    ),
    Broken(
        "calls a bad clock a bad rule",
        "every.range",
        coded("time_out_of_range", "invalid_rule", lambda r: "now" in r and type(r["now"]) is not int),
        ("after.range", "at.range", "number.safe-integer"),
    ),
    Broken(
        "reads JSON numbers as text",
        "number.safe-integer",
        lambda request: (
            refused(request, "invalid_rule")
            if re.search(r"\d[.eE]", request.get("json", "")) and request["cmd"] == "create"
            else law_adapter.handle(request)
        ),
        ("*",),
    ),
    # prompts and selectors
    Broken(
        "stores prompts as they come",
        "tool.create-prompt",
        untrimmed,
        ("text.trim",),
    ),
    Broken("trims as Python does", "text.trim", on_prompt(str.strip), ("tool.create-prompt",)),
    Broken(
        "accepts blank prompts",
        "tool.create-prompt",
        on_prompt(lambda prompt: prompt if trim(prompt) else "p"),
        ("text.trim",),
    ),
    Broken("takes the first selector", "tool.create-selector", first_selector),
    Broken(
        "passes over nulls",
        "tool.create-selector",
        without_nulls,
        ("after.rule", "at.local-form", "every.rule"),
    ),
    # views
    Broken(
        "shows more", "view.fields", altered_result(lambda r: {"view": {**r["view"], "overdueBy": 0}}, "view")
    ),
    Broken(
        "shows less",
        "view.fields",
        altered_result(
            lambda r: {"view": {k: v for k, v in r["view"].items() if k != "deliveryMode"}}, "view"
        ),
    ),
    Broken(
        "is overdue only past the target",
        "view.state",
        lambda request: law_adapter.handle(
            {**request, "now": request["now"] - 1}
            if request["cmd"] == "view" and type(request["now"]) is int and abs(request["now"]) < 2**53 - 1
            else request
        ),
    ),
    Broken(
        "shows any clock",
        "number.safe-integer",
        lambda request: law_adapter.handle(
            {**request, "now": 0} if request["cmd"] == "view" and request["now"] is None else request
        ),
    ),
    # decisions
    Broken("takes the latest one-shot", "due.one-shot-first", due_by(latest_one_shot)),
    Broken("takes the last of equal one-shots", "due.one-shot-first", due_by(last_of_equals)),
    Broken("takes everys first", "due.one-shot-first", due_by(every_first)),
    Broken("orders by creation", "due.batch", batch_with(in_creation_order)),
    Broken(
        "orders by occurrence",
        "due.batch",
        batch_with(lambda reminders, _: sorted(reminders, key=lambda r: r["occurrenceAt"])),
    ),
    Broken("takes one every at a time", "due.batch", batch_with(lambda reminders, _: reminders[:1])),
    Broken("delivers the first occurrence", "rate.latest-due", batch_with(at_their_targets)),
    Broken("accepts at the occurrence", "due.one-decision-time", due_by(accepted_at_occurrence)),
    Broken("decides beside the range", "due.clock-range", due_by(batch_in_any_clock)),
    Broken("refuses clocks beside the range", "due.clock-range", stops_beside_the_range),
    Broken("waits for the last", "due.wait", due_by(latest_wait)),
    Broken("waits until null", "due.wait", due_by(null_for_never)),
    # framings
    Broken("escapes all but ASCII", "text.json-string", literals(json.dumps)),
    Broken("escapes for HTML", "text.json-string", literals(_html_safe)),
    Broken("leaves surrogates raw", "text.json-string", literals(_python_raw)),
    Broken("writes hexadecimal in capitals", "text.json-string", literals(_upper_hex)),
    Broken(
        "quotes without escaping",
        "frame.injection",
        literals(_unescaped),
        ("text.json-string", "frame.one-shot", "frame.batch"),
    ),
    Broken(
        "ends lines with CRLF", "frame.one-shot", framing(lambda text: text.replace("\n", "\r\n"), "frame")
    ),
    Broken(
        "ends with a newline",
        "frame.one-shot",
        framing(lambda text: text + "\n", "frame"),
        ("frame.injection",),
    ),
    Broken(
        "puts spaces in batches",
        "frame.batch",
        framing(lambda text: text.replace('","', '", "'), "frame_batch"),
        ("text.json-string",),
    ),
    Broken("turns keys of batches", "frame.batch", framing(_key_order, "frame_batch")),
    Broken(
        "frames a single every alone",
        "frame.batch",
        framing(lambda text: text.replace(" BATCH]", "]"), "frame_batch"),
    ),
    Broken("cuts long texts", "frame.whole", literals(_shortened), ("text.json-string",)),
    Broken("cuts framings", "frame.whole", framing(lambda text: text[:4000])),
)
