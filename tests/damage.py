"""Damaged variants of sound session logs, one value each, and what must be said of every one.

`python tests/damage.py OUTDIR` writes the logs and `manifest.json`, which tells for each file the clause that
it violates, the line, and the profile it is to be checked under; then the near misses, which are sound; then
the clauses of the fold that no log can violate, with the reason.

A damage here is one of the fold, and either an *edit* (in one line of a sample log one piece of text becomes
another) or an *addition* (a further event at the end). Both work on raw text, so that spellings of JSON count
and not only values. Damages of what the host logs, which leave a log that folds, are in `misdeliveries`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import zstandard

SESSIONS = Path(__file__).parent / "data" / "sessions"

FOLD_AREAS = ("text", "number", "instant", "id", "record", "change", "fold", "fork", "rate", "profile")


@dataclass(frozen=True, slots=True)
class Log:
    """One written log: its file name, its bytes, and the profile it is to be checked under."""

    name: str
    data: bytes
    profile: str = "v1"


@dataclass(frozen=True, slots=True)
class Damage:
    """A log that violates `clause` in `line` (1-based; the header is line 1)."""

    log: Log
    clause: str
    line: int


Lines = tuple[bytes, ...]


def sample(name: str) -> Lines:
    """The lines of a sample log without their newlines, decompressed where it is compressed."""
    data = (SESSIONS / name).read_bytes()
    if name.endswith(".zstd"):
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
            data = reader.read()
    return tuple(data.removesuffix(b"\n").split(b"\n"))


def join(lines: Sequence[bytes]) -> bytes:
    """A whole log of these lines."""
    return b"".join(line + b"\n" for line in lines)


def edited(lines: Lines, line: int, old: str, new: str) -> Lines:
    """The log in whose `line` the one place that reads `old` reads `new`."""
    text = lines[line - 1].decode()
    if text.count(old) != 1:
        raise ValueError(f"line {line}: {old!r} stands there {text.count(old)} times, not once")
    return (*lines[: line - 1], text.replace(old, new).encode(), *lines[line:])


def extended(lines: Lines, *datas: str) -> Lines:
    """The log with one more `schedule/change` for each text of `data`."""
    events = (
        f'{{"type":"schedule/change","seq":{seq},"time":1796037400000,"data":{data}}}'
        for seq, data in enumerate(datas, start=len(lines) - 1)
    )
    return (*lines, *(event.encode() for event in events))


def frames(lines: Sequence[bytes]) -> bytes:
    """The compressed form of a log: one frame a line, as a flush after each event writes it."""
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    return b"".join(compressor.compress(line + b"\n") for line in lines)


PARENT = sample("parent.jsonl")
FORK = sample("fork.jsonl")
SILENT = tuple(
    line.replace(b'"tool/result"', b'"host/result"').replace(b'"agent/inbox/spliced"', b'"host/inbox"')
    for line in PARENT
)
"""The parent's log as of a host that logs neither tool results nor the inbox."""
SMALL = sample("small.jsonl.zstd")

# Where the events stand that the damages touch: lines of parent.jsonl, and one of the compressed sample.
AFTER, AT, EVERY, DELETE, DISPATCH = 28, 31, 34, 40, 57
SMALL_AT = 2


def create(schedule: str) -> str:
    """The data of a create of the record with that JSON text."""
    return f'{{"version":1,"operation":"create","schedule":{schedule}}}'


def after(
    identity: str = '"new"',
    prompt: str = '"p"',
    seconds: str = "60",
    target: str = '"2026-12-01T00:00:00.000Z"',
) -> str:
    """The JSON text of an after record; every argument is JSON text itself."""
    return (
        f'{{"id":{identity},"kind":"after","prompt":{prompt},'
        f'"afterSeconds":{seconds},"scheduledAt":{target}}}'
    )


def every(identity: str, seconds: str, target: str) -> str:
    """The JSON text of an every record; every argument is JSON text itself."""
    return f'{{"id":{identity},"kind":"every","prompt":"p","everySeconds":{seconds},"scheduledAt":{target}}}'


def dispatch(identity: str, accepted_at: str | None = None) -> str:
    """The data of a dispatch; both arguments are JSON text."""
    tail = "" if accepted_at is None else f',"acceptedAt":{accepted_at}'
    return f'{{"version":1,"operation":"dispatch","id":{identity}{tail}}}'


def delete(identity: str) -> str:
    """The data of a delete; the id is JSON text."""
    return f'{{"version":1,"operation":"delete","id":{identity}}}'


