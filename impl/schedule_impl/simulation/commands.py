"""The world commands of the adapter protocol, on a world of this module's own.

Opening a session under a name that is taken already begins a new world, and so does `hello`. Beyond what the
protocol asks, `barrier` and `faults` may come before a session is opened, and `reopen` takes `busy` as `open`
does.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from schedule_impl.ecma_json import NotJsonError, parse
from schedule_impl.numbers import safe_integer
from schedule_impl.simulation.process import Surroundings
from schedule_impl.simulation.script import AppendFaults
from schedule_impl.simulation.world import World

Request = dict[str, Any]
Reply = dict[str, Any]

T = TypeVar("T")

_OPERATIONS: Final = ("create", "delete", "dispatch")
_OUTCOMES: Final = ("ok", "fail", "missing", "hold")


class CommandError(Exception):
    """A request that the protocol doesn't know."""


class _Commands:
    """One world at a time."""

    def __init__(self) -> None:
        self.world = World()

    def open(self, request: Request) -> Reply:
        name = _name(request, "session")
        if self.world.knows(name):
            self.world = World()
        self.world.set_clock(_integer(request, "now"))
        events = request.get("events", [])
        if not isinstance(events, list):
            raise CommandError("events is no array")
        surroundings = Surroundings(
            _one_of(request.get("agent", "root"), "agent", ("root", "child", "existing")),
            _flag(request, "persistence", True),
            _flag(request, "busy", False),
            _one_of(request.get("turns", "none"), "turns", ("none", "hold")),
        )
        fork = {"seedLength": request["seedLength"]} if "seedLength" in request else {}
        self.world.open(name, events, fork, surroundings)
        return {"tools": self.world.process(name).tools}

    def call(self, request: Request) -> Reply:
        arguments = request.get("arguments")
        if "json" in request:
            try:
                arguments = parse(_name(request, "json"))
            except NotJsonError:
                arguments = None
        self._process(request).call(_name(request, "callId"), _name(request, "tool"), arguments)
        return {}

    def abort(self, request: Request) -> Reply:
        self._process(request).abort(_name(request, "callId"))
        return {}

    def advance_time(self, request: Request) -> Reply:
        ms = _integer(request, "ms")
        if ms < 0:
            raise CommandError("time goes forward: ms is negative")
        self.world.advance(ms)
        return {}

    def set_clock(self, request: Request) -> Reply:
        self.world.set_clock(_integer(request, "now"))
        return {}

    def busy(self, request: Request) -> Reply:
        self._process(request).set_busy(_flag(request, "on", None))
        return {}

    def turn(self, request: Request) -> Reply:
        process = self._process(request)
        process.set_busy(True)
        process.set_busy(False)
        return {}

    def barrier(self, request: Request) -> Reply:
        outcomes = request.get("outcomes")
        if not isinstance(outcomes, list):
            raise CommandError("outcomes is no array")
        script = self.world.script(_name(request, "session"))
        script.expect([_one_of(outcome, "outcomes", _OUTCOMES) for outcome in outcomes])
        return {}

    def release(self, request: Request) -> Reply:
        if not self._process(request).release(_one_of(request.get("outcome"), "outcome", _OUTCOMES[:3])):
            raise CommandError("no barrier is held")
        return {}

    def faults(self, request: Request) -> Reply:
        script = self.world.script(_name(request, "session"))
        script.follow_up_fails = _one_of(request.get("followup", "ok"), "followup", ("ok", "fail")) == "fail"
        script.text = request.get("text", "the backend failed")
        append = request.get("append")
        script.appends = AppendFaults() if append is None else _append_faults(append)
        return {}

    def append(self, request: Request) -> Reply:
        self.world.append(_name(request, "session"), request.get("event"))
        return {}

    def crash(self, request: Request) -> Reply:
        self.world.crash(_name(request, "session"), _integer(request, "keep"))
        return {}

    def reopen(self, request: Request) -> Reply:
        name = _name(request, "session")
        if "now" in request:
            self.world.set_clock(_integer(request, "now"))
        self.world.reopen(name, _flag(request, "busy", False))
        return {"tools": self.world.process(name).tools}

    def fork(self, request: Request) -> Reply:
        child = _name(request, "as")
        self.world.fork(_name(request, "session"), _integer(request, "at"), child)
        return {"tools": self.world.process(child).tools}

    def dispose(self, request: Request) -> Reply:
        self._process(request).dispose()
        return {}

    def log(self, request: Request) -> Reply:
        return {"events": self.world.log(_name(request, "session"))}

    def _process(self, request: Request) -> Any:
        return self.world.process(_name(request, "session"))


_commands: Final = _Commands()


def begin() -> None:
    """Begin a new world."""
    _commands.world = World()


def _settled(command: Callable[[Request], Reply]) -> Callable[[Request], Reply]:
    def run(request: Request) -> Reply:
        try:
            reply = command(request)
        finally:
            _commands.world.settle()
        return {"observed": _commands.world.observed(), **reply}

    return run


WORLD_COMMANDS: Final[dict[str, Callable[[Request], Reply]]] = {
    command.__name__: _settled(command)
    for command in (
        _commands.open,
        _commands.call,
        _commands.abort,
        _commands.advance_time,
        _commands.set_clock,
        _commands.busy,
        _commands.turn,
        _commands.barrier,
        _commands.release,
        _commands.faults,
        _commands.append,
        _commands.crash,
        _commands.reopen,
        _commands.fork,
        _commands.dispose,
        _commands.log,
    )
}
"""What answers each world command; the world is settled when it returns."""


def _append_faults(given: object) -> AppendFaults:
    if not isinstance(given, dict):
        raise CommandError("faults.append is no object")
    operations = given.get("operations", _OPERATIONS)
    if not isinstance(operations, list | tuple):
        raise CommandError("faults.append.operations is no array")
    named = frozenset(_one_of(operation, "operations", _OPERATIONS) for operation in operations)
    return AppendFaults(named, _integer(given, "skip", 0), _integer(given, "times", 1))


def _name(request: Request, member: str) -> str:
    value = request.get(member)
    if not isinstance(value, str):
        raise CommandError(f"{member} is no string")
    return value


def _integer(request: Request, member: str, default: int | None = None) -> int:
    value = safe_integer(request.get(member, default))
    if value is None:
        raise CommandError(f"{member} is no safe integer")
    return value


def _flag(request: Request, member: str, default: bool | None) -> bool:
    value = request.get(member, default)
    if not isinstance(value, bool):
        raise CommandError(f"{member} is neither true nor false")
    return value


def _one_of(value: object, member: str, choices: tuple[T, ...]) -> T:
    for choice in choices:
        if choice == value:
            return choice
    raise CommandError(f"{member} is none of {choices}")
