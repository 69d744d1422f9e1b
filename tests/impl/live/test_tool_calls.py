"""What each tool answers: values, errors, their order, and what touches the session on the way."""

import asyncio
import itertools
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.impl.live.driving import MINUTE, START, Driver, after, all_of, every, kinds, only

from schedule_impl import tool_schemas
from schedule_impl.due import Agenda
from schedule_impl.feature import ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.session import Session, new_header

SOON = "2026-08-05T12:01:00.000Z"
OVERDUE = "2026-08-05T11:00:00.000Z"


@pytest.fixture
def world() -> Driver:
    driver = Driver()
    driver.open()
    return driver


def code(value: Any) -> Any:
    return value.get("code")


def test_an_agent_gets_exactly_the_three_tools(world: Driver) -> None:
    assert world.tools == ["schedule_create", "schedule_list", "schedule_delete"]


def test_a_create_is_told_as_a_view_and_stored_as_its_record(world: Driver) -> None:
    value = world.value("create", prompt="\u3000 tea\n", every_seconds=300.0)
    record = {
        "id": value["id"],
        "kind": "every",
        "prompt": "tea",
        "everySeconds": 300,
        "scheduledAt": "2026-08-05T12:05:00.000Z",
    }
    assert value == {**record, "state": "scheduled", "deliveryMode": "session-local"}
    assert world.log() == [{"version": 1, "operation": "create", "schedule": record}]


# One fault a stage, in the order in which the stages are told; each alone gives its code.
FAULTS: dict[str, dict[str, Any]] = {
    "invalid_selector": {"every_seconds": 300, "after_seconds": 60},
    "invalid_prompt": {"prompt": " \ufeff"},
    "invalid_rule": {"after_seconds": 0},
}


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(FAULTS, 2)))
def test_of_two_faults_of_shape_the_earlier_is_told_without_a_barrier(
    world: Driver, first: str, second: str
) -> None:
    observed = world.call("create", **{"prompt": "p", **FAULTS[second], **FAULTS[first]})
    assert code(only("answer", observed)["value"]) == first
    assert kinds(observed) == ["answer"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"prompt": "p"}, "invalid_selector"),
        ({"prompt": "p", "after_seconds": 60, "when": 1}, "invalid_selector"),
        ({"prompt": "p", "after_seconds": 60, "at": None}, "invalid_selector"),
        ({"after_seconds": 60}, "invalid_prompt"),
        ({"prompt": 1, "after_seconds": 60}, "invalid_prompt"),
        ({"prompt": " ", "at": "2026-08-06T00:00:00Z"}, "invalid_prompt"),
        ({"prompt": "p", "at": "2026-08-06T00:00:00Z", "after_seconds": 60}, "invalid_selector"),
        ({"prompt": "p", "after_seconds": "60"}, "invalid_rule"),
        ({"prompt": "p", "after_seconds": True}, "invalid_rule"),
        ({"prompt": "p", "after_seconds": -0.0}, "invalid_rule"),
        ({"prompt": "p", "after_seconds": 2.0**53}, "invalid_rule"),
        ({"prompt": "p", "every_seconds": 299}, "frequency_too_high"),
        ({"prompt": "p", "every_seconds": -(2**53) + 1}, "frequency_too_high"),
        ({"prompt": "p", "every_seconds": 300.5}, "invalid_rule"),
    ],
)
@pytest.mark.parametrize("barrier", ["ok", "fail"])
def test_what_the_input_shows_is_told_before_the_barrier(
    world: Driver, arguments: dict[str, Any], expected: str, barrier: str
) -> None:
    world.do("barrier", outcomes=[barrier])
    observed = world.call_with("create", arguments)
    assert code(only("answer", observed)["value"]) == expected
    assert kinds(observed) == ["answer"]
    assert world.log() == []


