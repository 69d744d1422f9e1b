"""What a log shows of delivery: no false alarm on logs of what the reference, or a law-abiding world, did.

Worlds with crashes, failing disks, jumping clocks and foreign writers become logs as the host writes them.
Each is damaged too, so that the silence means something.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from tests.host_logs import HostLog, host_logs
from tests.spec.live.test_machine import walk
from tests.world_traces import Exchange, Scenario, scenarios

from schedule_spec import fold, instants
from schedule_spec.delivery_log import judge
from schedule_spec.delivery_log.findings import Checked, Fault, Finding, Note, NotShown, Suspicion
from schedule_spec.fold import Refused

Json = Any
SCENARIOS = scenarios()
SEEDS = range(60)


def folding(log: HostLog) -> Sequence[tuple[int, Json]]:
    """The events of a session's own part that fold, with their positions."""
    folded = fold.fold(log.events, log.seed)
    stop = folded.position if isinstance(folded, Refused) else len(log.events)
    return [(position, log.events[position]) for position in range(log.seed, stop)] if stop >= 0 else []


def findings(events: Iterable[tuple[int, Json]]) -> Iterator[tuple[int, Finding]]:
    situation = judge.BEGIN
    last = 0
    for position, event in events:
        situation, found = judge.step(situation, event, position)
        yield from ((position, finding) for finding in found)
        last = position
    yield from ((last + 1, finding) for finding in judge.end(situation)[1])


def walked(seed: int) -> list[Exchange]:
    """The exchanges of a random walk of the law; a crash says how many events it really kept."""
    exchanges = []
    for states, request, reply in walk(seed, 60):
        if request["cmd"] == "crash":
            kept = len(states.of(request["session"])[0].log.events)
            exchanges.append(Exchange(request | {"keep": kept}))
        elif "result" in reply:
            exchanges.append(Exchange(request, tuple(reply["result"].get("observed", ()))))
    return exchanges


@pytest.mark.parametrize("lingering", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_no_log_of_the_reference_is_accused(scenario: Scenario, lingering: bool) -> None:
    for log in host_logs(scenario.exchanges, lingering=lingering).values():
        given = sum(event.get("time") is None for event in log.events)
        for position, finding in findings(folding(log)):
            assert not isinstance(finding, Fault)
            assert not isinstance(finding, Suspicion) or position < given


def test_no_log_of_a_law_abiding_world_is_accused_and_much_of_each_is_checked() -> None:
    said: Counter[object] = Counter()
    for seed in SEEDS:
        exchanges = walked(seed)
        for log in (*host_logs(exchanges).values(), *host_logs(exchanges, lingering=True).values()):
            for _, finding in findings(folding(log)):
                assert not isinstance(finding, Fault | Suspicion), (seed, finding)
                said[finding if isinstance(finding, Checked | NotShown) else Note] += 1

    assert said[Checked.DELIVERY] > 300
    assert said[Checked.ANSWER] > 1000
    assert said[Note] > 20
    assert said[NotShown.STATE] > 0
    assert said[Checked.ANSWER] > 20 * said[NotShown.BY_HOST]


def is_dispatched(events: Sequence[tuple[int, Json]], place: int) -> bool:
    """Tell whether a dispatch follows the event at a place at once."""
    return place < len(events) and events[place][1].get("data", {}).get("operation") == "dispatch"


def test_follow_up_that_is_lost_or_doubled_is_found_wherever_its_dispatch_follows() -> None:
    cases = 0
    for scenario in SCENARIOS:
        for log in host_logs(scenario.exchanges).values():
            events = list(folding(log))
            for place, (_, event) in enumerate(events):
                if event["type"] != "agent/inbox/spliced" or not is_dispatched(events, place + 1):
                    continue
                lost = [*events[:place], *events[place + 1 :]]
                doubled = [*events[:place], events[place], *events[place:]]
                for variant in (lost, doubled):
                    found = [finding for _, finding in findings(variant)]
                    assert any(isinstance(finding, Fault | Suspicion) for finding in found), scenario.id
                    cases += 1

    assert cases > 200


def one_shot_target(event: Json) -> int | None:
    """The target that a follow-up of a one-shot shows, None for other events."""
    if event["type"] != "agent/inbox/spliced":
        return None
    lines = event["data"]["inserted"][0]["content"][0]["text"].split("\n")
    return instants.parse(lines[3].removeprefix("occurrence_at: ")) if len(lines) == 5 else None


def test_one_shot_that_was_queued_a_millisecond_early_is_found_in_every_trace() -> None:
    cases = 0
    for scenario in SCENARIOS:
        for log in host_logs(scenario.exchanges).values():
            events = list(folding(log))
            for place, (position, event) in enumerate(events):
                target = one_shot_target(event)
                if target is None:
                    continue
                early = (position, event | {"time": target - 1})
                found = dict(findings([*events[:place], early]))[position]
                assert isinstance(found, Fault)
                assert found.clause == "owner.never-early"
                cases += 1

    assert cases > 30
