"""Tool calls in the queue: when one is through, what it appends, and which answers it may have.

Specifies barrier.before-read and barrier.cancel for calls, tool.create-result and tool.delete-active.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from schedule_spec import tools
from schedule_spec.changes import Change, Create, Delete
from schedule_spec.delivery.model import (
    Answering,
    Call,
    Following,
    Owner,
    Reason,
    Script,
    Session,
)
from schedule_spec.delivery.owners import Moment, permitted, triggered
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.rejections import Code
from schedule_spec.tools import (
    Answer,
    Creating,
    Failed,
    NotFound,
    Outcome,
    Remove,
    Shown,
    Store,
)


def outcome(session: Session, call: Call, moment: Moment) -> Outcome:
    """Return what the head of the queue comes to now."""
    return tools.outcome(call.request, session.log.state, moment.clock)


def operation_of(found: Store | Remove) -> str:
    """Return the operation of the change that an outcome appends."""
    return "create" if isinstance(found, Store) else "delete"


@defines("barrier.before-read", "barrier.cancel", "tool.internal-error")
def complete_head(session: Session, moment: Moment) -> Iterator[Session]:
    """Yield the situation in which the head of the queue, which appends nothing, is through."""
    if not session.calls or session.calls[0].appended is not None:
        return
    head = session.calls[0]
    if head.aborted or head.answered:
        yield completed(session, (), permitted(session.owner) if session.call_cleared else session.owner)
        return
    if not session.call_cleared:
        return
    found = outcome(session, head, moment)
    after = triggered(session.owner, Reason.PREFLIGHT)
    match found:
        case Store() | Remove():
            operation = operation_of(found)
            if session.script.fails(operation):
                failing = replace(session, script=attempted(session, operation))
                yield completed(failing, (Failed((Code.INTERNAL_ERROR,)),), after)
        case Shown() | NotFound() | Failed():
            yield completed(session, (found,), after)


def completed(session: Session, answers: tuple[Answer, ...], owner: Owner) -> Session:
    """Return the situation in which the head of the queue is through, with any of these answers."""
    head = session.calls[0]
    open_answers = session.answers
    if not head.answered:
        cancelled = head.aborted or head.closing
        open_answers += (Answering(head.id, head.given, answers, head.closing, cancelled),)
    return replace(session, calls=session.calls[1:], answers=open_answers, owner=owner, call_cleared=False)


def appends(found: Store | Remove, change: Change) -> bool:
    """Tell whether a change is what an outcome appends; the spelling of a new id is free (id.fresh)."""
    match change:
        case Create(schedule):
            return isinstance(found, Store) and tools.stored(found.record, schedule.id) == schedule
        case Delete(id):
            return isinstance(found, Remove) and found.id == id
        case _:
            return False


def on_answer(session: Session, answer: Mapping[str, Json]) -> Following:
    """Return what may follow the answer of a call: a value, the host's refusal, or its abort."""
    id = answer.get("callId")
    for position, pending in enumerate(session.answers):
        if pending.id == id:
            rest = session.answers[:position] + session.answers[position + 1 :]
            return [replace(session, answers=rest)] if accepts(pending, answer) else []
    for position, call in enumerate(session.calls):
        if call.id == id and not call.answered:
            return _on_early_answer(session, position, call, answer)
    if id in session.dropped and "value" not in answer:
        return [replace(session, dropped=tuple(other for other in session.dropped if other != id))]
    return []


def accepts(pending: Answering, answer: Mapping[str, Json]) -> bool:
    """Tell whether an answer is one of those that a call has come to."""
    if "aborted" in answer:
        return pending.aborted
    if "refused" in answer:
        return pending.by_host
    return any(tools.fits(expected, answer.get("value")) for expected in pending.answers)


@defines("tool.shape-first", "tool.ill-typed", "barrier.cancel")
def _on_early_answer(session: Session, position: int, call: Call, answer: Mapping[str, Json]) -> Following:
    """Return what may follow an answer that does not wait for the call's turn."""
    if "aborted" in answer:
        return _cancelled(session, position, call) if call.aborted or call.closing else []
    if call.appended is not None:
        return []
    if "refused" in answer:
        return _left(session, position) if call.by_host or call.closing else []
    early = call.request.early if isinstance(call.request, Creating) else ()
    if call.closing:
        early = (*early, Code.INTERNAL_ERROR)
    if early and not call.aborted and tools.fits(Failed(early), answer.get("value")):
        return _left(session, position)
    return []


@defines("barrier.cancel")
def _cancelled(session: Session, position: int, call: Call) -> Following:
    """Return the situations in which a cancelled call has left the queue, or its barrier is still to come.

    It does nothing more than that: what has appended waits for its second barrier, else it is a preflight.
    """
    if call.appended is not None:
        return [_remaining(session, position)]
    following = _left(session, position)
    return following if position == 0 else [*following, _remaining(session, position)]


def _left(session: Session, position: int) -> Following:
    """Return the situations in which an answered call has left the queue; a held barrier may be its own."""
    gone = replace(session, calls=session.calls[:position] + session.calls[position + 1 :])
    if position > 0:
        return [gone]
    if session.held:
        return [_remaining(session, position), replace(gone, held=False, orphan=True)]
    return [replace(gone, call_cleared=False)]


def _remaining(session: Session, position: int) -> Session:
    """Return the situation in which of an answered call its place in the queue remains."""
    waiting = replace(session.calls[position], answered=True)
    return replace(session, calls=(*session.calls[:position], waiting, *session.calls[position + 1 :]))


def attempted(session: Session, operation: str) -> Script:
    """Return the script after an append of that operation was tried."""
    script = session.script
    if operation not in script.operations:
        return script
    if script.skip:
        return replace(script, skip=script.skip - 1)
    return replace(script, times=max(0, script.times - 1))
