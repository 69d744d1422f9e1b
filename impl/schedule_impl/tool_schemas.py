"""What the tools take and give, and what a batch lists, as JSON Schema 2020-12 (tool.case, frame.batch).

A schema cannot say that a prompt is not blank, that exactly one selector is given, that a date exists or that
a name is a time zone: the tool's own checks do. It says what a host may refuse before the tool is called
(tool.ill-typed).
"""

from typing import Final

from schedule_impl.changes import MIN_EVERY_SECONDS
from schedule_impl.durable_schemas import INSTANT, LABEL, Schema, object_of, published, records
from schedule_impl.errors import CODES
from schedule_impl.views import DELIVERY_MODE

_STRING: Final[Schema] = {"type": "string"}

_VIEWS: Final = records(
    {"state": {"enum": ["scheduled", "overdue"]}, "deliveryMode": {"const": DELIVERY_MODE}}
)

_ERRORS: Final[list[Schema]] = [
    object_of(
        {
            "code": {"enum": [code for code in CODES if code != "persistence_uncertain"]},
            "message": _STRING,
        }
    ),
    object_of(
        {
            "code": {"const": "persistence_uncertain"},
            "message": _STRING,
            "operation": {"enum": ["create", "list", "delete"]},
            "id": LABEL,
        },
        ["code", "message", "operation"],
    ),
]

CREATE_ARGUMENTS: Final = published(
    "The arguments of schedule_create",
    object_of(
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
                    object_of(
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
)
"""What `schedule_create` takes: the prompt and one of the three selectors."""
CREATE_RESULT: Final = published("The reminder as it was made, or an error", {"oneOf": [*_VIEWS, *_ERRORS]})
"""What `schedule_create` gives."""

LIST_ARGUMENTS: Final = published("The arguments of schedule_list: none", object_of({}))
"""What `schedule_list` takes: nothing."""
LIST_RESULT: Final = published(
    "The active reminders in the order of their creation, or an error",
    {"oneOf": [{"type": "array", "items": {"oneOf": _VIEWS}}, *_ERRORS]},
)
"""What `schedule_list` gives."""

DELETE_ARGUMENTS: Final = published(
    "The arguments of schedule_delete",
    object_of({"id": {"type": "string", "description": "The id of the reminder."}}),
)
"""What `schedule_delete` takes."""
DELETE_RESULT: Final = published(
    "Whether the reminder was deleted, or an error",
    {
        "oneOf": [
            object_of({"id": LABEL, "deleted": {"const": True}}),
            object_of({"id": LABEL, "deleted": {"const": False}, "code": {"const": "schedule_not_found"}}),
            *_ERRORS,
        ]
    },
)
"""What `schedule_delete` gives."""

REMINDERS: Final = published(
    "The reminders_json of a batch's framing",
    {
        "type": "array",
        "minItems": 1,
        "items": object_of(
            {"schedule_id": LABEL, "occurrence_at": INSTANT, "reminder_prompt": LABEL},
        ),
    },
)
"""What the follow-up of a batch lists (frame.batch)."""
