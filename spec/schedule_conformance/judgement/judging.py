"""Judging one reply: does it say what the law allows?

A reply passes, or the command is unsupported, or the reply fails: then the failure names the kind of fault,
the clause, what was allowed and what came. Neither an `error` nor a breakdown is ever taken for a rejection.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from schedule_conformance.judgement import blame, creations
from schedule_conformance.judgement.spelling import repeats_key, text_oddity
from schedule_conformance.law.rulings import FEATURE_OF, EitherWay, Granted, Request, Ruling, rule
from schedule_conformance.protocol.json_values import as_object, same, show
from schedule_conformance.protocol.messages import validate_reply
from schedule_conformance.protocol.systems import Breakdown, Trouble
from schedule_spec import instants
from schedule_spec.creation import Refusals
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Code, Rejection


class Fault(StrEnum):
    """The ways in which a reply can be wrong."""

    WRONG_ACCEPT = "wrong-accept"
    """It accepts what has to be rejected."""

    WRONG_REJECT = "wrong-reject"
    """It rejects what has to be accepted."""

    WRONG_VALUE = "wrong-value"
    """It accepts, with another value."""

    WRONG_CODE = "wrong-code"
    """It rejects, with a code that does not fit."""

    ERROR = "error"
    """The adapter or the implementation broke."""

    MALFORMED = "malformed"
    """It is no reply of the protocol."""

    ABSENT = "absent"
    """It is unsupported, though `hello` names the feature."""

    UNSTEADY = "unsteady"
    """The same request was answered in two ways."""

    NOT_STARTED = "not-started"
    """The adapter's process could not be started."""

    ENDED = "ended"
    """The adapter's process ended before it answered."""

    CLOSED = "closed"
    """The adapter's process closed its standard output."""

    LATE = "late"
    """No reply came in time."""

    GARBAGE = "garbage"
    """What came is no line of the protocol."""

    OUT_OF_ORDER = "out-of-order"
    """What came answers another request."""

    CHANGED = "changed"
    """A new process of the adapter says another thing of itself in `hello`."""


OF_THE_PROCESS = frozenset(Fault(trouble.value) for trouble in Trouble)
"""The faults of an adapter's process, by which there is no reply."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The reply says what is allowed."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The implementation does not have the feature."""

    feature: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The reply breaks `clause`; `allowed` and `got` say it in words, `allowed_reply` and `reply` in JSON."""

    fault: Fault
    clause: str
    allowed: str
    allowed_reply: dict[str, Any]
    got: str
    reply: object


Verdict: TypeAlias = Passed | Unsupported | Failed


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rejection is due, with one of these codes; `clause` and `reason` say why.

    Where several rejections apply, the first of them in the reference's order gives the clause.
    """

    clause: str
    codes: tuple[Code, ...]
    reason: str


Expectation: TypeAlias = Granted | Refusal | EitherWay

PASSED = Passed()

CODES_OF_A_ZONE = (Code.INVALID_TIME_ZONE, Code.INVALID_RULE, Code.NOT_FUTURE, Code.TIME_OUT_OF_RANGE)
"""What may refuse a wall time in a zone of which nothing is known: the name, a gap, the future, the range."""


def expectation(ruling: Ruling) -> Expectation:
    """Return what a reply has to say, by the law's answer."""
    match ruling:
        case Rejection():
            return Refusal(ruling.clause, (ruling.code,), _reason(ruling))
        case Refusals(rejections):
            reasons = " ".join(dict.fromkeys(map(_reason, rejections)))
            return Refusal(rejections[0].clause, ruling.codes, reasons)
        case _:
            return ruling


def _reason(rejection: Rejection) -> str:
    """Return why something is refused; where it stands comes first, unless the sentence begins with that."""
    where, message = rejection.where, rejection.message
    return f"{where}: {message}" if where and not message.startswith(f"{where} ") else message


def judge(request: Request, reply: object, profile: Profile = Profile.V1) -> Verdict:
    """Judge the reply to a request of a command that the law answers, at a protocol level."""
    return judge_against(expectation(rule(request, profile)), request, reply, profile)


def judge_against(
    expected: Expectation, request: Request, reply: object, profile: Profile = Profile.V1
) -> Verdict:
    """Judge the reply to a request by what is expected."""
    if isinstance(reply, Breakdown):
        return _broken_down(expected, request, reply, profile)
    envelope = as_object(reply)
    if envelope is not None and _is_exactly(expected, request, envelope):
        return PASSED
    problems = validate_reply(request, reply)
    if not problems and envelope is not None and "unsupported" in envelope:
        return Unsupported(FEATURE_OF[request["cmd"]])
    fault = _fault(expected, envelope, problems)
    if fault is None:
        return PASSED
    clause = _clause(expected, request, envelope or {}, profile)
    return Failed(fault, clause, _allowed(expected), _allowed_reply(expected), _got(reply, problems), reply)


def _broken_down(expected: Expectation, request: Request, breakdown: Breakdown, profile: Profile) -> Failed:
    clause = _clause(expected, request, {}, profile)
    allowed, allowed_reply = _allowed(expected), _allowed_reply(expected)
    fault = Fault(breakdown.trouble.value)
    return Failed(fault, clause, allowed, allowed_reply, breakdown.sentence, breakdown.as_json())


