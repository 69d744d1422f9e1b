"""The clause that a fault is told under is that of the thing which it stumbles over."""

from collections.abc import Callable
from typing import Any

import pytest

from schedule_conformance.checks.trials import Trial
from schedule_conformance.judgement.judging import Failed, judge
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess
from schedule_spec.profiles import Profile

Object = dict[str, Any]

T = "2030-01-01T00:00:00.000Z"
NOW = 1_893_456_000_000
FIRST = "0001-01-01T00:00:00.000Z"
UNPADDED = "1-01-01T00:00:00.000Z"
AT = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": T}
EVERY = {"id": "a", "kind": "every", "prompt": "p", "everySeconds": 300, "scheduledAt": FIRST}
BEGIN = -62_135_596_800_000


def create(**members: Any) -> Object:
    return {"version": 1, "operation": "create", "schedule": {**AT, **members}}


def event(change: object) -> Object:
    return {"type": "schedule/change", "data": change}


def blamed(request: Object, **reply: Any) -> str:
    """Return the clause under which a reply to a request is told as it stands."""
    verdict = judge({"seq": 1, **request}, {"seq": 1, **reply})
    assert isinstance(verdict, Failed)
    return verdict.clause


def refusing(refused: Callable[[Object], bool], code: str = "corrupt_schedule_log") -> InProcess:
    """Return the law's own system, but for requests that it refuses."""

    def handle(request: Object) -> Object:
        if refused(request):
            return {"seq": request["seq"], "rejected": {"code": code}}
        return law_adapter.handle(request)

    return InProcess("refuser", handle)


def told(system: InProcess, request: Object) -> str:
    """Return the clause under which a run tells how a system answers a request."""
    trial = Trial(system, Profile.V1, frozenset())
    with trial.check("check", generated=False):
        failure = trial.hear(trial.case(request))
    assert failure is not None, "nothing was wrong"
    return failure.clause


# --- instants that come


ADVANCE = {"cmd": "advance", "record": EVERY, "acceptedAt": BEGIN}
DUE = {"cmd": "due", "records": [EVERY], "now": BEGIN}
WAITING = {"cmd": "due", "records": [EVERY], "now": BEGIN - 1}
AFTER = {"cmd": "create", "id": "a", "prompt": "p", "after_seconds": 1, "now": BEGIN - 1_000}
AN_EVERY = {"cmd": "create", "id": "a", "prompt": "p", "every_seconds": 300, "now": BEGIN - 300_000}
AN_AT = {"cmd": "create", "id": "a", "prompt": "p", "at": "0001-01-01T01:00:00+01:00", "now": BEGIN - 1}
FOLD = {"cmd": "fold", "events": [event({"version": 1, "operation": "create", "schedule": EVERY})]}


@pytest.mark.parametrize(
    ("request_", "written"),
    [
        (ADVANCE, UNPADDED),
        (DUE, "   1-01-01T00:00:00.000Z"),
        (WAITING, UNPADDED),
        (AFTER, UNPADDED),
        (AN_EVERY, UNPADDED),
        (AN_AT, UNPADDED),
        (AN_AT, "0001-01-01T00:00:00.000+00:00"),
        (FOLD, UNPADDED),
        ({"cmd": "view", "record": EVERY, "now": 0}, UNPADDED),
    ],
)
def test_an_instant_that_is_written_otherwise_is_blamed_on_its_spelling(
    request_: Object, written: str
) -> None:
    allowed = law_adapter.handle({"seq": 1, **request_})["result"]

    def respelt(value: Any) -> Any:
        match value:
            case dict():
                return {key: respelt(member) for key, member in value.items()}
            case list():
                return [respelt(member) for member in value]
            case _:
                return written if value == FIRST else value

    assert respelt(allowed) != allowed
    assert blamed(request_, result=respelt(allowed)) == "instant.canonical"


