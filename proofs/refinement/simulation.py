"""The simulation: from related states, law and implementation answer any event alike and stay related."""

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from proofs.exhaustive.sequences import copied
from proofs.outcomes import Counterexample, Counts
from proofs.refinement.relation import Stepper, abstracts, difference, stepped
from schedule_conformance.generators.logs import bad_events, next_events
from schedule_impl.fold import ScheduleState
from schedule_spec import fold
from schedule_spec.fold import EMPTY, State
from schedule_spec.json_text import Json
from schedule_spec.rejections import Rejection

EXAMPLES = 400
"""How many logs are tried."""
LONGEST = 30
"""The most events of a log."""


def _simulated(stepper: Stepper, examples: int) -> Counts:
    counts: Counter[str] = Counter(logs=0, accepted=0, refused=0)
    if abstracts(ScheduleState()) != EMPTY:
        raise Counterexample("the states before the first event are not related")

    @seed(20_270_115)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        counts["logs"] += 1
        law, implementation = EMPTY, ScheduleState()
        for _ in range(data.draw(st.integers(1, LONGEST))):
            law = _step(law, implementation, data.draw(_events(law)), stepper, counts)

    run()
    return dict(counts)


def _events(state: State) -> st.SearchStrategy[Any]:
    return st.one_of(next_events(state), next_events(state), bad_events(state))


def _step(
    law: State, implementation: ScheduleState, event: Json, stepper: Stepper, counts: Counter[str]
) -> State:
    problem = difference(implementation, law, event, stepper)
    if problem is not None:
        raise Counterexample(f"{problem}, after {event}")
    following = fold.step(law, event)
    counts["refused" if isinstance(following, Rejection) else "accepted"] += 1
    return law if isinstance(following, Rejection) else following


def the_implementation_simulates_the_law() -> Counts:
    """The implementation's steps, over random logs in which sound and bad events alternate."""
    return _simulated(stepped, EXAMPLES)


def _ending_before_it_refuses(state: ScheduleState, event: Json) -> bool:
    """Lose a record when a dispatch of it is refused: the state is changed before the change is judged."""
    before = copied(state)
    if stepped(state, event):
        return True
    named = event.get("data") if isinstance(event, dict) else None
    id = named.get("id") if isinstance(named, dict) else None
    if isinstance(id, str) and before.record(id) is not None:
        stepped(state, {"type": fold.EVENT_TYPE, "data": {"version": 1, "operation": "delete", "id": id}})
    return False


def a_fold_that_changes_before_it_refuses() -> Counts:
    """The same of an implementation that is half changed by what it refuses."""
    return _simulated(_ending_before_it_refuses, EXAMPLES)
