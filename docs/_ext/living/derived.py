"""Examples of what follows from other clauses: each asks the law, and shows that both ways agree."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from schedule_spec import fold, instants
from schedule_spec.profiles import Profile

from .asking import answer
from .markdown import block, code, json_text

Event = dict[str, Any]

AFTER: Event = {
    "version": 1,
    "operation": "create",
    "schedule": {
        "id": "tea",
        "kind": "after",
        "prompt": "take the tea out",
        "afterSeconds": 60,
        "scheduledAt": "2030-01-01T00:01:00.000Z",
    },
}
EVERY: Event = {
    "version": 1,
    "operation": "create",
    "schedule": {
        "id": "poll",
        "kind": "every",
        "prompt": "poll the build",
        "everySeconds": 300,
        "scheduledAt": "2030-01-01T00:05:00.000Z",
    },
}
ADVANCE: Event = {
    "version": 1,
    "operation": "dispatch",
    "id": "poll",
    "acceptedAt": "2030-01-01T00:17:00.000Z",
}
END: Event = {"version": 1, "operation": "dispatch", "id": "tea"}

LOG = (AFTER, EVERY, ADVANCE, END)

SURROUNDINGS: tuple[Mapping[str, str], ...] = (
    {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0"},
    {"TZ": "Australia/Lord_Howe", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1"},
    {"TZ": "America/New_York", "LC_ALL": "POSIX", "PYTHONHASHSEED": "42"},
)


class DisagreementError(AssertionError):
    """What should agree does not."""


def _fold(changes: tuple[Event, ...], profile: Profile = Profile.V1) -> dict[str, Any]:
    events = [{"type": "schedule/change", "data": change} for change in changes]
    return answer({"cmd": "fold", "events": events}, profile)


def _agree(*values: object) -> None:
    if any(value != values[0] for value in values):
        raise DisagreementError(f"these should agree: {values}")


def _round_trip() -> str:
    texts = ("0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z")
    rows = []
    for text in texts:
        ms = instants.parse(text)
        assert ms is not None
        _agree(text, instants.render(ms))
        rows.append(f"| {code(text)} | {ms:,} | {code(instants.render(ms))} |\n")
    return "| text | ms | and back |\n|---|---:|---|\n" + "".join(rows)


def _prefixes() -> str:
    rows = []
    for count in range(len(LOG) + 1):
        active = [record["id"] for record in _fold(LOG[:count])["result"]["active"]]
        rows.append(f"| {count} | {', '.join(map(code, active)) or 'none'} |\n")
    return f"{_log()}| events folded | active |\n|---:|---|\n" + "".join(rows)


def _incremental() -> str:
    whole = fold.fold([{"type": "schedule/change", "data": change} for change in LOG])
    state: fold.State = fold.EMPTY
    for change in LOG:
        following = fold.step(state, {"type": "schedule/change", "data": change})
        assert isinstance(following, fold.State)
        state = following
    _agree(whole, state)
    shown = json_text(_fold(LOG)["result"])
    return f"{_log()}Folded whole, and applied one by one, it comes to the same:\n\n{block(shown, 'json')}"


def _deterministic() -> str:
    request = json_text(
        {"seq": 1, "cmd": "fold", "events": [{"type": "schedule/change", "data": each} for each in LOG]}
    )
    rows, answers = [], []
    for surroundings in SURROUNDINGS:
        run = subprocess.run(
            [sys.executable, "-m", "schedule_cli", "adapter", "--sut", "law"],
            input=f"{request}\n",
            env=dict(os.environ) | dict(surroundings),
            capture_output=True,
            text=True,
            check=True,
        )
        answers.append(run.stdout)
        rows.append(
            f"| {code(' '.join(f'{key}={value}' for key, value in surroundings.items()))} | the same |\n"
        )
    _agree(*answers)
    table = "| a process under | its state |\n|---|---|\n" + "".join(rows)
    return f"{_log()}{table}\n{block(answers[0].strip(), 'json')}"


def _path_independent() -> str:
    record = EVERY["schedule"]
    first, then = "2030-01-01T00:07:00.000Z", "2030-01-01T00:31:00.000Z"
    once = _advanced(record, first)
    both = _advanced(record | {"scheduledAt": once["nextScheduledAt"]}, then)
    alone = _advanced(record, then)
    _agree(both["nextScheduledAt"], alone["nextScheduledAt"])
    return (
        f"From the target {code(record['scheduledAt'])}, every 300 s:\n\n"
        "| dispatched at | target left |\n|---|---|\n"
        f"| {code(first)} | {code(once['nextScheduledAt'])} |\n"
        f"| and then {code(then)} | {code(both['nextScheduledAt'])} |\n"
        f"| {code(then)} alone | {code(alone['nextScheduledAt'])} |\n"
    )


def _advanced(record: Event, accepted: str) -> dict[str, Any]:
    moment = instants.parse(accepted)
    assert moment is not None
    result: dict[str, Any] = answer({"cmd": "advance", "record": record, "acceptedAt": moment})["result"]
    return result


def _upward() -> str:
    log = (AFTER, END)
    earlier, later = _fold(log, Profile.V1_AFTER), _fold(log)
    _agree(earlier, later)
    refused = _fold((EVERY,), Profile.V1_AFTER)
    return (
        f"{_log(log)}Both levels answer {code(json_text(later['result']))}. The other way does not "
        f"hold: a log with an `every` is {code(refused['rejected']['code'])} under v1-after.\n"
    )


def _log(changes: tuple[Event, ...] = LOG) -> str:
    return block("\n".join(map(json_text, changes)), "json") + "\n"


EXAMPLES: Mapping[str, Callable[[], str]] = {
    "instant.round-trip": _round_trip,
    "fold.prefix": _prefixes,
    "fold.incremental": _incremental,
    "fold.deterministic": _deterministic,
    "rate.path-independent": _path_independent,
    "profile.upward": _upward,
}
"""The example of each derived clause, as Markdown, made now; DisagreementError where it fails."""
