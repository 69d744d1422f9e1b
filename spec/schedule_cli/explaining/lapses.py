"""Wrong replies of live sessions, for clauses that no small change of a right reply breaks.

Each is what a mistake that implementations make comes to in a step of a story. The live law may report it
under another clause that the same fault belongs to.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from schedule_cli.explaining.stories import PASS, START, TEA
from schedule_spec import framing

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lapse:
    """What an implementation does that gets it wrong, in which step of a story, from 0, and what it replies.

    `wrong` makes the wrong reply of the right one.
    """

    does: str
    story: str
    step: int
    wrong: Callable[[Object], Object]


def _with(*observed: Object) -> Callable[[Object], Object]:
    """Return what adds observations at the end of a reply."""
    return lambda reply: _observing(reply, [*reply["result"]["observed"], *observed])


def _nothing(reply: Object) -> Object:
    return _observing(reply, [])


def _altered(change: Callable[[Object], Object]) -> Callable[[Object], Object]:
    """Return what changes each observation of a reply."""
    return lambda reply: _observing(reply, [change(each) for each in reply["result"]["observed"]])


def _observing(reply: Object, observed: list[Object]) -> Object:
    return {"result": reply["result"] | {"observed": observed}}


def _seen(seconds: float, **what: Any) -> Object:
    return {"at": START + round(1000 * seconds), "session": "s"} | what


def _in_snake_case(observation: Object) -> Object:
    match observation:
        case {"answer": {"value": {"everySeconds": interval, "scheduledAt": target, **rest}} as answer}:
            value = rest | {"every_seconds": interval, "scheduled_at": target}
            return observation | {"answer": answer | {"value": value}}
        case _:
            return observation


def _retracted(reply: Object) -> Object:
    *before, answer = reply["result"]["observed"]
    created = next(each["append"]["data"]["schedule"]["id"] for each in before if "append" in each)
    delete = {"version": 1, "operation": "delete", "id": created}
    return _observing(reply, [*before, _seen(0, append={"type": "schedule/change", "data": delete}), answer])


def _framed(change: Callable[[str], str]) -> Callable[[Object], Object]:
    return _altered(
        lambda each: each | {"followup": change(each["followup"])} if "followup" in each else each
    )


LAPSES: Mapping[str, Lapse] = {
    "fold.candidate": Lapse(
        "appends it without asking whether the log still folds",
        "foreign-writer",
        1,
        lambda _: {"result": {"observed": []}},
    ),
    "fork.history": Lapse(
        "begins the child's log at the fork",
        "fork",
        2,
        lambda reply: {"result": reply["result"] | {"events": []}},
    ),
    "tool.case": Lapse(
        "spells the fields of results as it spells arguments", "wrong-case", 1, _altered(_in_snake_case)
    ),
    "barrier.recovers": Lapse(
        "takes the create back when the second barrier has failed", "recovers", 2, _retracted
    ),
    "owner.recompute": Lapse(
        "sets its timer when the session is opened, and not again for the new reminder",
        "recompute",
        2,
        _nothing,
    ),
    "owner.bounded-wait": Lapse(
        "takes the end of the longest timer for the end of the wait",
        "bounded-wait",
        1,
        _with(_seen(2_147_483.647, followup=framing.frame(PASS))),
    ),
    "owner.recheck": Lapse(
        "takes the end of its timer for the target, without a look at the clock",
        "recheck",
        2,
        _with(_seen(30, followup=framing.frame(TEA))),
    ),
    "deliver.barrier-failure": Lapse(
        "queues the reminder again a few seconds later",
        "barrier-fails",
        3,
        _with(_seen(65, followup=framing.frame(TEA))),
    ),
    "deliver.no-loss": Lapse("has set no timer that wakes it", "crash-window", 2, _nothing),
    "frame.message": Lapse(
        "puts a line of its own before the framing",
        "delivered",
        2,
        _framed(lambda text: f"Please note:\n{text}"),
    ),
    "frame.whole": Lapse(
        "cuts the text off where it is thought to be long enough",
        "long-prompt",
        2,
        _framed(lambda text: text[:200]),
    ),
}
"""By the clause that each breaks."""
