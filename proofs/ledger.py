"""The ledger: each obligation with its clauses, its target, the verdict that is expected and its control.

The ledger files are read strictly, as one: an unknown member or value is a `LedgerError`, which names the
place.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILES = (HERE / "ledger.toml", HERE / "symbolic" / "ledger.toml")


class LedgerError(Exception):
    """The ledger is not as it should be; the message says where."""


class Verdict(StrEnum):
    """What running an obligation, or its control, came to."""

    PROVED = "proved"
    """Z3: for all integers."""
    CONFIRMED = "confirmed"
    """CrossHair: on all paths within the bounds."""
    EXHAUSTED = "exhausted"
    """Every case up to the bound was tried."""
    SEARCHED = "searched"
    """No counterexample was found."""
    REFUTED = "refuted"
    """A counterexample was found."""
    VACUOUS = "vacuous"
    """Nothing was shown, since nothing meets what is assumed."""
    UNDECIDED = "undecided"
    """The solver does not know."""
    LATE = "late"
    """The time was up."""
    BROKEN = "broken"
    """The obligation itself does not run."""


STRENGTH = {Verdict.SEARCHED: 1, Verdict.EXHAUSTED: 2, Verdict.CONFIRMED: 2, Verdict.PROVED: 3}
"""How much a verdict says; the others say nothing."""


class Tool(StrEnum):
    """What runs an obligation."""

    Z3 = "z3"
    CROSSHAIR = "crosshair"
    EXHAUSTIVE = "exhaustive"
    HYPOTHESIS = "hypothesis"


EXPECTED = {
    Tool.Z3: (Verdict.PROVED,),
    Tool.CROSSHAIR: (Verdict.CONFIRMED, Verdict.SEARCHED),
    Tool.EXHAUSTIVE: (Verdict.EXHAUSTED,),
    Tool.HYPOTHESIS: (Verdict.SEARCHED,),
}
"""The verdicts that each tool can come to."""


class Speed(StrEnum):
    """The least run that an obligation belongs to."""

    FAST = "fast"
    FULL = "full"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Obligation:
    """Something to be shown. `id` is a sentence as a name, `target` and `control` are dotted names.

    `scope` says for what it is shown: the bounds, or the budget. `contracts` are those of the law that it
    stands for, `FUNCTION/CLAUSE` or `FUNCTION/*`. `counts`, where given, are what exactly is counted on the
    way. Times are seconds.
    """

    id: str
    clauses: tuple[str, ...]
    tool: Tool
    target: str
    control: str
    verdict: Verdict
    scope: str
    speed: Speed
    seconds: int
    control_seconds: int
    contracts: tuple[str, ...] = ()
    assumes: str = ""
    witness: str = ""
    reason: str = ""
    counts: tuple[tuple[str, int], ...] = ()

    @property
    def sentence(self) -> str:
        """The id as a sentence."""
        words = self.id.replace("_", " ")
        return words[0].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class Exemption:
    """A clause, or a contract of the law, for which nothing stronger is shown, and why."""

    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Part:
    """A clause of which the obligations show a part, and what they leave out."""

    clause: str
    without: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """All obligations, the clauses that have no strong one, the contracts that none lists, and the parts."""

    obligations: tuple[Obligation, ...]
    exempt: tuple[Exemption, ...] = ()
    outside: tuple[Exemption, ...] = ()
    parts: tuple[Part, ...] = ()


def read(files: tuple[Path, ...] = FILES) -> Ledger:
    """Return the ledger that the files hold together; `LedgerError` where they are not as they should be."""
    tables = [(file, _table(file)) for file in files if file.exists()]
    ledger = Ledger(
        tuple(_obligation(entry, file) for file, entry in _entries(tables, "obligation")),
        tuple(_exemption(entry, "clause", file) for file, entry in _entries(tables, "exempt")),
        tuple(_exemption(entry, "contract", file) for file, entry in _entries(tables, "outside")),
        tuple(_part(entry, file) for file, entry in _entries(tables, "part")),
    )
    ids = [obligation.id for obligation in ledger.obligations]
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        raise LedgerError(f"the ids {', '.join(twice)} stand there twice")
    return ledger


def _table(file: Path) -> Mapping[str, Any]:
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise LedgerError(f"{file.name} is no TOML: {problem}") from problem
    unknown = sorted(set(table) - {"obligation", "exempt", "outside", "part"})
    if unknown:
        raise LedgerError(f"{file.name} has the unknown tables {', '.join(unknown)}")
    return table


def _entries(
    tables: list[tuple[Path, Mapping[str, Any]]], name: str
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for file, table in tables:
        for entry in table.get(name, ()):
            yield file, entry


_ID = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
_REQUIRED = {
    "id": str,
    "clauses": list,
    "tool": str,
    "target": str,
    "control": str,
    "verdict": str,
    "scope": str,
    "speed": str,
    "seconds": int,
}
_OPTIONAL = {
    "control_seconds": int,
    "contracts": list,
    "assumes": str,
    "witness": str,
    "reason": str,
    "counts": dict,
}


def _obligation(entry: Mapping[str, Any], file: Path) -> Obligation:
    place = f"{file.name}, {entry.get('id', 'an obligation without id')}"
    members = _REQUIRED | _OPTIONAL
    missing = sorted(set(_REQUIRED) - set(entry))
    unknown = sorted(set(entry) - set(members))
    wrong = sorted(name for name in entry if name in members and type(entry[name]) is not members[name])
    for problem, names in (("lacks", missing), ("has the unknown", unknown), ("has an ill-typed", wrong)):
        if names:
            raise LedgerError(f"{place}: it {problem} {', '.join(names)}")
    try:
        tool, speed, verdict = Tool(entry["tool"]), Speed(entry["speed"]), Verdict(entry["verdict"])
    except ValueError as problem:
        raise LedgerError(f"{place}: {problem}") from None
    if verdict not in EXPECTED[tool]:
        raise LedgerError(f"{place}: {tool} never comes to {verdict}")
    if tool is Tool.CROSSHAIR and verdict is Verdict.SEARCHED and not entry.get("reason"):
        raise LedgerError(f"{place}: it is only searched, and gives no reason")
    if not _ID.fullmatch(entry["id"]) or not entry["clauses"] or not entry["control"] or not entry["scope"]:
        raise LedgerError(f"{place}: id, clauses, control and scope must say something")
    return Obligation(
        entry["id"],
        tuple(entry["clauses"]),
        tool,
        entry["target"],
        entry["control"],
        verdict,
        entry["scope"],
        speed,
        entry["seconds"],
        entry.get("control_seconds", entry["seconds"]),
        tuple(entry.get("contracts", ())),
        entry.get("assumes", ""),
        entry.get("witness", ""),
        entry.get("reason", ""),
        tuple(sorted(entry.get("counts", {}).items())),
    )


def _exemption(entry: Mapping[str, Any], subject: str, file: Path) -> Exemption:
    return Exemption(*_words(entry, (subject, "reason"), f"{file.name}: an exemption"))


def _part(entry: Mapping[str, Any], file: Path) -> Part:
    return Part(*_words(entry, ("clause", "without"), f"{file.name}: a part"))


def _words(entry: Mapping[str, Any], names: tuple[str, str], what: str) -> tuple[str, ...]:
    if set(entry) != set(names) or not all(isinstance(each, str) and each for each in entry.values()):
        raise LedgerError(f"{what} holds exactly {' and '.join(names)}, both strings")
    return tuple(entry[name] for name in names)
