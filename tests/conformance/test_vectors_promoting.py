"""Promotion: what a broken system showed becomes a frozen case, which then catches that system by itself."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.saboteurs import named

from schedule_conformance.checks.trials import Trial
from schedule_conformance.frozen import kept_cases, promoting, vectors
from schedule_conformance.frozen.kept_cases import KeptCase
from schedule_conformance.frozen.promoting import NotPromotedError, promote
from schedule_conformance.judgement.cases import Failure
from schedule_conformance.judgement.judging import Failed, Passed, judge, judge_against
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol import messages
from schedule_conformance.protocol.messages import wire
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.worlds import recorded, traces
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.traces import NoTraceError, Trace
from schedule_conformance.worlds.world import Exchange
from schedule_spec import zones
from schedule_spec.delivery import Terms, Violation
from schedule_spec.profiles import Profile

LAW = InProcess("law", law_adapter.handle)


# --- pure commands


def failing(name: str, request: dict[str, Any], profile: Profile = Profile.V1) -> KeptCase:
    """The case in which a broken system answers a request wrongly."""
    system = named(name).system()
    trial = Trial(system, profile, frozenset({"decode", "fold"}), tzdata=zones.release())
    with trial.check("properties", generated=False):
        failure = trial.hear(trial.case(request))
    assert failure is not None
    return kept_cases.kept(failure, profile, name, "properties, seed 1")


def change(**schedule: Any) -> dict[str, Any]:
    record = {"id": "zz", "kind": "at", "prompt": "p", "scheduledAt": "2031-05-05T05:05:05.555Z", **schedule}
    return {"version": 1, "operation": "create", "schedule": record}


EXTRA = {"cmd": "decode", "change": {**change(), "colour": "red"}}
"""What `ignores_unknown_members_of_changes` accepts, and no frozen case asks."""

PADDED = {"cmd": "decode", "change": {"version": 1, "operation": "delete", "id": " zz"}}
"""What `trims_ids` accepts."""


@pytest.mark.usefixtures("package")
def test_a_promoted_case_catches_the_broken_system_by_itself() -> None:
    name = "ignores_unknown_members_of_changes"
    case = failing(name, EXTRA)
    assert EXTRA not in [vector.request for vector in vectors.vectors()]
    promoted = promote(case)
    (vector,) = [each for each in vectors.vectors() if each.id == promoted.id]
    request = {"seq": 1, **vector.request}
    caught = judge_against(vector.expected, request, named(name).system().ask(wire(request)))
    assert isinstance(caught, Failed)
    assert isinstance(judge_against(vector.expected, request, LAW.ask(wire(request))), Passed)


def test_a_promoted_case_holds_what_is_allowed_by_the_law(package: Path) -> None:
    promoted = promote(failing("ignores_unknown_members_of_changes", EXTRA))
    assert promoted.file == package / "change.json"
    contents = json.loads(promoted.file.read_text(encoding="utf-8"))
    assert messages.problems("vectors", contents) == []
    assert promoted.file.read_text(encoding="utf-8") == vectors.text("change", contents["vectors"])
    (entry,) = [each for each in contents["vectors"] if each["id"] == promoted.id]
    assert entry["origin"] == "law"
    assert entry["expect"] == {"rejected": {"codes": ["corrupt_schedule_log"]}}
    assert entry["flags"] == ["loose-keys"]
    assert entry["clauses"] == ["change.create", "change.strict"]
    origins = [each["origin"] for each in contents["vectors"]]
    assert origins.index("reference") == origins.index("law") + 1


def test_what_stands_in_the_file_stays(package: Path) -> None:
    before = json.loads((package / "id.json").read_text(encoding="utf-8"))["vectors"]
    promoted = promote(failing("trims_ids", PADDED))
    after = json.loads((package / "id.json").read_text(encoding="utf-8"))["vectors"]
    assert [each for each in after if each["id"] != promoted.id] == before
    assert len(after) == len(before) + 1


def test_the_result_of_a_wrong_refusal_is_the_laws(tmp_path: Path) -> None:
    request = {"cmd": "decode", "change": {**change(kind="after", afterSeconds=77.0)}}
    case = failing("refuses_300_point_0", request)
    promoted = promote(case, tmp_path / "new.json")
    (entry,) = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["vectors"]
    plain = change(kind="after", afterSeconds=77, id="a", scheduledAt="2030-01-01T00:00:00.000Z")
    assert entry["expect"] == {"result": {"change": plain}}
    assert promoted.clauses[0] == case.clause == "number.safe-integer"


@pytest.mark.usefixtures("package")
def test_the_same_is_not_promoted_twice() -> None:
    case = failing("ignores_unknown_members_of_changes", EXTRA)
    promote(case)
    with pytest.raises(NotPromotedError, match="frozen already, under this id"):
        promote(case)
    known = {"cmd": "decode", "change": None}
    with pytest.raises(NotPromotedError, match="frozen already, as hand-change-whole-null"):
        promote(replace(case, request=known))


def test_what_the_law_allows_is_not_promoted(tmp_path: Path) -> None:
    case = failing("ignores_unknown_members_of_changes", EXTRA)
    mended = replace(case, reply={"rejected": {"code": "corrupt_schedule_log"}})
    with pytest.raises(NotPromotedError, match="the law allows what came"):
        promote(mended, tmp_path / "new.json")
    unsteady = replace(mended, fault="unsteady")
    assert promote(unsteady, tmp_path / "new.json").id.startswith("law-change-")


def test_a_zone_that_may_go_either_way_is_not_promoted(tmp_path: Path) -> None:
    at = {"date": "2012-06-15", "time": "12:00:00", "time_zone": "US/Pacific-New"}
    request = {"cmd": "create", "id": "a", "prompt": "p", "at": at, "now": 0}
    case = replace(failing("trims_ids", PADDED), request=request, reply={"error": {"message": "broke"}})
    with pytest.raises(NotPromotedError, match="either way"):
        promote(case, tmp_path / "new.json")


def test_a_case_of_zone_data_names_its_release(tmp_path: Path) -> None:
    at = {"date": "2023-06-15", "time": "12:00:00", "time_zone": "Europe/Paris"}
    request = {"cmd": "create", "id": "a", "prompt": "p", "at": at, "now": 0}
    case = replace(failing("trims_ids", PADDED), request=request, reply={"rejected": {"code": "not_future"}})
    promote(case, tmp_path / "new.json")
    (entry,) = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["vectors"]
    assert entry["tzdata"] == {
        "releases": [zones.release()],
        "zone": "Europe/Paris",
        "offset": 7200,
        "transitions": [],
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no file of frozen cases"),
        ('{"schema": "x", "area": "id", "vectors": []}', "no file of frozen cases: schema"),
        (None, "holds the area due"),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: str | None, words: str) -> None:
    file = tmp_path / "other.json"
    due = (vectors.folder() / "due.json").read_text(encoding="utf-8")
    file.write_text(due if text is None else text, encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(NotPromotedError, match=words):
        promote(failing("trims_ids", PADDED), file)
    assert file.read_bytes() == before


# --- kept cases


def test_a_kept_case_survives_its_file(tmp_path: Path) -> None:
    case = failing("ignores_unknown_members_of_changes", EXTRA)
    file = tmp_path / "case.json"
    file.write_text(kept_cases.text(case), encoding="ascii")
    assert kept_cases.read(file) == case
    assert case.id.startswith("change-")
    assert messages.problems("trace#/$defs/case", kept_cases.as_json(case)) == []


def test_a_reply_that_no_file_holds_is_kept_as_its_text(tmp_path: Path) -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    for reply, words in ((deep, "nested more than"), ({"seq": 1, "result": float("nan")}, "NaN")):
        request = {"seq": 1, **EXTRA}
        verdict = judge(request, reply)
        assert isinstance(verdict, Failed)
        trial = Trial(LAW, Profile.V1, frozenset({"decode"}))
        failure = Failure("x", trial.case(EXTRA), verdict)
        case = kept_cases.kept(failure, Profile.V1, "x", "y")
        file = tmp_path / "case.json"
        file.write_text(kept_cases.text(case), encoding="ascii")
        read = kept_cases.read(file)
        assert isinstance(read, KeptCase)
        assert words in str(read.reply)
        assert promote(read, tmp_path / f"{words[:3]}.json").clauses[0] == "change.create"


@pytest.mark.parametrize(
    ("alter", "words"),
    [
        ({"request": {"cmd": "open"}}, "request"),
        ({"request": {"cmd": "decode", "seq": 1}}, "False schema does not allow 1"),
        ({"profile": "v2"}, "profile"),
        ({"more": 1}, "more"),
        ({"clauses": []}, "clauses"),
    ],
)
def test_what_is_no_kept_case_is_refused(tmp_path: Path, alter: dict[str, Any], words: str) -> None:
    case = kept_cases.as_json(failing("trims_ids", PADDED))
    file = tmp_path / "case.json"
    file.write_text(json.dumps({**case, **alter}), encoding="utf-8")
    with pytest.raises(NoTraceError, match=words):
        kept_cases.read(file)


# --- worlds

BY_HAND_ALONE = (
    "lets_any_candidate_in",
    "tells_the_backends_words",
    "answers_out_of_turn",
    "never_aborts",
    "child_gets_owner",
    "runs_without_persistence",
    "acknowledges_without_writing",
)
"""Broken systems that the reference's scenarios do not catch."""


