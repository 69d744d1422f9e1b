"""Examples of single requests: what the law answers now, and what the court says of a wrong answer."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from schedule_cli.explaining.breaking import MISTAKES
from schedule_conformance.frozen.vectors import Vector, vectors
from schedule_conformance.judgement import judging
from schedule_conformance.judgement.judging import Failed
from schedule_conformance.law import law_adapter
from schedule_spec import instants, register, zones
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.profiles import Profile

LONGEST = 1_200
"""Characters of a request that an example may have."""

REPLIES_TRIED = 200
"""Wrong answers that are tried for one clause, at most."""

BEST = (
    "hand-fork-of-empty",
    "hand-fork-within-parent",
    "hand-frame-one-shot",
    "hand-id-case",
    "hand-text-trim-all",
)
"""Frozen cases that show their clause better than shorter ones do."""

WORDS: Mapping[str, str] = {
    "hand-rate-at-next": "the decision comes exactly when the next occurrence does: it stands for that one",
    "hand-fork-of-empty": "a fork that inherits nothing",
    "hand-after-last-millisecond": "the target is the last millisecond of the range",
    "hand-fold-shape-satisfied": "each record is dispatched in its own shape",
    "hand-due-nothing": "there is no record, and so nothing to wait for",
    "hand-at-before-1970": "a fraction of one figure is tenths, before 1970 too",
    "hand-fork-bounds-of-nothing": "one event is said to be inherited, and there is none",
    "hand-change-whole-empty": "an object without members is no change",
    "hand-change-plain-dispatch-every": "a dispatch with its decision time",
    "hand-change-plain-dispatch": "a dispatch by id alone",
    "hand-frame-one-shot": "the text has five lines",
    "hand-at-local-empty": "a date, a time and a zone are required",
    "reference-tz-transitions-06e35d9508f0": "a wall time that occurs once",
    "reference-tz-transitions-05b6b4106127": "a wall time that occurs once, beside a change of the clocks",
    "reference-tz-transitions-009c23539508": "a wall time that occurs twice",
    "reference-tz-transitions-027cba43a53e": "the last wall time of a gap",
}
"""What an example shows, where the note of its frozen case can't be understood alone."""

ORIGINS = ("reference", "hand", "law")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with the law's reply to it, as it was given when the site was built."""

    vector: Vector
    reply: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A reply that an implementation might give, and how the court tells its fault.

    `does` says what an implementation does that answers so, None where a right reply is merely changed.
    """

    request: dict[str, Any]
    reply: dict[str, Any]
    verdict: Failed
    does: str | None = None


class DriftError(AssertionError):
    """The law does not answer a frozen case as it is frozen."""


def words(vector: Vector) -> str:
    """Return in a few words what a frozen case shows as an example; empty where it has no note."""
    return WORDS.get(vector.id, vector.note)


@cache
def granted(clause: str) -> Asked | None:
    """Return the plainest frozen case of a clause that is accepted, asked now; None where there is none."""
    return _first(clause, "result")


@cache
def refused(clause: str) -> Asked | None:
    """Return the plainest frozen case that is refused because of this very clause, asked now."""
    return _first(clause, "rejected")


@cache
def wrong_answer(clause: str) -> WrongAnswer | None:
    """Return an answer that breaks this clause; None where none is known."""
    return _mistaken(clause) if clause in MISTAKES else next(_wrong(clause), None)


def answer(request: dict[str, Any], profile: Profile = Profile.V1) -> dict[str, Any]:
    """Return the law's reply to a request, without its number."""
    reply = law_adapter.adapter(profile)({"seq": 1, **request})
    return {key: value for key, value in reply.items() if key != "seq"}


@cache
def _candidates(clause: str) -> tuple[Vector, ...]:
    """Return the frozen cases of a clause that may stand as an example, the plainest first."""
    fit = [
        vector
        for vector in vectors()
        if clause in vector.clauses
        and (not vector.releases or zones.release() in vector.releases)
        and len(json.dumps(vector.request)) <= LONGEST
    ]
    return tuple(sorted(fit, key=lambda vector: _plainness(clause, vector)))


def _plainness(clause: str, vector: Vector) -> tuple[bool, bool, bool, bool, int, int, str]:
    return (
        vector.clauses[0] != clause,
        vector.id not in BEST,
        vector.needs_surrogates,
        not vector.note,
        len(json.dumps(vector.request)) // 60,
        ORIGINS.index(vector.origin),
        vector.id,
    )


def _first(clause: str, kind: str) -> Asked | None:
    for vector in _candidates(clause):
        expects = "result" if type(vector.expected).__name__ == "Granted" else "rejected"
        if expects != kind:
            continue
        if kind == "rejected" and vector.clauses[0] != clause:
            continue
        return asked(vector)
    return None


