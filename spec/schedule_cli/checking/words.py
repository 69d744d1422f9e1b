"""States, events and ids in words that are safe to show on a terminal."""

from collections.abc import Iterable, Sequence

from schedule_cli.output import printable
from schedule_spec import instants
from schedule_spec.fold import State
from schedule_spec.profiles import Profile
from schedule_spec.records import After, At, Every, Record

LISTED = 6
"""How many of a kind are named before the rest is only counted."""

ID_LENGTH = 40
PROMPT_LENGTH = 60
CAME = 4096
"""Characters of a refused line that a verdict keeps."""


def shortened(text: str, length: int) -> str:
    """Return the text, made printable, of a longer one only the beginning and the end (about `length`)."""
    if len(text) <= length:
        return printable(text)
    end = length // 4
    return f"{printable(text[: length - end])} … {printable(text[-end:])}"


def quoted(identity: str) -> str:
    """Return an id in quotation marks, printable and shortened."""
    return f'"{shortened(identity, ID_LENGTH)}"'


def came(raw: bytes) -> str:
    """Return a line of a log as text, its first `CAME` characters; no UTF-8 is shown as `\\xff`."""
    return raw[: 4 * CAME].decode("utf-8", "backslashreplace")[:CAME]


def beginning(text: str, length: int) -> str:
    """Return the text, made printable, of a longer one only the first `length` characters."""
    return printable(text) if len(text) <= length else f"{printable(text[:length])}…"


def kind(record: Record) -> str:
    """Return what kind of reminder it is, with its own number of seconds."""
    match record:
        case After():
            return f"after {record.after_seconds} s"
        case At():
            return "at"
        case Every():
            return f"every {record.every_seconds} s"


def state_in_words(state: State) -> tuple[str, ...]:
    """Return sentences that tell a state: what is active, and how many ids have been used."""
    used = count(len(state.seen), "id has", "ids have")
    if not state.active:
        return (f"Nothing is active; {used} been used.",)
    active = count(len(state.active), "reminder is", "reminders are")
    return (
        f"{active} active; {used} been used.",
        *bounded(
            f"{quoted(record.id)}, {kind(record)}, target {instants.render(record.scheduled_at)}"
            for record in state.active
        ),
    )


def accepted_next(state: State, profile: Profile) -> tuple[str, ...]:
    """Return phrases that tell every schedule change, and event, that the state would accept next."""
    kinds = "of any kind" if profile is Profile.V1 else "of kind after"
    fresh = "with any id" if not state.seen else f"with an id that is not {_among(state.seen)}"
    one_shots = [record.id for record in state.active if not isinstance(record, Every)]
    everies = [record for record in state.active if isinstance(record, Every)]
    return (
        f"a create {kinds} {fresh}",
        *([f"a delete of {_any_of([record.id for record in state.active])}"] if state.active else []),
        *([f"a dispatch by id alone of {_any_of(one_shots)}"] if one_shots else []),
        *bounded(
            f"a dispatch of {quoted(record.id)} accepted at or after {instants.render(record.scheduled_at)}"
            for record in everies
        ),
        "an event of any other type than schedule/change",
    )


def bounded(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the first few lines, and how many more there are."""
    every = tuple(lines)
    rest = len(every) - LISTED
    return every if rest <= 1 else (*every[:LISTED], f"and {rest} more")


def count(number: int, one: str, many: str) -> str:
    """Return the number with its noun, thousands set apart."""
    return f"{number:,} {one if number == 1 else many}"


def _among(ids: Sequence[str]) -> str:
    if len(ids) > LISTED:
        return f"among the {len(ids):,} used so far"
    return _any_of(ids)


def _any_of(ids: Sequence[str]) -> str:
    named = [quoted(identity) for identity in ids[:LISTED]]
    if len(ids) > LISTED:
        named.append(f"another of the {len(ids):,} active ones")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"
