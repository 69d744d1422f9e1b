"""What stands behind a clause, as Markdown."""

from collections import Counter
from collections.abc import Iterable
from html import escape

from schedule_cli.explaining.parts import code
from schedule_conformance.evidence import SHOWN_BY_RUNS, Contract, Saboteur

from .evidence import Evidence, Frozen, Proof
from .markdown import bullets, plain, prose, raw

MOST_CASES = 40
"""Frozen cases that a clause's page lists by name; the twin lists all."""


def evidence_text(clause: str, found: Evidence) -> str:
    """Return the section of a clause's page that tells its evidence."""
    holes = "; ".join(found.kept.holes)
    warning = f"**Holes:** {holes}.\n" if holes else ""
    parts = [warning, _cases(clause, found), _measured(found), _proofs(found), _saboteurs(found)]
    return "\n".join(part for part in parts if part)


def _cases(clause: str, found: Evidence) -> str:
    cases = (*found.vectors, *found.traces)
    if not cases:
        return "### Frozen cases\n\nNone.\n"
    origins = Counter(case.origin for case in cases)
    said = ", ".join(f"{count} {_ORIGIN[origin]}" for origin, count in sorted(origins.items()))
    accepted = sum(case.accepts is True for case in cases)
    refused = sum(case.accepts is False for case in cases)
    kinds = [f"{accepted} accepted", f"{refused} refused", f"{len(found.traces)} live"]
    kinds = [kind for kind in kinds if not kind.startswith("0 ")]
    shown = sorted(cases, key=lambda case: (not case.note, case.accepts is None))[:MOST_CASES]
    rest = f"<li>and {len(cases) - len(shown)} more</li>" if len(cases) > len(shown) else ""
    items = "".join(_case(case) for case in shown) + rest
    whole = (
        f"<p>All of them: <code>schedule-spec vectors {clause}</code>. "
        "One in full: <code>schedule-spec vectors ID</code>.</p>"
    )
    listed = f'<details class="cases"><summary>By name</summary><ul>{items}</ul>{whole}</details>'
    count = f"{len(cases)} {'case' if len(cases) == 1 else 'cases'}"
    return f"### Frozen cases\n\n{count}: {'; '.join(kinds)}. Origin: {said}.\n\n{raw(listed)}"


_ORIGIN = {
    "reference": "seen of the reference",
    "hand": "worked out from the clause by hand",
    "law": "said by the law, and so no evidence for it",
}


def _case(case: Frozen) -> str:
    note = f" – {escape(case.note)}" if case.note else ""
    return f"<li><code>{escape(case.id)}</code>{note}</li>"


def _measured(found: Evidence) -> str:
    parts = [
        *(_contract(each) for each in found.kept.contracts),
        _counted("Generated checks", ((each.id, each.cases) for each in found.kept.checks)),
        _counted("Situations", ((each.name, each.times) for each in found.kept.situations)),
    ]
    said = [part for part in parts if part]
    return f"### Runs\n\nAs the [evidence](../evidence.md) was measured.\n\n{bullets(said)}" if said else ""


def _contract(contract: Contract) -> str:
    evaluated = f"{contract.evaluated:,} times true" if contract.evaluated else "never evaluated"
    mutant = contract.mutant
    first = f"The {contract.kind} of {code(contract.place)}: {evaluated}"
    if mutant is None:
        return f"{first}, and never seen to be false."
    change = f"in {code(mutant.place)} {code(mutant.change)}"
    return f"{first}, and false where {change}, as {code(mutant.case)} shows."


def _counted(what: str, counts: Iterable[tuple[str, int]]) -> str:
    listed = ", ".join(f"{code(name)} {count:,}" for name, count in counts)
    return f"{what}, with how many cases: {listed}." if listed else ""


def _proofs(found: Evidence) -> str:
    if not found.proofs:
        why = f" {plain(found.exemption)}" if found.exemption else ""
        return f"### Proofs\n\nNone.{why}\n"
    said = (
        "[What is proved](../proofs.md) says what the verdicts mean, and [what is taken for granted]"
        "(../proofs.md#what-is-taken-for-granted). Each holds within its bounds alone."
    )
    left_out = f"\n**Left out**: {prose(found.left_out)}\n" if found.left_out else ""
    return f"### Proofs\n\n{said}\n\n{bullets(map(_proof, found.proofs))}{left_out}"


def _proof(proof: Proof) -> str:
    place = f"../proofs.md#{proof.id.replace('_', '-')}"
    assumes = f" It assumes: {prose(proof.assumes.rstrip('.'))}." if proof.assumes else ""
    return (
        f"**{proof.verdict}** by {_TOOL[proof.tool]}: [{plain(proof.sentence)}]({place}), for "
        f"{prose(proof.scope.rstrip('.'))}.{assumes} Its id is {code(proof.id)}; its "
        f"[broken twin](../glossary.md#broken-twin) {code(proof.control)} is refuted."
    )


_TOOL = {
    "z3": "Z3",
    "crosshair": "CrossHair",
    "exhaustive": "trying every case",
    "hypothesis": "Hypothesis",
}


def _saboteurs(found: Evidence) -> str:
    saboteurs = found.kept.saboteurs
    if not saboteurs:
        return "### Saboteurs\n\nNone.\n" if found.kept.subject in SHOWN_BY_RUNS else ""
    items = (f"{code(each.name)}: {plain(each.about)}{_caught(each)}" for each in saboteurs)
    said = "[Implementations that are broken](../glossary.md#saboteur) here, which the suite has to catch."
    return f"### Saboteurs\n\n{said}\n\n{bullets(items)}"


def _caught(saboteur: Saboteur) -> str:
    catch = saboteur.caught
    if catch is None:
        return " **Not caught.**"
    return f" Caught by {code(catch.check)}, reported under {catch.reported}."