# Edits of parent.jsonl: name, clause, line, text there, text instead.
EDITS: tuple[tuple[str, str, int, str, str], ...] = (
    # text
    ("prompt-empty", "text.prompt", AFTER, '"check the logs"', '""'),
    ("prompt-only-spaces", "text.prompt", AFTER, '"check the logs"', '"   "'),
    ("prompt-leading-space", "text.prompt", AFTER, '"check the logs"', '" check the logs"'),
    ("prompt-trailing-newline", "text.prompt", AFTER, '"check the logs"', '"check the logs\\n"'),
    ("prompt-no-break-space", "text.trim", AFTER, '"check the logs"', '"\u00a0check the logs"'),
    ("prompt-byte-order-mark", "text.trim", AT, '"stand-up"', '"stand-up\ufeff"'),
    ("prompt-ideographic-space", "text.trim", EVERY, '"poll CI"', '"poll CI\u3000"'),
    ("prompt-line-separator-escaped", "text.trim", AT, '"stand-up"', '"\\u2028stand-up"'),
    ("prompt-ogham-space", "text.trim", AT, '"stand-up"', '"stand-up\u1680"'),
    ("prompt-number", "change.strict", AT, '"stand-up"', "7"),
    ("prompt-null", "change.strict", AT, '"stand-up"', "null"),
    # number
    ("after-fraction", "number.safe-integer", AFTER, '"afterSeconds":1', '"afterSeconds":1.5'),
    ("after-string", "number.safe-integer", AFTER, '"afterSeconds":1', '"afterSeconds":"1"'),
    ("after-true", "number.safe-integer", AFTER, '"afterSeconds":1', '"afterSeconds":true'),
    ("after-null", "number.safe-integer", AFTER, '"afterSeconds":1', '"afterSeconds":null'),
    ("after-2-to-53", "number.safe-integer", AFTER, '"afterSeconds":1', '"afterSeconds":9007199254740992'),
    (
        "after-rounds-to-2-to-53",
        "number.safe-integer",
        AFTER,
        '"afterSeconds":1',
        '"afterSeconds":9007199254740991.5',
    ),
    ("after-overflow", "number.safe-integer", AFTER, '"afterSeconds":1', '"afterSeconds":1e400'),
    ("after-5000-digits", "number.safe-integer", AFTER, '"afterSeconds":1', '"afterSeconds":' + "9" * 5000),
    ("every-fraction", "number.safe-integer", EVERY, '"everySeconds":300', '"everySeconds":300.5'),
    ("every-string", "number.safe-integer", EVERY, '"everySeconds":300', '"everySeconds":"300"'),
    ("every-list", "number.safe-integer", EVERY, '"everySeconds":300', '"everySeconds":[300]'),
    # instant
    ("instant-no-milliseconds", "instant.canonical", AFTER, "50.341Z", "50Z"),
    ("instant-one-digit-fraction", "instant.canonical", AFTER, "50.341Z", "50.3Z"),
    ("instant-six-digit-fraction", "instant.canonical", AFTER, "50.341Z", "50.341000Z"),
    ("instant-comma", "instant.canonical", AFTER, "50.341Z", "50,341Z"),
    ("instant-offset", "instant.canonical", AFTER, "50.341Z", "50.341+00:00"),
    ("instant-no-zone", "instant.canonical", AFTER, "50.341Z", "50.341"),
    ("instant-lower-case-z", "instant.canonical", AFTER, "50.341Z", "50.341z"),
    ("instant-lower-case-t", "instant.canonical", AFTER, "2026-11-30T", "2026-11-30t"),
    ("instant-space", "instant.canonical", AFTER, "2026-11-30T", "2026-11-30 "),
    ("instant-padded", "instant.canonical", AFTER, '"2026-11-30T', '" 2026-11-30T'),
    ("instant-trailing-newline", "instant.canonical", AFTER, "50.341Z", "50.341Z\\n"),
    ("instant-30-february", "instant.canonical", AT, "2099-01-02", "2099-02-30"),
    ("instant-29-february-2100", "instant.canonical", AT, "2099-01-02", "2100-02-29"),
    ("instant-31-april", "instant.canonical", AT, "2099-01-02", "2099-04-31"),
    ("instant-month-00", "instant.canonical", AT, "2099-01-02", "2099-00-02"),
    ("instant-month-13", "instant.canonical", AT, "2099-01-02", "2099-13-02"),
    ("instant-day-00", "instant.canonical", AT, "2099-01-02", "2099-01-00"),
    ("instant-one-digit-month", "instant.canonical", AT, "2099-01-02", "2099-1-02"),
    ("instant-hour-24", "instant.canonical", AT, "T08:30:00", "T24:00:00"),
    ("instant-minute-60", "instant.canonical", AT, "T08:30:00", "T08:60:00"),
    ("instant-leap-second", "instant.canonical", AT, "T08:30:00", "T23:59:60"),
    ("instant-arabic-digits", "instant.canonical", AT, "2099-01-02", "2099-01-\u0660\u0662"),
    ("instant-full-width-digit", "instant.canonical", AT, "2099-01-02", "2099-01-0\uff12"),
    ("instant-expanded-year", "instant.canonical", AT, "2099-01-02", "+002099-01-02"),
    ("instant-milliseconds", "instant.canonical", AT, '"2099-01-02T08:30:00.000Z"', "4070939400000"),
    ("instant-null", "instant.canonical", AT, '"2099-01-02T08:30:00.000Z"', "null"),
    ("instant-year-0000", "instant.range", AT, "2099-01-02", "0000-12-31"),
    ("instant-year-10000", "instant.range", AT, "2099-01-02", "10000-01-01"),
    ("instant-year-negative", "instant.range", AT, "2099-01-02", "-0001-01-01"),
    # id
    ("id-empty", "id.shape", AFTER, '"id":"schedule-1"', '"id":""'),
    ("id-padded", "id.shape", AFTER, '"id":"schedule-1"', '"id":"schedule-1 "'),
    ("id-tab", "id.shape", AFTER, '"id":"schedule-1"', '"id":"\\tschedule-1"'),
    ("id-number", "id.shape", AFTER, '"id":"schedule-1"', '"id":1'),
    ("id-null", "id.shape", AFTER, '"id":"schedule-1"', '"id":null'),
    ("id-empty-in-delete", "id.shape", DELETE, '"schedule-4"', '""'),
    ("id-padded-in-delete", "id.shape", DELETE, '"schedule-4"', '"\u2003schedule-4"'),
    ("id-padded-in-dispatch", "id.shape", DISPATCH, '"schedule-1"', '"schedule-1\\r"'),
    ("id-list-in-dispatch", "id.shape", DISPATCH, '"schedule-1"', '["schedule-1"]'),
    # record
    ("after-zero", "record.after", AFTER, '"afterSeconds":1', '"afterSeconds":0'),
    ("after-minus-zero", "record.after", AFTER, '"afterSeconds":1', '"afterSeconds":-0'),
    ("after-negative", "record.after", AFTER, '"afterSeconds":1', '"afterSeconds":-1'),
    ("after-without-seconds", "record.after", AFTER, '"afterSeconds":1,', ""),
    ("after-without-target", "record.after", AFTER, ',"scheduledAt":"2026-11-30T11:15:50.341Z"', ""),
    ("after-without-prompt", "record.after", AFTER, '"prompt":"check the logs",', ""),
    ("after-without-id", "record.after", AFTER, '"id":"schedule-1",', ""),
    ("after-extra-state", "record.after", AFTER, '"afterSeconds":1', '"afterSeconds":1,"state":"scheduled"'),
    ("after-snake-case", "record.after", AFTER, '"afterSeconds"', '"after_seconds"'),
    ("after-with-every-seconds", "record.after", AFTER, '"afterSeconds":1', '"everySeconds":300'),
    ("at-keeps-zone", "record.at", AT, '"stand-up",', '"stand-up","timeZone":"Europe/Berlin",'),
    ("at-keeps-offset", "record.at", AT, '"stand-up",', '"stand-up","offset":"+01:00",'),
    ("at-without-target", "record.at", AT, ',"scheduledAt":"2099-01-02T08:30:00.000Z"', ""),
    ("at-with-seconds", "record.at", AT, '"stand-up",', '"stand-up","afterSeconds":5,'),
    ("every-299", "record.every", EVERY, '"everySeconds":300', '"everySeconds":299'),
    ("every-zero", "record.every", EVERY, '"everySeconds":300', '"everySeconds":0'),
    ("every-negative", "record.every", EVERY, '"everySeconds":300', '"everySeconds":-300'),
    ("every-milliseconds-unsafe", "record.every", EVERY, ":300", ":9007199254741"),
    ("every-extra-anchor", "record.every", EVERY, '"poll CI",', '"poll CI","anchor":0,'),
    ("every-without-seconds", "record.every", EVERY, '"everySeconds":300,', ""),
    ("kind-cron", "record.kinds", EVERY, '"kind":"every"', '"kind":"cron"'),
    ("kind-capital", "record.kinds", AT, '"kind":"at"', '"kind":"At"'),
    ("kind-missing", "record.kinds", AT, '"kind":"at",', ""),
    ("kind-null", "record.kinds", AT, '"kind":"at"', '"kind":null'),
    ("kind-prototype", "record.kinds", AT, '"kind":"at"', '"kind":"constructor"'),
    # change
    ("version-2", "change.version", DELETE, '"version":1', '"version":2'),
    ("version-true", "change.version", DELETE, '"version":1', '"version":true'),
    ("version-string", "change.version", DELETE, '"version":1', '"version":"1"'),
    ("version-0", "change.version", AFTER, '"version":1', '"version":0'),
    ("version-fraction", "change.version", DISPATCH, '"version":1', '"version":1.5'),
    ("version-missing", "change.version", DELETE, '"version":1,', ""),
    ("version-null", "change.version", AT, '"version":1', '"version":null'),
    ("operation-update", "change.strict", DELETE, '"delete"', '"update"'),
    ("operation-capital", "change.strict", DELETE, '"delete"', '"Delete"'),
    ("operation-missing", "change.strict", DELETE, '"operation":"delete",', ""),
    ("operation-number", "change.strict", DELETE, '"operation":"delete"', '"operation":1'),
    ("create-without-schedule", "change.create", DELETE, '"delete","id":"schedule-4"', '"create"'),
    ("create-extra", "change.create", AT, '"operation"', '"by":"model","operation"'),
    (
        "create-schedule-null",
        "change.strict",
        DELETE,
        '"delete","id":"schedule-4"',
        '"create","schedule":null',
    ),
    ("create-schedule-list", "change.strict", DELETE, '"delete","id":"schedule-4"', '"create","schedule":[]'),
    ("delete-extra", "change.delete", DELETE, '"schedule-4"', '"schedule-4","reason":"user"'),
    ("delete-without-id", "change.delete", DELETE, ',"id":"schedule-4"', ""),
    ("delete-with-acceptance", "change.delete", DELETE, '-4"', '-4","acceptedAt":"2026-11-30T11:20:49.432Z"'),
    ("dispatch-without-id", "change.dispatch-one-shot", DISPATCH, ',"id":"schedule-1"', ""),
    ("dispatch-extra", "change.dispatch-one-shot", DISPATCH, '-1"', '-1","occurrenceAt":1'),
    (
        "data-missing",
        "change.strict",
        DELETE,
        ',"data":{"version":1,"operation":"delete","id":"schedule-4"}',
        "",
    ),
    ("data-null", "change.strict", DELETE, '{"version":1,"operation":"delete","id":"schedule-4"}', "null"),
    ("data-list", "change.strict", DELETE, '{"version":1,"operation":"delete","id":"schedule-4"}', "[]"),
    ("data-text", "change.strict", DELETE, '{"version":1,"operation":"delete","id":"schedule-4"}', '"{}"'),
    ("duplicate-last-counts", "change.version", DELETE, '"version":1', '"version":1,"version":2'),
    ("json-control-character", "change.json", AFTER, "check the logs", "check\tthe logs"),
    ("json-nan", "change.json", AFTER, '"afterSeconds":1', '"afterSeconds":NaN'),
    ("json-infinity", "change.json", EVERY, '"everySeconds":300', '"everySeconds":-Infinity'),
    ("json-trailing-comma", "change.json", DELETE, '"schedule-4"}', '"schedule-4",}'),
    ("json-leading-zero", "change.json", AFTER, '"afterSeconds":1', '"afterSeconds":01'),
    ("json-plus", "change.json", AFTER, '"afterSeconds":1', '"afterSeconds":+1'),
    ("json-bare-fraction", "change.json", AFTER, '"afterSeconds":1', '"afterSeconds":1.'),
    ("json-single-quotes", "change.json", DELETE, '"schedule-4"', "'schedule-4'"),
    ("json-comment", "change.json", DELETE, '"data":', '/* */"data":'),
    ("json-bad-escape", "change.json", AT, '"stand-up"', '"stand\\-up"'),
    ("json-no-break-space", "change.json", DELETE, '"data":', '"data":\u00a0'),
    ("json-cut", "change.json", DELETE, '"schedule-4"}}', '"sched'),
    ("json-two-values", "change.json", DELETE, '"schedule-4"}}', '"schedule-4"}}{}'),
    # fold
    (
        "shape-one-shot-accepted",
        "fold.shape-match",
        DISPATCH,
        '-1"',
        '-1","acceptedAt":"2026-11-30T11:15:50.345Z"',
    ),
    ("dispatch-wrong-id", "fold.inactive", DISPATCH, '"schedule-1"', '"schedule-9"'),
    ("dispatch-other-case", "fold.inactive", DISPATCH, '"schedule-1"', '"Schedule-1"'),
    ("delete-wrong-id", "fold.inactive", DELETE, '"schedule-4"', '"schedule-04"'),
)

