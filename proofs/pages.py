"""The page of the documentation that says, clause by clause, what is proved: written from the ledger."""

from collections.abc import Iterator

from proofs.coverage import clauses, shown
from proofs.ledger import STRENGTH, Ledger, Obligation, Tool

TOLD = {
    Tool.Z3: "Z3",
    Tool.CROSSHAIR: "CrossHair",
    Tool.EXHAUSTIVE: "trying every case",
    Tool.HYPOTHESIS: "Hypothesis",
}
"""How the page names the tools."""

OPENING = """\
# What is proved

<!-- Written by `schedule-spec prove --page`; the tests compare. -->

The conformance suite tries an implementation; what follows is shown of the law itself and of the bundled
implementation, not tried. `schedule-spec prove` runs every obligation anew from a checkout and holds the
verdict against the ledger in `proofs/`. Four verdicts are never mixed up:

| verdict | tool | it means |
|---|---|---|
| `proved` | Z3 | for all integers, whatever their size, or all within the bounds that are stated |
| `confirmed` | CrossHair | on every path of the code, for all values within the bounds that are stated |
| `exhausted` | a program | every case up to the bound, or each that is listed, was tried, and no more |
| `searched` | Hypothesis, CrossHair | a search found no counterexample: evidence, and no proof |

Each obligation has a control, a twin that is broken on purpose; the same tool must refute it, or the
obligation fails. So does a weaker verdict than the ledger has, another count of what was tried, a
precondition that nothing meets, and a contract of the law that no obligation lists. Verdicts are read from
the tools' interfaces.

What CrossHair confirms is about symbols: integers and short strings that are not listed, but stand for all
within the bounds; where a shape or an operation is chosen as well, each choice is one path. What runs on
listed values alone is tried by a plain loop over all their combinations, and `exhausted` is said of it.

## Running them

    schedule-spec prove --fast        # the `fast` obligations: a minute or two
    schedule-spec prove               # also the `full` ones, as `make prove` does: about five minutes
    schedule-spec prove --deep        # also the two `deep` ones: two or three minutes more
    schedule-spec prove --only fold   # those of an area, or of a clause
    schedule-spec prove advance_keeps_all_its_contracts    # one, by its id, which stands under each below
    schedule-spec prove --deep --list # the ids of all

That is what they took on two idle cores; a busy machine, or another, takes longer, and no verdict depends on
it. A line comes as each obligation is done, the longest begin first, so that the first line may take a
minute. The run ends with 0 where all are met, with 1 where one is not or the ledger has a hole; it says why,
and which command runs again what failed.

## How the proofs are tied to the code

The Z3 theorems call the law's and the implementation's own Python functions, and the law's own contracts,
with integers that stand for all; they are no models written beside the code, but for two lemmas on figures
and parts of instants that are compared. `proofs/paths.py` follows each path that the code can take and asks
the solver at each branch. What Z3 is told beyond the code is what division is, and one lemma on products,
which is an obligation of its own.

Four conclusions are drawn by hand from what is shown:

- that no sequence of dispatches leaves the anchor: the step is proved (`every_dispatch_keeps_the_anchor`),
  the base is the record as it was created;
- that a day's number and its date are right: each next day is shown to be the next number, from the epoch on;
- that an instant's text reads back as the instant: the numbers that are written are shown to mean it, and all
  numbers that stand in a text are shown to be read as what they mean;
- that texts are in the order of the times: figures of one width, the days of a year, years, and the parts of
  an instant are each shown to be in order.

Texts are beyond Z3: how an instant is written and read is proved with numbers in the places of figures, on
the assumption that Python pads numbers with zeros and finds them again. That nothing is read but figures
between marks is shown by CrossHair for symbolic texts; all days and all times of day are tried besides. How
long a month is no theorem about the law can tell: on all days its dates are held to Python's `datetime`.

In the live law's spaces every step that the clauses permit is followed, in every order, and not only what
an implementation would do; a crash may come at any moment. That every due record is dispatched at last is
shown under strong fairness: a step that is possible again and again is taken at last. What is lost, early or
repeated is read from the logs alone, and not from the law; the order of a delivery is read from the phases
that the law goes through. A law that permits too much elsewhere would be noticed by the counts alone.

The implementation is not walked through these spaces, for its process cannot be set back. It is led along
every path of a few inputs from the same records, and the live law judges what it does.

## What is taken for granted

- CPython, and the standard library's `re`, `dataclasses`, `datetime` and `json`; icontract, and msgspec for
  the implementation.
- Z3 and CrossHair, in the releases that the lock file pins; the program `proofs/paths.py`.
- The `tzdata` package as the tz database's release, and the law's reader of TZif files: proofs about local
  time are about tables of transitions, or about that release.
- That values of one class are treated alike, where an obligation says that it tries classes: of ids, which
  are opaque, and of those members of changes and arguments of creations that are listed.
- That the clauses say what is meant. No proof can show that.
"""
CLAUSE_BY_CLAUSE = """\

## Clause by clause

What of a clause is shown, and within which bounds, the obligations say that stand with it, the strongest
first. Where a clause says more than they do, what is left out is told.
"""
NOT_SHOWN = """\

## What is not shown

Clauses without an obligation here are held by the vectors, properties and machines of the suite alone:

"""


