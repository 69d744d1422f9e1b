"""A handful of kills of a process on a real file; and a witness whom no broken promise escapes."""

from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.impl.live.driving import START, after, every
from tests.impl.live.kills import BrokenPromiseError, Change, Told, Witness, run
from tests.impl.live.restless_agent import digest, reminders

from schedule_impl.due import Reminder
from schedule_impl.framing import batch, one_shot
from schedule_impl.instants import to_text

KILLS = 10

PROMPT = digest("p")
ONE, FIRST, SECOND = START + 60_000, START + 300_000, START + 600_000


def test_no_kill_loses_what_was_acknowledged_or_repeats_what_is_durable(tmp_path: Path) -> None:
    counts = run(tmp_path, KILLS, 20260805, lives=5)
    assert counts["kills"] == KILLS
    assert counts["killed at work"] >= KILLS // 3
    assert counts["creates acknowledged"] > KILLS
    assert counts["dispatches in the log"]


def test_follow_ups_are_read_as_they_are_framed() -> None:
    items = [Reminder("a", "p", ONE), Reminder('b"\n', "q\nz: 1", FIRST)]
    told = [(item.id, to_text(at), digest(item.prompt)) for item, at in zip(items, (ONE, FIRST), strict=True)]
    assert reminders(batch(items)) == told
    assert [reminders(one_shot(item)) for item in items] == [[told[0]], [told[1]]]


def up(*made: str) -> list[Any]:
    quoted = ", ".join(f'"{name}"' for name in made)
    return ["up", digest(f"[{quoted}]")]


def created(change: Change) -> list[Any]:
    view = {**change["schedule"], "prompt": PROMPT, "state": "scheduled", "deliveryMode": "session-local"}
    return ["created", view]


def queued(name: str, occurrence: int) -> list[Any]:
    return ["queued", [[name, to_text(occurrence), PROMPT]], occurrence + 5]


def dispatch(name: str, **accepted: str) -> Change:
    return {"version": 1, "operation": "dispatch", "id": name, **accepted}


A = after("a", to_text(ONE))
B = every("b", to_text(FIRST))
GONE: Change = {"version": 1, "operation": "delete", "id": "b"}

# Two lives: the first ends between the enqueue of `a` and its dispatch, so the second queues it again.
LIVES: list[tuple[Told, list[Change]]] = [
    ([["starting"], up(), created(A), created(B), queued("a", ONE)], [A, B]),
    (
        [
            ["starting"],
            up("a", "b"),
            queued("a", ONE),
            queued("b", SECOND),
            ["deleted", {"id": "b", "deleted": True}],
        ],
        [A, B, dispatch("a"), dispatch("b", acceptedAt=to_text(SECOND + 5)), GONE],
    ),
]


def judged(lives: list[tuple[Told, list[Change]]]) -> Counter[str]:
    witness = Witness()
    for told, changes in lives:
        witness.judge(told, changes)
    return witness.counts


def test_a_duplicate_is_explained_by_the_window_that_a_kill_leaves() -> None:
    counts = judged(LIVES)
    assert counts["duplicates, each explained"] == 1
    assert counts["killed between enqueue and dispatch"] == 1
    assert (counts["occurrences queued"], counts["dispatches in the log"]) == (3, 2)


def test_what_was_under_way_may_be_in_the_log_or_not() -> None:
    told, changes = deepcopy(LIVES[0])
    del told[3]
    assert judged([(told, changes)])["creates in the log, not yet acknowledged"] == 1


def lives_with(life: int, told: list[list[Any]] | None = None, changes: list[Change] | None = None) -> Any:
    lives = deepcopy(LIVES)
    lives[life] = (lives[life][0] if told is None else told, lives[life][1] if changes is None else changes)
    return lives


FIRST_TOLD, SECOND_TOLD = LIVES[0][0], LIVES[1][0]
FIRST_HELD, SECOND_HELD = LIVES[0][1], LIVES[1][1]


@pytest.mark.parametrize(
    ("lives", "complaint"),
    [
        (lives_with(0, changes=[A]), "acknowledged is not in the log"),
        (lives_with(0, changes=[A, every("b", to_text(SECOND))]), "acknowledged is not in the log"),
        (lives_with(1, changes=SECOND_HELD[:-1]), "delete that was acknowledged is not in the log"),
        (lives_with(1, changes=SECOND_HELD[1:]), "has changed"),
        (lives_with(1, told=[*SECOND_TOLD[:1], up("a"), *SECOND_TOLD[2:]]), "other ids"),
        (lives_with(0, told=FIRST_TOLD[:2]), "more creates"),
        (lives_with(1, told=[*SECOND_TOLD[:2], *SECOND_TOLD[3:]]), "was not queued before"),
        ([(FIRST_TOLD, [A, B, dispatch("a")]), (SECOND_TOLD[:3], [A, B, dispatch("a")])], "was durable"),
        (lives_with(0, told=[*FIRST_TOLD, queued("a", ONE)]), "twice in one life"),
        (lives_with(0, told=[*FIRST_TOLD, queued("b", FIRST)]), "dispatch of the last"),
        (lives_with(1, told=[*SECOND_TOLD, queued("b", SECOND + 300_000)]), "delete was acknowledged"),
        (lives_with(0, told=[*FIRST_TOLD[:4], [*queued("a", ONE)[:2], ONE - 1]]), "before its target"),
        (
            lives_with(0, told=[*FIRST_TOLD[:4], ["queued", [["a", to_text(ONE), "x"]], ONE]]),
            "another prompt",
        ),
        (lives_with(0, told=[*FIRST_TOLD, ["failed", {"code": "internal_error"}]]), "without a fault"),
    ],
)
def test_a_broken_promise_is_told(lives: Any, complaint: str) -> None:
    with pytest.raises(BrokenPromiseError, match=complaint):
        judged(lives)
