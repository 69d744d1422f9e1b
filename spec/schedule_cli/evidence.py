"""The command `evidence`: what stands behind the clauses, from the package's evidence file.

With `--json` it prints one object, `{"measured": …, "clauses": […]}`, or of a saboteur
`{"measured": …, "saboteur": …}`. The parts have the form that `schemas/evidence.json` of the court says; a
saboteur's has beside it `breaks`, the clause.
"""

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill

import click
import msgspec

from schedule_cli.output import ExitCode, near, print_json, table, width
from schedule_conformance.evidence import Clause, Contract, Evidence, Proof, Saboteur, evidence
from schedule_spec import register

LABEL = 13
DETAIL = LABEL + 2

STRENGTHS = ("proved", "confirmed", "exhausted", "searched")
"""The verdicts of proofs, the strongest first."""

FROZEN = ("vector/", "trace/")
"""What the names of checks begin with that are one frozen case each; its id follows."""

COLUMNS: tuple[tuple[str, Callable[[Clause], int]], ...] = (
    ("law", lambda clause: len(clause.contracts) + len(clause.definitions) + len(clause.transitions)),
    ("checks", lambda clause: len(clause.checks)),
    ("vectors", lambda clause: sum(each.accepted + each.refused for each in clause.vectors)),
    ("traces", lambda clause: len(clause.traces)),
    ("proofs", lambda clause: len(clause.proofs)),
    ("saboteurs", lambda clause: len(clause.caught)),
    ("holes", lambda clause: len(clause.holes)),
)
"""What the overview counts of each clause; `law` are the places of the law that state it."""