# Additions to the end of the silent parent's log, where schedule-2 (at) and schedule-3 (every 300 s) are
# active and schedule-1 (dispatched) and schedule-4 (deleted) have ended. The last of the changes is the
# violation.
ADDITIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("id-reused-active", "id.never-reused", (create(after('"schedule-2"')),)),
    ("id-reused-after-dispatch", "id.never-reused", (create(after('"schedule-1"')),)),
    ("id-reused-after-delete", "fold.no-id-reuse", (create(after('"schedule-4"')),)),
    ("id-reused-spelt-with-escapes", "fold.no-id-reuse", (create(after('"\\u0073chedule-4"')),)),
    ("id-not-fresh", "id.fresh", (delete('"schedule-3"'), create(after('"schedule-3"')))),
    (
        "every-recreated-with-another-target",
        "record.immutable",
        (create(every('"schedule-3"', "300", '"2026-12-01T00:00:00.000Z"')),),
    ),
    ("delete-never-created", "fold.inactive", (delete('"schedule-5"'),)),
    ("delete-twice", "fold.inactive", (delete('"schedule-4"'),)),
    ("delete-dispatched", "fold.inactive", (delete('"schedule-1"'),)),
    ("dispatch-never-created", "fold.inactive", (dispatch('"schedule-5"'),)),
    ("dispatch-twice", "fold.inactive", (dispatch('"schedule-1"'),)),
    ("dispatch-deleted", "fold.inactive", (dispatch('"schedule-4"'),)),
    ("dispatch-prototype", "fold.inactive", (dispatch('"__proto__"'),)),
    ("dispatch-every-never-created", "fold.inactive", (dispatch('"x"', '"2026-12-01T00:00:00.000Z"'),)),
    ("shape-every-by-id-alone", "fold.shape-match", (dispatch('"schedule-3"'),)),
    ("shape-at-accepted", "fold.shape-match", (dispatch('"schedule-2"', '"2099-01-02T08:30:00.000Z"'),)),
    ("accepted-null", "instant.canonical", (dispatch('"schedule-3"', "null"),)),
    ("accepted-milliseconds", "instant.canonical", (dispatch('"schedule-3"', "1796037649432"),)),
    (
        "accepted-no-milliseconds",
        "change.dispatch-every",
        (dispatch('"schedule-3"', '"2026-11-30T11:20:50Z"'),),
    ),
    (
        "dispatch-every-extra",
        "change.dispatch-every",
        (dispatch('"schedule-3"', '"2026-11-30T11:20:50.000Z","occurrenceAt":"2026-11-30T11:20:49.432Z"'),),
    ),
    (
        "dispatch-every-without-id",
        "change.dispatch-every",
        ('{"version":1,"operation":"dispatch","acceptedAt":"2026-11-30T11:20:50.000Z"}',),
    ),
    ("accepted-year-0000", "rate.accepted-range", (dispatch('"schedule-3"', '"0000-12-31T23:59:59.999Z"'),)),
    (
        "accepted-year-10000",
        "rate.accepted-range",
        (dispatch('"schedule-3"', '"10000-01-01T00:00:00.000Z"'),),
    ),
    ("accepted-1-ms-early", "rate.not-early", (dispatch('"schedule-3"', '"2026-11-30T11:20:49.431Z"'),)),
    (
        "accepted-at-the-beginning",
        "rate.not-early",
        (dispatch('"schedule-3"', '"0001-01-01T00:00:00.000Z"'),),
    ),
    (
        "accepted-twice-in-one-period",
        "rate.not-early",
        (
            dispatch('"schedule-3"', '"2026-11-30T11:20:49.432Z"'),
            dispatch('"schedule-3"', '"2026-11-30T11:25:49.431Z"'),
        ),
    ),
    (
        "accepted-before-an-earlier-acceptance",
        "rate.not-early",
        (
            dispatch('"schedule-3"', '"2026-11-30T12:00:00.000Z"'),
            dispatch('"schedule-3"', '"2026-11-30T11:59:59.999Z"'),
        ),
    ),
    (
        "dispatch-after-exhaustion",
        "fold.inactive",
        (
            create(every('"last"', "300", '"9999-12-31T23:59:00.000Z"')),
            dispatch('"last"', '"9999-12-31T23:59:00.000Z"'),
            dispatch('"last"', '"9999-12-31T23:59:59.999Z"'),
        ),
    ),
    (
        "reuse-after-exhaustion",
        "fold.no-id-reuse",
        (
            create(every('"last"', "9007199254740", '"2026-12-01T00:00:00.000Z"')),
            dispatch('"last"', '"2026-12-01T00:00:00.000Z"'),
            create(after('"last"')),
        ),
    ),
)

