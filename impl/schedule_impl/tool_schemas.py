"""What the tools take and give, as JSON Schema 2020-12 (tool.case).

A schema cannot say that a prompt is not blank, that exactly one selector is given, that a date exists or that
a name is a time zone: the tool's own checks do. It says what a host may refuse before the tool is called
(tool.ill-typed).
"""

from typing import Any, Final

from schedule_impl.changes import MAX_EVERY_SECONDS, MIN_EVERY_SECONDS
from schedule_impl.errors import Code
from schedule_impl.numbers import MAX_SAFE
from schedule_impl.views import DELIVERY_MODE

Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _object(members: Schema, required: list[str] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": members,
        "required": list(members) if required is None else required,
        "additionalProperties": False,
    }


_STRING: Final[Schema] = {"type": "string"}
_ID: Final[Schema] = {"type": "string", "minLength": 1}
_INSTANT: Final[Schema] = {
    "type": "string",
    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$",
}
_ENDING: Final[Schema] = {
    "state": {"enum": ["scheduled", "overdue"]},
    "deliveryMode": {"const": DELIVERY_MODE},
}


def _view(kind: str, rule: Schema) -> Schema:
    members = {"id": _ID, "kind": {"const": kind}, "prompt": _ID, **rule, "scheduledAt": _INSTANT, **_ENDING}
    return _object(members)


_VIEW: Final[Schema] = {
    "oneOf": [
        _view("after", {"afterSeconds": {"type": "integer", "minimum": 1, "maximum": MAX_SAFE}}),
        _view("at", {}),
        _view(
            "every",
            {"everySeconds": {"type": "integer", "minimum": MIN_EVERY_SECONDS, "maximum": MAX_EVERY_SECONDS}},
        ),
    ]
}

_CODES: Final[list[str]] = [*Code.__args__]  # type: ignore[attr-defined]
_ERROR: Final[Schema] = {
    "oneOf": [
        _object(
            {
                "code": {"enum": [code for code in _CODES if code != "persistence_uncertain"]},
                "message": _STRING,
            }
        ),
        _object(
            {
                "code": {"const": "persistence_uncertain"},
                "message": _STRING,
                "operation": {"enum": ["create", "list", "delete"]},
                "id": _ID,
            },
            ["code", "message", "operation"],
        ),
    ]
}

CREATE_ARGUMENTS: Final[Schema] = {
    "$schema": _DIALECT,
    **_object(
        {
            "prompt": {"type": "string", "description": "What to be reminded of."},
            "after_seconds": {
                "type": "integer",
                "description": "Remind once, so many seconds from now.",
            },
            "at": {
                "description": "Remind once at this moment.",
                "oneOf": [
                    {
                        "type": "string",
                        "description": "YYYY-MM-DDTHH:mm:ss, decimals, then Z or an offset ±HH:MM.",
                    },
                    _object(
                        {
                            "date": {"type": "string", "description": "YYYY-MM-DD"},
                            "time": {"type": "string", "description": "HH:mm:ss, up to three decimals."},
                            "time_zone": {
                                "type": "string",
                                "description": "UTC or an IANA name such as Europe/Paris.",
                            },
                        }
                    ),
                ],
            },
            "every_seconds": {
                "type": "integer",
                "description": f"Remind every so many seconds from now on, {MIN_EVERY_SECONDS} or more.",
            },
        },
        ["prompt"],
    ),
}
"""The arguments of `schedule_create`."""
CREATE_RESULT: Final[Schema] = {"$schema": _DIALECT, "oneOf": [*_VIEW["oneOf"], *_ERROR["oneOf"]]}
"""The reminder as it was made, or an error."""

LIST_ARGUMENTS: Final[Schema] = {"$schema": _DIALECT, **_object({})}
"""The arguments of `schedule_list`: none."""
LIST_RESULT: Final[Schema] = {
    "$schema": _DIALECT,
    "oneOf": [{"type": "array", "items": _VIEW}, *_ERROR["oneOf"]],
}
"""The active reminders in the order of their creation, or an error."""

DELETE_ARGUMENTS: Final[Schema] = {
    "$schema": _DIALECT,
    **_object({"id": {"type": "string", "description": "The id of the reminder."}}),
}
"""The arguments of `schedule_delete`."""
DELETE_RESULT: Final[Schema] = {
    "$schema": _DIALECT,
    "oneOf": [
        _object({"id": _ID, "deleted": {"const": True}}),
        _object({"id": _ID, "deleted": {"const": False}, "code": {"const": "schedule_not_found"}}),
        *_ERROR["oneOf"],
    ],
}
"""Whether the reminder was deleted, or an error."""
