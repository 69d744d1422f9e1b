"""The page of the documentation that says, clause by clause, what is proved: written from the ledger."""

from collections.abc import Iterator

from proofs.coverage import clauses, shown
from proofs.ledger import STRENGTH, Ledger, Obligation

OPENING = """\
# What is proved

<!-- Written by `schedule-spec prove --page`; the tests compare. -->

The conformance suite tries an implementation; what follows is shown of the law itself and of the bundled
implementation, not tried. `schedule-spec prove` runs every obligation anew from a checkout and holds the
verdict against the ledger in `proofs/`. Four verdicts are never mixed up:

| verdict | tool | it means |
|---|---|---|
| `proved` | Z3 | for all integers, whatever their size |
| `confirmed` | CrossHair | on every path of the code, for all values within the bounds that are stated |
| `exhausted` | a program | every case up to the bound was tried |
| `searched` | Hypothesis, CrossHair | a search found no counterexample: evidence, and no proof |

Each obligation has a control, a twin that is broken on purpose; the same tool must refute it, or the
obligation fails. So does a weaker verdict than the ledger has, a precondition that nothing meets, and a
contract of the law that no obligation lists. Verdicts are read from the tools' interfaces.

## How the proofs are tied to the code

The Z3 theorems are no models written beside the code: they call the law's and the implementation's own
Python functions, and the law's own contracts, with integers that stand for all. `proofs/paths.py` follows
each path that the code can take and asks the solver at each branch. What Z3 is told beyond the code is one
lemma on products, which is an obligation of its own. The induction over dispatches
(`every_dispatch_keeps_the_anchor`) is by hand: its step is proved, its base is the record as it was
created.

Texts are beyond that: how an instant is written is proved with numbers in the places of digits, on the
assumption that Python pads numbers with zeros; how one is read is shown by CrossHair for symbolic texts,
and by trying all days and all times of day.

In the live law's spaces every step that the clauses permit is followed, in every order, and not only what
an implementation would do; a crash may come at any moment. That every due record is dispatched at last is
shown under strong fairness: a step that is possible again and again is taken at last. A law that permits
too much would not be noticed there; that the properties are read from the logs alone, and not from the law,
is the guard against it.

## What is taken for granted

- CPython, and the standard library's `re`, `dataclasses` and `json`; icontract, and msgspec for the
  implementation.
- Z3 and CrossHair, in the releases that the lock file pins; the program `proofs/paths.py`.
- The `tzdata` package as the tz database's release, and the law's reader of TZif files: proofs about local
  time are about tables of transitions, or about that release.
- That the clauses say what is meant. No proof can show that.
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
    yield "\n## Clause by clause\n\n| clause | the strongest verdict | obligations |\n|---|---|---|\n"
    for clause in clauses():
        found = _of(ledger, clause)
        if found:
            names = ", ".join(f"[{each.sentence}](#{each.id.replace('_', '-')})" for each in found)
            yield f"| `{clause}` | `{found[0].verdict}` | {names} |\n"


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
        yield f"`{each.verdict}` by {each.tool}: {each.scope}.\n\n"
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
