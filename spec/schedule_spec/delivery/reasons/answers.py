"""Why a call was not to be answered, or not so."""

from collections.abc import Sequence

from schedule_spec import tools
from schedule_spec.delivery import calls, owners
from schedule_spec.delivery.model import Resting, Session
from schedule_spec.delivery.owners import Moment
from schedule_spec.delivery.reasons.words import Fault, Object
from schedule_spec.json_text import Json
from schedule_spec.rejections import Code, quoted
from schedule_spec.tools import (
    Answer,
    Failed,
    NotFound,
    Outcome,
    Remove,
    Removed,
    Shown,
    Store,
    Uncertain,
    Viewed,
)
from schedule_spec.values import canonical


def answer(session: Session, moment: Moment, answer: Object) -> Fault:
    """Return why a call was not to be answered, or not so."""
    id = answer.get("callId")
    pending = next((pending for pending in session.answers if pending.id == id), None)
    if pending is not None:
        fault = _wrong_answer(pending.answers, answer, f"Call {quoted(id)}")
        return (pending.broken, fault[1]) if pending.broken and fault[0] == "tool.error-sound" else fault
    position = next((place for place, call in enumerate(session.calls) if call.id == id), None)
    if position is None or session.calls[position].answered:
        return clause_of(answer), f"Call {quoted(id)} was answered though it awaited no answer."
    return _answer_of_queued(session, moment, position, answer)


def _answer_of_queued(session: Session, moment: Moment, position: int, answer: Object) -> Fault:  # noqa: PLR0911 - one reason each
    call = session.calls[position]
    who = f"Call {quoted(call.id)}"
    if "aborted" in answer or call.aborted:
        state = "had been cancelled, and ends in the host's abort" if call.aborted else "was not cancelled"
        return "barrier.cancel", f"{who} {state}."
    if "refused" in answer:
        return "tool.ill-typed", f"{who} was refused by the host, though its arguments are well typed."
    value = answer.get("value")
    code = value.get("code") if isinstance(value, dict) else None
    if tools.is_error(value) and code not in tuple(Code):
        return "tool.errors-closed", f"{who} was answered with the code {quoted(code)}, which is none."
    if code == Code.PERSISTENCE_UNCERTAIN and not session.call_cleared and not owners.mid_call(session):
        return "barrier.uncertain", f"{who} was answered as uncertain, though no barrier of it had failed."
    found = calls.outcome(session, call, moment)
    waiting = position > 0 or not isinstance(session.phase, Resting)
    if (waiting or not session.call_cleared) and tools.is_error(value) and not _tells(session, found, value):
        return "tool.error-sound", f"{who} was answered with an error of which no condition holds."
    if waiting:
        return "barrier.fifo", f"{who} was answered while another transaction was before it in the queue."
    if call.appended is not None:
        return "barrier.after-append", f"{who} was answered before the barrier that follows its append."
    if not session.call_cleared:
        return "barrier.before-read", f"{who} was answered before a successful barrier of it."
    if isinstance(found, Store):
        return _unappended("tool.create-result", who, value)
    if isinstance(found, Remove):
        return _unappended("tool.delete-active", who, value)
    return _wrong_answer((found,), answer, who)


def _tells(session: Session, found: Outcome, value: Json) -> bool:
    """Tell whether an error is the one that a call comes to, too early though it may be."""
    if isinstance(found, Store | Remove) and session.script.fails(calls.operation_of(found)):
        return tools.fits(Failed((Code.INTERNAL_ERROR,)), value)
    return isinstance(found, Failed) and tools.fits(found, value)


def _unappended(clause: str, who: str, value: Json) -> Fault:
    if tools.is_error(value):
        return "tool.error-sound", f"{who} was answered with an error of which no condition holds."
    return clause, f"{who} was answered as done, though nothing had been appended for it."


def clause_of(answer: Object) -> str:
    """Return the clause of the tool that a stray answer looks like the answer of."""
    match answer:
        case {"value": list()}:
            return "tool.list"
        case {"value": {"deleted": True}}:
            return "tool.delete-active"
        case {"value": {"deleted": False}}:
            return "tool.delete-unknown"
        case {"value": {"code": _}}:
            return "tool.error-sound"
        case {"aborted": _}:
            return "barrier.cancel"
        case _:
            return "tool.create-result"


def _wrong_answer(answers: Sequence[Answer], answer: Object, who: str) -> Fault:
    expected = " or ".join(canonical(shown(other)) for other in answers) or "the host's abort"
    sentence = f"{who} is to be answered with {expected}; another answer came."
    if "aborted" in answer:
        return "barrier.cancel", f"{sentence} It was not cancelled."
    if not answers:
        return "barrier.cancel", f"{sentence} It had been cancelled."
    if "refused" in answer:
        return "tool.ill-typed", f"{sentence} Its arguments are well typed, so that the host refuses nothing."
    return _clause_of_difference(answers[0], answer.get("value")), sentence


def shown(answer: Answer) -> Json:
    """Return the value of an answer, of an error all codes that it may have."""
    if isinstance(answer, Failed):
        return {"code": [str(code) for code in answer.codes]}
    return tools.value_of(answer)


def _clause_of_difference(expected: Answer, value: Json) -> str:  # noqa: PLR0911 - one reason each
    code = value.get("code") if isinstance(value, dict) else None
    if tools.is_error(value) and code not in tuple(Code):
        return "tool.errors-closed"
    match expected:
        case Uncertain():
            return "barrier.uncertain"
        case Failed(codes):
            return _clause_of_codes(codes, code)
        case _ if tools.is_error(value):
            return "tool.error-sound"
        case Viewed():
            return "tool.create-result"
        case Shown():
            return "tool.list"
        case Removed():
            return "tool.delete-active"
        case NotFound():
            return "tool.delete-unknown"


def _clause_of_codes(codes: Sequence[Code], code: Json) -> str:
    if code in codes:
        return "tool.errors-closed"
    if codes[0] is Code.CORRUPT_SCHEDULE_LOG:
        return "tool.corrupt"
    return "tool.internal-error" if tuple(codes) == (Code.INTERNAL_ERROR,) else "tool.error-sound"
