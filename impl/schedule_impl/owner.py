"""The live owner of one agent's reminders: it waits for the earliest target and delivers what is due.

It holds a timer and no state of its own: what is due, the session says. All its work goes through the agent's
queue, and no due work without a barrier before it. What fails leaves the reminders active and starts no
timer: the next return to idle, or the next successful preflight of a tool, tries again.
Clauses: owner.*, deliver.*, due.clock-range.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from schedule_impl.changes import Change, Dispatch
from schedule_impl.due import BatchDue, OneShotDue, Wait
from schedule_impl.framing import batch, one_shot
from schedule_impl.host import Agent, Clock, Timer, Timers
from schedule_impl.instants import to_text
from schedule_impl.numbers import is_integer
from schedule_impl.persistence import Persistence
from schedule_impl.work_queue import Turn, WorkQueue

LONGEST_WAIT: Final = 2**31 - 1
"""The longest delay in ms that hosts' timers hold (owner.bounded-wait)."""

_Due: TypeAlias = OneShotDue | BatchDue


class ScheduleOwner:
    """The owner of one agent; it works from `start` until `dispose`, or a failed append after an enqueue."""

    __slots__ = (
        "_agent",
        "_clock",
        "_ended",
        "_persistence",
        "_queue",
        "_queued",
        "_refused",
        "_settled",
        "_timer",
        "_timers",
        "_unwatch",
    )

    def __init__(
        self, agent: Agent, queue: WorkQueue, persistence: Persistence, clock: Clock, timers: Timers
    ) -> None:
        self._agent = agent
        self._queue = queue
        self._persistence = persistence
        self._clock = clock
        self._timers = timers
        self._timer: Timer | None = None
        self._unwatch: Callable[[], None] | None = None
        self._ended = False
        # A drive is queued and has not begun.
        self._queued = False
        # The agent was not idle when it was last asked, and has not returned to idle since.
        self._refused = False
        # Nothing was due at the last look behind a barrier, and the timer stands for what is to come.
        self._settled = False

    def start(self) -> None:
        """Begin: take up what is overdue, wait for the earliest future target (owner.session-local)."""
        self._unwatch = self._agent.host.watch_idle(self._idle_again)
        self._queue_drive()

    def recompute(self) -> None:
        """Derive the next wake anew; to be called right after a successful barrier (owner.recompute)."""
        if not self._ended and self._due() is not None and not self._refused:
            self._queue_drive()

    async def dispose(self) -> None:
        """Start nothing new, and return when what is in flight has ended (owner.dispose)."""
        self._end()
        await self._queue.drained()

    def _end(self) -> None:
        self._ended = True
        self._cancel_timer()
        if self._unwatch is not None:
            self._unwatch()
            self._unwatch = None

    def _idle_again(self) -> None:
        self._refused = False
        if not self._ended and (not self._settled or self._due() is not None):
            self._queue_drive()

    def _due(self) -> tuple[_Due, int] | None:
        """What is due, with the clock sample that says so; None for nothing, and then the wait is set.

        Over a log that does not fold, or without a clock, nothing is due or waited for (owner.corrupt).
        """
        self._cancel_timer()
        self._settled = False
        try:
            now = self._sample()
            decision = self._agent.session.agenda.decide(now)
        except Exception:
            return None
        if isinstance(decision, Wait):
            self._wait(decision.until, now)
            return None
        return decision, now

    def _wait(self, until: int | None, now: int) -> None:
        """Let a timer end at a time that is to come, or when as much of the wait is over as a timer holds."""
        self._settled = True
        if until is not None:
            delay = min(until - now, LONGEST_WAIT)
            self._timer = self._timers.start(delay, lambda: self._wake(until))

    def _wake(self, until: int) -> None:
        """Look at the clock anew: this may have been a part of a longer wait (owner.recheck)."""
        self._timer = None
        try:
            now = self._sample()
        except Exception:
            self._settled = False
            return
        if now < until:
            self._wait(until, now)
        else:
            self._queue_drive()

    def _sample(self) -> int:
        """One reading of the clock; TypeError for one that could neither be waited from nor be logged."""
        now = self._clock.now()
        if not is_integer(now):
            raise TypeError("the clock gives no integer of ms")
        return now

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _queue_drive(self) -> None:
        self._settled = False
        if not self._queued:
            self._queued = True
            self._queue.put(self._drive)

    async def _drive(self, _turn: Turn) -> None:
        """Deliver what is due, one after another; the last barrier of one is the first of the next."""
        self._queued = False
        while not self._ended:
            if not await self._persistence.flush(self._agent.session):
                # Nor does a timer go on that was set before (owner.activity-retry).
                self._cancel_timer()
                self._settled = False
                return
            if not self._deliver():
                return

    def _deliver(self) -> bool:
        """Claim the idle phase and deliver in it; whether something was delivered (deliver.sequence)."""
        if self._ended or self._due() is None:
            return False
        phase = self._agent.host.claim_idle()
        if phase is None:
            self._refused = True
            return False
        try:
            found = self._due()
            return found is not None and self._admit(*found)
        finally:
            phase.release()

    def _admit(self, decision: _Due, now: int) -> bool:
        """Enqueue the one follow-up, then append its dispatches; whether all of it was done."""
        try:
            text, changes = _framed(decision)
            self._agent.host.follow_up(text)
        except Exception:
            return False
        try:
            for change in changes:
                self._agent.session.append_change(change, now)
        except Exception:
            # The message may be on its way: queued again, it could come twice.
            self._end()
            return False
        return True


def _framed(decision: _Due) -> tuple[str, list[Change]]:
    """The text of a decision, and the changes that record it."""
    if isinstance(decision, OneShotDue):
        return one_shot(decision.reminder), [Dispatch(1, decision.reminder.id)]
    accepted = to_text(decision.accepted)
    return batch(decision.reminders), [Dispatch(1, item.id, accepted) for item in decision.reminders]
