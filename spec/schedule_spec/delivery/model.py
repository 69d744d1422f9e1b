"""What the live law knows of a world: frozen, hashable values.

Times are ms. Clock times are the wall clock's; waits are what remains in timer time, so that two worlds that
differ only in when they began are equal.
"""

from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import TypeAlias

from schedule_spec import fold
from schedule_spec.changes import Change
from schedule_spec.fold import EMPTY, Refused, State
from schedule_spec.profiles import Profile
from schedule_spec.records import Record
from schedule_spec.tools import Answer, Request


class Reason(StrEnum):
    """Why the owner owes a drive: the words finish the sentence "it was to look for due work because …"."""

    OPENED = "the session was opened"
    WOKE = "the wait for its earliest target had elapsed"
    IDLE = "the agent had become idle"
    PREFLIGHT = "a tool call's preflight had succeeded"
    CONFIRMED = "a create or delete had been confirmed"
    RETRIED = "activity, or a tool call's successful preflight, had come after a failure"
    DELIVERED = "a delivery had ended, and its last barrier had succeeded"


class Mode(StrEnum):
    """What the owner of a session may do."""

    ABSENT = "there is no owner"
    LIVE = auto()
    """It may look for due work at any time."""
    HALTED = auto()
    """A preflight, framing or enqueue failed: nothing until a trigger (owner.activity-retry)."""
    LULLED = auto()
    """A last barrier failed: what was due then waits for a trigger (deliver.barrier-failure)."""
    STOPPED = auto()
    """An append failed after the enqueue: nothing ever again (deliver.append-failure-faults)."""
    DISPOSED = auto()


@dataclass(frozen=True, slots=True)
class Owner:
    """The live projection of a session.

    `owed` is why a drive is due at once, `wake` the timer time in ms after which one is; neither limits what
    a live owner may do. `renewed` tells that the agent became idle, or the wait was over, while a barrier was
    held: should it fail, the owner may try again. `split` tells that the wait is longer than a host's timer
    holds, so that the owner may look in between. `unread` are the ids of records that it had no cause to read
    of yet: a foreign writer's, or one whose create was not confirmed. Of a lulled one, `lull` is the clock
    time of the failure, and `lull_now` tells whether it is still that instant.
    """

    mode: Mode = Mode.ABSENT
    owed: Reason | None = None
    wake: int | None = None
    split: bool = False
    renewed: bool = False
    unread: tuple[str, ...] = ()
    lull: int | None = None
    lull_now: bool = False


@dataclass(frozen=True, slots=True)
class Resting:
    """No delivery is under way."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The idle phase is claimed; `cleared` tells whether a successful barrier stood before the claim."""

    cleared: bool


