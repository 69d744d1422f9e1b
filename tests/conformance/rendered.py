"""A run's report with something of everything in it, for the tests of what renders reports.

It comes of a real run of a few checks: a law that answers some frames with what a page or an XML file might
stumble over, reverses records, breaks down at views, and does not support what is due.
"""

from dataclasses import replace
from functools import cache

from tests.saboteurs.pure.ways import Object

from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs import running
from schedule_conformance.runs.budgets import BUDGETS
from schedule_conformance.runs.docket import docket
from schedule_conformance.runs.ledger import Entry, Ledger, Stale
from schedule_conformance.runs.reports import Report
from schedule_conformance.worlds.situations import SITUATIONS
from schedule_conformance.worlds.trying import Reached

HOSTILE = "</pre><script>alert('x')</script><img src=x onerror=alert(1)>]]>&lt;\x00\ud800\u202e\ufffe\x1b[31m"
"""What an implementation may say of itself, and answer."""

SUT = "node 'an adapter.mjs' --x='<b>'"


def hostile(request: Object) -> object:
    reply = law_adapter.handle(request)
    match request["cmd"], reply:
        case "hello", {"result": {"implementation": dict(who), "features": list(features)}}:
            who |= {"name": f"acme {HOSTILE}", "language": HOSTILE}
            features.remove("due")
        case "frame", {"result": dict(result)}:
            result["text"] = HOSTILE + str(result["text"])
        case "fold", {"result": {"active": list(active)}} if len(active) > 1:
            active.reverse()
        case "view", _ if not str(request["record"].get("id")).startswith("smoke"):
            return {"seq": request["seq"], "error": {"message": HOSTILE}}
        case "due", _:
            return {"seq": request["seq"], "unsupported": {"feature": "due"}}
    return reply


@cache
def report() -> Report:
    """A report that has every outcome, and whatever else a report can tell."""
    system = InProcess(SUT, hostile)
    frozen = [check.id for check in docket(system, BUDGETS["quick"]).checks if check.id.startswith("vector/")]
    chosen = [
        *[check for check in frozen if "fold" in check][:60],
        *[check for check in frozen if "fram" in check][:20],
        *[check for check in frozen if "view" in check][:10],
        *[check for check in frozen if "due" in check][:4],
        *[check for check in frozen if "earlier" in check][:4],
        "property/frame-one-shots",
        "property/decode-json-text",
    ]
    known = Ledger(tuple(_entries(running.run(system, BUDGETS["quick"], checks=frozenset(chosen)))))
    found = running.run(system, BUDGETS["quick"], known=known, checks=frozenset(chosen))
    return replace(
        found,
        absent=("decode <or> none",),
        reached=(("after.rule", 7), ("at.range", 0)),
        unreached=("at.range",),
        situations=(Reached(SITUATIONS[0], 12, 3), Reached(SITUATIONS[1], 0, 4)),
        stale=(Stale(Entry("vector-gone", "fold.order", ("wrong-value",)), f"it passes now {HOSTILE}"),),
        stopped="Stopped at the first failure.",
    )


def _entries(found: Report) -> list[Entry]:
    """Two failing frozen cases, as a ledger lists them."""
    failed = [result for result in found.results if result.met and result.frozen]
    return [Entry(result.frozen, result.met[0].clause, (result.met[0].fault,)) for result in failed[:2]]


@cache
def green() -> Report:
    """The report of a system that breaks nothing."""
    return running.run(
        InProcess("law", law_adapter.handle), BUDGETS["quick"], checks=frozenset({"property/view"})
    )
