"""The examples of a clause as Markdown, run on the law when they are asked for."""

from collections.abc import Iterator, Mapping
from typing import Any

from schedule_spec import instants
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.register import Clause, Subject

from . import asking, playing, stories, telling
from .derived import EXAMPLES
from .markdown import block, code, json_lines, plain


class NoExampleError(AssertionError):
    """A clause has no example that runs."""


def examples(clause: Clause) -> str:
    """Return the examples of a clause as Markdown, run now; NoExampleError where none runs."""
    parts = [*_single_requests(clause), *_stories(clause)]
    if clause.id in EXAMPLES:
        parts.append(EXAMPLES[clause.id]())
    if not parts:
        raise NoExampleError(f"{clause.id} has no example")
    note = "Run on the law when this page was built.\n"
    return "\n".join([note, *parts])


def _single_requests(clause: Clause) -> Iterator[str]:
    told_live = clause.subject is Subject.LIVE and clause.id in stories.OF_CLAUSE
    granted = None if told_live else asking.granted(clause.id)
    if granted:
        yield f"**Accepted.** {_noted(granted)}"
    refused = asking.refused(clause.id)
    if refused:
        yield f"**Refused.** {_noted(refused)}"
    wrong = None if told_live else asking.wrong_answer(clause.id)
    if wrong:
        shown = {
            each.vector.id: which for which, each in (("accepted", granted), ("refused", refused)) if each
        }
        which = shown.get(wrong.vector.id)
        asked = "" if which else _asked(wrong.vector.request)
        to = f"the request that is {which} above" if which else "this request"
        yield (
            f"**Broken.** An implementation that answers {to} in this way is told so:\n\n"
            f"{asked}{_labelled('answered', wrong.reply)}"
            + block(
                f"{wrong.verdict.clause} ({wrong.verdict.fault})\n"
                f"allowed   {wrong.verdict.allowed}\n"
                f"came      {wrong.verdict.got}"
            )
        )


def _noted(asked: asking.Asked) -> str:
    note = asked.vector.note
    said = f"{plain(note[:1].upper() + note[1:])}." if note else ""
    return f"{said}\n\n{exchange(asked.vector.request, asked.reply)}"


def exchange(request: Mapping[str, Any], reply: Mapping[str, Any]) -> str:
    """Return a request and the law's reply to it as Markdown."""
    return _asked(request) + _labelled("answered", reply)


def _asked(request: Mapping[str, Any]) -> str:
    """Return a request as Markdown, with the instants that its numbers of ms are."""
    moments = {name: request[name] for name in ("now", "acceptedAt") if isinstance(request.get(name), int)}
    said = [
        f"{code(name)} is {instants.render(ms)}" for name, ms in moments.items() if EARLIEST <= ms <= LATEST
    ]
    return _labelled(f"asked ({', '.join(said)})" if said else "asked", request)


def _labelled(label: str, value: object) -> str:
    return f"{{.label}}\n{label}\n\n{block(json_lines(value), 'json')}\n"


def _stories(clause: Clause) -> Iterator[str]:
    names = stories.OF_CLAUSE.get(clause.id, ())
    for name in names:
        yield f"**A live session.** {stories.STORIES[name].title}\n\n{telling.story(playing.played(name))}"
    # The last story is the one that the reader has before the eyes.
    for name in reversed(names):
        spoilt = playing.spoilt(name, clause.id)
        if spoilt:
            where = "The same story" if name == names[-1] else "The first of these stories"
            said = "".join(f"\nallowed   {each}" for each in spoilt.violation.allowed)
            yield (
                f"**Broken.** {where}, but in step {spoilt.step + 1} {spoilt.change}:\n\n"
                + block(f"{spoilt.violation.clause}\n{spoilt.violation.sentence}{said}")
            )
            return