@pytest.mark.parametrize("kept", ["0001-01-01T01:00:00+01:00", "0001-01-01T01:00:00.000+01:00"])
def test_an_at_that_is_kept_in_its_offset_is_blamed_on_not_being_in_utc(kept: str) -> None:
    record = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": kept}
    assert blamed(AN_AT, result={"record": record}) == "at.utc-only"


def test_another_prompt_is_not_blamed_on_the_instant_that_it_looks_like() -> None:
    log = {"cmd": "fold", "events": [event(create(prompt=T)), event(create(id="b"))]}
    active = [AT, {**AT, "id": "b"}]
    assert blamed(log, result={"active": active, "seen": ["a", "b"]}) == "record.immutable"


# --- framings


def framed(prompt: str, came: Callable[[str], str]) -> str:
    request = {"cmd": "frame", "record": {**AT, "prompt": prompt}}
    text = law_adapter.handle({"seq": 1, **request})["result"]["text"]
    return blamed(request, result={"text": came(text)})


@pytest.mark.parametrize("place", ["beginning", "end"])
def test_an_escape_spelt_otherwise_beside_a_long_text_is_no_cut(place: str) -> None:
    prompt = "a\x0bb" + "x" * 3_000 if place == "beginning" else "x" * 3_000 + "a\x0bb"
    assert framed(prompt, lambda text: text.replace("\\u000b", "\\v")) == "text.json-string"


@pytest.mark.parametrize("mark", ["", "...", "…", " [truncated]"])
def test_a_framing_that_ends_early_is_cut(mark: str) -> None:
    assert framed("x" * 3_000, lambda text: text[:-700] + mark) == "frame.whole"
    assert framed("x" * 3_000, lambda text: text[:-701] + mark + '"') == "frame.whole"


def test_a_framing_that_ends_lines_before_its_end_is_cut_whatever_its_texts_hold() -> None:
    prompt = "x" + "\u2028x" * 1_500

    def first_lines(text: str) -> str:
        return text[: text.index("reminder_prompt_json")]

    assert framed(prompt, lambda text: first_lines(text)[:-1]) == "frame.whole"


@pytest.mark.parametrize("rest", [1, 100])
def test_another_line_end_in_a_long_text_is_no_cut(rest: int) -> None:
    came = framed(f"{'x' * 3_000}\r\n{'y' * rest}", lambda text: text.replace("\\r\\n", "\\n"))
    assert came == "frame.one-shot"


def test_another_year_beside_a_long_text_is_no_cut() -> None:
    reminder = {"record": {**EVERY, "prompt": "x" * 3_000}, "occurrenceAt": FIRST}
    request = {"cmd": "frame_batch", "reminders": [reminder]}
    text = law_adapter.handle({"seq": 1, **request})["result"]["text"]
    assert blamed(request, result={"text": text.replace(FIRST, UNPADDED)}) == "frame.batch"


# --- numbers spelt as doubles


@pytest.mark.parametrize(
    "request_",
    [
        {"cmd": "view", "record": AT, "now": float(NOW)},
        {"cmd": "due", "records": [AT], "now": float(NOW - 1)},
        {"cmd": "due", "records": [AT], "now": -0.0},
        {"cmd": "fold", "events": [event(create())], "seedLength": 1.0},
        {"cmd": "fold", "events": [event(create()), event(create())], "seedLength": 1.0},
    ],
)
def test_a_double_that_is_refused_is_blamed_on_how_the_number_is_spelt(request_: Object) -> None:
    doubles = refusing(
        lambda request: any(isinstance(request.get(name), float) for name in ("now", "seedLength"))
    )
    assert told(doubles, request_) == "number.safe-integer"


def test_a_double_is_not_to_blame_where_the_whole_number_is_refused_too() -> None:
    view = {"cmd": "view", "record": AT, "now": float(NOW)}
    assert told(refusing(lambda request: request["cmd"] == "view"), view) == "view.state"