AFTER_THE_BARRIER: list[tuple[dict[str, Any], str]] = [
    ({"at": "2026-08-05T12:00:01"}, "invalid_rule"),
    ({"at": 5}, "invalid_rule"),
    ({"at": {"date": "2026-08-06", "time": "09:00:00", "time_zone": "GMT"}}, "invalid_time_zone"),
    ({"at": {"date": "2026-08-06", "time": "09:00:00", "time_zone": 3}}, "invalid_time_zone"),
    ({"at": {"date": "2026-08-06", "time": 9, "time_zone": 3}}, "invalid_rule"),
    ({"at": "2026-08-05T12:00:00Z"}, "not_future"),
    ({"at": "9999-12-31T23:59:59-00:01"}, "time_out_of_range"),
    ({"after_seconds": 2**53 - 1}, "time_out_of_range"),
    ({"every_seconds": 2**53 - 1}, "time_out_of_range"),
]


@pytest.mark.parametrize(("selector", "expected"), AFTER_THE_BARRIER)
def test_what_waits_for_the_barrier_yields_to_what_the_session_shows(
    selector: dict[str, Any], expected: str
) -> None:
    sound, unsound = Driver(), Driver()
    sound.open()
    observed = sound.call("create", prompt="p", **selector)
    assert kinds(observed) == ["barrier ok", "answer"]
    assert code(only("answer", observed)["value"]) == expected
    sound.do("barrier", outcomes=["fail"])
    assert code(sound.value("create", prompt="p", **selector)) == "persistence_uncertain"
    assert sound.log() == []
    unsound.open({"version": 2})
    assert code(unsound.value("create", prompt="p", **selector)) == "corrupt_schedule_log"


@pytest.mark.parametrize("name", ["", " x", "x\ufeff", None, 3])
def test_an_id_that_no_record_can_have_is_refused_without_a_barrier(world: Driver, name: object) -> None:
    observed = world.call("delete", id=name)
    assert kinds(observed) == ["answer"]
    assert code(only("answer", observed)["value"]) == "invalid_rule"


def test_a_delete_of_no_active_id_is_a_value_and_appends_nothing(world: Driver) -> None:
    observed = world.call("delete", id="nope")
    assert kinds(observed) == ["barrier ok", "answer"]
    assert only("answer", observed)["value"] == {
        "id": "nope",
        "deleted": False,
        "code": "schedule_not_found",
    }


def test_a_delete_appends_once_and_waits_for_its_own_barrier(world: Driver) -> None:
    world.call("create", prompt="p", after_seconds=60)
    observed = world.call("delete", id="schedule-1")
    assert kinds(observed) == ["barrier ok", "append delete", "barrier ok", "answer"]
    assert only("answer", observed)["value"] == {"id": "schedule-1", "deleted": True}
    assert code(world.value("delete", id="schedule-1")) == "schedule_not_found"


@pytest.mark.parametrize("outcome", ["fail", "missing"])
def test_an_uncertain_barrier_tells_the_operation_and_the_id_where_one_is_known(
    world: Driver, outcome: str
) -> None:
    def uncertain(*outcomes: str, tool: str, **arguments: Any) -> Any:
        world.do("barrier", outcomes=list(outcomes))
        value = world.value(tool, **arguments)
        assert value.pop("message")
        return value

    new = {"prompt": "p", "after_seconds": 60}
    basis = {"code": "persistence_uncertain"}
    assert uncertain(outcome, tool="create", **new) == {**basis, "operation": "create"}
    assert uncertain("ok", outcome, tool="create", **new) == {
        **basis,
        "operation": "create",
        "id": "schedule-1",
    }
    assert uncertain(outcome, tool="list") == {**basis, "operation": "list"}
    for outcomes, name in ([outcome], "schedule-1"), ([outcome], "no"), (["ok", outcome], "schedule-1"):
        assert uncertain(*outcomes, tool="delete", id=name) == {**basis, "operation": "delete", "id": name}
    assert [change["operation"] for change in world.log()] == ["create", "delete"]


