"""The fields that records and changes are made of, read strictly.

Specifies text.prompt and id.shape, and of change.strict that nothing is missing, extra or of another type. A
reader returns the field's value or raises `CorruptError`, which records and changes turn into their answer.
"""

from collections.abc import Mapping

from schedule_spec import instants, numbers
from schedule_spec.json_text import Json
from schedule_spec.marks import defines
from schedule_spec.rejections import Rejection, corrupt, quoted, quoted_names
from schedule_spec.text import is_trimmed


class CorruptError(Exception):
    """A field that is not as the clauses want it; `rejection` says why. Never leaves the law."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message)
        self.rejection = rejection


@defines("change.strict")
def members(value: Json, what: str) -> Mapping[str, Json]:
    """Return the members of an object; `what` names the value in the sentence (change.strict)."""
    if isinstance(value, dict):
        return value
    raise CorruptError(corrupt("change.strict", f"{what} is {quoted(value)}; an object is required."))


@defines("change.strict")
def exactly(value: Mapping[str, Json], names: tuple[str, ...], clause: str, what: str) -> None:
    """Hold the value's members to exactly the names, in any order (change.strict, and the clause given)."""
    missing = [name for name in names if name not in value]
    extra = [name for name in value if name not in names]
    faults = [
        f"{verb} {quoted_names(strays)}"
        for verb, strays in (("lacks", missing), ("also has", extra))
        if strays
    ]
    if faults:
        sentence = f"{what} {' and '.join(faults)}; its members are exactly {', '.join(names)}."
        raise CorruptError(corrupt(clause, sentence))


@defines("id.shape")
def is_id(string: str) -> bool:
    """Tell whether the string is an id: not empty, and trimmed (id.shape)."""
    return string != "" and is_trimmed(string)


@defines("text.prompt")
def is_prompt(string: str) -> bool:
    """Tell whether the string is a stored prompt: not empty, and trimmed (text.prompt)."""
    return string != "" and is_trimmed(string)


def identity(value: Json) -> str:
    """Return the id in the member `id` (id.shape)."""
    if isinstance(value, str) and is_id(value):
        return value
    raise CorruptError(
        corrupt("id.shape", f"id is {quoted(value)}; a trimmed, non-empty string is required.", "id")
    )


def prompt(value: Json) -> str:
    """Return the prompt in the member `prompt` (text.prompt)."""
    if isinstance(value, str) and is_prompt(value):
        return value
    raise CorruptError(
        corrupt(
            "text.prompt", f"prompt is {quoted(value)}; a trimmed, non-empty string is required.", "prompt"
        )
    )


def instant(value: Json, name: str) -> int:
    """Return the ms of the canonical instant in the member `name` (instant.canonical)."""
    ms = instants.parse(value) if isinstance(value, str) else None
    if ms is not None:
        return ms
    form = "YYYY-MM-DDTHH:mm:ss.mmmZ of the years 0001 to 9999"
    raise CorruptError(
        corrupt("instant.canonical", f"{name} is {quoted(value)}; a real instant {form} is required.", name)
    )


def safe_integer(value: Json, name: str) -> int:
    """Return the safe integer in the member `name` (number.safe-integer)."""
    integer = numbers.safe_integer(value)
    if integer is not None:
        return integer
    sentence = f"{name} is {quoted(value)}; a whole number of magnitude at most 2^53-1 is required."
    raise CorruptError(corrupt("number.safe-integer", sentence, name))
