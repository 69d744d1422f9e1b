"""Profiles: the protocol's two levels.

Specifies what profile.v1-after says of changes, and profile.upward.
"""

from enum import StrEnum
from typing import assert_never

from icontract import ensure

from schedule_spec import changes
from schedule_spec.changes import Change, Create, Decoder, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.records import After
from schedule_spec.rejections import Rejection, corrupt


class Profile(StrEnum):
    """A level of the protocol."""

    V1 = "v1"
    """All of it."""
    V1_AFTER = "v1-after"
    """The earlier level: `after` alone."""


def decoder(profile: Profile) -> Decoder:
    """Return what reads changes at that level."""
    match profile:
        case Profile.V1:
            return changes.decode
        case Profile.V1_AFTER:
            return decode_v1_after
    assert_never(profile)


@defines("profile.v1-after")
@ensure(
    lambda result, value: isinstance(result, Rejection) or result == changes.decode(value),
    "profile.upward: what the earlier level accepts means the same at the later one",
)
def decode_v1_after(value: Json) -> Change | Rejection:
    """Return the change that the value is at the earlier level, or the refusal (profile.v1-after)."""
    change = changes.decode(value)
    match change:
        case Create(schedule) if not isinstance(schedule, After):
            sentence = f"kind is {type(schedule).__name__.lower()}; the level v1-after knows after alone."
            return corrupt("profile.v1-after", sentence, "schedule.kind")
        case DispatchEvery():
            sentence = "The dispatch carries acceptedAt; the level v1-after knows dispatches by id alone."
            return corrupt("profile.v1-after", sentence, "acceptedAt")
        case Create() | Delete() | DispatchOneShot() | Rejection():
            return change
    assert_never(change)