@dataclass(frozen=True, slots=True)
class Queued:
    """The follow-up is queued; `rest` are the dispatches to append, in order, never none."""

    rest: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Nothing more is queued or appended before the release; `queued` tells whether a follow-up waits for it.

    `complete` tells whether all dispatches were appended, so that a last barrier is due.
    """

    queued: bool
    complete: bool


@dataclass(frozen=True, slots=True)
class Released:
    """The phase is released and the last barrier is due."""


Phase: TypeAlias = Resting | Claimed | Queued | Ending | Released


@dataclass(frozen=True, slots=True)
class Call:
    """A call in the queue.

    `appended` is what a create or delete has appended, None before it did. `by_host`: the host's argument
    check may still refuse it. `answered`: its answer has come, and only its place in the queue remains.
    `given` is the canonical text of tool and arguments.
    """

    id: str
    request: Request
    given: str
    by_host: bool = False
    appended: Record | str | None = None
    aborted: bool = False
    closing: bool = False
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Answering:
    """A call whose answer is settled and has not been seen yet: any of `answers`, or the two others.

    `broken` is the clause that its arguments break, empty where they break none.
    """

    id: str
    given: str
    answers: tuple[Answer, ...]
    by_host: bool = False
    aborted: bool = False
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """The failures that the suite has scripted for a session.

    `barriers` are the outcomes of the next barriers. Of the appends of `operations`, `skip` succeed and then
    `times` fail.
    """

    barriers: tuple[str, ...] = ()
    followup_fails: bool = False
    operations: tuple[str, ...] = ()
    skip: int = 0
    times: int = 0

    def fails(self, operation: str) -> bool:
        """Tell whether the next append of that operation fails."""
        return operation in self.operations and self.skip == 0 and self.times > 0

    @property
    def holds(self) -> bool:
        """Whether the next barrier is held."""
        return self.barriers[:1] == ("hold",)


@dataclass(frozen=True, slots=True)
class Log:
    """A session's log: canonical texts of its events, what the own part means, and how many are durable.

    `survived` is how many there were when the session was opened last: what a clean close has left may be
    taken for durable or not. Situations of one session share all but the end of their logs, so that hashing
    these would tell little.
    """

    events: tuple[str, ...] = field(default=(), hash=False)
    seed: int | None = 0
    """Where the own part begins; None where that position is impossible."""
    state: State | Refused = field(default=EMPTY, hash=False)
    durable: int = 0
    survived: int = 0

    @property
    def own(self) -> State:
        """The state, empty where the log does not fold."""
        return self.state if isinstance(self.state, State) else fold.EMPTY


@dataclass(frozen=True, slots=True)
class Session:
    """One possible situation of a session.

    `held` tells that a barrier is held, `orphan` that one is whose call was cancelled and has left;
    `settling` is the outcome with which one was just released. `call_cleared` and `owner_cleared` tell
    whether a successful barrier stands before what the head of the queue, or the owner, would read next.
    `dropped` are the calls that a crash, a close or a disposal cut off.
    """

    log: Log
    live: bool = True
    agent: str = "root"
    persistence: bool = True
    busy: bool = False
    holds_turns: bool = False
    script: Script = field(default_factory=Script)
    owner: Owner = field(default_factory=Owner)
    phase: Phase = field(default_factory=Resting)
    calls: tuple[Call, ...] = ()
    answers: tuple[Answering, ...] = ()
    held: bool = False
    orphan: bool = False
    settling: str | None = None
    call_cleared: bool = False
    owner_cleared: bool = False
    dropped: tuple[str, ...] = ()

    @property
    def installed(self) -> bool:
        """Whether the feature is there: for root agents, and with persistence alone."""
        return self.agent == "root" and self.persistence


Following: TypeAlias = list[Session]
"""The situations that may follow; none where the clauses do not allow what came."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed beforehand.

    `observes` are the kinds of observations that are shown; `candidate` tells whether foreign appends are
    checked (fold.candidate).
    """

    observes: tuple[str, ...] = ("followup", "append", "answer", "barrier", "claim", "release")
    profile: Profile = Profile.V1
    candidate: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """The last request, as far as its settled reply is judged by it."""

    command: str = ""
    session: str = ""
    rejects: bool | None = False
    """For `append`: whether the candidate is to be refused (fold.candidate); None where it may be."""


@dataclass(frozen=True, slots=True)
class Message:
    """An error message that was seen for a code and an input (tool.errors-stable)."""

    given: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class States:
    """All situations that are possible given what was seen.

    Sessions share nothing but the clock, so the possible situations are held for each by itself, never empty.
    `left` is how much of the time that is being advanced remains.
    """

    terms: Terms
    clock: int = 0
    left: int = 0
    sessions: tuple[tuple[str, tuple[Session, ...]], ...] = ()
    messages: tuple[Message, ...] = ()
    secrets: tuple[str, ...] = ()
    asked: Asked = field(default_factory=Asked)

    def of(self, name: str) -> tuple[Session, ...]:
        """Return the possible situations of a session, none for an unknown one."""
        return next((found for known, found in self.sessions if known == name), ())


@dataclass(frozen=True, slots=True)
class Violation:
    """A trace that the clauses do not allow.

    `clause` is broken; `sentence` says how, `allowed` what might have come instead. `observation` is the
    canonical text of what came, None where nothing did though something was owed.
    """

    clause: str
    sentence: str
    allowed: tuple[str, ...] = ()
    observation: str | None = None
    session: str = ""
