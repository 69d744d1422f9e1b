"""What the reference did in the sample scenarios is allowed; damaged in one normative way it is not."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.spec.live.traces import ALL, MANDATORY
from tests.world_traces import Exchange, Scenario, scenarios

from schedule_spec import instants
from schedule_spec.delivery import States, Terms, Violation, after_exchange, initial
from schedule_spec.rejections import Code

Json = Any
SCENARIOS = {scenario.id: scenario for scenario in scenarios()}
AT_CODES = ("invalid_rule", "invalid_time_zone")


def judged(states: States, exchanges: tuple[Exchange, ...]) -> States | Violation:
    following: States | Violation = states
    for exchange in exchanges:
        if isinstance(following, Violation):
            return following
        following = after_exchange(following, exchange.request, exchange.reply)
    return following


@pytest.mark.parametrize("observes", [ALL, MANDATORY], ids=["all", "mandatory"])
@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_the_reference_is_allowed(scenario: Scenario, observes: tuple[str, ...]) -> None:
    exchanges = tuple(
        replace(each, observed=tuple(seen for seen in each.observed if set(observes) & set(seen)))
        for each in scenario.exchanges
    )
    assert isinstance(judged(initial(Terms(observes=observes)), exchanges), States)


@dataclass(frozen=True, slots=True)
class Damage:
    """A damaged exchange: what was done to which kind of observation, and what came of it."""

    what: str
    kind: str
    observation: Json
    exchange: Exchange
    neighbour: Json = None


def kind_of(observation: Json) -> str:
    return next(kind for kind in ALL if kind in observation)


def rearranged(exchange: Exchange) -> Iterator[Damage]:
    """Drop, double, move each observation, or shift its time."""
    seen = list(exchange.observed)
    for place, each in enumerate(seen):
        before, rest, kind = seen[:place], seen[place + 1 :], kind_of(each)

        def damaged(what: str, observed: list[Json], neighbour: Json = None, each: Json = each) -> Damage:
            return Damage(what, kind_of(each), each, replace(exchange, observed=tuple(observed)), neighbour)

        yield damaged("dropped", before + rest)
        yield damaged("doubled", [*before, each, each, *rest])
        if rest and (kind != kind_of(rest[0])):
            yield damaged("moved", [*before, rest[0], each, *rest[1:]], rest[0])
        yield damaged("early", [*before, each | {"at": each["at"] - 1}, *rest])
        yield damaged("late", [*before, each | {"at": each["at"] + 1}, *rest])


def altered(exchange: Exchange) -> Iterator[Damage]:
    """Change one value in each observation, in every way that counts for its kind."""
    seen = list(exchange.observed)
    for place, each in enumerate(seen):
        kind = kind_of(each)
        for what, other in variants(kind, each[kind]):
            observed = (*seen[:place], each | {kind: other}, *seen[place + 1 :])
            yield Damage(what, kind, each, replace(exchange, observed=observed))


def variants(kind: str, value: Json) -> Iterator[tuple[str, Json]]:
    match kind:
        case "barrier":
            yield "outcome", "ok" if value != "ok" else "fail"
        case "claim":
            yield "result", "ok" if value != "ok" else "busy"
        case "followup":
            yield from texts(value)
        case "append":
            for what, data in shifted(value["data"]):
                yield what, value | {"data": data}
            yield "type", value | {"type": "schedule/receipt"}
        case "answer":
            for what, other in answers(value["value"]):
                yield what, value | {"value": other}
            yield "call", value | {"callId": "nobody"}


def texts(text: str) -> Iterator[tuple[str, str]]:
    yield "cut", text[:-1]
    yield "header", text.replace("untrusted", "trusted", 1)
    yield "occurrence", moved_instant(text)
    if text.count('"schedule_id"') > 1:
        head, objects = text.split("reminders_json: [")
        first, rest = objects[:-1].split("},", 1)
        yield "order", f"{head}reminders_json: [{rest},{first}}}]"
        yield "missing", f"{head}reminders_json: [{first}}}]"


def moved_instant(text: str) -> str:
    """The text with the first occurrence in it one ms earlier."""
    for start in range(len(text) - 24):
        ms = instants.parse(text[start : start + 24])
        if ms is not None:
            return text[:start] + instants.render(ms - 1) + text[start + 24 :]
    raise AssertionError(text)


def shifted(data: Json) -> Iterator[tuple[str, Json]]:
    if data["operation"] == "create":
        schedule = data["schedule"]
        target = instants.parse(schedule["scheduledAt"])
        assert target is not None
        yield "target", data | {"schedule": schedule | {"scheduledAt": instants.render(target - 1)}}
        yield "prompt", data | {"schedule": schedule | {"prompt": schedule["prompt"] + "!"}}
        yield "padded", data | {"schedule": schedule | {"prompt": schedule["prompt"] + " "}}
        yield "extra", data | {"schedule": schedule | {"time_zone": "UTC"}}
        return
    yield "id", data | {"id": data["id"] + "x"}
    if "acceptedAt" in data:
        accepted = instants.parse(data["acceptedAt"])
        assert accepted is not None
        yield "acceptedAt", data | {"acceptedAt": instants.render(accepted - 1)}
        yield "shape", {key: member for key, member in data.items() if key != "acceptedAt"}
    if data["operation"] == "dispatch":
        yield "operation", {"version": 1, "operation": "delete", "id": data["id"]}


def answers(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        yield "extra", [*value, {"id": "ghost"}]
        if value:
            yield "missing", value[1:]
            yield "state", [flipped(value[0]), *value[1:]]
        if len(value) > 1:
            yield "order", value[::-1]
        return
    if "kind" in value:
        yield "state", flipped(value)
        yield "id", value | {"id": value["id"] + "x"}
        yield "case", {("scheduled_at" if key == "scheduledAt" else key): m for key, m in value.items()}
    elif "deleted" in value:
        yield "deleted", value | {"deleted": not value["deleted"]}
        yield "id", value | {"id": value["id"] + "x"}
    else:
        yield "foreign code", value | {"code": "backend_down"}
        for code in Code:
            if code != value["code"]:
                yield "code", value | {"code": str(code)}
        yield "field", value | {"retry": True}
    yield "extra", value | {"note": 1}


def flipped(view: Json) -> Json:
    return view | {"state": "overdue" if view["state"] == "scheduled" else "scheduled"}


SEVERAL = {
    "err-selector+prompt": {"invalid_selector", "invalid_prompt"},
    "err-prompt+after": {"invalid_prompt", "invalid_rule"},
    "err-range-before-not-future": {"time_out_of_range", "not_future"},
}
"""Scenarios with an input to which several codes of one stage apply."""


def permission(scenario: str, damage: Damage) -> str | None:  # noqa: PLR0911 - one reason each
    """The reason why a damaged exchange may be allowed all the same; None where it must be refused."""
    kinds = {damage.kind, kind_of(damage.neighbour) if damage.neighbour else damage.kind}
    pair = [damage.observation, damage.neighbour or damage.observation]
    answered: Json = next((each["answer"] for each in damage.exchange.observed if "answer" in each), {})
    value = answered.get("value")
    code = value.get("code") if isinstance(value, dict) else None
    if damage.what == "code" and code in SEVERAL.get(scenario, ()):
        return "of several codes that apply any may be answered"
    if damage.kind == "barrier" and damage.what == "doubled":
        return "further barriers are free"
    if any(each.get("claim") == "busy" for each in pair) and damage.what != "result":
        return "a claim that is refused may be made at any time while the agent is busy, or not at all"
    if "at" in damage.exchange.request.get("arguments", {}) and code in AT_CODES:
        return "what `at` shows by itself may be judged before or after the barrier, by any code that applies"
    if damage.kind == "barrier" and damage.what == "early":
        return "a barrier before the instant at which a busy agent's work comes due is a further one"
    if damage.kind == "barrier" and any(each.get("claim") == "busy" for each in damage.exchange.observed):
        return "while the agent is busy due work needs no barrier"
    if kinds == {"answer", "claim"}:
        return "a call that is through may be answered after due work of the same instant has begun"
    if damage.kind == "append" and code == "persistence_uncertain" and damage.what == "dropped":
        return "a delete may fail at a further barrier before its append: the id is known anyway"
    return None


EXAMPLES = (
    "err-prompt+after",
    "create-at-local-half-hour-dst",
    "barrier-due-batch",
    "clock-forward-while-busy",
    "walk-all-21",
)
"""Scenarios that show all reasons at work."""

STAGES: dict[str, set[str]] = {
    "followup": {
        "deliver.at-least-once",
        "deliver.enqueue-before-dispatch",
        "deliver.parked",
        "deliver.sequence",
        "due.batch",
        "due.one-shot-first",
        "deliver.no-loss",
        "frame.batch",
        "frame.one-shot",
        "frame.whole",
        "owner.idle-only",
        "owner.never-early",
        "owner.recheck",
        "owner.session-local",
    },
    "append": {
        "barrier.after-append",
        "barrier.uncertain",
        "change.dispatch-one-shot",
        "deliver.append-failure-faults",
        "deliver.enqueue-before-dispatch",
        "deliver.no-receipt",
        "deliver.parked",
        "deliver.sequence",
        "due.batch",
        "due.one-decision-time",
        "fold.shape-match",
        "record.after",
        "record.at",
        "record.every",
        "text.prompt",
        "tool.create-prompt",
        "tool.create-result",
        "tool.delete-active",
    },
    "answer": {
        "after.rule",
        "every.minimum",
        "tool.create-prompt",
        "tool.create-selector",
        "tool.shape-first",
        "barrier.after-append",
        "barrier.before-read",
        "barrier.uncertain",
        "tool.corrupt",
        "tool.create-result",
        "tool.delete-active",
        "tool.delete-unknown",
        "tool.error-sound",
        "tool.errors-closed",
        "tool.internal-error",
        "tool.list",
    },
    "barrier": {
        "barrier.after-append",
        "barrier.before-read",
        "barrier.uncertain",
        "deliver.sequence",
        "deliver.no-loss",
        "owner.activity-retry",
        "owner.idle-only",
    },
    "claim": {"deliver.no-loss", "deliver.sequence", "owner.idle-only"},
    "release": {"deliver.parked", "deliver.sequence", "owner.idle-only"},
}
"""For each kind of observation the clauses under which a damage to it may be reported."""


def states_before(scenario: Scenario) -> list[States]:
    """The situations before each exchange, and at the end."""
    states = [initial(Terms())]
    for exchange in scenario.exchanges:
        following = after_exchange(states[-1], exchange.request, exchange.reply)
        assert isinstance(following, States)
        states.append(following)
    return states


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
@pytest.mark.parametrize("how", [rearranged, altered], ids=["rearranged", "altered"])
def test_a_damaged_scenario_is_refused(scenario: Scenario, how: Any) -> None:
    states = states_before(scenario)
    for place, exchange in enumerate(scenario.exchanges):
        for damage in how(exchange):
            rest = scenario.exchanges[place + 1 :]
            found = judged(states[place], (damage.exchange, *rest))
            reason = permission(scenario.id, damage)
            told = f"{damage.kind} {damage.what} in exchange {place}: {damage.observation}"
            if isinstance(found, Violation):
                assert found.clause in STAGES[damage.kind], f"{told}: {found}"
            else:
                assert reason is not None, f"{told} was allowed"


def test_every_reason_to_allow_a_damage_is_needed() -> None:
    allowed = set()
    for scenario in map(SCENARIOS.__getitem__, EXAMPLES):
        states = states_before(scenario)
        for place, exchange in enumerate(scenario.exchanges):
            for damage in (*rearranged(exchange), *altered(exchange)):
                reason = permission(scenario.id, damage)
                rest = scenario.exchanges[place + 1 :]
                if reason and isinstance(judged(states[place], (damage.exchange, *rest)), States):
                    allowed.add(reason)
    assert len(allowed) == 8
