"""What only a run shows: which checks try which clause, that contracts can fail, and what catches saboteurs.

Deterministic for a state of this checkout: a seed, budgets of cases and of processor time, no clock.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from signal import ITIMER_VIRTUAL, SIGVTALRM, setitimer, signal
from sys import setprofile
from types import CodeType, FrameType

from tests.saboteurs import ALL
from tests.saboteurs.model import Saboteur
from tools.evidence.contracts import Watched, watched
from tools.evidence.mutants import Change, by_hand, called, changes, forget, functions, mentions, place_of

from schedule_conformance.adapters.smoke import CannotJudgeError
from schedule_conformance.evidence import Catch, Mutant
from schedule_conformance.frozen import vectors
from schedule_conformance.law import law_adapter
from schedule_conformance.law.rulings import rule
from schedule_conformance.protocol.systems import InProcess
from schedule_conformance.runs import running
from schedule_conformance.runs.budgets import BUDGETS, DEFAULT_SEED
from schedule_conformance.runs.docket import Docket, docket
from schedule_conformance.runs.results import FROZEN, Result
from schedule_conformance.worlds import recorded, traces
from schedule_spec import forks, gregorian
from schedule_spec.gregorian import Date
from schedule_spec.json_text import Json
from schedule_spec.profiles import Profile
from schedule_spec.register.statements import Kind, Statement

BUDGET = BUDGETS["quick"]
CASES = 30
"""How many frozen cases that reach a contract are tried on a mutant, at most; as many that do not."""
SECONDS = 1.5
"""How much of the processor's time a mutant may take for all its cases; one that loops takes all of it."""

Say = Callable[[str], object]
"""Is told how far the measuring has come."""


@dataclass(slots=True)
class Measurements:
    """What was measured.

    `checks` counts, by clause and check, the cases of the generated checks that put the clause to the test;
    `situations` counts what random worlds came through. `contracts` holds, for each contract of the law, how
    often it was evaluated, and the mutant under which it fails; `caught` what caught a saboteur, by its name.
    """

    checks: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    situations: Counter[str] = field(default_factory=Counter)
    contracts: dict[Statement, tuple[int, Mutant | None]] = field(default_factory=dict)
    caught: dict[str, Catch] = field(default_factory=dict)


@dataclass(slots=True)
class _Run:
    """What a run over the law shows beside: the frozen cases that reach each contract."""

    reaching: dict[Statement, list[str]] = field(default_factory=lambda: defaultdict(list))


def measure(say: Say) -> Measurements:
    """Measure everything; AssertionError where the law breaks one of its own contracts, or a clause."""
    found = Measurements()
    measure_the_law(found, say)
    for saboteur in ALL:
        say(f"what catches {saboteur.name}")
        catch = caught(saboteur)
        if catch is not None:
            found.caught[saboteur.name] = catch
    return found


def measure_the_law(found: Measurements, say: Say) -> None:
    """Measure what checks and worlds come to in the law, and its contracts."""
    run = _Run()
    with watched() as contracts:
        for level in Profile:
            say(f"the law at level {level}")
            _try_the_law(level, contracts, found, run)
        _call_the_law(contracts, run)
        evaluated = {each.statement: each.evaluated for each in contracts}
        for each in contracts:
            say(f"mutants under which {each.statement.place} breaks {each.statement.clause}")
            mutant = _mutant(each, frozenset(run.reaching[each.statement]))
            found.contracts[each.statement] = evaluated[each.statement], mutant


# --- the law, tried as a system ---


def _try_the_law(level: Profile, contracts: Sequence[Watched], found: Measurements, run: _Run) -> None:
    system = InProcess("law", law_adapter.adapter(level))
    listed = docket(system, BUDGET, DEFAULT_SEED)
    for check in listed.checks:
        before = _tried(listed), [each.evaluated for each in contracts]
        result = check.run()
        assert not result.counts.failed, f"the law fails {check.id}"
        reached = [each for each, seen in zip(contracts, before[1], strict=True) if each.evaluated > seen]
        if check.kind in FROZEN:
            for each in reached:
                run.reaching[each.statement].append(check.id)
        else:
            for clause, times in (_tried(listed) - before[0]).items():
                found.checks[clause][check.id] += times
    if listed.attempt:
        found.situations += listed.attempt.sightings.counts
    broken = [each.statement.place for each in contracts if each.false]
    assert not broken, f"the law breaks its own contracts at {', '.join(broken)}"


def _call_the_law(contracts: Sequence[Watched], run: _Run) -> None:
    """Call what no command reaches."""
    for call in CALLS:
        before = [each.evaluated for each in contracts]
        _ask(call)
        for each, seen in zip(contracts, before, strict=True):
            if each.evaluated > seen:
                run.reaching[each.statement].append(call)
    broken = [each.statement.place for each in contracts if each.false]
    assert not broken, f"the law breaks its own contracts at {', '.join(broken)}"


