"""What a generator of worlds asks of the live law: which commands make sense."""

from dataclasses import dataclass

from schedule_spec.delivery.model import Session, States

ANYWHERE = ("advance_time", "set_clock")
"""Commands that are of no session."""
WHILE_LIVE = (
    "call",
    "busy",
    "turn",
    "barrier",
    "faults",
    "append",
    "crash",
    "reopen",
    "fork",
    "dispose",
    "log",
)
"""Commands that make sense for every live session."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A command that makes sense; `session` is empty where it is of none, `call` where it is of no call."""

    command: str
    session: str = ""
    call: str = ""


def enabled(states: States) -> tuple[Choice, ...]:
    """Return the commands that make sense in every possible situation, in a fixed order.

    `release` needs a barrier that is held for certain, `abort` a call that may still be open.
    """
    choices = [Choice(command) for command in ANYWHERE]
    for name, situations in states.sessions:
        [first, *_] = situations
        if not first.live:
            choices.append(Choice("reopen", name))
            continue
        choices += [Choice(command, name) for command in WHILE_LIVE]
        if all(situation.held or situation.orphan for situation in situations):
            choices.append(Choice("release", name))
        choices += [Choice("abort", name, id) for id in _open_calls(situations)]
    return tuple(choices)


def _open_calls(situations: tuple[Session, ...]) -> list[str]:
    calls = (call for situation in situations for call in situation.calls if not call.answered)
    return list(dict.fromkeys(call.id for call in calls))
