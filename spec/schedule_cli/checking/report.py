"""A verdict as text for people and as JSON for programs."""

import shlex
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from schedule_cli.checking.judging import Heading, Outcome, Verdict, Violation
from schedule_cli.checking.salvage import Change, Salvage, has_sound_prefix
from schedule_cli.checking.words import (
    CAME,
    ID_LENGTH,
    PROMPT_LENGTH,
    beginning,
    count,
    quoted,
    shortened,
    state_in_words,
)
from schedule_cli.output import printable, width
from schedule_impl.session_log import Torn
from schedule_spec import fold
from schedule_spec.delivery_log.findings import Checked

if TYPE_CHECKING:
    from schedule_cli.checking.delivery import Delivery

SHOWN_IN_TEXT = 400
SHOWN_IN_JSON = CAME
"""Characters of the refused line, or of a sentence, that are shown."""

COLOURS = {Outcome.SOUND: "green", Outcome.VIOLATION: "red", Outcome.UNJUDGED: "yellow"}


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as the JSON object that `check --json` documents."""
    heading = verdict.heading
    return {
        "log": verdict.log,
        "verdict": verdict.outcome.value,
        "session": None if heading is None else heading.session,
        "parent": None if heading is None else heading.parent,
        "seedLength": verdict.seed_length,
        "events": verdict.events,
        "changes": verdict.changes,
        "active": list(verdict.active),
        "torn": None
        if verdict.torn is None
        else {"line": verdict.torn.line, "kind": verdict.torn.kind, "bytes": verdict.torn.size},
        "violation": None if verdict.violation is None else _violation_json(verdict.violation),
        "behind": None if verdict.behind is None else _violation_json(verdict.behind),
        "unjudged": None
        if verdict.obstacle is None
        else {
            "kind": verdict.obstacle.kind,
            "line": verdict.obstacle.line,
            "message": verdict.obstacle.message,
        },
        "delivery": None if verdict.delivery is None else _delivery_json(verdict.delivery),
    }


def _delivery_json(delivery: "Delivery") -> dict[str, Any]:
    return {
        "checked": {kind.value: number for kind, number in delivery.checked},
        "notes": [
            {"line": note.position + 2, "seq": note.position, "message": note.message}
            for note in delivery.notes
        ],
        "furtherNotes": delivery.note_count - len(delivery.notes),
        "notCheckable": [{"reason": reason.value, "count": number} for reason, number in delivery.not_shown],
    }


def _violation_json(violation: Violation) -> dict[str, Any]:
    return {
        "line": violation.line,
        "seq": violation.seq,
        "clause": violation.clause,
        "sentence": violation.sentence,
        "message": violation.message,
        "state": fold.encode_state(violation.state),
        "came": violation.came,
        "accepted": [accepted[:SHOWN_IN_JSON] for accepted in violation.accepted],
    }


def salvage_json(salvage: Salvage) -> dict[str, Any]:
    """Return what was salvaged as the member `salvage` of that object."""
    return {
        "out": salvage.out,
        "events": salvage.events,
        "unsynced": salvage.unsynced,
        "leftOut": {
            "count": salvage.count,
            "changes": {
                "count": salvage.change_count,
                "first": [
                    {
                        "line": change.line,
                        "seq": change.seq,
                        "operation": change.operation,
                        "id": change.id,
                        "kind": change.kind,
                    }
                    for change in salvage.changes
                ],
            },
            "others": [{"type": kind, "count": number} for kind, number in salvage.others],
            "unread": salvage.unread,
        },
    }


def as_text(verdict: Verdict) -> Iterator[str]:
    """Yield the lines that tell a person the verdict."""
    place = ""
    if verdict.violation is not None and verdict.obstacle is None:
        place = f" in line {verdict.violation.line}"
        if verdict.violation.seq is not None:
            place += f" (seq {verdict.violation.seq})"
    outcome = click.style(verdict.outcome.value, fg=COLOURS[verdict.outcome], bold=True)
    yield f"{click.style(printable(verdict.log), bold=True)}: {outcome}{place}"
    if verdict.heading is not None:
        yield from _wrapped(_session(verdict, verdict.heading), "  ", " " * 4)
    if verdict.obstacle is not None:
        where = "" if verdict.obstacle.line is None else f"line {verdict.obstacle.line}: "
        yield from _item("reason", f"{where}{printable(verdict.obstacle.message)}")
    if verdict.violation is not None:
        yield from _violation_text(verdict.violation)
    if verdict.behind is not None:
        yield from _item("behind it", _refused_too(verdict.behind))
    if verdict.outcome is Outcome.SOUND:
        yield from _reminders(verdict.active)
    if verdict.obstacle is None:
        yield from _delivery_text(verdict)
    if verdict.torn is not None:
        yield from _item("torn", _torn(verdict.torn))


def _where_it_ends(verdict: Verdict) -> str:
    """Say where the fold ends: not at what is told first, where that is a fault of delivery before it."""
    return "that" if verdict.behind is None else f"line {verdict.behind.line}"


def _refused_too(refused: Violation) -> str:
    clause = f"{refused.clause}: " if refused.clause else ""
    return f"line {refused.line} does not fold, nor what follows: {clause}{printable(refused.message)}"


def salvage_hint(verdict: Verdict) -> Iterator[str]:
    """Yield how to get back what is sound of a log that does not fold to its end."""
    broken = verdict.refused is not None or verdict.obstacle is not None
    if broken and verdict.events and has_sound_prefix(verdict):
        saved = count(verdict.events, "event", "events")
        yield from _item("to save", f"the {saved} before {_where_it_ends(verdict)}, in a new log:")
        # In one piece, so that it can be copied.
        log = verdict.log if verdict.log.isprintable() else "LOG"
        yield _label("") + f"schedule-spec check --salvage NEW.jsonl {shlex.quote(log)}"


def _delivery_text(verdict: Verdict) -> Iterator[str]:
    """Yield what the host's events show, as far as the log was judged."""
    delivery = verdict.delivery
    if delivery is None:
        yield from _item("delivery", "not in this log")
        return
    checked = dict(delivery.checked)
    delivered = count(checked[Checked.DELIVERY], "delivery", "deliveries")
    answered = count(checked[Checked.ANSWER], "tool result", "tool results")
    passed = "" if verdict.violation is None else " before that"
    yield from _item("delivery", f"{delivered} and {answered} are right{passed}")
    notes = [f"line {note.position + 2}: {printable(note.message)}" for note in delivery.notes]
    if delivery.note_count > len(notes):
        notes.append(f"and {count(delivery.note_count - len(notes), 'more note', 'more notes')}")
    yield from _list("notes", notes)
    yield from _list("not shown", (f"{number:,} {reason.value}" for reason, number in delivery.not_shown))