def _tried(listed: Docket) -> Counter[str]:
    """Return how many cases put each clause to the test so far."""
    single = Counter({clause: tally.executed for clause, tally in listed.trial.counts.items()})
    return single + (listed.attempt.tried() if listed.attempt else Counter())


# --- contracts under mutants ---


def _mutant(contract: Watched, reaching: frozenset[str]) -> Mutant | None:
    """Return the first mutant under which a contract fails in a frozen case; `reaching` are those it sees."""
    for change, traced in _attempts(contract):
        ran = [
            case for case in _running().get(change.function.code, ()) if case.startswith("trace/") is traced
        ]
        seen = [case for case in ran if case in reaching]
        unseen = [case for case in ran if case not in reaching]
        case = _fails_in(contract, change, (*_spread(seen), *_spread(unseen)))
        if case is not None:
            return Mutant(change.function.place, change.told, case)
    return None


def _attempts(contract: Watched) -> Iterator[tuple[Change, bool]]:
    """Yield what to try: changes, each with whether in traces, which take long, or in all other cases."""
    by_place = {each.place: each for each in functions()}
    for hand in BY_HAND:
        if hand.contract == f"{contract.statement.place}/{contract.statement.clause}":
            change = by_hand(by_place[hand.place], hand.before, hand.after)
            yield from ((change, False), (change, True))
    for traced in (False, True):
        yield from ((change, traced) for change in _candidates(contract))