def world(name: str) -> InProcess:
    return named(name).system()


@pytest.mark.parametrize("name", BY_HAND_ALONE)
def test_frozen_traces_by_hand_catch_what_the_references_do_not(name: str) -> None:
    caught: dict[str, set[str]] = {"hand": set(), "reference": set()}
    for trace in traces.frozen():
        violation = replayed(world(name), Terms(), trace.steps).violation
        if violation is not None:
            caught[trace.meta["origin"]].add(violation.clause)
    assert not caught["reference"]
    assert caught["hand"]
    assert caught["hand"] <= named(name).clauses


REQUESTS: list[dict[str, Any]] = [
    {"cmd": "open", "session": "s", "now": 1_893_456_000_000},
    {
        "cmd": "call",
        "session": "s",
        "callId": "c1",
        "tool": "schedule_create",
        "arguments": {"prompt": "walk the dog", "after_seconds": 61},
    },
    {"cmd": "call", "session": "s", "callId": "c2", "tool": "schedule_delete", "arguments": {"id": "r1"}},
]


@pytest.fixture(scope="module")
def deletes_nothing() -> Trace:
    """The trace of a system that confirms deletes which it does not append."""
    shown = replayed(
        world("deletes_without_an_event"), Terms(), [Exchange(request, {}) for request in REQUESTS]
    )
    assert shown.violation is not None
    return Trace("found", {"origin": "run", "system": "x"}, Terms(), tuple(shown.exchanges), shown.violation)