def test_the_backends_words_never_surface(world: Driver) -> None:
    secret = "EIO on /var/secret"
    world.do("faults", append={"times": 5}, text=secret, followup="fail")
    world.do("barrier", outcomes=["ok", "fail", "fail"])
    told = [world.call("create", prompt="p", after_seconds=1), world.call("list"), world.call("list")]
    told += [world.do("advance_time", ms=5000)]
    codes = [code(answer["value"]) for answer in all_of("answer", list(itertools.chain(*told)))[:3]]
    assert codes == ["internal_error", "persistence_uncertain", "persistence_uncertain"]
    assert secret not in repr(told)


def test_the_same_error_has_the_same_message_whatever_the_session_holds(world: Driver) -> None:
    def errors() -> list[Any]:
        return [world.value("create", prompt="p", at="x"), world.value("delete", id="")]

    first = errors()
    world.open(after("a", SOON), every("b", SOON))
    assert errors() == first


@pytest.mark.parametrize("broken", [{"version": 2}, {"version": 1, "operation": "delete", "id": "x"}])
def test_corrupt_logs_answer_with_one_message_and_take_no_append(broken: dict[str, Any]) -> None:
    world = Driver()
    world.open(broken)
    values = [
        world.value("list"),
        world.value("create", prompt="p", after_seconds=60),
        world.value("delete", id="x"),
    ]
    assert values == [values[0]] * 3
    assert code(values[0]) == "corrupt_schedule_log"
    assert world.log() == [broken]


def test_an_error_that_the_input_did_not_cause_says_something_and_always_the_same() -> None:
    corrupt = []
    for broken in ({"version": 2}, {"version": 1, "operation": "delete", "id": "x"}):
        world = Driver()
        world.open(broken)
        corrupt.append(world.value("list"))
    assert corrupt[0] == corrupt[1]
    world = Driver()
    world.open()
    world.do("faults", append={"operations": ["create"]})
    failed = world.value("create", prompt="p", after_seconds=60)
    assert corrupt[0]["message"]
    assert failed["message"]


def test_a_failed_append_is_an_internal_error_without_a_second_barrier(world: Driver) -> None:
    world.do("faults", append={"operations": ["create"]})
    observed = world.call("create", prompt="p", after_seconds=60)
    assert kinds(observed) == ["barrier ok", "answer"]
    assert code(only("answer", observed)["value"]) == "internal_error"
    assert world.value("create", prompt="p", after_seconds=60)["id"] == "schedule-1"


def test_the_state_comes_from_a_sample_behind_the_second_barrier(world: Driver) -> None:
    world.do("barrier", outcomes=["ok", "hold"])
    assert kinds(world.call("create", prompt="p", after_seconds=1)) == ["barrier ok", "append create"]
    world.do("set_clock", now=START + MINUTE)
    value = only("answer", world.do("release", outcome="ok"))["value"]
    assert value["scheduledAt"] == "2026-08-05T12:00:01.000Z"
    assert value["state"] == "overdue"


def test_the_target_comes_from_a_sample_behind_the_first_barrier(world: Driver) -> None:
    world.do("barrier", outcomes=["hold"])
    world.call("create", prompt="p", after_seconds=1)
    world.do("set_clock", now=START + MINUTE)
    value = only("answer", world.do("release", outcome="ok"))["value"]
    assert value["scheduledAt"] == "2026-08-05T12:01:01.000Z"


@pytest.mark.parametrize("arguments", [[], "x", None, 5])
@pytest.mark.parametrize("tool", ["create", "list", "delete"])
def test_arguments_that_are_no_object_are_refused_by_the_host(
    world: Driver, tool: str, arguments: object
) -> None:
    observed = world.call_with(tool, arguments)
    assert "refused" in only("answer", observed)
    assert world.log() == []


@pytest.mark.parametrize(
    ("tool", "arguments"), [("list", {"x": 1}), ("delete", {"id": "a", "x": 1}), ("no", {})]
)
def test_undeclared_tools_and_arguments_are_refused(world: Driver, tool: str, arguments: Any) -> None:
    assert "refused" in only("answer", world.call_with(tool, arguments))


