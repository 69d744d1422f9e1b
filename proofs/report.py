"""What a run of the proofs is told as: a line an obligation, then a summary by strength, or JSON."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from proofs.judging import Judged
from proofs.ledger import Obligation, Verdict

WORDS = {
    Verdict.PROVED: "for all integers, by Z3",
    Verdict.CONFIRMED: "on all paths within their bounds, by CrossHair",
    Verdict.EXHAUSTED: "in every case up to their bounds",
    Verdict.SEARCHED: "only by a search that found nothing",
}


def line(judged: Judged) -> str:
    """Return the obligation's line: verdict, seconds, tool, id and clauses."""
    each = judged.obligation
    verdict = judged.target.verdict if judged.met else "FAILED"
    return f"{verdict:<9}  {judged.seconds:6.1f} s  {each.tool:<10}  {each.id}  [{', '.join(each.clauses)}]"


def faults(judged: Iterable[Judged]) -> list[str]:
    """Return why obligations are not met, a line each, and below them the command that runs each again."""
    lines: list[str] = []
    for each in judged:
        lines += [f"{each.obligation.id}: {fault}" for fault in each.faults]
        if not each.met:
            lines.append(f"    run it again: schedule-spec prove {each.obligation.id}")
    return lines


def summary(judged: Sequence[Judged]) -> list[str]:
    """Return how many obligations are met, by strength."""
    met = Counter(each.target.verdict for each in judged if each.met)
    lines = [f"{met[verdict]:4} {verdict}, {words}" for verdict, words in WORDS.items() if met[verdict]]
    failed = sum(not each.met for each in judged)
    return [*lines, f"{failed:4} failed"] if failed else lines


def as_json(judged: Sequence[Judged], holes: Sequence[str]) -> dict[str, Any]:
    """Return the whole run as a JSON object."""
    return {"obligations": [_entry(each) for each in judged], "holes": list(holes)}


def _entry(judged: Judged) -> dict[str, Any]:
    each: Obligation = judged.obligation
    return {
        "id": each.id,
        "clauses": list(each.clauses),
        "tool": each.tool,
        "expected": each.verdict,
        "verdict": judged.target.verdict,
        "control": judged.control.verdict,
        "scope": each.scope,
        "counts": dict(judged.target.counts),
        "seconds": round(judged.seconds, 1),
        "met": judged.met,
        "faults": list(judged.faults),
    }
