"""The sample scenarios of `world.jsonl` as exchanges of the adapter protocol.

A scenario's operations differ a little from the protocol's commands (README beside the file). What the
protocol has no observation for (a follow-up or an append that failed) is left out; what the file leaves out
is filled in: `at` from the targets that come due while time is advanced, the barrier of a later drive where
one barrier stands for two in a row, `callId`, and the ids, which the reference was free to choose. The value
of a call stands last in the file; here it stands where the call is through, before the due work that its
preflight sets off.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schedule_spec import fold, instants
from schedule_spec.fold import State

WORLD = Path(__file__).parent / "data" / "vectors" / "world.jsonl"
MANY = 40
"""How often an outcome is scripted that is to last."""

Json = Any


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, the observations that came, and the rest of the reply's result."""

    request: dict[str, Json]
    observed: tuple[dict[str, Json], ...] = ()
    result: dict[str, Json] = field(default_factory=dict)

    @property
    def reply(self) -> dict[str, Json]:
        """The whole reply."""
        return {"result": {"observed": list(self.observed), **self.result}}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named trace, and the choices that it assumes where the clauses leave them open."""

    id: str
    exchanges: tuple[Exchange, ...]
    assumes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Session:
    name: str
    events: list[Json]
    seed: Json = 0
    durable: int = 0
    healthy: bool = True
    created: int = 0

    def targets(self) -> list[int]:
        state = fold.fold(self.events, self.seed)
        return [record.scheduled_at for record in state.active] if isinstance(state, State) else []


def scenarios(path: Path = WORLD) -> list[Scenario]:
    """Return the scenarios of a file in its order."""
    return [converted(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def converted(scenario: Json) -> Scenario:
    """Return one scenario of the file."""
    exchanges = tuple(_Converter().convert(scenario["steps"]))
    return Scenario(scenario["id"], exchanges, tuple(scenario.get("assumes", ())))


class _Converter:
    """Follows the clock, the logs and the current session through one scenario."""

    def __init__(self) -> None:
        self.clock = 0
        self.sessions: list[_Session] = []
        self.calls = 0

    @property
    def current(self) -> _Session:
        return self.sessions[-1]

    def convert(self, steps: list[Json]) -> Iterator[Exchange]:
        for step in steps:
            [(operation, arguments)] = step["do"].items()
            yield from getattr(self, operation)(arguments, step)

    def open(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        self.clock = ms(arguments["now"])
        session = _Session("main", list(arguments["events"]), arguments.get("seedLength", 0))
        session.durable = len(session.events)
        self.sessions.append(session)
        request = {
            "cmd": "open",
            "session": "main",
            "now": self.clock,
            "events": arguments["events"],
            "seedLength": arguments.get("seedLength", 0),
            "busy": arguments.get("busy", False),
            "turns": "hold" if arguments.get("auto_turn") else "none",
        }
        tools = {"tools": ["schedule_create", "schedule_list", "schedule_delete"]}
        if "faults" not in arguments:
            yield Exchange(request, self.observed(session, step["expect"]), tools)
            return
        yield Exchange(request, (), tools)
        yield from self.faults(arguments["faults"], step)
        reopen = {"cmd": "reopen", "session": "main", "now": self.clock}
        yield Exchange(reopen, self.observed(session, step["expect"]))

    def call(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        self.calls += 1
        request = {
            "cmd": "call",
            "session": self.current.name,
            "callId": f"call-{self.calls}",
            "tool": arguments["tool"],
            "arguments": self.named(self.current, arguments["arguments"]),
        }
        yield Exchange(request, self.observed(self.current, value_when_through(step["expect"])))

    def advance_time(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        end = self.clock + arguments["ms"]
        observed: list[dict[str, Json]] = []
        parent = self.sessions[-2] if "expect_parent" in step else None
        begin = self.clock
        for session, expected in ((parent, step.get("expect_parent")), (self.current, step["expect"])):
            if session is not None and expected:
                self.clock = begin
                observed += self.timed(session, expected, end)
        self.clock = end
        observed.sort(key=lambda observation: int(observation["at"]))
        yield Exchange({"cmd": "advance_time", "ms": arguments["ms"]}, tuple(observed))

    def set_clock(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        self.clock = ms(arguments["now"])
        observed = self.observed(self.current, step["expect"])
        yield Exchange({"cmd": "set_clock", "now": self.clock}, observed)

    def busy(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        request = {"cmd": "busy", "session": self.current.name, "on": arguments["on"]}
        yield Exchange(request, self.observed(self.current, step["expect"]))

    def faults(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        self.current.healthy = not arguments
        outcomes = list(arguments.get("barrier", ()))
        if "barrier_then" in arguments:
            outcomes += [arguments["barrier_then"]] * MANY
        outcomes = ["missing" if outcome == "absent" else outcome for outcome in outcomes]
        yield Exchange({"cmd": "barrier", "session": self.current.name, "outcomes": outcomes})
        append = arguments.get("append", {})
        yield Exchange(
            {
                "cmd": "faults",
                "session": self.current.name,
                "followup": arguments.get("followup", "ok"),
                "append": {
                    "operations": ["create", "delete", "dispatch"],
                    "skip": append.get("skip", 0),
                    "times": append.get("fail_next", 0),
                },
            }
        )

    def crash(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        session = self.current
        keep = session.durable if arguments["keep"] == "durable" else len(session.events)
        del session.events[keep:]
        yield Exchange({"cmd": "crash", "session": session.name, "keep": keep})

    def reopen(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        session = self.current
        if "faults" in arguments or not session.healthy:
            yield from self.faults(arguments.get("faults", {}), step)
        request: dict[str, Json] = {"cmd": "reopen", "session": session.name}
        if "now" in arguments:
            self.clock = request["now"] = ms(arguments["now"])
        if "busy" in arguments:
            request["busy"] = arguments["busy"]
        session.durable = len(session.events)
        yield Exchange(request, self.observed(session, step["expect"]))

    def fork(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        parent = self.current
        at = len(parent.events)
        if "at" in arguments:
            changes = [at for at, event in enumerate(parent.events) if event["type"] == "schedule/change"]
            at = changes[arguments["at"] - 1] + 1 if arguments["at"] else 0
        child = _Session(f"fork-{len(self.sessions)}", parent.events[:at], at, at)
        self.sessions.append(child)
        yield Exchange({"cmd": "fork", "session": parent.name, "at": at, "as": child.name})
        if arguments.get("parent") != "live":
            yield Exchange({"cmd": "dispose", "session": parent.name})

    def dispose(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        yield Exchange({"cmd": "dispose", "session": self.current.name})

    def log(self, arguments: Json, step: Json) -> Iterator[Exchange]:
        session = self.current
        seed = session.seed if session.seed <= len(session.events) else 0
        own = [event["data"] for event in session.events[seed:] if event.get("type") == "schedule/change"]
        expected = self.named(session, step["expect"])
        assert own == expected, (own, expected)
        yield Exchange({"cmd": "log", "session": session.name}, (), {"events": list(session.events)})

    def named(self, session: _Session, value: Json) -> Json:
        """Return a value with the ids in it that stand for those of created records."""
        match value:
            case {"$id": int(number)}:
                return f"made-{number}"
            case dict():
                return {key: self.named(session, member) for key, member in value.items()}
            case list():
                return [self.named(session, element) for element in value]
            case str() if "${id:" in value:
                return value.replace("${id:", "made-").replace("}", "", value.count("${id:"))
            case _:
                return value

    def observed(self, session: _Session, expected: list[Json]) -> tuple[dict[str, Json], ...]:
        return tuple(
            observation
            for each in expected
            if (observation := self.observation(session, each, self.clock)) is not None
        )

    def timed(self, session: _Session, expected: list[Json], end: int) -> Iterator[dict[str, Json]]:
        """Yield what came while time was advanced, each at the instant at which its drive came due."""
        for group in drives(expected):
            before = self.clock
            self.clock = self.instant(session, group, end)
            unlisted = [{"barrier": "ok"}] if self.clock > before and "claim" in group[0] else []
            yield from self.observed(session, unlisted + group)

    def instant(self, session: _Session, group: list[Json], end: int) -> int:
        for each in group:
            if "acceptedAt" in each.get("append", {}):
                return ms(each["append"]["acceptedAt"])
        for each in group:
            text = each.get("followup", "")
            if "\noccurrence_at: " in text:
                return max(self.clock, ms(text.split("\noccurrence_at: ")[1].split("\n")[0]))
        targets = session.targets()
        if any(target <= self.clock for target in targets) and group[0].get("claim") == "busy":
            return self.clock
        return min((target for target in targets if self.clock <= target <= end), default=self.clock)

    def observation(self, session: _Session, each: Json, at: int) -> dict[str, Json] | None:
        [(kind, value)] = each.items()
        value = reframed(value) if kind == "followup" else self.named(session, value)
        named: dict[str, Json] = {"at": at, "session": session.name}
        match kind:
            case "barrier":
                if value == "ok":
                    session.durable = len(session.events)
                return named | {"barrier": "missing" if value == "absent" else value}
            case "append":
                event = {"type": "schedule/change", "data": value}
                session.events.append(event)
                return named | {"append": event}
            case "value":
                return named | {"answer": {"callId": f"call-{self.calls}", "value": value}}
            case "followup_failed" | "append_failed":
                return None
            case _:
                return named | {kind: value}


def reframed(text: str) -> str:
    """Return a follow-up's text with the ids of created records in it."""
    pieces = text.split('"${id:')
    return pieces[0] + "".join(
        f'"made-{number}"{rest}' for number, _, rest in (piece.partition('}"') for piece in pieces[1:])
    )


def drives(expected: list[Json]) -> list[list[Json]]:
    """Return the observations of an advance, cut before the barrier or claim that begins each drive."""
    groups: list[list[Json]] = []
    fresh = True
    for each in expected:
        if fresh or not groups or ("claim" in each and len(groups[-1]) > 1):
            groups.append([])
        groups[-1].append(each)
        fresh = "barrier" in each and len(groups[-1]) > 1
    return groups


def value_when_through(expected: list[Json]) -> list[Json]:
    """Return what a call brought with its value moved from the end to where the call is through."""
    if not expected or "value" not in expected[-1]:
        return expected
    through = 0
    for position, each in enumerate(expected):
        if "barrier" in each:
            through = position + 1
        if "claim" in each or "append_failed" in each:
            break
        if "append" in each:
            continue
        if through and "append" not in (expected[position + 1] if position + 1 < len(expected) else {}):
            break
    return [*expected[:through], expected[-1], *expected[through:-1]]


def ms(instant: str) -> int:
    """Return the ms of a canonical instant."""
    parsed = instants.parse(instant)
    assert parsed is not None, instant
    return parsed
