"""Why a barrier, a claim or a release was not to come."""

from schedule_spec.delivery import owners
from schedule_spec.delivery.model import Queued, Session
from schedule_spec.delivery.reasons.words import Fault, described, no_delivery
from schedule_spec.json_text import Json
from schedule_spec.rejections import quoted


def barrier(session: Session, result: Json) -> Fault:
    """Return why a barrier did not settle so."""
    if not session.live:
        return "owner.session-local", "A barrier was claimed in a session that is not live."
    expected = session.script.barriers[0] if session.script.barriers else "ok"
    if session.settling is not None:
        expected = session.settling
    return "barrier.uncertain", f"The barrier was to be {expected!r}; it is reported as {quoted(result)}."


def claim(session: Session, result: Json) -> Fault:
    """Return why the idle phase was not to be claimed, or not with this result."""
    came = "The idle phase was claimed"
    fault = no_delivery(session, came)
    if fault is not None and fault[0] != "owner.corrupt":
        return fault
    if result == "ok" and session.busy:
        return "owner.idle-only", f"{came} while the agent was busy."
    if result != "ok":
        return "owner.idle-only", f"The claim is reported as {quoted(result)}; the agent was idle."
    if owners.mid_call(session) or session.held:
        return "barrier.fifo", f"{came} while another transaction held the queue."
    return "deliver.sequence", f"{came} again before the delivery had ended with its last barrier."


def release(session: Session) -> Fault:
    """Return why the idle phase was not to be released."""
    match session.phase:
        case Queued(rest):
            sentence = f"The phase was released before the {described(rest[0])} was appended"
            return "deliver.parked", f"{sentence}: the follow-up could have opened its turn."
        case _:
            return "deliver.sequence", "The phase was released though it was not claimed."
