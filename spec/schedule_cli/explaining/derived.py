"""Examples of what follows from other clauses: each asks the law, and shows that both ways agree."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from schedule_cli.explaining.asking import answer
from schedule_cli.explaining.json_layout import on_one_line
from schedule_cli.explaining.parts import Listing, Part, Table, code
from schedule_spec import fold, instants
from schedule_spec.profiles import Profile

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


def _round_trip() -> tuple[Part, ...]:
    texts = ("0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z")
    rows = []
    for text in texts:
        ms = instants.parse(text)
        assert ms is not None
        _agree(text, instants.render(ms))
        rows.append((code(text), f"{ms:,}", code(instants.render(ms))))
    return (Table(("text", "ms", "and back"), tuple(rows), numbers=(1,)),)


def _prefixes() -> tuple[Part, ...]:
    rows = []
    for count in range(len(LOG) + 1):
        active = [record["id"] for record in _fold(LOG[:count])["result"]["active"]]
        rows.append((str(count), ", ".join(map(code, active)) or "none"))
    return _log(), Table(("events folded", "active"), tuple(rows), numbers=(0,))


def _incremental() -> tuple[Part, ...]:
    whole = fold.fold([{"type": "schedule/change", "data": change} for change in LOG])
    state: fold.State = fold.EMPTY
    for change in LOG:
        following = fold.step(state, {"type": "schedule/change", "data": change})
        assert isinstance(following, fold.State)
        state = following
    _agree(whole, state)
    said = "Folded whole, and applied one by one, it comes to the same:"
    return _log(), said, Listing(on_one_line(_fold(LOG)["result"]), "json")


def _deterministic() -> tuple[Part, ...]:
    request = on_one_line(
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
        rows.append((code(" ".join(f"{key}={value}" for key, value in surroundings.items())), "the same"))
    _agree(*answers)
    return _log(), Table(("a process under", "its state"), tuple(rows)), Listing(answers[0].strip(), "json")


def _path_independent() -> tuple[Part, ...]:
    record = EVERY["schedule"]
    first, then = "2030-01-01T00:07:00.000Z", "2030-01-01T00:31:00.000Z"
    once = _advanced(record, first)
    both = _advanced(record | {"scheduledAt": once["nextScheduledAt"]}, then)
    alone = _advanced(record, then)
    _agree(both["nextScheduledAt"], alone["nextScheduledAt"])
    rows = (
        (code(first), code(once["nextScheduledAt"])),
        (f"and then {code(then)}", code(both["nextScheduledAt"])),
        (f"{code(then)} alone", code(alone["nextScheduledAt"])),
    )
    said = f"From the target {code(record['scheduledAt'])}, every 300 s:"
    return said, Table(("dispatched at", "target left"), rows)


def _advanced(record: Event, accepted: str) -> dict[str, Any]:
    moment = instants.parse(accepted)
    assert moment is not None
    result: dict[str, Any] = answer({"cmd": "advance", "record": record, "acceptedAt": moment})["result"]
    return result


def _upward() -> tuple[Part, ...]:
    log = (AFTER, END)
    earlier, later = _fold(log, Profile.V1_AFTER), _fold(log)
    _agree(earlier, later)
    refused = _fold((EVERY,), Profile.V1_AFTER)
    said = (
        f"Both levels answer {code(on_one_line(later['result']))}. The other way does not "
        f"hold: a log with an `every` is {code(refused['rejected']['code'])} under v1-after."
    )
    return _log(log), said


def _log(changes: tuple[Event, ...] = LOG) -> Listing:
    return Listing("\n".join(map(on_one_line, changes)), "json", "the log")


EXAMPLES: Mapping[str, Callable[[], tuple[Part, ...]]] = {
    "instant.round-trip": _round_trip,
    "fold.prefix": _prefixes,
    "fold.incremental": _incremental,
    "fold.deterministic": _deterministic,
    "rate.path-independent": _path_independent,
    "profile.upward": _upward,
}
"""The example of each derived clause, made now; DisagreementError where it fails."""
