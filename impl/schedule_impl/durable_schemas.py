"""What a log holds of Schedule, as JSON Schema 2020-12: the record and the change.

A validator that reads numbers as doubles accepts exactly the values that the decoder accepts. Three things no
schema can say: what stands in the text but not in the value (that it is JSON at all, and that of duplicate
keys the last counts); for a validator with exact decimals, that `299.99999999999999999` is 300; and whether
a change fits the state that it meets, which only the fold can tell.
Patterns are such that ECMAScript, and engines whose `$` also stands before a final newline, agree on them.
Clauses: record.*, change.*, id.shape, text.prompt, instant.canonical, number.safe-integer.
"""

from typing import Any, Final

from schedule_impl.changes import MAX_EVERY_SECONDS, MIN_EVERY_SECONDS
from schedule_impl.numbers import MAX_SAFE
from schedule_impl.text import WHITE_SPACE

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The dialect that every schema here names."""


def published(title: str, schema: Schema) -> Schema:
    """A schema that stands by itself."""
    return {"$schema": DIALECT, "title": title, **schema}


def object_of(members: Schema, required: list[str] | None = None) -> Schema:
    """An object with these members and no others, all of them required unless that is said."""
    return {
        "type": "object",
        "properties": members,
        "required": list(members) if required is None else required,
        "additionalProperties": False,
    }


def _integer(minimum: int, maximum: int) -> Schema:
    return {"type": "integer", "minimum": minimum, "maximum": maximum}


_SPACE: Final = "[{}]".format("".join(f"\\u{ord(character):04x}" for character in WHITE_SPACE))
LABEL: Final[Schema] = {"type": "string", "minLength": 1, "not": {"pattern": f"^{_SPACE}|{_SPACE}$"}}
"""An id or a prompt: trimmed and not empty."""

_DAY: Final = (
    "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8])"
)
_LEAP_YEAR: Final = (
    "[0-9]{2}(?:0[48]|[2468][048]|[13579][26])"  # divisible by 4, not by 100
    "|(?:[02468][048]|[13579][26])00"  # divisible by 400
)
_DATE: Final = f"(?!0000)(?:[0-9]{{4}}-(?:{_DAY})|(?:{_LEAP_YEAR})-02-29)"
INSTANT: Final[Schema] = {
    "type": "string",
    "maxLength": 24,
    "pattern": rf"^{_DATE}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{{3}}Z$",
}
"""A canonical instant: a real date of the years 0001 to 9999, in UTC, to the millisecond."""

_RULES: Final[dict[str, Schema]] = {
    "after": {"afterSeconds": _integer(1, MAX_SAFE)},
    "at": {},
    "every": {"everySeconds": _integer(MIN_EVERY_SECONDS, MAX_EVERY_SECONDS)},
}


def records(ending: Schema) -> list[Schema]:
    """The three kinds of record, each with further members at its end."""
    return [
        object_of(
            {"id": LABEL, "kind": {"const": kind}, "prompt": LABEL, **rule, "scheduledAt": INSTANT, **ending}
        )
        for kind, rule in _RULES.items()
    ]


_VERSION: Final[Schema] = {"const": 1}

RECORD: Final = published("What a create stores", {"oneOf": records({})})
"""A record (record.*)."""

CHANGE: Final = published(
    "The data of a schedule/change event",
    {
        "oneOf": [
            object_of(
                {
                    "version": _VERSION,
                    "operation": {"const": "create"},
                    "schedule": {"oneOf": records({})},
                }
            ),
            object_of({"version": _VERSION, "operation": {"const": "delete"}, "id": LABEL}),
            object_of(
                {
                    "version": _VERSION,
                    "operation": {"const": "dispatch"},
                    "id": LABEL,
                    "acceptedAt": INSTANT,
                },
                ["version", "operation", "id"],
            ),
        ]
    },
)
"""A change (change.*)."""