def asked(vector: Vector) -> Asked:
    """Ask a frozen case now; DriftError where the answer is not as it is frozen."""
    reply = answer(vector.request, vector.profile)
    verdict = judging.judge_against(
        vector.expected, {"seq": 1, **vector.request}, {"seq": 1, **reply}, vector.profile
    )
    if not isinstance(verdict, judging.Passed):
        raise DriftError(f"the law does not answer {vector.id} as it is frozen, but {json.dumps(reply)}")
    return Asked(vector, reply)


def _mistaken(clause: str) -> WrongAnswer:
    """Return the answer of MISTAKES; DriftError where the court finds no fault of this clause in it."""
    mistake = MISTAKES[clause]
    verdict = judging.judge({"seq": 1, **mistake.request}, {"seq": 1, **mistake.reply})
    if not isinstance(verdict, Failed) or verdict.clause not in (clause, *register.clause(clause).implied_by):
        raise DriftError(f"the court finds no fault of {clause} in the answer of MISTAKES: {verdict}")
    return WrongAnswer(mistake.request, mistake.reply, verdict, mistake.does)


def _wrong(clause: str) -> Iterator[WrongAnswer]:
    tried = (
        (vector, reply)
        for vector in _candidates(clause)[:60]
        for reply in _altered(vector, answer(vector.request, vector.profile))
    )
    for vector, reply in islice(tried, REPLIES_TRIED):
        request = {"seq": 1, **vector.request}
        verdict = judging.judge(request, {"seq": 1, **reply}, vector.profile)
        if isinstance(verdict, Failed) and verdict.clause == clause and verdict.fault != "malformed":
            yield WrongAnswer(vector.request, reply, verdict)


def _altered(vector: Vector, reply: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield replies that differ in one place from the right one, or refuse what it accepts."""
    if "result" in reply:
        yield from ({"result": value} for value in _variants(reply["result"]))
        refusal = "corrupt_schedule_log" if vector.request["cmd"] in ("decode", "fold") else "invalid_rule"
        yield {"rejected": {"code": refusal}}
        return
    request = vector.request
    match request["cmd"]:
        case "decode" if isinstance(request.get("change"), dict):
            yield {"result": {"change": request["change"]}}
        case "fold":
            yield {"result": {"active": [], "seen": []}}
        case "create":
            codes = ("internal_error", "invalid_rule", "invalid_time_zone", "not_future", "time_out_of_range")
            yield {"result": {"record": _record(request)}}
            yield from ({"rejected": {"code": code}} for code in codes)


def _record(request: dict[str, Any]) -> dict[str, Any]:
    """Return a record such as an implementation might store that accepts what has to be refused."""
    record: dict[str, Any] = {
        "id": str(request.get("id", "a")),
        "kind": "at",
        "prompt": str(request.get("prompt", "p")),
    }
    seconds = request.get("every_seconds", request.get("after_seconds"))
    if isinstance(seconds, int) and seconds > 0 and seconds <= 86_400:
        kind, member = ("every", "everySeconds") if "every_seconds" in request else ("after", "afterSeconds")
        record |= {"kind": kind, member: seconds}
        target = request["now"] + 1000 * seconds if isinstance(request.get("now"), int) else None
        if target is not None and EARLIEST <= target <= LATEST:
            return record | {"scheduledAt": instants.render(target)}
    return record | {"scheduledAt": "2030-01-01T00:00:00.000Z"}


def _variants(value: Any) -> Iterator[Any]:
    """Yield values that differ from this one in one place."""
    match value:
        case dict():
            for key, member in value.items():
                yield from ({**value, key: other} for other in _variants(member))
        case list():
            for place, member in enumerate(value):
                yield value[:place] + value[place + 1 :]
                yield from ([*value[:place], other, *value[place + 1 :]] for other in _variants(member))
            if len(value) > 1:
                yield value[::-1]
        case str():
            yield from _texts(value)
        case bool() | None:
            return
        case int():
            yield value + 1


def _texts(text: str) -> Iterator[str]:
    moment = instants.parse(text)
    if moment is not None:
        moved = (moment + step for step in (-300_000, 3_600_000, 1, 300_000))
        yield from (instants.render(each) for each in moved if EARLIEST <= each <= LATEST)
        return
    if text in ("scheduled", "overdue"):
        yield "overdue" if text == "scheduled" else "scheduled"
    if "untrusted" in text:
        yield text.replace("untrusted", "trusted")
    yield f"{text} "
    yield text.lower() if text.lower() != text else text.upper()
    yield text.replace("\\n", "\n").replace('\\"', '"').replace("\\u", "u")
    yield text[:-1] if len(text) > 1 else f"{text}{text}"