def unfulfilled(expected: Expectation, request: Request, reply: object, profile: Profile) -> Failed:
    """Return the failure of a system whose `hello` names a feature that it then does not support."""
    clause = _clause(expected, request, {}, profile)
    return Failed(Fault.ABSENT, clause, _allowed(expected), _allowed_reply(expected), "unsupported", reply)


def unsteady(request: Request, failed: Failed) -> Failed:
    """Return the failure of a system that answers a request wrongly once and otherwise another time.

    A process that broke down stays one that broke down: what it would have answered is not known.
    """
    again = "asked again, it answers otherwise"
    got = failed.got if failed.got.endswith(again) else f"{failed.got.rstrip('.')}; {again}"
    if failed.fault in OF_THE_PROCESS:
        return replace(failed, got=got)
    clause = "fold.deterministic" if request["cmd"] == "fold" else failed.clause
    return replace(failed, fault=Fault.UNSTEADY, clause=clause, got=got)


def _is_exactly(expected: Expectation, request: Request, reply: dict[str, Any]) -> bool:
    """Whether a reply is plainly right; spares the schemas on the way that is nearly always taken."""
    if not same(reply.get("seq"), request["seq"]):
        return False
    if isinstance(expected, Granted):
        return reply.keys() == {"seq", "result"} and same(reply["result"], expected.result)
    rejected = as_object(reply.get("rejected"))
    return (
        isinstance(expected, Refusal)
        and rejected is not None
        and reply.keys() == {"seq", "rejected"}
        and rejected.keys() <= {"code", "message"}
        and isinstance(rejected.get("code"), str)
        and rejected["code"] in expected.codes
        and isinstance(rejected.get("message", ""), str)
    )


def _fault(expected: Expectation, reply: dict[str, Any] | None, problems: list[str]) -> Fault | None:
    if reply is None or not _has_one_kind(reply):
        return Fault.MALFORMED
    found: Fault | None
    if "error" in reply:
        found = Fault.ERROR
    elif "result" in reply and isinstance(expected, Refusal):
        found = Fault.WRONG_ACCEPT
    elif "rejected" in reply and isinstance(expected, Granted):
        found = Fault.WRONG_REJECT
    elif problems:
        found = Fault.MALFORMED
    elif "rejected" in reply:
        found = None if reply["rejected"]["code"] in _codes(expected) else Fault.WRONG_CODE
    else:
        found = None if _is_granted(expected, reply["result"]) else Fault.WRONG_VALUE
    return found


def _codes(expected: Expectation) -> tuple[Code, ...]:
    return expected.codes if isinstance(expected, Refusal) else CODES_OF_A_ZONE


def _is_granted(expected: Expectation, result: dict[str, Any]) -> bool:
    """Whether a well-formed result is one that is expected."""
    match expected:
        case Granted(allowed):
            return same(result, allowed)
        case EitherWay(allowed):
            record = result["record"]
            rest = {key: value for key, value in record.items() if key != "scheduledAt"}
            return same(rest, allowed) and instants.parse(record["scheduledAt"]) is not None
        case Refusal():
            return False


def _has_one_kind(reply: dict[str, Any]) -> bool:
    return len(reply.keys() & {"result", "rejected", "unsupported", "error"}) == 1


def _clause(expected: Expectation, request: Request, reply: dict[str, Any], profile: Profile) -> str:
    rejected = as_object(reply.get("rejected")) or {}
    code = rejected.get("code")
    named = code if isinstance(code, str) else None
    if isinstance(expected, EitherWay):
        return "zone.names"
    if isinstance(expected, Refusal):
        return _clause_of_refusal(expected, request, reply, named)
    result = as_object(reply.get("result"))
    if result is None:
        return blame.of_wrong_rejection(request, expected, named, profile)
    return blame.of_wrong_value(request, expected, result, profile)


def _clause_of_refusal(expected: Refusal, request: Request, reply: dict[str, Any], code: str | None) -> str:
    if request["cmd"] == "create":
        return creations.blame_for_code(request, expected.clause, code)
    text = request.get("json")
    if not isinstance(text, str):
        return expected.clause
    if "result" in reply:
        return "change.strict" if repeats_key(text) else expected.clause
    broke_down = "rejected" not in reply and text_oddity(text) == "change.json"
    return "change.json" if broke_down else expected.clause


def _allowed(expected: Expectation) -> str:
    match expected:
        case Granted(result):
            return f"the result {show(result)}"
        case EitherWay(record):
            return (
                f"a rejection as {' or '.join(CODES_OF_A_ZONE)}, because the name is one that may go either "
                f"way, or the record {show(record)} with any instant"
            )
        case Refusal(_, codes, reason):
            return f"a rejection as {' or '.join(codes)}, because {reason}"


def _allowed_reply(expected: Expectation) -> dict[str, Any]:
    match expected:
        case Granted(result):
            return {"result": result}
        case EitherWay(record):
            return {"rejected": {"codes": [str(code) for code in CODES_OF_A_ZONE]}, "or": {"record": record}}
        case Refusal(_, codes, _):
            return {"rejected": {"codes": [str(code) for code in codes]}}


def _got(reply: object, problems: list[str]) -> str:
    envelope = as_object(reply) or {}
    if problems:
        return f"{show(reply)}, which is no reply of the protocol: {'; '.join(problems)[:2_000]}"
    if "rejected" in envelope:
        return f"a rejection as {envelope['rejected']['code']}"
    if "error" in envelope:
        return f"an error, which is no rejection: {show(envelope['error'])}"
    return f"the result {show(envelope.get('result'))}"