@click.command("evidence")
@click.argument("target", required=False, metavar="[CLAUSE|AREA|SABOTEUR]")
@click.option("--holes", is_flag=True, help="Only what is missing; ends with 1 where something is.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(target: str | None, holes: bool, as_json: bool) -> None:
    """Show what stands behind the clauses: an overview by area, an AREA's clauses, or a CLAUSE in full.

    Of a SABOTEUR, an implementation that is broken in one clause, it says which clause, and what catches it.

    A hole is something that must stand behind a clause of its subject and does not: a statement of the law, a
    generated check, a frozen case, a caught saboteur; for a clause that no run shows, what stands for it.

    \b
    Exit codes: 0 done, 1 with --holes: there is one, 2 wrong usage.
    """
    kept = evidence()
    broken = next((each for each in _broken(kept) if each[1].name == target), None)
    if broken is not None:
        if holes:
            raise click.UsageError(f"{target} is a saboteur; --holes takes a clause or an area.")
        clause, saboteur = broken
        if as_json:
            told = {"breaks": clause.id, **msgspec.to_builtins(saboteur)}
            print_json({"measured": msgspec.to_builtins(kept.measured), "saboteur": told})
        else:
            _print_saboteur(clause, saboteur)
        return
    chosen = _named(kept, target)
    if holes:
        chosen = tuple(clause for clause in chosen if clause.holes)
    if as_json:
        print_json({"measured": msgspec.to_builtins(kept.measured), "clauses": msgspec.to_builtins(chosen)})
    elif holes:
        _print_holes(chosen)
    elif target is None:
        _print_areas(chosen)
    elif target == chosen[0].id:
        _print_clause(chosen[0])
    else:
        _print_clauses(chosen)
    if holes and chosen:
        raise click.exceptions.Exit(ExitCode.VIOLATION)


def _named(kept: Evidence, target: str | None) -> tuple[Clause, ...]:
    name = target.removesuffix(".*") if target else None
    chosen = tuple(clause for clause in kept.clauses if name in (None, clause.id, clause.area))
    if not chosen:
        known = [*(area.name for area in register.AREAS), *(clause.id for clause in kept.clauses)]
        known += [saboteur.name for _, saboteur in _broken(kept)]
        raise click.UsageError(f"There is no clause, area or saboteur {target!r}.{near(name or '', known)}")
    return chosen


def _broken(kept: Evidence) -> Iterator[tuple[Clause, Saboteur]]:
    """Yield every saboteur with the clause that it breaks."""
    return ((clause, saboteur) for clause in kept.clauses for saboteur in clause.saboteurs)


def _print_areas(clauses: Sequence[Clause]) -> None:
    rows: list[Sequence[str | int]] = []
    for area in register.AREAS:
        within = [clause for clause in clauses if clause.area == area.name]
        rows.append((area.name, len(within), *_counted(within)))
    rows.append(("in all", len(clauses), *_counted(clauses)))
    _print_table(("area", "clauses", *(name for name, _ in COLUMNS)), rows, 1)
    click.echo("\n" + fill(_summary(clauses), width()))


def _print_clauses(clauses: Sequence[Clause]) -> None:
    rows: list[Sequence[str | int]] = [
        (clause.id, str(clause.subject), *_counted([clause])) for clause in clauses
    ]
    _print_table(("clause", "shown", *(name for name, _ in COLUMNS)), rows, 2)
    click.echo("\n" + fill(_summary(clauses), width()))


def _counted(clauses: Sequence[Clause]) -> list[int]:
    return [sum(count(clause) for clause in clauses) for _, count in COLUMNS]


def _print_table(headings: Sequence[str], rows: Sequence[Sequence[str | int]], words: int) -> None:
    heading, *lines = table(headings, rows, words)
    click.secho(heading, bold=True)
    for line in lines:
        click.echo(line)


def _summary(clauses: Sequence[Clause]) -> str:
    lacking = sum(bool(clause.holes) for clause in clauses)
    if not lacking:
        return "There is no hole. `schedule-spec evidence CLAUSE` shows what stands behind one clause."
    noun = "clause has a hole" if lacking == 1 else "clauses have holes"
    return f"{lacking} {noun}: `schedule-spec evidence --holes` names them."


def _print_holes(clauses: Sequence[Clause]) -> None:
    for clause in clauses:
        for hole in clause.holes:
            click.echo(f"{clause.id}: {hole}")
    if not clauses:
        click.echo("There is no hole.")


def _print_clause(clause: Clause) -> None:
    _print_heading(clause.id, clause.sentence)
    _rows("Shown", [f"as {clause.subject}", *([clause.reason] if clause.reason else [])])
    _rows("Source", clause.sources)
    _rows("Decided here", [clause.decided] if clause.decided else [])
    _rows("Law", _law(clause))
    _rows("Checks", [f"{each.id}, {each.cases} cases" for each in clause.checks])
    _rows("Situations", [f"{each.name}, {each.times} times" for each in clause.situations])
    _rows(
        "Vectors",
        [f"{each.origin}: {each.accepted} accepted, {each.refused} refused" for each in clause.vectors],
    )
    _rows("Traces", clause.traces)
    _rows("Strongest", _strongest(clause.proofs))
    _rows(
        "Proofs",
        [f"{each.id}: {each.verdict} by {each.tool}, {each.scope}" for each in clause.proofs] or ["none"],
    )
    _rows("Saboteurs", _saboteurs(clause))
    _rows("Holes", [str(hole) for hole in clause.holes] or ["none"])
    _print_commands(
        ("Its frozen cases", f"schedule-spec vectors {clause.id}", bool(clause.vectors or clause.traces)),
        ("Run its proofs, in a checkout", f"schedule-spec prove --only {clause.id}", bool(clause.proofs)),
    )


def _print_heading(name: str, sentence: str) -> None:
    click.secho(name, bold=True)
    click.echo()
    click.echo(fill(sentence, width(), initial_indent="  ", subsequent_indent="  ") + "\n")


def _strongest(proofs: Sequence[Proof]) -> list[str]:
    """Return a line with the strongest of the verdicts and how many come to it; none without proofs."""
    if not proofs:
        return []
    strongest = min((each.verdict for each in proofs), key=STRENGTHS.index)
    tools = [each.tool for each in proofs if each.verdict == strongest]
    share = f", {len(tools)} of {len(proofs)} proofs" if len(proofs) > 1 else ""
    return [f"{strongest} by {' and '.join(dict.fromkeys(tools))}{share}"]


def _law(clause: Clause) -> Iterator[str]:
    yield from (line for contract in clause.contracts for line in _contract(contract))
    yield from (f"definition {place}" for place in clause.definitions)
    yield from (f"transition {place}" for place in clause.transitions)


def _contract(contract: Contract) -> Iterator[str]:
    yield f"{contract.kind} of {contract.place}: {contract.words}"
    yield f"  evaluated {contract.evaluated} times in the measured run, and true each time"
    if contract.mutant is not None:
        yield f"  false in {contract.mutant.case} where, in {contract.mutant.place}, {contract.mutant.change}"


def _saboteurs(clause: Clause) -> Iterator[str]:
    for each in clause.saboteurs:
        yield f"{each.name}: {each.about}"
        if each.caught is None:
            yield "  not caught"
        else:
            yield f"  caught by {each.caught.check}, under {each.caught.reported}"


def _print_saboteur(clause: Clause, saboteur: Saboteur) -> None:
    _print_heading(saboteur.name, saboteur.about)
    _rows("Breaks", [f"{clause.id}: {clause.sentence}"])
    catch = saboteur.caught
    _rows("Caught", [f"by {catch.check}, under {catch.reported}" if catch else "not caught"])
    case = catch.check.partition("/")[2] if catch and catch.check.startswith(FROZEN) else None
    _print_commands(
        ("What stands behind the clause", f"schedule-spec evidence {clause.id}", True),
        ("The case that catches it", f"schedule-spec vectors {case}", case is not None),
        (
            "Try all checks on it, in a checkout",
            f"python -m tests.saboteurs.matrix --only {saboteur.name}",
            True,
        ),
    )


def _print_commands(*hints: tuple[str, str, bool]) -> None:
    """Print what to call next: for each hint what it is for, the command, and whether there is something."""
    lines = [f"{what}: {call}" for what, call, there in hints if there]
    if lines:
        click.echo("\n" + "\n".join(lines))


def _rows(label: str, lines: Iterator[str] | Sequence[str]) -> None:
    """Print lines beside their label, nothing where there are none; a line's own indent is kept."""
    for place, line in enumerate(lines):
        click.secho(f"  {label if place == 0 else '':{LABEL}}", dim=True, nl=False)
        margin = " " * (DETAIL + len(line) - len(line.lstrip()))
        told = fill(line.strip(), width(), initial_indent=margin, subsequent_indent=margin + "  ")
        click.echo(told[DETAIL:])
