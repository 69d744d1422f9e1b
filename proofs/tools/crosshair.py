"""CrossHair: the postconditions of a function, on all paths within the bounds that its preconditions set.

Where a function that is called on the way breaks a postcondition of its own, CrossHair passes over the path,
as somebody else's fault. Here nothing is confirmed then.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from crosshair import enforce
from crosshair.core_and_libs import AnalysisMessage, MessageType, analyze_function, run_checkables
from crosshair.options import AnalysisKind, AnalysisOptionSet

from proofs.ledger import Verdict
from proofs.naming import resolve
from proofs.outcomes import Outcome

_CONFIRMED = frozenset({MessageType.CONFIRMED})
_SEARCHED = frozenset({MessageType.CONFIRMED, MessageType.CANNOT_CONFIRM})


def run(name: str, seconds: int) -> Outcome:
    """Return what the function of that name comes to."""
    options = AnalysisOptionSet(
        analysis_kind=[AnalysisKind.icontract],
        report_all=True,
        per_condition_timeout=float(seconds),
        per_path_timeout=float(seconds),
    )
    with _noted() as passed_over:
        checkables = analyze_function(resolve(name), options)
        messages = [message for checkable in checkables for message in run_checkables([checkable])]
    verdict = _verdict({message.state for message in messages})
    if passed_over and verdict is not Verdict.REFUTED:
        return Outcome(Verdict.BROKEN, f"a function that is called breaks its contract: {passed_over[0]}")
    return Outcome(verdict, _detail(messages), {"conditions": len(messages)})


@contextmanager
def _noted() -> Iterator[list[str]]:
    """Note what CrossHair passes over while the block runs."""
    passed_over: list[str] = []

    class Noted(enforce.PostconditionFailed):
        def __init__(self, what: str) -> None:
            super().__init__(what)
            passed_over.append(what)

    with patch.object(enforce, "PostconditionFailed", Noted):
        yield passed_over


def _verdict(states: set[MessageType]) -> Verdict:
    if MessageType.POST_FAIL in states:
        return Verdict.REFUTED
    if MessageType.PRE_UNSAT in states:
        return Verdict.VACUOUS
    if not states or not states <= _SEARCHED:
        return Verdict.BROKEN
    return Verdict.CONFIRMED if states == _CONFIRMED else Verdict.SEARCHED


def _detail(messages: Iterable[AnalysisMessage]) -> str:
    told = (message for message in messages if message.state not in _SEARCHED)
    return "; ".join(f"{message.state.name}: {message.message}" for message in told)