def _session(verdict: Verdict, heading: Heading) -> str:
    fork = ""
    inherited = heading.seed_length or 0
    if 0 < inherited <= verdict.events:
        of = "" if heading.parent is None else f" of {quoted(heading.parent)}"
        fork = f", a fork{of} that inherited {count(inherited, 'event', 'events')}"
    changes = count(verdict.changes, "schedule change", "schedule changes")
    whole = verdict.refused is None and verdict.obstacle is None
    passed = "" if whole else f" before {_where_it_ends(verdict)}"
    events = count(verdict.events, "event", "events")
    return f"session {quoted(heading.session)}{fork}; {events}, {changes} of its own{passed}"


def _violation_text(violation: Violation) -> Iterator[str]:
    yield from _item(
        "clause", f"{violation.clause}: {violation.sentence}" if violation.clause else violation.sentence
    )
    yield from _item("found", printable(violation.message))
    # In one piece, however narrow the terminal: what came is to be searched for in the log.
    yield _label("came") + (beginning(violation.came, SHOWN_IN_TEXT) or "an empty line")
    yield from _list("before", state_in_words(violation.state))
    yield from _list("accepted", (shortened(accepted, SHOWN_IN_TEXT) for accepted in violation.accepted))


def _reminders(active: Iterable[dict[str, Any]]) -> Iterator[str]:
    rows = [
        (
            shortened(record["id"], ID_LENGTH),
            _kind(record),
            record["scheduledAt"],
            shortened(record["prompt"], PROMPT_LENGTH),
        )
        for record in active
    ]
    if not rows:
        yield "  no reminder is active"
        return
    heading = ("id", "kind", "next target", "prompt")
    widths = [max(cells(row[column]) for row in (heading, *rows)) for column in range(3)]
    yield click.style(_row(heading, widths), dim=True)
    for row in rows:
        yield _row(row, widths)


