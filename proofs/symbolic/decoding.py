"""Decoding: short ids, prompts, operations and kinds, and all intervals, whatever they are.

Each is a symbol in an otherwise sound change. Integers beyond the bounds are `proofs.unbounded.decoding`'s
subject, all members and types that of `proofs.exhaustive.decoding`. Clauses: change.*, record.*, id.shape,
text.prompt.
"""

from enum import Enum
from typing import Any

from icontract import ensure, require

from proofs.symbolic.standing_in import without_words
from proofs.symbolic.twins import bare, under_contracts_of
from schedule_spec import changes
from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot
from schedule_spec.records import After, At, Every
from schedule_spec.rejections import Rejection

_INSTANT = "2026-07-13T18:45:09.037Z"
_TARGET = 1_783_968_309_037
_WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def _create(**members: Any) -> dict[str, Any]:
    schedule = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": _INSTANT, **members}
    return {"version": 1, "operation": "create", "schedule": schedule}


def _about(operation: str, id: str = "a", **members: Any) -> dict[str, Any]:
    return {"version": 1, "operation": operation, "id": id, **members}


def _read(value: dict[str, Any]) -> Change | None:
    """Return what the law makes of a change, None where it refuses it."""
    with without_words():
        change = bare(changes.decode)(value)
    return None if isinstance(change, Rejection) else change


# -- intervals ----------------------------------------------------------------------------------------------


@ensure(
    lambda result, every_seconds: result == Every("a", "p", every_seconds, _TARGET),
    "record.every: every interval that is allowed is read as it stands",
)
@require(
    lambda every_seconds: 300 <= every_seconds <= 9_007_199_254_740,
    "record.every: an interval that is allowed, as the clause tells it",
)
def decoding_an_interval(every_seconds: int) -> object:
    """Return the record that the law reads for an interval in s."""
    change = changes.decode(_create(kind="every", everySeconds=every_seconds))
    return change.schedule if isinstance(change, Create) else None


@under_contracts_of(decoding_an_interval)
def decoding_an_interval_as_double(every_seconds: int) -> object:
    """Broken: the longest interval is cut to what its ms would be as a 32-bit number."""
    return decoding_an_interval(min(every_seconds, 2**31 - 1))


# -- ids and prompts ----------------------------------------------------------------------------------------


class Label(Enum):
    """Where an id or a prompt stands."""

    RECORD = "the id of a record"
    PROMPT = "the prompt of a record"
    DELETE = "the id of a delete"
    DISPATCH = "the id of a dispatch"
    DISPATCH_EVERY = "the id of a dispatch with acceptedAt"


def _labelled(place: Label, label: str) -> dict[str, Any]:
    match place:
        case Label.RECORD:
            return _create(id=label)
        case Label.PROMPT:
            return _create(prompt=label)
        case Label.DELETE:
            return _about("delete", label)
        case Label.DISPATCH:
            return _about("dispatch", label)
        case Label.DISPATCH_EVERY:
            return _about("dispatch", label, acceptedAt=_INSTANT)


def _meant_by_label(place: Label, label: str) -> Change:
    match place:
        case Label.RECORD:
            return Create(At(label, "p", _TARGET))
        case Label.PROMPT:
            return Create(At("a", label, _TARGET))
        case Label.DELETE:
            return Delete(label)
        case Label.DISPATCH:
            return DispatchOneShot(label)
        case Label.DISPATCH_EVERY:
            return DispatchEvery(label, _TARGET)


def _is_label(string: str) -> bool:
    return string != "" and string[0] not in _WHITE_SPACE and string[-1] not in _WHITE_SPACE


@ensure(
    lambda result, place, label: result == (_meant_by_label(place, label) if _is_label(label) else None),
    "id.shape, text.prompt: read as it stands where it is trimmed and not empty, and refused elsewhere",
)
@require(lambda label: len(label) <= 2, "id.shape, text.prompt: two characters at most")
def decoding_a_label(place: Label, label: str) -> Change | None:
    """Return what the law makes of a change with that id or prompt, None where it refuses it."""
    return _read(_labelled(place, label))


@under_contracts_of(decoding_a_label)
def decoding_a_label_as_python_trims(place: Label, label: str) -> Change | None:
    """Broken: of a dispatch an id with U+0085 at its end is refused, as if that were white space."""
    is_padded = place is Label.DISPATCH and label.endswith("\x85")
    return None if is_padded else decoding_a_label(place, label)


# -- operations and kinds -----------------------------------------------------------------------------------


class Word(Enum):
    """Where an operation or a kind stands: what else the change or the record has."""

    CREATE = "the operation of a create"
    BY_ID = "the operation of a change with an id alone"
    WITH_INSTANT = "the operation of a change with acceptedAt"
    AFTER = "the kind of a record with afterSeconds"
    AT = "the kind of a record without a span"
    EVERY = "the kind of a record with everySeconds"


def _worded(place: Word, word: str) -> dict[str, Any]:
    match place:
        case Word.CREATE:
            return {**_create(), "operation": word}
        case Word.BY_ID:
            return _about(word)
        case Word.WITH_INSTANT:
            return _about(word, acceptedAt=_INSTANT)
        case Word.AFTER:
            return _create(kind=word, afterSeconds=60)
        case Word.AT:
            return _create(kind=word)
        case Word.EVERY:
            return _create(kind=word, everySeconds=300)


_MEANT_BY_WORD: dict[tuple[Word, str], Change] = {
    (Word.CREATE, "create"): Create(At("a", "p", _TARGET)),
    (Word.BY_ID, "delete"): Delete("a"),
    (Word.BY_ID, "dispatch"): DispatchOneShot("a"),
    (Word.WITH_INSTANT, "dispatch"): DispatchEvery("a", _TARGET),
    (Word.AFTER, "after"): Create(After("a", "p", 60, _TARGET)),
    (Word.AT, "at"): Create(At("a", "p", _TARGET)),
    (Word.EVERY, "every"): Create(Every("a", "p", 300, _TARGET)),
}


def _meant_by_word(place: Word, word: str) -> Change | None:
    meant = (change for (one, known), change in _MEANT_BY_WORD.items() if one is place and known == word)
    return next(meant, None)


@ensure(
    lambda result, place, word: result == _meant_by_word(place, word),
    "change.strict, record.kinds: no other operation, and no other kind",
)
@require(lambda word: len(word) <= 10, "change.strict, record.kinds: ten characters at most")
def decoding_a_word(place: Word, word: str) -> Change | None:
    """Return what the law makes of a change with that operation or kind, None where it refuses it."""
    return _read(_worded(place, word))


@under_contracts_of(decoding_a_word)
def decoding_another_word(place: Word, word: str) -> Change | None:
    """Broken: `remove` is one more word for `delete`."""
    return decoding_a_word(place, "delete" if word == "remove" else word)
