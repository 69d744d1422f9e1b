"""A failed check in words: what it broke in one line, and all of its evidence.

Known failures are no part of it. Pure.
"""

from schedule_conformance.rendering import telling
from schedule_conformance.runs.reports import Circumstances
from schedule_conformance.runs.results import Result


def in_short(result: Result) -> str:
    """Return the clauses that a check broke, each with its kind of fault, in one line."""
    return "; ".join(f"{met.clause} ({met.fault})" for met in result.met if not met.known)


def in_full(result: Result, circumstances: Circumstances) -> str:
    """Tell each finding of a check; of what an earlier check had shown, only how often it was met."""
    broken = {(met.clause, met.fault): met.times for met in result.met if not met.known}
    findings = [each for each in result.findings if (each.clause, each.fault) in broken]
    shown = {(each.clause, each.fault) for each in findings}
    told = [telling.plain(telling.told(each, circumstances)) for each in findings]
    counted = [
        f"{clause} ({fault}): {times} cases; an earlier check of this run shows one"
        for (clause, fault), times in broken.items()
        if (clause, fault) not in shown
    ]
    return "\n\n".join([*told, *counted])
