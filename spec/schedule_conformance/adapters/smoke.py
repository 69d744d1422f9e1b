"""The smoke check: is the adapter sane? It tells a broken adapter from a broken implementation.

Asked before anything is judged: `hello`, the manners of the protocol, and of each feature that is claimed one
request so plain that every implementation carries it out. Each has to get a reply of the protocol, and one of
them a result; what the replies say is not looked at: that is judged later, by the clauses.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from schedule_conformance.adapters.streams import ChildProcess
from schedule_conformance.law.law_adapter import suite_version
from schedule_conformance.protocol.json_values import same, show
from schedule_conformance.protocol.messages import PROTOCOL, validate_envelope, validate_reply
from schedule_conformance.protocol.systems import Breakdown, System
from schedule_spec.profiles import Profile

Request = dict[str, Any]

NOW = 1_900_000_000_000
DUE = "2030-03-17T17:46:40.000Z"
"""The same instant."""

AFTER = {"id": "smoke-1", "kind": "after", "prompt": "smoke", "afterSeconds": 60, "scheduledAt": DUE}
EVERY = {"id": "smoke-2", "kind": "every", "prompt": "smoke", "everySeconds": 300, "scheduledAt": DUE}

PLAIN: tuple[tuple[str, Request], ...] = (
    ("decode", {"cmd": "decode", "change": {"version": 1, "operation": "delete", "id": "smoke-1"}}),
    ("fold", {"cmd": "fold", "events": []}),
    ("create", {"cmd": "create", "id": "smoke-1", "prompt": "smoke", "after_seconds": 60, "now": NOW}),
    ("rate", {"cmd": "advance", "record": EVERY, "acceptedAt": NOW}),
    ("view", {"cmd": "view", "record": AFTER, "now": NOW}),
    ("due", {"cmd": "due", "records": [], "now": NOW}),
    ("frame", {"cmd": "frame", "record": AFTER}),
    ("tools", {"cmd": "open", "session": "smoke", "now": NOW}),
    (
        "tools",
        {"cmd": "call", "session": "smoke", "callId": "1", "tool": "schedule_list", "arguments": {}},
    ),
    (
        "tools",
        {
            "cmd": "call",
            "session": "smoke",
            "callId": "2",
            "tool": "schedule_create",
            "arguments": {"prompt": "smoke", "after_seconds": 60},
        },
    ),
    ("delivery", {"cmd": "advance_time", "ms": 1}),
    ("tools", {"cmd": "log", "session": "smoke"}),
)
"""For each feature what any implementation that has it carries out, in this order."""

HALF_A_PAIR: Request = {
    "cmd": "decode",
    "change": {"version": 1, "operation": "create", "schedule": {**AFTER, "prompt": "\ud83d"}},
}
"""For `surrogates`."""

ONLY_OF_V1 = frozenset({"rate"})
"""Features whose plain request is of the later level alone."""

NONE_IN_ALL = "no plain request of any feature came to a result, so that they are handed over wrongly"

NO_REQUESTS = (b"smoke", b"[]", b'{"cmd":"hello"}')
"""Lines to which only an error without a number can answer."""


class CannotJudgeError(Exception):
    """The system cannot be judged: its adapter is broken, or nothing could be asked of it."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """What `hello` says: name, version, language, protocol level, features, its zone data's release, and the
    kinds of observations that it shows."""

    name: str
    version: str
    language: str
    profile: Profile
    features: frozenset[str]
    tzdata: str | None
    observes: tuple[str, ...] = ()


def greet(system: System) -> Implementation:
    """Return what the system says of itself; raise CannotJudgeError where its adapter is not sane.

    A child process is tried to its end, and started anew by the next request.
    """
    implementation = _implementation(_answer(system, _hello(PROTOCOL), "result", "hello"))
    _answer(system, _hello(PROTOCOL + 1), "error", "a hello of another protocol")
    _answer(system, {"seq": 2, "cmd": "no-such-command"}, "unsupported", "an unknown command")
    _try_plain(system, implementation)
    if "tools" in implementation.features:
        _try_new_world(system)
    if isinstance(system, ChildProcess):
        _try_lines(system)
        _answer(system, _hello(PROTOCOL), "result", "hello in a second process")
    return implementation


def _hello(protocol: int) -> Request:
    return {"seq": 0, "cmd": "hello", "protocol": protocol, "suite": suite_version()}


def _implementation(reply: dict[str, Any]) -> Implementation:
    result = reply["result"]
    who = result["implementation"]
    return Implementation(
        who["name"],
        who["version"],
        who["language"],
        Profile(result["profile"]),
        frozenset(result["features"]),
        result.get("tzdata"),
        tuple(result.get("observes", ())),
    )


def _plain(implementation: Implementation) -> Iterator[tuple[str, Request]]:
    features = implementation.features
    left_out = ONLY_OF_V1 if implementation.profile is Profile.V1_AFTER else frozenset()
    for feature, request in PLAIN:
        needed = {feature, "tools"} if feature == "delivery" else {feature}
        if needed <= features and feature not in left_out:
            yield feature, request
    if features >= {"decode", "surrogates"}:
        yield "surrogates", HALF_A_PAIR


def _try_plain(system: System, implementation: Implementation) -> None:
    """Ask the plain requests; an adapter none of which comes to a result hands them over wrongly."""
    barren: list[CannotJudgeError] = []
    fruitful = False
    for number, (feature, request) in enumerate(_plain(implementation), 3):
        numbered = {"seq": number, **request}
        what = f"a plain request of the feature {feature}"
        reply = _answer(system, numbered, "", what)
        if "result" in reply:
            fruitful = True
        else:
            barren.append(_broken(what, show(numbered), show(reply), _wanted("result"), [NONE_IN_ALL]))
    if barren and not fruitful:
        raise barren[0]


def _try_new_world(system: System) -> None:
    """Ask for the log of the session of the world before, which no world that has just begun can know."""
    _answer(system, _hello(PROTOCOL), "result", "hello a second time")
    request = {"seq": 1, "cmd": "log", "session": "smoke"}
    reply = _answer(system, request, "", "a command for a session of an earlier world")
    if isinstance(kept := reply.get("result"), dict) and kept.get("events"):
        because = "hello begins a new world, in which that session was never opened"
        wanted = 'one object {"seq": …, "error": {…}}'
        raise _broken("hello a second time", f"hello, then {show(request)}", show(reply), wanted, [because])


def _answer(system: System, request: Request, kind: str, what: str) -> dict[str, Any]:
    """Return the reply to a request; raise CannotJudgeError where it is not of its kind, if one is named."""
    reply = system.ask(dict(request))
    if isinstance(reply, Breakdown):
        raise _broken(what, show(request), reply.sentence, _wanted(kind))
    problems = (validate_reply if request["cmd"] == "hello" else validate_envelope)(request, reply)
    if problems or not isinstance(reply, dict) or (kind and kind not in reply):
        raise _broken(what, show(request), show(reply), _wanted(kind), problems)
    return reply


def _wanted(kind: str) -> str:
    return f'one object {{"seq": …, "{kind or "result"}": {{…}}}}, with the seq of the request'


def _broken(
    what: str, sent: str, came: str, wanted: str, problems: list[str] | None = None
) -> CannotJudgeError:
    rows = [("sent", sent), ("came", came), ("wanted", wanted)]
    rows += [("because", problem) for problem in (problems or [])[:3]]
    told = "".join(f"\n  {heading:<8}{text}" for heading, text in rows)
    return CannotJudgeError(f"the adapter is broken: it does not answer {what} as the protocol says.{told}")


def _try_lines(process: ChildProcess) -> None:
    """Try what only shows on a stream: lines that are no requests, order, and the end of input."""
    for line in NO_REQUESTS:
        (reply,) = process.write(line + b"\n", 1)
        if not isinstance(reply, dict) or not _is_unnumbered_error(reply):
            wanted = '{"seq": null, "error": {…}}, and the adapter reads on'
            raise _broken("a line that is no JSON object with seq", line.decode(), _shown(reply), wanted)
    pair = [{"seq": seq, "cmd": "no-such-command"} for seq in (101, 102)]
    text = b"\n" + b"".join(json.dumps(request).encode() + b"\n" for request in pair)
    replies = process.write(text, 2)
    if [_number(reply) for reply in replies] != [101, 102]:
        raise _broken(
            "a blank line and two requests",
            f"an empty line, {', '.join(map(show, pair))}",
            "; ".join(map(_shown, replies)),
            "nothing to the blank line, then one reply to each request, in order",
        )
    ending = process.finish()
    if ending != "status 0":
        raise _broken("the end of input", "end of input", ending, "the process ends by itself with status 0")


def _is_unnumbered_error(reply: dict[str, Any]) -> bool:
    return "error" in reply and "seq" in reply and reply["seq"] is None


def _number(reply: object) -> object:
    number = reply.get("seq") if isinstance(reply, dict) else None
    return next((seq for seq in (101, 102) if same(seq, number)), None)


def _shown(reply: object) -> str:
    return reply.sentence if isinstance(reply, Breakdown) else show(reply)
