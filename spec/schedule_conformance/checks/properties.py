"""Properties: generated requests of each pure command, held against the law, and shrunk where they fail."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import Phase, given, seed
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from schedule_conformance.checks.trials import BrokenClauseError, Trial
from schedule_conformance.generators import advances, creations, logs, showings, texts, values
from schedule_conformance.generators.steady import FOUND_AS_IT_IS, quiet_settings, seed_of
from schedule_conformance.judgement.cases import Failure
from schedule_conformance.judgement.judging import unsteady
from schedule_conformance.judgement.narrowing import concerned
from schedule_conformance.law.rulings import Granted, rule
from schedule_spec.instants import parse, render
from schedule_spec.profiles import Profile


@dataclass(frozen=True, slots=True)
class Property:
    """A named property: what generates its input, how the trial holds it, and its share of the examples."""

    name: str
    feature: str
    inputs: st.SearchStrategy[Any]
    hold: Callable[[Trial, Any], None]
    share: float
    phases: tuple[Phase, ...] = (Phase.generate, Phase.shrink)

    @property
    def id(self) -> str:
        """The id of the check that the property is."""
        return f"property/{re.sub('[^a-z]+', '-', self.name.lower())}"


def _hold_request(trial: Trial, request: dict[str, Any]) -> None:
    trial.hold(trial.case(request))


def _hold_change(trial: Trial, change: Any) -> None:
    trial.hold(trial.case({"cmd": "decode", "change": change}))


def _hold_text(trial: Trial, text: str) -> None:
    trial.hold(trial.case({"cmd": "decode", "json": text}))


def _hold_tower(trial: Trial, tower: texts.Tower) -> None:
    _hold_text(trial, tower.text())


def _hold_path(trial: Trial, pair: tuple[dict[str, Any], int, int]) -> None:
    """Dispatch at two times in turn, and at the later alone: both must leave the same target."""
    record, first, last = pair
    trial.hold(trial.case({"cmd": "advance", "record": record, "acceptedAt": last}))
    after_first = rule({"cmd": "advance", "record": record, "acceptedAt": first}, trial.profile)
    following = after_first.result.get("nextScheduledAt") if isinstance(after_first, Granted) else None
    target = parse(following) if isinstance(following, str) else None
    if target is None or last < target:
        return
    request = {"cmd": "advance", "record": {**record, "scheduledAt": render(target)}, "acceptedAt": last}
    case = trial.case(request)
    trial.hold(replace(case, clauses=(*case.clauses, "rate.path-independent")))


def properties(surrogates: bool, profile: Profile = Profile.V1) -> tuple[Property, ...]:
    """Return all properties of a protocol level; `surrogates` says whether strings may hold unpaired ones."""
    batches = (Property("frame: batches", "frame", showings.batch_requests(surrogates), _hold_request, 0.3),)
    return (
        Property("decode: valid changes", "decode", values.changes(surrogates), _hold_change, 0.5),
        Property("decode: nearly valid changes", "decode", values.near_changes(), _hold_change, 2.0),
        Property("decode: hostile values", "decode", values.hostile_changes(surrogates), _hold_change, 0.5),
        Property("decode: JSON text", "decode", texts.change_texts(surrogates), _hold_text, 1.5),
        Property("decode: deep JSON text", "decode", texts.deep(), _hold_tower, 0.03, FOUND_AS_IT_IS),
        Property("fold: logs", "fold", logs.folds(), _hold_request, 1.0),
        Property("advance: one dispatch", "rate", advances.advances(), _hold_request, 1.5),
        Property("advance: two dispatches", "rate", advances.pairs_of_advances(), _hold_path, 0.3),
        Property("create: delays and intervals", "create", creations.numbered(), _hold_request, 1.0),
        Property("create: strings", "create", creations.strings(), _hold_request, 2.0),
        Property("create: wall times", "create", creations.wall_times(), _hold_request, 2.0),
        Property("create: zone names", "create", creations.named_zones(), _hold_request, 1.0),
        Property("create: prompts", "create", creations.prompted(surrogates), _hold_request, 0.7),
        Property("create: selectors", "create", creations.selected(), _hold_request, 0.4),
        Property("create: JSON text", "create", creations.in_text(), _hold_request, 0.5),
        Property("view", "view", showings.views(profile, surrogates), _hold_request, 0.5),
        Property("due", "due", showings.due_requests(profile), _hold_request, 1.0),
        Property("frame: one-shots", "frame", showings.framings(profile, surrogates), _hold_request, 0.4),
        *(batches if profile is Profile.V1 else ()),
    )


FEWEST = 3
"""Examples that even the smallest run tries of each property."""


def run(trial: Trial, prop: Property, examples: int, base_seed: int) -> None:
    """Try the system with generated input; each clause that breaks is recorded with its smallest case.

    Nothing is generated where a narrowed trial would ask none of it.
    """
    number, tries = seed_of(prop.name, base_seed), max(FEWEST, round(examples * prop.share))

    def explore(phases: tuple[Phase, ...]) -> None:
        @seed(number)
        @quiet_settings(tries, phases)
        @given(prop.inputs)
        def property_holds(drawn: Any) -> None:
            prop.hold(trial, drawn)

        property_holds()

    with trial.check(prop.id, generated=True):
        if not concerned(trial.only, prop.feature):
            return
        explore(FOUND_AS_IT_IS)
        if trial.shrinkable and Phase.shrink in prop.phases:
            with trial.shrinking():
                _record_shrunk(trial, lambda: explore(prop.phases))


def _record_shrunk(trial: Trial, explore: Callable[[], None]) -> None:
    """Explore, and record what was found: shrunk failures, or that one request is answered in two ways."""
    try:
        explore()
    except BrokenClauseError as found:
        trial.record(found.failure)
    except Flaky:
        trial.record(_unsteady(trial))
    except ExceptionGroup as several:
        for failure in _failures(several):
            trial.record(failure)


def _failures(group: BaseExceptionGroup[Any]) -> Iterator[Failure]:
    for inner in group.exceptions:
        if isinstance(inner, BaseExceptionGroup):
            yield from _failures(inner)
        elif isinstance(inner, BrokenClauseError):
            yield inner.failure
        else:
            raise inner


def _unsteady(trial: Trial) -> Failure:
    seen = trial.first_raised
    if seen is None:
        raise AssertionError("a property failed and no case did")
    return replace(seen, verdict=unsteady(seen.case.request, seen.verdict))
