"""What a generator of worlds is told: the commands that make sense, and one spelling of ids."""

import pytest
from tests.spec.live.situations import CRASH, CREATE, EMPTY, HOLD, LEFT_BEHIND, LIST, SECOND, SOON, abort
from tests.spec.live.traces import (
    NOON,
    Exchanges,
    Json,
    aborted,
    advance,
    batch,
    change,
    created,
    error,
    judged,
    later,
    one,
    opened,
    reminder,
)

from schedule_spec.delivery import States, initial
from schedule_spec.delivery.choices import Choice, Names, canonical_observation, enabled

TIME = [("advance_time", "", ""), ("set_clock", "", "")]
LIVE = ["call", "busy", "turn", "barrier", "faults", "append", "crash", "reopen", "fork", "dispose", "log"]


def of_live(name: str) -> list[tuple[str, str, str]]:
    return [(each, name, "") for each in LIVE]


def told(world: States) -> list[tuple[str, str, str]]:
    return [(choice.command, choice.session, choice.call) for choice in enabled(world)]


def after_all(exchanges: Exchanges) -> States:
    world = judged(exchanges)
    assert isinstance(world, States), world
    return world


OTHER = opened() | {"session": "t"}
ENABLED: dict[str, tuple[Exchanges, list[tuple[str, str, str]]]] = {
    "a live session": ([EMPTY], of_live("s")),
    "a session that is not live, before one that is": (
        [EMPTY, (OTHER, []), CRASH],
        [("reopen", "s", ""), *of_live("t")],
    ),
    "a barrier that may be held or not": ([EMPTY, HOLD], of_live("s")),
    "a barrier that is held, and calls": (
        [EMPTY, HOLD, (LIST, []), (SECOND, [])],
        [*of_live("s"), ("release", "s", ""), ("abort", "s", "l"), ("abort", "s", "m")],
    ),
    "a held barrier of a call that has left": (LEFT_BEHIND, [*of_live("s"), ("release", "s", "")]),
    "a call that has answered": (
        [EMPTY, HOLD, (SOON, []), (advance(1), later(1, error("c", "invalid_rule")))],
        [*of_live("s"), ("release", "s", "")],
    ),
    "a call that was cancelled and one that waits": (
        [EMPTY, HOLD, (CREATE, []), (LIST, []), (abort("c"), [aborted("c")])],
        [*of_live("s"), ("release", "s", ""), ("abort", "s", "l")],
    ),
}


def test_time_alone_can_pass_where_there_is_no_session() -> None:
    assert enabled(initial()) == (Choice("advance_time", "", ""), Choice("set_clock", "", ""))


@pytest.mark.parametrize(("exchanges", "choices"), ENABLED.values(), ids=ENABLED)
def test_what_makes_sense(exchanges: Exchanges, choices: list[tuple[str, str, str]]) -> None:
    assert told(after_all(exchanges)) == TIME + choices


NAMES = Names(("x", 'q"'))


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("x", "id-1"),
        ('q"', "id-2"),
        ("z", "z"),
        ("id-1", "other id-1"),
        ("id-", "other id-"),
        ("id", "id"),
        ("other x", "other other x"),
        ("others", "others"),
    ],
)
def test_an_id_has_one_name(id: str, name: str) -> None:
    assert NAMES.name(id) == name


def test_a_name_is_given_where_an_id_is_created_first() -> None:
    assert Names().created(created(one("a", 60))) == Names(("a",))
    assert Names(("a",)).created(created(one("b", 60))) == Names(("a", "b"))
    assert Names(("a", "b")).created(created(one("a", 60))) == Names(("a", "b"))


@pytest.mark.parametrize(
    "event",
    [
        None,
        {},
        {"data": None},
        change("delete", "a")["append"],
        {"data": {"operation": "dispatch", "schedule": {"id": "a"}}},
        {"data": {"operation": "create", "schedule": {"id": 1}}},
        {"data": {"operation": "create", "id": "a"}},
    ],
)
def test_nothing_else_gives_a_name(event: Json) -> None:
    assert NAMES.created(event) == NAMES


@pytest.mark.parametrize(
    ("value", "renamed"),
    [
        ({"id": "x"}, {"id": "id-1"}),
        ({"prompt": "x", "of": [{"id": "x"}, "x"]}, {"prompt": "x", "of": [{"id": "id-1"}, "x"]}),
        ({"id": {"id": "x"}}, {"id": {"id": "id-1"}}),
        ({"id": 1}, {"id": 1}),
        ([["x"], 1, None], [["x"], 1, None]),
        ("x", "x"),
    ],
)
def test_members_of_the_name_id_are_renamed(value: Json, renamed: Json) -> None:
    assert NAMES.renamed(value) == renamed


def framed(*literals: str) -> str:
    objects = ",".join(f'{{"schedule_id":{literal},"reminder_prompt":"x"}}' for literal in literals)
    return f"[SCHEDULE REMINDER BATCH]\nreminders_json: [{objects}]"


def test_the_ids_of_a_batch_are_renamed() -> None:
    assert NAMES.reframed(framed('"x"', '"q\\""', '"z"')) == framed('"id-1"', '"id-2"', '"z"')


def test_the_id_of_a_reminder_is_renamed_on_its_line_alone() -> None:
    lines = '{}schedule_id_json: "x"\noccurrence_at: x\nreminder_prompt_json: "schedule_id_json: \\"x\\""'
    assert NAMES.reframed(lines.format("")) == lines.format("").replace('json: "x"', 'json: "id-1"')
    assert NAMES.reframed(lines.format(" ")) == lines.format(" ")


def test_what_is_no_text_is_left_where_an_id_is_framed() -> None:
    assert NAMES.reframed(framed('"\\x"')) == framed('"\\x"')


@pytest.mark.parametrize(
    "observation",
    [
        {"at": NOON, "session": "s", "barrier": "ok"},
        {"claim": "ok"},
        {"followup": None},
        {"append": None},
        {"answer": {"callId": "x", "value": []}},
    ],
)
def test_an_observation_without_ids_stays_as_it_is(observation: dict[str, Json]) -> None:
    assert canonical_observation(NAMES, observation) == (NAMES, observation)


def test_ids_are_renamed_in_each_kind_of_observation() -> None:
    names, event = canonical_observation(Names(), {"at": NOON, "append": created(one("b", 60))})
    assert names == Names(("b",))
    assert event == {"at": NOON, "append": created(one("id-1", 60)) | data_of("B")}
    _, answer = canonical_observation(names, {"answer": {"callId": "b", "value": [{"id": "b"}]}})
    assert answer == {"answer": {"callId": "b", "value": [{"id": "id-1"}]}}
    _, followup = canonical_observation(names, reminder("b", 60))
    assert followup == {"followup": str(reminder("b", 60)["followup"]).replace('"b"', '"id-1"')}
    _, followup = canonical_observation(names, batch(("b", 60), ("a", 60)))
    assert followup == {"followup": str(batch(("b", 60), ("a", 60))["followup"]).replace('"b"', '"id-1"')}


def data_of(prompt: str) -> Json:
    """The data of the event that creates `id-1` with a prompt."""
    data = created(one("id-1", 60))["data"]
    return {"data": data | {"schedule": data["schedule"] | {"prompt": prompt}}}