# Additions to the end of fork.jsonl, whose prefix created schedule-1 to schedule-4 and whose own schedule-1
# is active.
FORK_ADDITIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("fork-deletes-parents-at", "fork.no-adoption", (delete('"schedule-2"'),)),
    ("fork-dispatches-parents-at", "fork.no-adoption", (dispatch('"schedule-2"'),)),
    (
        "fork-dispatches-parents-every",
        "fork.no-adoption",
        (dispatch('"schedule-3"', '"2026-11-30T11:20:49.432Z"'),),
    ),
    ("fork-deletes-parents-ended", "fork.no-adoption", (delete('"schedule-4"'),)),
    ("fork-deletes-own-then-parents", "id.session-local", (delete('"schedule-1"'), delete('"schedule-2"'))),
    ("fork-deletes-what-nobody-created", "fold.inactive", (delete('"schedule-7"'),)),
    ("fork-reuses-own", "fold.no-id-reuse", (create(after('"schedule-1"')),)),
)

# Edits of the fork's header: no event of the log can be reached by such a boundary.
SEED_LENGTHS: tuple[tuple[str, str], ...] = (
    ("negative", "-1"),
    ("too-large", "89"),
    ("huge", "1e300"),
    ("fraction", "66.5"),
    ("string", '"66"'),
    ("true", "true"),
    ("null", "null"),
    ("list", "[66]"),
)

