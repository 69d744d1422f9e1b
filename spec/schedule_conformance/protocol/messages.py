"""The messages of the adapter protocol, held by JSON Schemas 2020-12.

The schemas lie in `schemas/`, one file a subject, and refer to each other by urn. Requests are typed
loosely below the envelope: ill-typed input is input, which the system under test has to reject. Replies are
typed strictly. Reads package data, nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from schedule_conformance.protocol.json_values import DEEPEST_MESSAGE, depth_within

URN = "urn:schedule-spec:protocol:1"

PROTOCOL = 1
"""The protocol's number; a `hello` with another one is answered with an error."""

SUBJECTS = (
    "values",
    "envelope",
    "hello",
    "pure",
    "observation",
    "world",
    "vectors",
    "trace",
    "ledger",
    "report",
    "evidence",
)

PURE_COMMANDS = ("decode", "fold", "create", "advance", "view", "due", "frame", "frame_batch")
"""Commands whose answer depends on the request alone."""

WORLD_COMMANDS = (
    "open",
    "call",
    "abort",
    "advance_time",
    "set_clock",
    "busy",
    "turn",
    "barrier",
    "release",
    "faults",
    "append",
    "crash",
    "reopen",
    "fork",
    "dispose",
    "log",
)
"""Commands that act on sessions under virtual time."""

_HOME = {
    "hello": "hello",
    **dict.fromkeys(PURE_COMMANDS, "pure"),
    **dict.fromkeys(WORLD_COMMANDS, "world"),
}

COMMANDS = tuple(_HOME)

KINDS_OF_REPLY = ("result", "rejected", "unsupported", "error")


@cache
def schema(subject: str) -> dict[str, Any]:
    """The schema file of one of the SUBJECTS."""
    file = resources.files("schedule_conformance") / "schemas" / f"{subject}.json"
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


@cache
def _registry() -> Registry[Any]:
    return Registry().with_resources(
        (f"{URN}:{subject}", Resource.from_contents(schema(subject), default_specification=DRAFT202012))
        for subject in SUBJECTS
    )


@cache
def validator(reference: str) -> Draft202012Validator:
    """A validator for what a reference names, such as `pure#/$defs/fold.result`."""
    return Draft202012Validator({"$ref": f"{URN}:{reference}"}, registry=_registry())


def _place(error: ValidationError) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path]
    return "".join(parts).lstrip(".") or "the message"


def problems(reference: str, value: object) -> list[str]:
    """What is wrong with a value by the schema that `reference` names, in words; empty if nothing."""
    if not depth_within(value, DEEPEST_MESSAGE):
        return [f"the message: nested more than {DEEPEST_MESSAGE} levels deep"]

    def innermost() -> Iterator[str]:
        for error in sorted(validator(reference).iter_errors(value), key=lambda error: str(error.json_path)):
            cause = best_match(error.context) if error.context else None
            deepest = cause or error
            yield f"{_place(deepest)}: {deepest.message}"

    return list(innermost())


def validate_request(request: object) -> list[str]:
    """What is wrong with a request of the suite, in words with the place; empty if nothing."""
    if not isinstance(request, dict):
        return ["the message: a request is an object"]
    command = request.get("cmd")
    if not isinstance(command, str) or command not in _HOME:
        return [f"cmd: no command of the protocol: {command!r}"]
    # Members of pure commands may nest at will: only the envelope is looked at.
    shallow = {key: value for key, value in request.items() if depth_within(value, DEEPEST_MESSAGE // 2)}
    deep = {key: None for key in request if key not in shallow}
    return problems(f"{_HOME[command]}#/$defs/{command}.request", {**shallow, **deep})


def validate_envelope(request: Mapping[str, Any], reply: object) -> list[str]:
    """What is wrong with a reply's number and kind, in words with the place; a `result` may hold anything."""
    if not isinstance(reply, dict):
        return ["the message: a reply is an object"]
    given = [kind for kind in KINDS_OF_REPLY if kind in reply]
    if len(given) != 1:
        named = " and ".join(given) if given else "none"
        return [f"the message: exactly one of {', '.join(KINDS_OF_REPLY)} is required; {named} given"]
    kind = given[0]
    found = problems(f"envelope#/$defs/{kind}", reply)
    if not found and reply["seq"] != request["seq"]:
        found.append(f"seq: {reply['seq']!r} answers no request; {request['seq']!r} was asked")
    return found


def validate_reply(request: Mapping[str, Any], reply: object) -> list[str]:
    """What is wrong with a reply to `request`, in words with the place; empty if nothing."""
    found = validate_envelope(request, reply)
    command = request["cmd"]
    if found or not isinstance(reply, dict) or "result" not in reply or command not in _HOME:
        return found
    return [
        f"result.{problem}"
        for problem in problems(f"{_HOME[command]}#/$defs/{command}.result", reply["result"])
    ]


def wire(request: dict[str, Any]) -> dict[str, Any]:
    """Return the request as it comes out of a message: shared with nobody, surrogate pairs joined."""
    message: dict[str, Any] = json.loads(json.dumps(request))
    return message
