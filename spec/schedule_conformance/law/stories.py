"""A log told step by step under the law: what each event of the own part did to the state.

The court reads from it which clauses a log puts to the test and which clause a wrong answer breaks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedule_spec import fold, profiles
from schedule_spec.changes import Change
from schedule_spec.fold import State
from schedule_spec.numbers import safe_integer
from schedule_spec.profiles import Profile
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection

CHANGE_EVENT = "schedule/change"
"""The type of the only events that Schedule reads."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event that the law accepts: its change (none for a foreign event), and the state on either side."""

    event: Any
    change: Change | None
    before: State
    after: State

    def record_before(self, record_id: str) -> Any:
        """Return the active record of that id before the event, or nothing."""
        return next((record for record in self.before.active if record.id == record_id), None)

    def record_after(self, record_id: str) -> Any:
        """Return the active record of that id after the event, or nothing."""
        return next((record for record in self.after.active if record.id == record_id), None)


@dataclass(frozen=True, slots=True)
class Story:
    """What the law makes of a sequence of events: its accepted steps, then the state or the rejection."""

    steps: tuple[Step, ...]
    end: State | Rejection

    @property
    def changes(self) -> Iterator[Step]:
        """The steps that are no foreign events."""
        return (step for step in self.steps if step.change is not None)


BEGINNING = Story((), fold.EMPTY)


def extended(story: Story, event: Any, profile: Profile = Profile.V1) -> Story:
    """Return the story after one more event; one that ended in a rejection stays as it is."""
    if isinstance(story.end, Rejection):
        return story
    decode = profiles.decoder(profile)
    after = fold.step(story.end, event, decode)
    if isinstance(after, Rejection):
        return replace(story, end=after)
    change = decode(event["data"]) if event.get("type") == CHANGE_EVENT else None
    if isinstance(change, Rejection):
        raise TypeError("the law accepts an event whose change it rejects")
    return Story((*story.steps, Step(event, change, story.end, after)), after)


def told(events: Sequence[Any], profile: Profile = Profile.V1) -> Story:
    """Return the story of a whole sequence of events."""
    story = BEGINNING
    for event in events:
        story = extended(story, event, profile)
    return story


def boundary(events: Sequence[Any], seed_length: object) -> int | None:
    """Return the position of the own part's first event, or nothing where a seed length is none."""
    position = safe_integer(seed_length)
    if position is None or not 0 <= position <= len(events):
        return None
    return position


def created_ids(events: Sequence[Any]) -> list[str]:
    """Return the ids that the creates among these events name, read with all lenience."""
    found: list[str] = []
    for event in events:
        data = event.get("data") if isinstance(event, dict) else None
        schedule = data.get("schedule") if isinstance(data, dict) else None
        named = schedule.get("id") if isinstance(schedule, dict) else None
        if isinstance(named, str):
            found.append(named)
    return found


def is_every(record: Any) -> bool:
    """Whether a record is an every."""
    return isinstance(record, Every)