# Additions to parent.jsonl cut down to what the earlier level knows, checked under that level.
EARLIER_ADDITIONS: tuple[tuple[str, str], ...] = (
    ("earlier-at", create('{"id":"b","kind":"at","prompt":"p","scheduledAt":"2099-01-02T08:30:00.000Z"}')),
    ("earlier-every", create(every('"b"', "300", '"2026-12-01T00:00:00.000Z"'))),
    ("earlier-accepted", dispatch('"schedule-1"', '"2026-11-30T11:15:50.345Z"')),
)

# Own-part lines that are JSON but no object.
NO_OBJECTS: tuple[tuple[str, str], ...] = (
    ("null", "null"),
    ("number", "66"),
    ("text", '"schedule/change"'),
    ("list", '[{"type":"schedule/change"}]'),
)

EARLIER = PARENT[: AT - 1]


def damages() -> Iterator[Damage]:
    """Every damaged log, in the order of the areas."""
    for name, clause, line, old, new in EDITS:
        yield Damage(Log(f"{name}.jsonl", join(edited(PARENT, line, old, new))), clause, line)
    for base, additions in ((SILENT, ADDITIONS), (FORK, FORK_ADDITIONS)):
        for name, clause, datas in additions:
            yield Damage(Log(f"{name}.jsonl", join(extended(base, *datas))), clause, len(base) + len(datas))
    for name, text in NO_OBJECTS:
        yield Damage(
            Log(f"event-{name}.jsonl", join((*PARENT, text.encode()))), "fold.event", len(PARENT) + 1
        )
    yield Damage(Log("event-empty-line.jsonl", join((*PARENT, b""))), "change.json", len(PARENT) + 1)
    for name, spelling in SEED_LENGTHS:
        log = edited(FORK, 1, '"seedLength":66', f'"seedLength":{spelling}')
        yield Damage(Log(f"seed-length-{name}.jsonl", join(log)), "fork.bounds", 1)
    yield Damage(Log("inherited-events-cut-out.jsonl", join((FORK[0], *FORK[67:]))), "fork.bounds", 1)
    for name, data in EARLIER_ADDITIONS:
        log = extended(EARLIER, data)
        yield Damage(Log(f"{name}.jsonl", join(log), "v1-after"), "profile.v1-after", len(log))
    yield Damage(
        Log(
            "compressed-kind-cron.jsonl.zstd", frames(edited(SMALL, SMALL_AT, '"kind":"at"', '"kind":"cron"'))
        ),
        "record.kinds",
        SMALL_AT,
    )
    yield Damage(
        Log("compressed-id-reused.jsonl.zstd", frames(extended(SMALL, create(after('"schedule-1"'))))),
        "fold.no-id-reuse",
        SMALL_AT + 1,
    )


