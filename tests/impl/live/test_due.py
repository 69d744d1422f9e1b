"""The agenda against a naive reading of the clauses, over random lives of a session."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_impl.adapter import handle
from schedule_impl.changes import After, At, Change, Create, Delete, Dispatch, Every
from schedule_impl.due import Agenda, BatchDue, OneShotDue, Wait
from schedule_impl.errors import ScheduleError
from schedule_impl.instants import MAXIMUM, MINIMUM, to_ms, to_text

NOON = 1_785_931_200_000
STEP = 150_000

STEPS = st.lists(
    st.tuples(st.sampled_from(["at", "after", "every", "delete", "dispatch"]), st.integers(0, 7)), max_size=30
)


def taken(steps: list[tuple[str, int]]) -> list[Change]:
    """Those of the steps that a sound log can hold, as changes 90 s apart."""
    agenda = Agenda()
    changes = []
    for place, (step, number) in enumerate(steps):
        now = NOON + place * 90_000
        target = to_text(NOON + number * STEP)
        name = f"r{number}"
        change: Any = {
            "at": Create(1, At(f"r{place}", "p", target)),
            "after": Create(1, After(f"r{place}", "p", 60, target)),
            "every": Create(1, Every(f"r{place}", "p", 300 + number, target)),
            "delete": Delete(1, name),
            "dispatch": Dispatch(1, name, to_text(now))
            if isinstance(agenda.record(name), Every)
            else Dispatch(1, name),
        }[step]
        try:
            agenda.apply(change)
        except ScheduleError:
            continue
        changes.append(change)
    return changes


def play(steps: list[tuple[str, int]]) -> Agenda:
    """A session in which those steps were taken."""
    agenda = Agenda()
    for change in taken(steps):
        agenda.apply(change)
    return agenda


@given(steps=STEPS, loaded=st.integers(0, 30))
def test_a_log_that_is_loaded_and_goes_on_decides_as_one_that_was_lived(
    steps: list[tuple[str, int]], loaded: int
) -> None:
    changes = taken(steps)
    agenda = Agenda()
    agenda.load([None, *changes[:loaded]])
    for change in changes[loaded:]:
        agenda.apply(change)
    lived = play(steps)
    assert agenda.active() == lived.active()
    for now in range(NOON - STEP, NOON + 12 * STEP, STEP):
        assert agenda.decide(now) == lived.decide(now)


def test_a_log_that_does_not_fold_does_not_load() -> None:
    create = Create(1, At("a", "p", to_text(NOON)))
    with pytest.raises(ScheduleError, match="created before"):
        Agenda().load([create, None, create])


def naive(agenda: Agenda, now: int) -> Any:
    """The decision, by looking at every record."""
    records = agenda.active()
    due = [record for record in records if to_ms(record.scheduledAt) <= now]
    one_shots = [record for record in due if not isinstance(record, Every)]
    if one_shots:
        return min(one_shots, key=lambda record: record.scheduledAt).id
    everies = sorted(due, key=lambda record: record.scheduledAt)
    if everies and MINIMUM <= now <= MAXIMUM:
        return [record.id for record in everies]
    later = [to_ms(record.scheduledAt) for record in records if to_ms(record.scheduledAt) > now]
    return ("until", min(later, default=None))


@given(steps=STEPS, now=st.integers(-1, 40).map(lambda n: NOON + n * STEP // 2))
def test_the_agenda_decides_what_a_look_at_every_record_decides(
    steps: list[tuple[str, int]], now: int
) -> None:
    agenda = play(steps)
    match agenda.decide(now):
        case OneShotDue(reminder):
            assert reminder.id == naive(agenda, now)
        case BatchDue(accepted, reminders):
            assert accepted == now
            assert [reminder.id for reminder in reminders] == naive(agenda, now)
            for reminder in reminders:
                record = next(record for record in agenda.active() if record.id == reminder.id)
                assert isinstance(record, Every)
                interval = record.everySeconds * 1000
                assert now - interval < reminder.occurrence <= now
                assert (reminder.occurrence - to_ms(record.scheduledAt)) % interval == 0
        case Wait(until):
            assert ("until", until) == naive(agenda, now)


@given(steps=STEPS)
def test_a_decision_changes_nothing(steps: list[tuple[str, int]]) -> None:
    agenda, untouched = play(steps), play(steps)
    for now in (NOON + 10 * STEP, NOON, MAXIMUM + 1):
        agenda.decide(now)
    assert agenda.active() == untouched.active()
    assert agenda.decide(NOON + STEP) == untouched.decide(NOON + STEP)


@pytest.mark.parametrize("now", [MAXIMUM + 1, 2**53 - 1])
def test_a_clock_beyond_the_range_decides_one_shots_as_ever_and_no_batch(now: int) -> None:
    agenda = Agenda()
    agenda.apply(Create(1, Every("e", "p", 300, to_text(NOON))))
    assert agenda.decide(now) == Wait(None)
    agenda.apply(Create(1, At("a", "p", to_text(NOON + 1))))
    assert isinstance(agenda.decide(now), OneShotDue)


def test_records_that_came_and_went_leave_nothing_behind() -> None:
    agenda = Agenda()
    for number in range(5000):
        agenda.apply(Create(1, At(f"r{number}", "p", "9999-01-01T00:00:00.000Z")))
        agenda.apply(Delete(1, f"r{number}"))
    agenda.apply(Create(1, At("last", "p", "9999-01-01T00:00:00.000Z")))
    assert len(agenda._one_shots) < 200
    assert agenda.decide(NOON) == Wait(to_ms("9999-01-01T00:00:00.000Z"))


LATE = "9999-01-01T00:00:00.000Z"


def test_a_heap_is_built_anew_beyond_64_entries_and_two_for_each_record() -> None:
    agenda = Agenda()
    for number in range(3):
        agenda.apply(Create(1, At(f"kept-{number}", "p", LATE)))
    lengths = []
    for number in range(80):
        agenda.apply(Create(1, At(f"r{number}", "p", LATE)))
        lengths.append(len(agenda._one_shots))
        agenda.apply(Delete(1, f"r{number}"))
    # Four records are there at each create: more than 8 + 64 entries are too many, and four are left of them.
    assert lengths == [*range(4, 74), *range(4, 14)]


def test_entries_that_are_all_of_use_are_never_sorted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Agenda, "_is_current", lambda agenda, entry: pytest.fail("nothing is out of date"))
    agenda = Agenda()
    for number in range(200):
        agenda.apply(Create(1, At(f"r{number}", "p", LATE)))
    assert len(agenda._one_shots) == 200


def test_a_heap_that_was_built_anew_is_in_order() -> None:
    agenda = Agenda()
    for number in range(40, 0, -1):
        agenda.apply(Create(1, At(f"r{number}", "p", to_text(NOON + number))))
    for number in range(108):
        agenda.apply(Create(1, At(f"late-{number}", "p", LATE)))
        agenda.apply(Delete(1, f"late-{number}"))
    assert len(agenda._one_shots) == 41
    for number in range(1, 41):
        assert agenda.decide(NOON) == Wait(NOON + number)
        agenda.apply(Delete(1, f"r{number}"))
    assert agenda.decide(NOON) == Wait(None)


def test_a_batch_is_found_wherever_the_due_ones_stand_in_the_heap() -> None:
    agenda = Agenda()
    for target in (0, 900, 1, 901, 902, 2, 3):
        agenda.apply(Create(1, Every(f"r{target}", "p", 300, to_text(NOON + target))))
    decision = agenda.decide(NOON + 3)
    assert isinstance(decision, BatchDue)
    assert [reminder.id for reminder in decision.reminders] == ["r0", "r1", "r2", "r3"]


def test_the_first_id_of_all_ends_in_1() -> None:
    assert Agenda().fresh_id() == "schedule-1"


def test_everies_that_were_loaded_are_in_order_however_the_log_has_them() -> None:
    agenda = Agenda()
    agenda.load([Create(1, Every(f"r{target}", "p", 300, to_text(NOON + target))) for target in (3, 2, 1)])
    assert agenda.decide(NOON) == Wait(NOON + 1)
    decision = agenda.decide(NOON + 2)
    assert isinstance(decision, BatchDue)
    assert [reminder.id for reminder in decision.reminders] == ["r1", "r2"]


def test_an_every_that_was_dispatched_is_due_again_at_its_next_target_alone() -> None:
    agenda = Agenda()
    agenda.apply(Create(1, Every("e", "p", 300, to_text(NOON))))
    agenda.apply(Dispatch(1, "e", to_text(NOON + 1)))
    assert agenda.decide(NOON + 299_999) == Wait(NOON + 300_000)
    assert isinstance(agenda.decide(NOON + 300_000), BatchDue)


def test_a_wait_is_for_the_earlier_of_a_one_shot_and_an_every() -> None:
    agenda = Agenda()
    agenda.apply(Create(1, Every("e", "p", 300, to_text(NOON + 5))))
    agenda.apply(Create(1, At("a", "p", to_text(NOON + 3))))
    assert agenda.decide(NOON) == Wait(NOON + 3)
    agenda.apply(Dispatch(1, "a"))
    assert agenda.decide(NOON) == Wait(NOON + 5)


def test_the_last_moment_of_the_range_decides_a_batch() -> None:
    agenda = Agenda()
    agenda.apply(Create(1, Every("e", "p", 300, "9999-12-31T23:59:59.999Z")))
    assert isinstance(agenda.decide(253_402_300_799_999), BatchDue)
    assert agenda.decide(253_402_300_800_000) == Wait(None)


def test_ids_of_others_are_never_allocated_again() -> None:
    agenda = Agenda()
    for name in ("schedule-1", "schedule-3"):
        agenda.apply(Create(1, At(name, "p", to_text(NOON))))
    agenda.apply(Delete(1, "schedule-1"))
    taken = []
    for _ in range(3):
        taken.append(agenda.fresh_id())
        agenda.apply(Create(1, At(taken[-1], "p", to_text(NOON))))
    assert taken == ["schedule-2", "schedule-4", "schedule-5"]


def due(records: object, now: object) -> dict[str, Any]:
    return handle({"seq": 1, "cmd": "due", "records": records, "now": now})


def test_the_command_answers_in_the_protocols_words() -> None:
    one = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": to_text(NOON)}
    two = {"id": "e", "kind": "every", "prompt": "p", "everySeconds": 300, "scheduledAt": to_text(NOON)}
    assert due([two, one], NOON)["result"] == {"kind": "one-shot", "id": "a"}
    assert due([two], NOON + 600_001)["result"] == {
        "kind": "batch",
        "acceptedAt": "2026-08-05T12:10:00.001Z",
        "reminders": [{"id": "e", "occurrenceAt": "2026-08-05T12:10:00.000Z"}],
    }
    assert due([two], NOON - 1)["result"] == {"kind": "wait", "until": "2026-08-05T12:00:00.000Z"}
    assert due([], NOON)["result"] == {"kind": "wait"}
    assert due([one], float(NOON))["result"] == {"kind": "one-shot", "id": "a"}
    assert due([one], 0.5)["rejected"]["code"] == "time_out_of_range"
    assert due([one, one], NOON)["rejected"]["code"] == "corrupt_schedule_log"
