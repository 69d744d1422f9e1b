"""What the decode-only loop decodes to: the events as one tagged union, only their shape checked."""

from typing import TypeAlias

from msgspec import Struct, json


class After(Struct, tag_field="kind", tag="after"):
    """An after record."""

    id: str
    prompt: str
    afterSeconds: int  # noqa: N815 - the log's own name
    scheduledAt: str  # noqa: N815


class At(Struct, tag_field="kind", tag="at"):
    """An at record."""

    id: str
    prompt: str
    scheduledAt: str  # noqa: N815


class Every(Struct, tag_field="kind", tag="every"):
    """An every record."""

    id: str
    prompt: str
    everySeconds: int  # noqa: N815
    scheduledAt: str  # noqa: N815


class Create(Struct, tag_field="operation", tag="create"):
    """A create."""

    version: int
    schedule: After | At | Every


class Delete(Struct, tag_field="operation", tag="delete"):
    """A delete."""

    version: int
    id: str


class Dispatch(Struct, tag_field="operation", tag="dispatch"):
    """A dispatch, of either form."""

    version: int
    id: str
    acceptedAt: str | None = None  # noqa: N815


class ScheduleChange(Struct, tag="schedule/change"):
    """The one type of event that a generated log holds."""

    seq: int
    time: int
    data: Create | Delete | Dispatch


class EndSeed(Struct, tag="session/end-seed"):
    """Another type of event: with it the events are a union, told apart by their tag."""

    seq: int
    time: int


Event: TypeAlias = ScheduleChange | EndSeed


def decoder() -> json.Decoder[Event]:
    """Return a decoder for one line."""
    return json.Decoder(Event)