def near_misses() -> Iterator[Log]:
    """Logs that look damaged and fold."""
    edits = (
        ("seconds-with-fraction-zero", EVERY, '"everySeconds":300', '"everySeconds":300.0'),
        ("seconds-with-exponent", EVERY, '"everySeconds":300', '"everySeconds":3e2'),
        ("seconds-negative-exponent", EVERY, '"everySeconds":300', '"everySeconds":3000E-1'),
        ("seconds-largest", EVERY, '"everySeconds":300', '"everySeconds":9007199254740'),
        ("after-largest", AFTER, '"afterSeconds":1', '"afterSeconds":9007199254740991'),
        ("after-below-half", AFTER, '"afterSeconds":1', '"afterSeconds":1.00000000000000000001'),
        ("version-with-fraction-zero", DELETE, '"version":1', '"version":1.0'),
        ("type-escaped-slash", AFTER, '"schedule/change"', '"schedule\\/change"'),
        ("type-escaped-letter", AFTER, '"schedule/change"', '"\\u0073chedule/change"'),
        ("duplicate-version", DELETE, '"version":1', '"version":2,"version":1'),
        ("duplicate-seconds", EVERY, '"everySeconds":300', '"everySeconds":"x","everySeconds":300'),
        ("duplicate-type", DELETE, '"type":"schedule/change"', '"type":"other","type":"schedule/change"'),
        ("event-members-beside", DELETE, '"data":', '"surfaceOp":"append","__proto__":{"a":[1e400]},"data":'),
        ("keys-reordered", DELETE, '"version":1,"operation":"delete"', '"operation":"delete","version":1'),
        ("white-space", DELETE, '"data":', '\t "data" : \r '),
        ("carriage-return", DELETE, '"schedule-4"}}', '"schedule-4"}}\r'),
        ("prompt-lone-surrogate", AFTER, "check the logs", "\\ud83d"),
        ("prompt-surrogate-pair", AFTER, "check the logs", "\\ud83d\\ude00"),
        ("prompt-next-line", AFTER, "check the logs", "\u0085"),
        ("prompt-zero-width-space", AFTER, "check the logs", "\u200b"),
        ("prompt-mongolian-separator", AFTER, "check the logs", "\u180e"),
        ("prompt-line-separator-inside", AFTER, "check the logs", "check\u2028the\u2029logs"),
        ("prompt-control-inside", AFTER, "check the logs", "check\\u0000\\u001b[31mthe logs"),
        ("instant-first", AT, "2099-01-02T08:30:00.000Z", "0001-01-01T00:00:00.000Z"),
        ("instant-last", AT, "2099-01-02T08:30:00.000Z", "9999-12-31T23:59:59.999Z"),
        ("instant-leap-day", AT, "2099-01-02", "2000-02-29"),
        ("other-type", DELETE, '"schedule/change"', '"schedule/changed"'),
        ("type-number", DELETE, '"schedule/change"', "1"),
        ("type-missing", DELETE, '"type":"schedule/change",', ""),
    )
    for name, line, old, new in edits:
        yield Log(f"sound-{name}.jsonl", join(edited(SILENT, line, old, new)))
    seq = len(PARENT) - 1
    foreign = (
        ("huge-payload", '"' + "x" * 300_000 + '"'),
        ("deep-payload", "[" * 100_000 + "]" * 100_000),
        ("lone-surrogate", '"\\udc00"'),
        ("numbers", "[1e400,-0," + "9" * 5000 + ",1E-999]"),
    )
    for name, data in foreign:
        event = f'{{"type":"assistant/chunk","seq":{seq},"time":0,"data":{data}}}'
        yield Log(f"sound-foreign-{name}.jsonl", join((*PARENT, event.encode())))
    dispatches = (
        ("equality", '"2026-11-30T11:20:49.432Z"'),
        ("long-after", '"9999-12-31T23:59:59.999Z"'),
    )
    for name, accepted_at in dispatches:
        yield Log(
            f"sound-accepted-{name}.jsonl", join(extended(SILENT, dispatch('"schedule-3"', accepted_at)))
        )
    yield Log("sound-id-of-another-case.jsonl", join(extended(PARENT, create(after('"Schedule-1"')))))
    yield Log("sound-id-prototype.jsonl", join(extended(PARENT, create(after('"__proto__"')))))
    yield Log(
        "sound-id-decomposed.jsonl",
        join(extended(PARENT, create(after('"\u00e9"')), create(after('"e\u0301"')))),
    )
    yield Log("sound-fork-reuses-parents-id.jsonl", join(extended(FORK, create(after('"schedule-2"')))))
    yield Log("sound-fork-prefix-no-json.jsonl", join((FORK[0], b"not json", b"", b"[\xff", *FORK[4:])))
    yield Log(
        "sound-fork-prefix-corrupt.jsonl",
        join(edited(FORK, AFTER, '"version":1,"operation"', '"version":9,"operation"')),
    )
    yield Log("sound-seed-length-whole.jsonl", join((FORK[0], *FORK[1:67])))
    yield Log("sound-seed-length-fraction-zero.jsonl", join(edited(FORK, 1, ":66", ":66.0")))
    yield Log("sound-seed-length-zero.jsonl", join((edited(FORK, 1, ":66", ":0")[0], *PARENT[1:])))
    yield Log("sound-header-alone.jsonl", join(PARENT[:1]))
    yield Log("sound-earlier.jsonl", join(extended(SILENT[: AT - 1], dispatch('"schedule-1"'))), "v1-after")
    yield Log("sound-compressed-many-frames.jsonl.zstd", frames(FORK))
    yield Log("sound-compressed-without-the-name.jsonl", frames(PARENT))