@pytest.mark.usefixtures("package")
def test_a_promoted_trace_catches_the_broken_system_by_itself(deletes_nothing: Trace) -> None:
    before = traces.frozen()
    promoted = promote(deletes_nothing)
    (kept,) = [trace for trace in traces.frozen() if trace.id == promoted.id]
    assert [trace for trace in traces.frozen() if trace.id != promoted.id] == list(before)
    caught = replayed(world("deletes_without_an_event"), Terms(), kept.steps).violation
    assert caught is not None
    assert caught.clause == "tool.delete-active" == kept.clauses[0]
    assert replayed(LAW, Terms(), kept.steps).violation is None


def test_a_promoted_trace_holds_what_is_allowed(deletes_nothing: Trace, package: Path) -> None:
    promoted = promote(deletes_nothing)
    assert promoted.file == package / "worlds" / promoting.WORLDS
    assert messages.problems("trace#/$defs/traces", json.loads(promoted.file.read_text("utf-8"))) == []
    kept = traces.read_file(promoted.file.read_text("utf-8"))[-1]
    assert kept.violation is None
    assert recorded.rejudged(kept).violation is None
    assert [step.request["cmd"] for step in kept.steps] == ["open", "call", "call"]
    appended = [one for one in kept.steps[2].reply["result"]["observed"] if "append" in one]
    assert [one["append"]["data"]["operation"] for one in appended] == ["delete"]
    assert "system" not in kept.meta


@pytest.mark.usefixtures("package")
def test_the_same_trace_is_not_promoted_twice(deletes_nothing: Trace) -> None:
    promote(deletes_nothing)
    with pytest.raises(NotPromotedError, match="frozen already"):
        promote(deletes_nothing)


def test_a_trace_in_which_all_is_allowed_is_not_promoted_as_a_failure(tmp_path: Path) -> None:
    sound = replayed(LAW, Terms(), [Exchange(request, {}) for request in REQUESTS])
    steps = tuple(sound.exchanges)
    trace = Trace("found", {"origin": "run"}, Terms(), steps, Violation("due.batch", "Once broken."))
    with pytest.raises(NotPromotedError, match="the law allows what the trace shows"):
        promote(trace, tmp_path / "new.json")
    story = replace(trace, violation=None, meta={"origin": "hand", "note": "a story"})
    promoted = promote(story, tmp_path / "new.json")
    (kept,) = traces.read_file(promoted.file.read_text("utf-8"))
    assert kept.meta["note"] == "a story"


def test_an_empty_trace_is_not_promoted(tmp_path: Path) -> None:
    empty = Trace("found", {"origin": "run"}, Terms(), (), None)
    with pytest.raises(NotPromotedError, match="asks nothing"):
        promote(empty, tmp_path / "new.json")


@pytest.mark.parametrize("trace", traces.frozen(), ids=lambda trace: trace.id)
def test_a_frozen_trace_is_allowed_and_tries_what_it_says(trace: Trace) -> None:
    assert recorded.rejudged(trace).violation is None
    tried = recorded.tried(trace)
    promised = trace.clauses if trace.meta["origin"] == "reference" else tuple(sorted(trace.clauses))
    assert set(tried) <= set(promised)
    assert len(set(promised) - set(tried)) <= (trace.meta["origin"] == "hand")
