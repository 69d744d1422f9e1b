"""Due decisions over three active records, whatever their targets and the clock sample.

Clauses: due.*.
"""

from dataclasses import dataclass
from enum import Enum

from icontract import ensure, require

from proofs.symbolic.standing_in import with_numbers_for_texts, without_words
from proofs.symbolic.states import NAMES, PROMPT, implementation_change
from proofs.symbolic.twins import bare, keeps, under_contracts_of
from schedule_impl import due as implementation
from schedule_spec import due as law
from schedule_spec.changes import Create
from schedule_spec.due import Batch, Decision, OneShot, Reminder, Wait
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.records import LONGEST_INTERVAL, After, At, Every, Record

_decide = bare(law.decide)


class Kinds(Enum):
    """What three active records are, in creation order: `a` a one-shot, `e` an every."""

    AAA = "aaa"
    AAE = "aae"
    AEA = "aea"
    AEE = "aee"
    EAA = "eaa"
    EAE = "eae"
    EEA = "eea"
    EEE = "eee"


_INTERVALS = (300, 3600, LONGEST_INTERVAL)
"""The intervals of the three, in s, where they are everys; what an interval does is the subject of `rate`."""


def _in_range(*targets: int) -> bool:
    return all(EARLIEST <= target <= LATEST for target in targets)


def _records(kinds: Kinds, *targets: int) -> tuple[Record, ...]:
    """Return three active records with these targets in ms, in creation order.

    A one-shot in the middle is an after, one on either side an at.
    """
    return tuple(
        _one_shot(name, target) if kind == "a" else Every(name, PROMPT, seconds, target)
        for kind, name, seconds, target in zip(kinds.value, NAMES, _INTERVALS, targets, strict=True)
    )


def _one_shot(name: str, target: int) -> Record:
    return After(name, PROMPT, 1, target) if name == NAMES[1] else At(name, PROMPT, target)


@ensure(lambda result: result, "due.clock-range, due.wait: as the law states")
@require(lambda first, second, third: _in_range(first, second, third), "instant.range: targets in the range")
def decision_under_the_law(kinds: Kinds, first: int, second: int, third: int, now: int) -> bool:
    """Tell whether the decision about three records keeps the contracts of `schedule_spec.due.decide`."""
    records = _records(kinds, first, second, third)
    return keeps(law.decide, _decide(records, now), active=records, now=now)


@under_contracts_of(decision_under_the_law)
def decision_under_a_clock_beyond(kinds: Kinds, first: int, second: int, third: int, now: int) -> bool:
    """Broken: a batch is decided whatever the clock shows."""
    records = _records(kinds, first, second, third)
    decision = _decide(records, min(now, LATEST))
    if isinstance(decision, Batch):
        decision = Batch(now, decision.reminders)
    return keeps(law.decide, decision, active=records, now=now)


# -- what is decided, told from the records -----------------------------------------------------------------


def _in_order(records: list[Record]) -> list[Record]:
    """Return records that stand in creation order by target, then creation."""
    ordered: list[Record] = []
    for record in records:
        place = 0
        while place < len(ordered) and ordered[place].scheduled_at <= record.scheduled_at:
            place += 1
        ordered.insert(place, record)
    return ordered


def _is_right(decision: Decision, records: tuple[Record, ...], now: int) -> bool:
    """Tell whether a decision is what the clauses say."""
    due = _in_order([record for record in records if record.scheduled_at <= now])
    one_shots = [record for record in due if isinstance(record, At | After)]
    everys = [record for record in due if isinstance(record, Every)]
    if one_shots:
        return isinstance(decision, OneShot) and decision.record.id == one_shots[0].id
    if everys and EARLIEST <= now <= LATEST:
        return (
            isinstance(decision, Batch)
            and decision.accepted_at == now
            and [reminder.record.id for reminder in decision.reminders] == [record.id for record in everys]
            and all(_is_latest(one, now) for one in decision.reminders)
        )
    later = _in_order([record for record in records if record.scheduled_at > now])
    return isinstance(decision, Wait) and decision.until == (later[0].scheduled_at if later else None)


def _is_latest(reminder: Reminder, now: int) -> bool:
    """Tell whether a reminder's occurrence is the last of its record's that is not after the sample."""
    since = reminder.occurrence - reminder.record.scheduled_at
    return since % reminder.record.interval == 0 and 0 <= now - reminder.occurrence < reminder.record.interval


@ensure(
    lambda result, kinds, first, second, third, now: _is_right(
        result, _records(kinds, first, second, third), now
    ),
    "due.one-shot-first, due.batch, due.one-decision-time, due.wait: what is decided",
)
@require(lambda first, second, third: _in_range(first, second, third), "instant.range: targets in the range")
def decision_by_the_clauses(kinds: Kinds, first: int, second: int, third: int, now: int) -> Decision:
    """Return the law's decision about three records."""
    return _decide(_records(kinds, first, second, third), now)


@under_contracts_of(decision_by_the_clauses)
def decision_in_creation_order(kinds: Kinds, first: int, second: int, third: int, now: int) -> Decision:
    """Broken: a batch stands in creation order, whatever the targets are."""
    decision = _decide(_records(kinds, first, second, third), now)
    if isinstance(decision, Batch):
        return Batch(now, tuple(sorted(decision.reminders, key=lambda one: NAMES.index(one.record.id))))
    return decision


# -- law and implementation ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """A decision as both sides may be asked for it: ids with occurrences in order, or what is waited for."""

    kind: str
    reminders: tuple[tuple[str, int], ...]
    instant: int | None


def _shown(decision: Decision) -> Shown:
    match decision:
        case OneShot(record):
            return Shown("one-shot", ((record.id, record.scheduled_at),), None)
        case Batch(accepted_at, reminders):
            return Shown("batch", tuple((one.record.id, one.occurrence) for one in reminders), accepted_at)
        case Wait(until):
            return Shown("wait", (), until)


def _shown_by_implementation(decision: implementation.Decision) -> Shown:
    match decision:
        case implementation.OneShotDue(reminder):
            return Shown("one-shot", ((reminder.id, reminder.occurrence),), None)
        case implementation.BatchDue(accepted, reminders):
            return Shown("batch", tuple((one.id, one.occurrence) for one in reminders), accepted)
        case implementation.Wait(until):
            return Shown("wait", (), until)


@ensure(
    lambda result, kinds, first, second, third, now: (
        result == _shown(_decide(_records(kinds, first, second, third), now))
    ),
    "due.one-shot-first, due.batch, due.wait, due.clock-range: the implementation decides as the law",
)
@require(lambda first, second, third: _in_range(first, second, third), "instant.range: targets in the range")
def implementation_decides(kinds: Kinds, first: int, second: int, third: int, now: int) -> Shown:
    """Return the implementation's decision about three records that were created one after another."""
    with without_words(), with_numbers_for_texts():
        agenda = implementation.Agenda()
        for record in _records(kinds, first, second, third):
            agenda.apply(implementation_change(Create(record)))
        return _shown_by_implementation(agenda.decide(now))


@under_contracts_of(implementation_decides)
def implementation_decides_after_the_target(
    kinds: Kinds, first: int, second: int, third: int, now: int
) -> Shown:
    """Broken: what falls due at the very clock sample is left for later."""
    return _shown(_decide(_records(kinds, first, second, third), now - 1))