# Clauses of the fold's areas that no content of a log can violate, each with the reason.
BEYOND_LOGS: dict[str, str] = {
    "text.json-string": "it is about framings, which a log holds only as other events' text",
    "instant.round-trip": "a theorem about reading and writing; a text that breaks it is not canonical",
    "change.lossless": "it is about what decoding hands back, not about what is decoded",
    "fold.authority": "it says what is passed over: any event of another type is allowed",
    "fold.create": "it says what an accepted create does; a create that may not be is fold.no-id-reuse",
    "fold.delete": "it says what an accepted delete does; a delete that may not be is fold.inactive",
    "fold.dispatch-one-shot": "it says what a dispatch does; one that may not be is another clause's",
    "fold.dispatch-every": "it says what a dispatch does; one that may not be is another clause's",
    "fold.order": "a log holds changes, not the order of active records",
    "fold.all-or-nothing": "it is about the answer to a corrupt log, whatever corrupts it",
    "fold.prefix": "a theorem: the first corrupt event is what is reported",
    "fold.incremental": "a theorem about two ways to fold one log",
    "fold.deterministic": "it is about what the fold may read beside the log",
    "fold.candidate": "it is about an event that is not in the log yet",
    "fork.suffix": "it says which events count: each way of dividing a log is that of some session",
    "fork.prefix-unread": "it says what is not read: any inherited prefix is allowed",
    "fork.history": "a log without its inherited events is numbered otherwise or too short (fork.bounds)",
    "rate.latest-due": "a dispatch does not record the occurrence, only the decision time",
    "rate.next": "targets after the first are computed in the fold and stand in no event",
    "rate.anchor-aligned": "targets after the first are computed in the fold and stand in no event",
    "rate.exact": "it is about the arithmetic of the fold",
    "rate.skip": "it is about the cost and the events that a dispatch does without",
    "rate.path-independent": "a theorem about two logs",
    "rate.exhausted": "it says when a dispatch ends its record; what follows is fold.inactive",
    "rate.independent": "no change names two records",
    "profile.upward": "a theorem about the two levels",
}


def write(folder: Path) -> None:
    """Write every log and the manifest into `folder`, which is made where it is missing."""
    from tests import misdeliveries  # noqa: PLC0415 - it builds on this module

    folder.mkdir(parents=True, exist_ok=True)
    damaged = [*damages(), *misdeliveries.damages()]
    sound = [*near_misses(), *misdeliveries.near_misses()]
    for log in (*(damage.log for damage in damaged), *sound):
        (folder / log.name).write_bytes(log.data)
    manifest = {
        "damaged": [
            {"file": item.log.name, "profile": item.log.profile, "clause": item.clause, "line": item.line}
            for item in damaged
        ],
        "sound": [{"file": log.name, "profile": log.profile} for log in sound],
        "beyondLogs": BEYOND_LOGS,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/damage.py OUTDIR")
    sys.path.insert(0, str(Path(__file__).parents[1]))
    write(Path(sys.argv[1]))
