"""The kinds of faults that a live session can show, told from the end of its trace."""

from schedule_conformance.judgement.judging import Fault
from schedule_conformance.worlds import replies
from schedule_conformance.worlds.traces import Trace

UNEXPECTED = "unexpected"
"""Something came that the clauses do not allow."""

CANDIDATE = "fold.candidate"
"""The clause by which a reply, and no observation, is wrong where it accepts."""

MISSING = "missing"
"""The world settled, and something that was owed had not come."""


def fault(trace: Trace) -> str:
    """Return the kind of fault at the end of a failing trace."""
    violation = trace.violation
    assert violation is not None, "only failing traces have a fault"
    last = trace.steps[-1]
    if "error" in last.reply:
        error = last.reply["error"]
        return str(error.get("trouble", Fault.ERROR)) if isinstance(error, dict) else str(Fault.MALFORMED)
    if "unsupported" in last.reply:
        return str(Fault.ABSENT)
    if not replies.is_sound({**last.request, "seq": 1}, {**last.reply, "seq": 1}):
        return str(Fault.MALFORMED)
    if violation.observation is not None:
        return UNEXPECTED
    if "rejected" in last.reply:
        return str(Fault.WRONG_REJECT)
    return str(Fault.WRONG_ACCEPT) if violation.clause == CANDIDATE else MISSING
