"""Records and changes: what a log holds of Schedule, one type for each shape that the clauses admit.

Types and ranges stand in the annotations, for the decoder to hold; what they cannot say, `target_of` and
`check_change` do. Member names are those of the log.
Clauses: record.*, change.*, id.shape, text.prompt.
"""

from typing import Annotated, Final, Literal, TypeAlias, final

from msgspec import UNSET, Meta, Struct, UnsetType

from schedule_impl.errors import ScheduleError, corrupt, quoted
from schedule_impl.instants import to_ms
from schedule_impl.numbers import MAX_SAFE
from schedule_impl.text import WHITE_SPACE, is_label

MIN_EVERY_SECONDS: Final = 300
"""The shortest interval in seconds (every.minimum)."""
MAX_EVERY_SECONDS: Final = MAX_SAFE // 1000
"""The longest interval in seconds: its milliseconds are a safe integer (record.every)."""


@final
class After(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="after", gc=False):
    """A one-shot reminder, `afterSeconds` after its creation (record.after)."""

    id: str
    prompt: str
    afterSeconds: Annotated[int, Meta(ge=1, le=MAX_SAFE)]  # noqa: N815
    scheduledAt: str  # noqa: N815


@final
class At(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="at", gc=False):
    """A one-shot reminder at an instant (record.at)."""

    id: str
    prompt: str
    scheduledAt: str  # noqa: N815


@final
class Every(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="every", gc=False):
    """A reminder each `everySeconds` (record.every); `scheduledAt` is the earliest not dispatched."""

    id: str
    prompt: str
    everySeconds: Annotated[int, Meta(ge=MIN_EVERY_SECONDS, le=MAX_EVERY_SECONDS)]  # noqa: N815
    scheduledAt: str  # noqa: N815


Record: TypeAlias = After | At | Every
"""What a create stores; no other kind exists (record.kinds)."""


@final
class Create(Struct, frozen=True, forbid_unknown_fields=True, tag_field="operation", tag="create", gc=False):
    """A record comes to be (change.create)."""

    version: Literal[1]
    schedule: Record


@final
class Delete(Struct, frozen=True, forbid_unknown_fields=True, tag_field="operation", tag="delete", gc=False):
    """A record is taken back (change.delete)."""

    version: Literal[1]
    id: str


@final
class Dispatch(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="operation", tag="dispatch", gc=False
):
    """An occurrence was queued: by id alone for a one-shot, with the decision time for an every.

    Clauses: change.dispatch-one-shot, change.dispatch-every.
    """

    version: Literal[1]
    id: str
    acceptedAt: str | UnsetType = UNSET  # noqa: N815


Change: TypeAlias = Create | Delete | Dispatch
"""One durable mutation."""


def target_of(record: Record) -> int:
    """The record's target in ms; `corrupt_schedule_log` where its id, prompt or instant is not sound."""
    name, prompt = record.id, record.prompt
    if not (name and prompt and name.strip(WHITE_SPACE) == name and prompt.strip(WHITE_SPACE) == prompt):
        raise _no_label("prompt" if is_label(name) else "id")
    try:
        return to_ms(record.scheduledAt)
    except ValueError as problem:
        raise _no_instant("scheduledAt", record.scheduledAt, problem) from None


def decision_time(dispatch: Dispatch) -> int | None:
    """The time in ms at which a dispatch was decided, None where it names none; `corrupt_schedule_log`."""
    text = dispatch.acceptedAt
    if text is UNSET:
        return None
    try:
        return to_ms(text)
    except ValueError as problem:
        raise _no_instant("acceptedAt", text, problem) from None


def check_change(change: Change) -> None:
    """Refuse what no sound change holds, whatever the state it meets; `corrupt_schedule_log`."""
    if isinstance(change, Create):
        target_of(change.schedule)
        return
    if not is_label(change.id):
        raise _no_label("id")
    if isinstance(change, Dispatch):
        decision_time(change)


def _no_label(member: str) -> ScheduleError:
    return corrupt(f"{member} is empty or padded with white space")


def _no_instant(member: str, text: str, problem: ValueError) -> ScheduleError:
    return corrupt(f"{member} {quoted(text)} is no canonical instant: {problem}")
