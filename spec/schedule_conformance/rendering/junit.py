"""A run's report as JUnit XML, in the form that the viewers of CI systems agree on.

One `testsuite` an area of the clauses for the frozen cases, one for the generated checks, and one for what
only the run as a whole shows: that a core feature is missing, that a situation was not reached, that the
ledger is stale. Each check is a `testcase`. What is unsupported, left out, or known to fail is `skipped`
with its reason. Pure; the same report gives the same text.
"""

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from schedule_conformance.protocol.visible_text import visible
from schedule_conformance.rendering import failed_checks
from schedule_conformance.runs.reports import Report, verdict_sentence
from schedule_conformance.runs.results import FROZEN, Met, Outcome, Result
from schedule_spec.register import AREAS

GENERATED = "generated"
WHOLE = "run"


def junit(report: Report) -> str:
    """Return the report as an XML document; times are seconds, and only in attributes."""
    root = ET.Element("testsuites", name="schedule-spec")
    for name, cases in _suites(report):
        suite = ET.SubElement(root, "testsuite", name=name)
        if name == WHOLE:
            suite.append(_properties(report))
        suite.extend(cases)
        _count(suite)
    _count(root)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suites(report: Report) -> Iterator[tuple[str, list[ET.Element]]]:
    by_area: dict[str, list[ET.Element]] = {area.name: [] for area in AREAS}
    by_area |= {GENERATED: [], WHOLE: list(_of_the_whole(report))}
    for result in report.results:
        area = area_of(result)
        by_area[area].append(_case(report, result, area))
    return ((name, cases) for name, cases in by_area.items() if cases or name == WHOLE)


def area_of(result: Result) -> str:
    """Return the area that a frozen case is foremost about; generated checks stand together."""
    if result.kind not in FROZEN or not result.clauses:
        return GENERATED
    return result.clauses[0].partition(".")[0]


def _properties(report: Report) -> ET.Element:
    of, who = report.circumstances, report.circumstances.implementation
    listed = ET.Element("properties")
    for name, value in (
        ("suite", of.suite),
        ("sut", of.sut),
        ("implementation", f"{who.name} {who.version}".strip()),
        ("language", who.language),
        ("level", str(who.profile)),
        ("tzdata", who.tzdata or "unknown"),
        ("seed", str(of.seed)),
        ("profile", of.budget),
        ("only", " ".join(sorted(of.only)) or "all clauses"),
        ("verdict", verdict_sentence(report)),
    ):
        ET.SubElement(listed, "property", name=name, value=visible(value))
    return listed


def _case(report: Report, result: Result, area: str) -> ET.Element:
    case = _named(area, result.check, result.seconds)
    match result.outcome:
        case Outcome.FAILED:
            message = visible(failed_checks.in_short(result))
            failure = ET.SubElement(case, "failure", message=message, type=_kinds_of_fault(result.met))
            failure.text = visible(failed_checks.in_full(result, report.circumstances))
        case Outcome.KNOWN:
            known = ", ".join(f"{met.clause} ({met.fault})" for met in result.met)
            ET.SubElement(case, "skipped", message=visible(f"known failure: {known}"))
        case Outcome.UNSUPPORTED | Outcome.LEFT_OUT:
            reason = f": {result.reason}" if result.reason else ""
            ET.SubElement(case, "skipped", message=visible(f"{result.outcome}{reason}"))
        case Outcome.PASSED:
            pass
    return case


def _named(area: str, name: str, seconds: float = 0.0) -> ET.Element:
    return ET.Element(
        "testcase", classname=f"schedule.{area}", name=visible(name), time=f"{max(seconds, 0.0):.3f}"
    )


def _kinds_of_fault(met: Iterable[Met]) -> str:
    return visible(" ".join(dict.fromkeys(each.fault for each in met if not each.known)))


def _of_the_whole(report: Report) -> Iterator[ET.Element]:
    for feature in report.absent:
        case = _named(WHOLE, f"core feature {feature}")
        ET.SubElement(
            case, "failure", message=visible(f"the core feature {feature} is missing"), type="absent"
        )
        yield case
    for clause in report.unreached:
        yield _missed(f"reach/{clause}", f"no generated case was rejected under {clause} alone")
    for each in report.situations:
        if each.missed:
            name = each.situation.name
            yield _missed(
                f"situation/{name}", f"{name}: reached {each.count} times, at least {each.floor} wanted"
            )
    for stale in report.stale:
        case = _named(WHOLE, f"ledger/{stale.entry.id}")
        ET.SubElement(case, "failure", message=visible(f"the ledger is stale: {stale.why}"), type="stale")
        yield case


def _missed(name: str, message: str) -> ET.Element:
    case = _named(WHOLE, name)
    ET.SubElement(case, "error", message=visible(message), type="unjudged")
    return case


def _count(suite: ET.Element) -> None:
    """Set the counts and the time that viewers expect of a suite, from the cases below it."""
    cases = list(suite.iter("testcase"))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("tests", str(len(cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
