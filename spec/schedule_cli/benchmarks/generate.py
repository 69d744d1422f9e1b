"""Sound session logs of any size, the same for the same seed.

Every event is a schedule change: a third creates of the three kinds in equal parts, half dispatches, the
rest deletes. In each 18 events these are 6 creates, 9 dispatches (6 that advance an every, 3 that end a
one-shot) and 3 deletes (2 of an every, 1 of a one-shot), shuffled, so that as many records end as begin;
the endings wait in a queue while fewer than `POOL` records are active. What does not fill 18 events is
creates.
"""

import json
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

POOL = 48
"""How many records are active before the first of them ends; there are never more than 64."""

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
"""When the session begins; its clock goes on by one second an event."""

WORDS = (
    "check",
    "the",
    "build",
    "logs",
    "ask",
    "whether",
    "release",
    "is",
    "ready",
    "and",
    "report",
    "status",
)

DECK = (
    ("after",) * 2
    + ("at",) * 2
    + ("every",) * 2
    + ("advance",) * 6
    + ("dispatch",) * 3
    + ("delete every",) * 2
    + ("delete one-shot",)
)
"""What each 18 events consist of."""


def lines(events: int, seed: int) -> Iterator[bytes]:
    """Yield the lines of a log of that many events, newlines included, the header first."""
    header = {
        "type": "session",
        "version": 0,
        "id": f"bench-{seed}",
        "createdAt": _ms(BEGIN),
        "delegationDepth": 0,
    }
    yield _line(header)
    for seq, change in enumerate(_Session(Random(seed)).changes(events)):
        time = _ms(BEGIN + timedelta(seconds=seq))
        yield _line({"type": "schedule/change", "seq": seq, "time": time, "data": change})


class _Session:
    """One session's reminders, and the random choices that make its history."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.created = 0
        self.seq = 0
        self.one_shots: list[str] = []
        self.everies: list[str] = []
        self.intervals: dict[str, int] = {}
        self.targets: dict[str, datetime] = {}

    def changes(self, events: int) -> Iterator[dict[str, object]]:
        waiting: deque[str] = deque()
        for _ in range(events // len(DECK)):
            for step in self.random.sample(DECK, len(DECK)):
                if step in {"after", "at", "every"}:
                    yield self.create(step)
                elif step == "advance" and self.everies:
                    yield self.advance()
                else:
                    waiting.append(step)
                while waiting and len(self.one_shots) + len(self.everies) > POOL:
                    yield self.end(waiting.popleft())
        while waiting:
            yield self.end(waiting.popleft())
        for _ in range(events % len(DECK)):
            yield self.create(self.random.choice(("after", "at", "every")))

    def end(self, step: str) -> dict[str, object]:
        match step:
            case "advance":
                return self.advance()
            case "dispatch":
                return self.change("dispatch", id=self.take(self.one_shots))
            case "delete every":
                return self.change("delete", id=self.take(self.everies))
            case _:
                return self.change("delete", id=self.take(self.one_shots))

    def create(self, kind: str) -> dict[str, object]:
        self.created += 1
        name = f"schedule-{self.created}"
        seconds = self.random.randrange(300, 100_000)
        target = self.now() + timedelta(seconds=seconds)
        schedule: dict[str, object] = {"id": name, "kind": kind, "prompt": self.prompt()}
        if kind == "every":
            self.everies.append(name)
            self.intervals[name] = seconds
            self.targets[name] = target
        else:
            self.one_shots.append(name)
        if kind != "at":
            schedule[f"{kind}Seconds"] = seconds
        schedule["scheduledAt"] = _instant(target)
        return self.change("create", schedule=schedule)

    def advance(self) -> dict[str, object]:
        """Dispatch an every at, or up to three intervals after, its target."""
        name = self.random.choice(self.everies)
        interval = timedelta(seconds=self.intervals[name])
        accepted = self.targets[name] + interval * self.random.random() * 3
        accepted = accepted.replace(microsecond=accepted.microsecond // 1000 * 1000)
        missed = (accepted - self.targets[name]) // interval
        self.targets[name] += (missed + 1) * interval
        return self.change("dispatch", id=name, acceptedAt=_instant(accepted))

    def change(self, operation: str, **members: object) -> dict[str, object]:
        self.seq += 1
        return {"version": 1, "operation": operation, **members}

    def take(self, names: list[str]) -> str:
        return names.pop(self.random.randrange(len(names)))

    def now(self) -> datetime:
        return BEGIN + timedelta(seconds=self.seq)

    def prompt(self) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randrange(1, 12)))


def _instant(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _ms(time: datetime) -> int:
    return int(time.timestamp()) * 1000


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