def _spread(cases: Sequence[str]) -> Sequence[str]:
    return cases[:: len(cases) // CASES + 1]


def _candidates(contract: Watched) -> Iterator[Change]:
    """Yield changes that may break a contract, the likeliest first, but for changes of what it is made of.

    A postcondition guards its function and what that calls; a precondition is broken by a caller.
    """
    own = next(each for each in functions() if each.place == contract.statement.place)
    callers = [each for each in functions() if own.place in each.mentions]
    beside = [each for each in functions() if each.module == own.module]
    below = (own, *called(own.mentions))
    near = (*callers, *below) if contract.statement.kind is Kind.PRECONDITION else (*below, *callers)
    condition = frozenset(called(mentions(contract.condition) | {place_of(contract.condition)}))
    for function in dict.fromkeys((*near, *beside)):
        if function is own or function not in condition:
            yield from changes(function)


@dataclass(frozen=True, slots=True)
class ByHand:
    """A change for a contract, `FUNCTION/CLAUSE`, that no small one breaks: a piece of a function's text."""

    contract: str
    place: str
    before: str
    after: str


BY_HAND = (
    ByHand(
        "schedule_spec.fold.apply/record.immutable",
        "schedule_spec.fold._dispatch_every",
        "replace(record, scheduled_at=advance.next_target)",
        "replace(record, every_seconds=record.every_seconds + 1, scheduled_at=advance.next_target)",
    ),
    ByHand(
        "schedule_spec.due.decide/due.wait",
        "schedule_spec.due.decide",
        "default=None",
        "default=now",
    ),
    ByHand(
        "schedule_spec.framing.one_shot/frame.one-shot",
        "schedule_spec.framing.text_of",
        "batch(decision.reminders)",
        "one_shot(decision.reminders[0].record)",
    ),
    ByHand(
        "schedule_spec.framing.batch/frame.batch",
        "schedule_spec.framing.text_of",
        "batch(decision.reminders)",
        "batch(decision.reminders[1:])",
    ),
    ByHand(
        "schedule_spec.local_time.gap_around/local.gap-rejected",
        "schedule_spec.local_time.gap_around",
        "_transitions_near(zone, wall_ms) if transition.at + transition.before <= wall_ms < "
        "transition.at + transition.after",
        "transitions_between(zone, 0, wall_ms)",
    ),
    ByHand(
        "schedule_spec.zones.zone/zone.names",
        "schedule_spec.absolute.parse_local_form",
        "zones.zone(name)",
        "zones.zone(zone)",
    ),
    ByHand(
        "schedule_spec.zones.offset_at/zone.release",
        "schedule_spec.zones.offset_at",
        "onset.offset for onset",
        "onset.at for onset",
    ),
    ByHand(
        "schedule_spec.forks.fork/fork.history",
        "schedule_spec.forks.fork",
        "parent[:at]",
        "parent[at:]",
    ),
    ByHand(
        "schedule_spec.gregorian.next_day/instant.canonical",
        "schedule_spec.gregorian.is_date",
        "1 <= date.day",
        "1 < date.day",
    ),
)
"""Where one operator is not enough: another field is meant, any filter finds the right one in all data, or a
change shows in few cases alone."""


@cache
def _running() -> Mapping[CodeType, Sequence[str]]:
    """Return in which frozen cases each code of the law runs."""
    found: defaultdict[CodeType, list[str]] = defaultdict(list)
    for case in (*CALLS, *(f"vector/{id}" for id in _VECTORS), *(f"trace/{id}" for id in _TRACES)):
        for code in _executed(case):
            found[code].append(case)
    return found


def _executed(case: str) -> frozenset[CodeType]:
    seen: set[CodeType] = set()

    def enter(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    setprofile(enter)
    try:
        _ask(case)
    finally:
        setprofile(None)
    return frozenset(seen) & _codes()


@cache
def _codes() -> frozenset[CodeType]:
    return frozenset(each.code for each in functions())


def _fails_in(contract: Watched, change: Change, cases: Sequence[str]) -> str | None:
    """Return the first of the cases in which a contract is false under a change of the law."""
    contract.false = 0
    with change.in_place(), _limited(SECONDS):
        for case in cases:
            with suppress(Exception):
                _ask(case)
            if contract.false:
                return case
    return None


class _TooLongError(BaseException):
    """The time of a mutant is up; no `Exception`, so that the law does not take it for one of its own."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """End what takes more of the processor's time."""

    def up(signal: int, frame: FrameType | None) -> None:
        raise _TooLongError

    previous = signal(SIGVTALRM, up)
    setitimer(ITIMER_VIRTUAL, seconds, seconds)
    try:
        yield
    except _TooLongError:
        pass
    finally:
        setitimer(ITIMER_VIRTUAL, 0)
        signal(SIGVTALRM, previous)


def _ask(case: str) -> None:
    """Let the law answer a frozen case."""
    kind, _, id = case.partition("/")
    match kind:
        case "vector":
            vector = _VECTORS[id]
            rule({"seq": 1, **vector.request}, vector.profile)
        case "trace":
            recorded.rejudged(_TRACES[id])
        case _:
            CALLS[case]()


# --- what no command reaches ---


def _logs() -> Iterator[tuple[list[Json], Json]]:
    """Yield the logs of frozen cases, each with the boundary that it names."""
    for vector in _VECTORS.values():
        if vector.request["cmd"] == "fold" and isinstance(vector.request["events"], list):
            yield vector.request["events"], vector.request.get("seedLength", 0)


def _fork_anew() -> None:
    """Fork each log where it was forked."""
    for events, seed_length in _logs():
        at = forks.boundary(events, seed_length)
        if isinstance(at, int):
            forks.fork(events, at)


def _turn_the_calendar() -> None:
    """Go through the days around a leap year."""
    date = Date(2027, 12, 1)
    while date.year < 2029:
        date = gregorian.next_day(date)


CALLS: Mapping[str, Callable[[], None]] = {
    "call/schedule_spec.forks.fork": _fork_anew,
    "call/schedule_spec.gregorian.next_day": _turn_the_calendar,
}
"""How to call the functions of the law with a contract that no frozen case reaches, or none can break."""


# --- saboteurs ---


def caught(saboteur: Saboteur) -> Catch | None:
    """Return the first check that fails under a clause that the saboteur may be reported under.

    Frozen cases of the clause itself are asked first, then those of the other clauses, then everything.
    """

    def told(result: Result) -> str | None:
        return next((met.clause for met in result.met if met.clause in saboteur.clauses), None)

    forget()
    for clauses in (frozenset((saboteur.breaks,)), saboteur.clauses):
        checks = _naming(clauses)
        if checks:
            catch = _first(saboteur, checks, told)
            if catch is not None:
                return catch
    return _first(saboteur, frozenset(), told)


def _naming(clauses: frozenset[str]) -> frozenset[str]:
    """Return the checks of the frozen cases that name one of these clauses."""
    kept = (("vector", _VECTORS.values()), ("trace", _TRACES.values()))
    return frozenset(
        f"{kind}/{each.id}" for kind, cases in kept for each in cases if clauses & {*each.clauses}
    )


def _first(saboteur: Saboteur, checks: frozenset[str], told: Callable[[Result], str | None]) -> Catch | None:
    """Return the first of the checks, all where none are named, in which the saboteur is caught."""
    try:
        report = running.run(
            saboteur.system(), BUDGET, checks=checks, enough=lambda result: told(result) is not None
        )
    except CannotJudgeError:
        return None
    reported = told(report.results[-1]) if report.results else None
    return Catch(report.results[-1].check, reported) if reported else None


_VECTORS = {vector.id: vector for vector in vectors.vectors()}
_TRACES = {trace.id: trace for trace in traces.frozen()}
