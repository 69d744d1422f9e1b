"""Records: what a create stores.

Specifies record.after, record.at, record.every and record.kinds; text.prompt, id.shape, instant.canonical and
number.safe-integer hold for their fields.
"""

from dataclasses import dataclass
from typing import assert_never

from icontract import ensure

from schedule_spec import fields, instants
from schedule_spec.fields import CorruptError
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.rejections import Rejection, corrupt, quoted

SHORTEST_INTERVAL = 300
"""The least `everySeconds`, in s (record.every)."""
LONGEST_INTERVAL = MAX_SAFE // 1000
"""The greatest `everySeconds`, in s: its milliseconds are still a safe integer (record.every)."""


@dataclass(frozen=True, slots=True)
class After:
    """A one-shot that a delay was given for (record.after).

    `after_seconds` is that delay in s, kept for the reader alone; `scheduled_at` is the target in ms.
    """

    id: str
    prompt: str
    after_seconds: int
    scheduled_at: int


@dataclass(frozen=True, slots=True)
class At:
    """A one-shot that an instant was given for (record.at). `scheduled_at` is the target in ms."""

    id: str
    prompt: str
    scheduled_at: int


@dataclass(frozen=True, slots=True)
class Every:
    """A fixed-rate reminder (record.every).

    `every_seconds` is the interval in s; `scheduled_at` is the earliest occurrence not yet dispatched, in ms.
    """

    id: str
    prompt: str
    every_seconds: int
    scheduled_at: int

    @property
    def interval(self) -> int:
        """The interval in ms."""
        return self.every_seconds * 1000


Record = After | At | Every


@defines("record.after", "record.at", "record.every", "record.kinds")
@ensure(
    lambda result, value: isinstance(result, Rejection) or encode(result) == value,
    "change.lossless: what is accepted is handed back unchanged",
)
def decode(value: Json) -> Record | Rejection:
    """Return the record that the value is, or the refusal that names the first clause it breaks."""
    try:
        return _record(value)
    except CorruptError as error:
        return error.rejection


def _record(value: Json) -> Record:
    members = fields.members(value, "The record")
    match members.get("kind"):
        case "after":
            fields.exactly(
                members, ("id", "kind", "prompt", "afterSeconds", "scheduledAt"), "record.after", "The record"
            )
            return After(
                fields.identity(members["id"]),
                fields.prompt(members["prompt"]),
                _after_seconds(members["afterSeconds"]),
                fields.instant(members["scheduledAt"], "scheduledAt"),
            )
        case "at":
            fields.exactly(members, ("id", "kind", "prompt", "scheduledAt"), "record.at", "The record")
            return At(
                fields.identity(members["id"]),
                fields.prompt(members["prompt"]),
                fields.instant(members["scheduledAt"], "scheduledAt"),
            )
        case "every":
            fields.exactly(
                members, ("id", "kind", "prompt", "everySeconds", "scheduledAt"), "record.every", "The record"
            )
            return Every(
                fields.identity(members["id"]),
                fields.prompt(members["prompt"]),
                _every_seconds(members["everySeconds"]),
                fields.instant(members["scheduledAt"], "scheduledAt"),
            )
        case other:
            came = quoted(other) if "kind" in members else "missing"
            raise CorruptError(
                corrupt("record.kinds", f"kind is {came}; after, at and every are the only kinds.", "kind")
            )


def _after_seconds(value: Json) -> int:
    seconds = fields.safe_integer(value, "afterSeconds")
    if seconds < 1:
        raise CorruptError(
            corrupt("record.after", f"afterSeconds is {seconds}; at least 1 is required.", "afterSeconds")
        )
    return seconds


def _every_seconds(value: Json) -> int:
    seconds = fields.safe_integer(value, "everySeconds")
    if not SHORTEST_INTERVAL <= seconds <= LONGEST_INTERVAL:
        sentence = f"everySeconds is {seconds}; {SHORTEST_INTERVAL} to {LONGEST_INTERVAL} is allowed."
        raise CorruptError(corrupt("record.every", sentence, "everySeconds"))
    return seconds


def encode(record: Record) -> dict[str, Json]:
    """Return the record as the JSON object that is stored."""
    scheduled_at = instants.render(record.scheduled_at)
    match record:
        case After(id, prompt, after_seconds, _):
            return {
                "id": id,
                "kind": "after",
                "prompt": prompt,
                "afterSeconds": after_seconds,
                "scheduledAt": scheduled_at,
            }
        case At(id, prompt, _):
            return {"id": id, "kind": "at", "prompt": prompt, "scheduledAt": scheduled_at}
        case Every(id, prompt, every_seconds, _):
            return {
                "id": id,
                "kind": "every",
                "prompt": prompt,
                "everySeconds": every_seconds,
                "scheduledAt": scheduled_at,
            }
    assert_never(record)
