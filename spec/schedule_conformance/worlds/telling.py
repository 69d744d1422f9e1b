"""A failing trace in words: what was asked, what had been seen of the reminders concerned, what is wrong."""

from schedule_conformance.judgement.judging import Fault
from schedule_conformance.protocol.json_values import show
from schedule_conformance.worlds.faults import fault
from schedule_conformance.worlds.traces import Trace
from schedule_spec import json_text
from schedule_spec.delivery.stories import story
from schedule_spec.json_text import NotJson

_OF_THE_REPLY = {
    str(Fault.WRONG_ACCEPT): "a rejection as corrupt_schedule_log",
    str(Fault.WRONG_REJECT): "a result",
}
"""Where the reply itself is wrong, and nothing that was observed: what it might have been."""

WIDTH = 400
"""Characters of a request or observation that are shown."""


def asked(trace: Trace) -> tuple[str, ...]:
    """Return the requests of a trace, one a line."""
    return tuple(show(dict(step.request), WIDTH) for step in trace.steps)


def seen(trace: Trace) -> tuple[str, ...]:
    """Return what had been seen of the reminders and calls that a violation concerns, oldest first."""
    if trace.violation is None:
        return ()
    return story(((step.request, step.reply) for step in trace.steps), trace.violation)


def allowed(trace: Trace) -> str:
    """Return what might have come instead, in one line."""
    if trace.violation and not trace.violation.allowed and fault(trace) in _OF_THE_REPLY:
        return _OF_THE_REPLY[fault(trace)]
    return "; ".join(trace.violation.allowed) if trace.violation and trace.violation.allowed else "nothing"


def came(trace: Trace) -> str:
    """Return what came, or that nothing did, in one line of ASCII."""
    if trace.violation is not None and fault(trace) in _OF_THE_REPLY:
        return show(dict(trace.steps[-1].reply), WIDTH)
    if trace.violation is None or trace.violation.observation is None:
        return "nothing more: the world had settled"
    value = json_text.read(trace.violation.observation)
    return trace.violation.observation if isinstance(value, NotJson) else show(value, WIDTH)
