"""An explanation: what the register, the law and the court say of a clause, put together once.

The command `explain` and the pages of the site are laid out from it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from schedule_cli.explaining import asking, playing, stories, telling
from schedule_cli.explaining.derived import EXAMPLES
from schedule_cli.explaining.json_layout import laid_out
from schedule_cli.explaining.parts import Listing, Part, code
from schedule_cli.explaining.templates import TEMPLATES
from schedule_spec import instants, register
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.register import Clause, Subject
from schedule_spec.register.statements import Statement, statements


class NoExampleError(AssertionError):
    """A clause has no example that runs."""


@dataclass(frozen=True, slots=True)
class Example:
    """An example that the law, or the court with it, was asked now.

    `kind` says in a word or two what it shows. `data` is the same as JSON. `changes` is the place, among the
    examples in which the clause is kept, of the one that this one changes; None where it stands alone.
    """

    kind: str
    parts: tuple[Part, ...]
    data: Mapping[str, Any]
    changes: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that is known of a clause without a run of the suite.

    `statements` are where the law states it. `fault_of` are the clauses whose faults may also be reported
    under this one. `template` is the text that it prescribes, None for most. Of the examples, in `kept` the
    clause is kept, in `broken` it is broken.
    """

    clause: Clause
    statements: tuple[Statement, ...]
    fault_of: tuple[str, ...]
    template: str | None
    kept: tuple[Example, ...]
    broken: tuple[Example, ...]

    @property
    def unbroken(self) -> str | None:
        """Why no single answer can be shown that breaks the clause; None where one is shown."""
        if self.broken:
            return None
        stands = {
            Subject.DERIVED: "No single answer breaks it alone.",
            Subject.MEANING: "No answer of an implementation can break it.",
            Subject.SCOPE: "No answer of an implementation can break it.",
        }
        return f"{stands[self.clause.subject]} {self.clause.reason}"


@cache
def explanation(clause: Clause) -> Explanation:
    """Return the explanation of a clause; NoExampleError where no example of it runs."""
    id = clause.id
    kept = tuple(_kept(clause))
    if not kept:
        raise NoExampleError(f"{id} has no example")
    return Explanation(
        clause,
        _stated().get(id, ()),
        tuple(each.id for each in register.CLAUSES if id in each.implied_by),
        TEMPLATES[id]() if id in TEMPLATES else None,
        kept,
        tuple(_broken(clause, kept)),
    )


@cache
def _stated() -> Mapping[str, tuple[Statement, ...]]:
    found: dict[str, tuple[Statement, ...]] = {}
    for each in statements():
        found[each.clause] = (*found.get(each.clause, ()), each)
    return found


# --- where it is kept


def _kept(clause: Clause) -> Iterator[Example]:
    granted = None if _is_told_live(clause) else asking.granted(clause.id)
    if granted:
        yield _request("Accepted", granted)
    refused = asking.refused(clause.id)
    if refused:
        yield _request("Refused", refused)
    yield from (lived(name) for name in stories.OF_CLAUSE.get(clause.id, ()))
    if clause.id in EXAMPLES:
        yield Example("Both ways agree", EXAMPLES[clause.id](), {})


def _is_told_live(clause: Clause) -> bool:
    return clause.subject is Subject.LIVE and clause.id in stories.OF_CLAUSE


def _request(kind: str, asked: asking.Asked) -> Example:
    note = asking.words(asked.vector)
    said = (f"{note[:1].upper()}{note[1:]}.",) if note else ()
    data = {"vector": asked.vector.id, "request": asked.vector.request, "reply": asked.reply}
    return Example(kind, (*said, *exchange(asked.vector.request, asked.reply)), data)


def lived(name: str) -> Example:
    """Return a story of `stories.STORIES`, played now."""
    played = playing.played(name)
    steps = [{"request": dict(step.request), "reply": dict(step.reply)} for step in played]
    parts = (stories.STORIES[name].title, telling.story(played))
    return Example("A live session", parts, {"story": name, "steps": steps})


def exchange(request: Mapping[str, Any], reply: Mapping[str, Any]) -> tuple[Listing, Listing]:
    """Return a request and the reply to it."""
    return _asked(request), _answered(reply)


def _asked(request: Mapping[str, Any]) -> Listing:
    """Return a request, labelled with the instants that its numbers of ms are."""
    moments = {name: request[name] for name in ("now", "acceptedAt") if isinstance(request.get(name), int)}
    said = [
        f"{code(name)} is {instants.render(ms)}" for name, ms in moments.items() if EARLIEST <= ms <= LATEST
    ]
    return Listing(laid_out(request), "json", f"asked ({', '.join(said)})" if said else "asked")


def _answered(reply: Mapping[str, Any]) -> Listing:
    match reply:
        case {"result": {"text": str(text), **rest}} if not rest:
            return Listing(text, "text", "answered with the text")
        case _:
            return Listing(laid_out(reply), "json", "answered")


# --- where it is broken


def _broken(clause: Clause, kept: tuple[Example, ...]) -> Iterator[Example]:
    spoilt = playing.spoilt(clause.id)
    wrong = None if _is_told_live(clause) and spoilt else asking.wrong_answer(clause.id)
    if wrong:
        yield _wrong(clause, wrong, kept)
    if spoilt:
        yield _spoilt(clause, spoilt, kept)


def _wrong(clause: Clause, wrong: asking.WrongAnswer, kept: tuple[Example, ...]) -> Example:
    place = (place for place, each in enumerate(kept) if each.data.get("request") == wrong.request)
    changes = next(place, None)
    which = "this request" if changes is None else f"the request that is {kept[changes].kind.lower()} above"
    does = f" {wrong.does}, and" if wrong.does else ""
    verdict = wrong.verdict
    parts: tuple[Part, ...] = (
        f"An implementation that{does} answers {which} in this way is told so:",
        *(() if changes is not None else (_asked(wrong.request),)),
        _answered(wrong.reply),
        Listing(f"{verdict.clause} ({verdict.fault})\nallowed   {verdict.allowed}\ncame      {verdict.got}"),
        *_elsewhere(clause, verdict.clause),
    )
    data = {"request": wrong.request, "reply": wrong.reply, "reported": verdict.clause}
    return Example("Broken", parts, data, changes)


def _spoilt(clause: Clause, spoilt: playing.Spoilt, kept: tuple[Example, ...]) -> Example:
    changes = next(place for place, each in enumerate(kept) if each.data.get("story") == spoilt.story)
    told_last = kept[changes] is kept[-1]
    where = "The same story" if told_last else "The first of these stories"
    violation = spoilt.violation
    said = "".join(f"\nallowed   {each}" for each in violation.allowed)
    parts: tuple[Part, ...] = (
        f"{where}, but in step {spoilt.step + 1} {spoilt.change}:",
        Listing(f"{violation.clause}\n{violation.sentence}{said}"),
        *_elsewhere(clause, violation.clause),
    )
    data = {"story": spoilt.story, "step": spoilt.step, "reply": spoilt.reply, "reported": violation.clause}
    return Example("Broken", parts, data, changes)


def _elsewhere(clause: Clause, reported: str) -> tuple[str, ...]:
    """Return why a fault of the clause bears another clause's name; nothing where it bears its own."""
    if reported == clause.id:
        return ()
    return (f"What is seen breaks {reported} as well, and is reported under that name.",)