def _kind(record: dict[str, Any]) -> str:
    seconds = record.get("afterSeconds") or record.get("everySeconds")
    return record["kind"] if seconds is None else f"{record['kind']} {seconds} s"


def _row(row: tuple[str, ...], widths: list[int]) -> str:
    padded = [text + " " * (size - cells(text)) for text, size in zip(row, widths, strict=False)]
    return "  " + "  ".join((*padded, row[-1]))


def cells(text: str) -> int:
    """Return how many columns of a terminal the printable text takes."""
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def _torn(torn: Torn) -> str:
    size = count(torn.size, "byte", "bytes")
    if torn.kind == "frame":
        return f"the last frame is cut ({size}, from line {torn.line} on): what a crash leaves; not read"
    return f"the last line ({torn.line}, {size}) has no newline: what a crash leaves; not read"


def salvage_text(salvage: Salvage) -> Iterator[str]:
    """Yield the lines that tell a person what was salvaged, and what was not."""
    kept = count(salvage.events, "event", "events")
    yield from _item("salvaged", f"{kept} and the header, which fold again, in {printable(salvage.out)}")
    if salvage.unsynced is not None:
        yield from _item(
            "", f"a power cut may still undo that: its folder was not synced ({printable(salvage.unsynced)})"
        )
    left = list(map(_lost, salvage.changes))
    if salvage.change_count > len(left):
        left.append(f"and {count(salvage.change_count - len(left), 'more change', 'more changes')}")
    left += [_others(kind, number) for kind, number in salvage.others]
    if salvage.unread is not None:
        left.append(f"and what cannot be read: {printable(salvage.unread)}")
    yield from _list("left out", left or ["no complete line"])


def _lost(change: Change) -> str:
    operation = "schedule change" if change.operation is None else shortened(change.operation, ID_LENGTH)
    of = "" if change.id is None else f" of {quoted(change.id)}"
    kind = "" if change.kind is None else f" ({shortened(change.kind, ID_LENGTH)})"
    prompt = "" if change.prompt is None else f": {shortened(change.prompt, PROMPT_LENGTH)}"
    return f"line {change.line}: {operation}{of}{kind}{prompt}"


def _others(kind: str | None, number: int) -> str:
    if kind is None:
        return count(number, "line that is no event with a type", "lines that are no events with a type")
    return f"{count(number, 'event', 'events')} of type {shortened(kind, ID_LENGTH) or 'that is empty'}"


def summary(outcomes: list[Outcome]) -> str:
    """Return one line that counts the verdicts on several logs."""
    counts = ", ".join(
        f"{outcomes.count(outcome)} {outcome.value}" for outcome in Outcome if outcome in outcomes
    )
    return f"{count(len(outcomes), 'log', 'logs')}: {counts}"


LABEL = 10


def _label(label: str) -> str:
    return f"  {label:<{LABEL}}"


def _item(label: str, text: str) -> Iterator[str]:
    """Yield a labelled paragraph, its lines under each other."""
    first = _label(label)
    yield from _wrapped(text, first, " " * len(first))


def _wrapped(text: str, first: str, others: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, width(), initial_indent=first, subsequent_indent=others, break_on_hyphens=False
    )


def _list(label: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield a labelled list, one paragraph an entry."""
    for position, text in enumerate(texts):
        yield from _item(label if position == 0 else "", text)