def page(ledger: Ledger) -> str:
    """Return the page in Markdown."""
    return "".join((OPENING, *_table(ledger), *_exemptions(ledger), *_missing(ledger), *_obligations(ledger)))


def _by_strength(obligations: list[Obligation]) -> list[Obligation]:
    return sorted(obligations, key=lambda each: -STRENGTH[each.verdict])


def _of(ledger: Ledger, clause: str) -> list[Obligation]:
    return _by_strength([each for each in ledger.obligations if clause in each.clauses])


def _table(ledger: Ledger) -> Iterator[str]:
    yield CLAUSE_BY_CLAUSE
    parts = {part.clause: part.without for part in ledger.parts}
    area = ""
    for clause in clauses():
        found = _of(ledger, clause)
        if found and clause.partition(".")[0] != area:
            area = clause.partition(".")[0]
            yield f"\n### {area}\n\n"
        if found:
            yield f"- `{clause}`\n"
        for verdict in dict.fromkeys(each.verdict for each in found):
            names = (
                f"[{each.sentence}](#{each.id.replace('_', '-')})"
                for each in found
                if each.verdict is verdict
            )
            yield f"  - {verdict}: {'; '.join(names)}\n"
        if clause in parts:
            yield f"  - **left out**: {parts[clause]}\n"


def _exemptions(ledger: Ledger) -> Iterator[str]:
    exempt = (*ledger.exempt, *ledger.outside)
    if exempt:
        yield "\n## Exceptions\n\n"
    for each in exempt:
        yield f"- `{each.subject}`: {each.reason}\n"


def _missing(ledger: Ledger) -> Iterator[str]:
    yield NOT_SHOWN
    for area in dict.fromkeys(clause.partition(".")[0] for clause in clauses()):
        missing = [
            clause for clause in clauses() if clause.startswith(f"{area}.") and not _of(ledger, clause)
        ]
        if missing:
            yield f"- {area}: {', '.join(f'`{clause}`' for clause in missing)}\n"
    searched = [
        clause for clause in clauses() if (found := _of(ledger, clause)) and not any(map(shown, found))
    ]
    if searched:
        yield f"\nOnly searched: {', '.join(f'`{clause}`' for clause in searched)}.\n"


def _obligations(ledger: Ledger) -> Iterator[str]:
    yield "\n## The obligations\n"
    for each in ledger.obligations:
        yield f"\n### {each.sentence}\n\n"
        yield f"`{each.verdict}` by {TOLD[each.tool]}: {each.scope}.\n\n"
        yield f"- {each.speed}: `{each.id}`\n"
        yield f"- clauses: {', '.join(f'`{clause}`' for clause in each.clauses)}\n"
        yield f"- target `{each.target}`, control `{each.control}`\n"
        if each.contracts:
            yield f"- contracts of the law: {', '.join(f'`{contract}`' for contract in each.contracts)}\n"
        if each.assumes:
            yield f"- assumes: {each.assumes}\n"
        if each.reason:
            yield f"- why not more: {each.reason}\n"
        if each.counts and all(number for _, number in each.counts):
            yield f"- counted: {', '.join(f'{number:,} {name}' for name, number in each.counts)}\n"