# --- texts


def holds(text: str) -> Callable[[Object], bool]:
    return lambda request: any(text in string for string in _strings(request))


def _strings(value: Any) -> list[str]:
    match value:
        case dict():
            return [string for member in value.values() for string in _strings(member)]
        case list():
            return [string for member in value for string in _strings(member)]
        case str():
            return [value]
        case _:
            return []


@pytest.mark.parametrize(
    ("members", "clause"),
    [
        ({"id": "é"}, "id.shape"),
        ({"prompt": "naïveté"}, "text.prompt"),
        ({"id": "\u3164"}, "text.trim"),
        ({"id": "\x1f"}, "text.trim"),
        ({"prompt": "a\u200b"}, "text.trim"),
    ],
)
def test_only_what_somebody_may_strip_is_blamed_on_the_trim(members: Object, clause: str) -> None:
    change = {"cmd": "decode", "change": create(**members)}
    assert told(refusing(holds(next(iter(members.values())))), change) == clause


@pytest.mark.parametrize(("prompt", "clause"), [("é", "tool.create-prompt"), ("\u200b", "text.trim")])
def test_a_prompt_refused_by_a_create_is_blamed_likewise(prompt: str, clause: str) -> None:
    creation = {"cmd": "create", "id": "a", "prompt": prompt, "after_seconds": 1, "now": 0}
    assert blamed(creation, rejected={"code": "invalid_prompt"}) == clause
    refused = {**creation, "after_seconds": 0}
    assert blamed(refused, rejected={"code": "invalid_prompt"}) == clause


@pytest.mark.parametrize("raw", ["\u2028", "\x7f", "\U0001f600", "é"])
def test_a_raw_character_that_only_json_text_is_refused_for_is_blamed_on_the_text(raw: str) -> None:
    text = f'{{"change":{{"version":1,"operation":"delete","id":"a{raw}b"}}}}'
    decode = {"cmd": "decode", "json": text}
    assert told(refusing(lambda request: raw in request.get("json", "")), decode) == "change.json"
    assert told(refusing(holds(raw)), decode) == "id.shape"


@pytest.mark.parametrize("length", [65, 16_384])
def test_a_stored_prompt_refused_for_its_length_is_blamed_on_the_prompt(length: int) -> None:
    change = {"cmd": "decode", "change": create(id="schedule-1", prompt="x" * length)}
    too_long = refusing(lambda request: any(len(text) >= length for text in _strings(request)))
    assert told(too_long, change) == "text.prompt"


def test_a_long_prompt_is_not_to_blame_where_a_short_one_is_refused_too() -> None:
    change = {"cmd": "decode", "change": create(prompt="x" * 1_000)}
    assert told(refusing(lambda request: request["cmd"] == "decode"), change) == "record.at"


# --- what is inherited


@pytest.mark.parametrize(
    ("foreign", "clause"),
    [
        ({"type": "schedule/other", "data": {}}, "fold.authority"),
        ({"type": "message"}, "fold.authority"),
        ({}, "fold.event"),
    ],
)
@pytest.mark.parametrize("position", [0, 1])
def test_a_foreign_event_that_is_inherited_is_blamed_on_being_read(
    foreign: Object, clause: str, position: int
) -> None:
    events = [event(create())]
    events.insert(position, foreign)
    fork = {"cmd": "fold", "events": events, "seedLength": 2}
    assert told(refusing(lambda request: foreign in request["events"]), fork) == clause


def test_a_seed_length_that_is_refused_is_blamed_on_its_bounds() -> None:
    events = [{"type": "message", "data": {}}, event(create()), {"type": "schedule/other", "data": {}}]
    fork = {"cmd": "fold", "events": events, "seedLength": 3}
    whole = refusing(lambda request: 0 < len(request["events"]) == request.get("seedLength"))
    assert told(whole, fork) == "fork.bounds"
