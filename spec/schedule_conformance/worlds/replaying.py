"""Asking what a trace asked again, of the same system or of another.

A system spells the ids of what it creates as it likes, so the requests that name them are respelt: what the
k-th create of a step was called then is what the k-th create of that step is called now.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from schedule_conformance.protocol.systems import System
from schedule_conformance.worlds.world import Exchange, Judged, Reply, Request, World, begun, observed
from schedule_spec.delivery import States, Terms
from schedule_spec.delivery.choices import enabled
from schedule_spec.text import json_string

Spelling = dict[tuple[str, str], str]
"""For a session and an id that was created in it then: what it is called now."""


def replayed(
    system: System, terms: Terms, steps: Sequence[Exchange], see: Callable[[Judged], object] = lambda _: None
) -> World:
    """Return the world after the requests of some steps, up to its first violation; `see` is told of each.

    Steps that make no sense in it, such as the release of a barrier that is not held, are left out; a place
    beyond the end of a log that has become shorter is taken to be its end.
    """
    world = begun(system, terms)
    spelling: Spelling = {}
    for step in steps:
        request = _within(respelt(step.request, spelling), world.states)
        if not makes_sense(world.states, request):
            continue
        try:
            judged = world.ask(request)
        except ValueError:
            continue
        see(judged)
        if world.violation is not None:
            break
        spelling |= _matched(step.reply, judged.exchange.reply)
    return world


def _within(request: dict[str, Any], states: States) -> dict[str, Any]:
    """Return a request whose place in the log, if it names one, lies within the log as it is now."""
    lengths = [len(situation.log.events) for situation in states.of(request.get("session", ""))]
    match request:
        case {"cmd": "fork", "at": int(at)} if lengths:
            return {**request, "at": min(at, *lengths)}
        case {"cmd": "crash", "keep": int(keep)} if lengths:
            return {**request, "keep": min(keep, max(lengths))}
        case _:
            return request


def makes_sense(states: States, request: Request) -> bool:
    """Tell whether a command may be asked now; what its members say is not looked at."""
    match request:
        case {"cmd": "open"}:
            return True
        case {"cmd": "abort" | "barrier" | "faults" | "log", "session": session}:
            return bool(states.of(session))
        case {"cmd": command, **rest}:
            wanted = (command, rest.get("session", ""))
            return any((choice.command, choice.session) == wanted for choice in enabled(states))
        case _:
            return False


def _matched(then: Reply, now: Reply) -> Spelling:
    return {place: id for (place, _), (_, id) in zip(_creations(then), _creations(now), strict=False)}


def _creations(reply: Reply) -> Iterator[tuple[tuple[str, str], str]]:
    for observation in observed(reply):
        match observation:
            case {
                "session": session,
                "append": {"data": {"operation": "create", "schedule": {"id": str(id)}}},
            }:
                yield (session, id), id


def respelt(request: Request, spelling: Spelling) -> dict[str, Any]:
    """Return a request in which the ids of created records are spelt as they are now."""
    own = {id: now for (session, id), now in spelling.items() if session == request.get("session")}
    if not own or all(id == now for id, now in own.items()):
        return dict(request)
    respelt = {key: value if key == "session" else _renamed(value, own) for key, value in request.items()}
    if isinstance(request.get("json"), str):
        for id, now in own.items():
            respelt["json"] = respelt["json"].replace(json_string(id), json_string(now))
    return respelt


def _renamed(value: Any, names: dict[str, str]) -> Any:
    match value:
        case {"id": str(id)} if id in names:
            return {**{key: _renamed(member, names) for key, member in value.items()}, "id": names[id]}
        case dict():
            return {key: _renamed(member, names) for key, member in value.items()}
        case list():
            return [_renamed(element, names) for element in value]
        case _:
            return value
