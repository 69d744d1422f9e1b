"""The messages of the adapter protocol, held by JSON Schemas 2020-12.

The schemas lie in `schemas/`, one file a subject, and refer to each other by urn. Requests are typed
loosely below the envelope: ill-typed input is input, which the system under test has to reject. Replies are
typed strictly. Reads package data, nothing else.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
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

TAGS = ("kind", "operation", "type")
"""Members whose value tells which of several forms an object has."""

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


def problems(reference: str, value: object) -> list[str]:
    """What is wrong with a value by the schema that `reference` names, in words; empty if nothing."""
    return _problems(reference, value, "")


def _problems(reference: str, value: object, member: str) -> list[str]:
    """What is wrong with a value that stands in a member of the message; empty where it is the message."""
    if not depth_within(value, DEEPEST_MESSAGE):
        return [f"{member or 'the message'}: nested more than {DEEPEST_MESSAGE} levels deep"]
    errors = sorted(validator(reference).iter_errors(value), key=lambda error: str(error.json_path))
    return [f"{_place(member, error)}: {_told(error)}" for error in map(_deepest, errors)]


def _place(member: str, error: ValidationError) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path]
    return "".join([member, *parts]).lstrip(".") or "the message"


def _deepest(error: ValidationError) -> ValidationError:
    """Return the cause of an error within the form that is meant, where a value may have one of several.

    A form is meant where its tag fits and its members come nearest to those of the value. Where none does,
    or several do equally well, the error stays as it is.
    """
    forms = _forms(error)
    distances = {form: _distance(causes) for form, causes in forms.items() if not _untagged(causes)}
    nearest = [form for form, distance in distances.items() if distance == min(distances.values())]
    if len(nearest) != 1:
        return error
    return _deepest(min(forms[nearest[0]], key=lambda cause: (len(cause.relative_path), cause.json_path)))


def _forms(error: ValidationError) -> dict[object, list[ValidationError]]:
    """Return what is wrong by each of the forms that a value may have; nothing where it may have but one."""
    forms: defaultdict[object, list[ValidationError]] = defaultdict(list)
    for cause in error.context or ():
        forms[cause.relative_schema_path[0]].append(cause)
    return dict(forms)


def _untagged(causes: list[ValidationError]) -> list[ValidationError]:
    """Return of what is wrong by a form that the value's tag is another form's."""
    tags = [[tag] for tag in TAGS]
    return [cause for cause in causes if cause.validator == "const" and list(cause.relative_path) in tags]


def _distance(causes: list[ValidationError]) -> int:
    """Return how many members are missing, and whether some are too many."""
    return sum(cause.validator in ("required", "additionalProperties") for cause in causes)


def _told(error: ValidationError) -> str:
    """Return an error in words; of a value that has none of several forms, what would tell which is meant."""
    forms = _forms(error).values()
    tags = [cause for causes in forms for cause in _untagged(causes)]
    missing = [cause for causes in forms for cause in causes if cause.validator == "required"]
    if tags and all(map(_untagged, forms)):
        known = ", ".join(dict.fromkeys(str(cause.validator_value) for cause in tags))
        return f"{tags[0].relative_path[-1]} {tags[0].instance!r} is none of {known}"
    if missing and all(any(cause in missing for cause in causes) for causes in forms):
        names = ", ".join(dict.fromkeys(cause.message.partition(" is a required")[0] for cause in missing))
        return f"one of {names} is required"
    return error.message


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
    return _problems(f"{_HOME[command]}#/$defs/{command}.result", reply["result"], "result")


def wire(request: dict[str, Any]) -> dict[str, Any]:
    """Return the request as it comes out of a message: shared with nobody, surrogate pairs joined."""
    message: dict[str, Any] = json.loads(json.dumps(request))
    return message