def test_arguments_as_text_are_read_as_json(world: Driver) -> None:
    def call(text: str) -> Any:
        return only("answer", world.do("call", callId="j", tool="schedule_create", json=text))

    assert call('{"prompt":"a","prompt":"b","every_seconds":3e2}')["value"]["prompt"] == "b"
    assert call('{"prompt":"\\ud83d","after_seconds":60.0}')["value"]["prompt"] == "\ud83d"
    assert "refused" in call("not json")
    assert "refused" in call("[1]")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 400) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.dictionaries(st.sampled_from(["date", "time", "time_zone", "x"]), inner, max_size=3),
    max_leaves=4,
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["prompt", "after_seconds", "at", "every_seconds", "id", "x"]), VALUES, max_size=3
)


@given(tool=st.sampled_from(["create", "list", "delete"]), arguments=ARGUMENTS)
def test_every_answer_fits_the_schema_and_what_the_schema_excludes_is_never_accepted(
    tool: str, arguments: dict[str, Any]
) -> None:
    world = Driver()
    world.open(after("a", SOON), every("b", SOON))
    answer = only("answer", world.call_with(tool, arguments))
    declared: Any = getattr(tool_schemas, f"{tool.upper()}_ARGUMENTS")
    result: Any = getattr(tool_schemas, f"{tool.upper()}_RESULT")
    if "value" in answer:
        jsonschema.validate(answer["value"], result)
    if not jsonschema.Draft202012Validator(declared).is_valid(arguments):
        assert "refused" in answer or "message" in answer["value"]
        assert len(world.log()) == 2


class Frozen:
    """A clock that stands, timers that never end, and a host that is never idle."""

    def now(self) -> int:
        return START

    def start(self, delay: int, callback: object) -> Any:
        raise AssertionError("nothing is to be waited for")

    def claim_idle(self) -> None:
        raise AssertionError("nothing is due")

    def watch_idle(self, callback: object) -> Any:
        return lambda: None

    def follow_up(self, text: str) -> None:
        raise AssertionError("nothing is due")


def test_a_call_on_behalf_of_another_agent_is_an_internal_error() -> None:
    async def run() -> list[Any]:
        outside: Any = Frozen()
        agent, other = (Agent(name, Session(new_header(name, 0)), outside) for name in "ab")
        installed = ScheduleFeature(Persistence(), outside, outside).agent_created(agent)
        assert installed is not None
        return [await installed.tools[1].run({}, caller) for caller in (other, agent)]

    foreign, own = asyncio.run(run())
    assert foreign["code"] == "internal_error"
    assert own["code"] == "persistence_uncertain"


class Broken(Frozen):
    """A clock that fails."""

    def now(self) -> int:
        raise OSError("no clock")


def test_a_throwing_clock_is_an_internal_error_and_appends_nothing() -> None:
    class Durable:
        async def persist(self, session: Session) -> bool:
            return True

    async def run() -> Any:
        outside: Any = Broken()
        persistence = Persistence()
        persistence.attach(Durable())
        agent = Agent("a", Session(new_header("a", 0)), outside)
        installed = ScheduleFeature(persistence, outside, outside).agent_created(agent)
        assert installed is not None
        value = await installed.tools[0].run({"prompt": "p", "after_seconds": 60})
        return value, len(agent.session)

    value, events = asyncio.run(run())
    assert value["code"] == "internal_error"
    assert events == 0


def test_the_hundredth_call_folds_no_more_than_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Driver()
    world.open(*[after(f"r{n}", "2027-01-01T00:00:00.000Z") for n in range(50)])
    steps: list[object] = []
    whole = Agenda.apply

    def counted(agenda: Agenda, change: Any) -> None:
        steps.append(change)
        whole(agenda, change)

    monkeypatch.setattr(Agenda, "apply", counted)
    taken = []
    for number in range(100):
        before = len(steps)
        world.call("create", prompt="p", after_seconds=3600 + number)
        world.call("delete", id="nope")
        world.call("list")
        taken.append(len(steps) - before)
    assert taken == [1] * 100
