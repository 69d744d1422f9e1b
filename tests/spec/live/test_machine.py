"""The law at work: from every world it reaches it can go on, and what it does is allowed by itself.

Random walks over the enabled commands; the situations that they reach are counted, so that a walk that has
lost its way fails. Claims and releases are hidden in every other walk.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.spec.live.traces import (
    ALL,
    CLAIM,
    MANDATORY,
    NOON,
    OK,
    RELEASE,
    change,
    command,
    created,
    every,
    one,
    opened,
    reminder,
)
from tests.spec.live.traces import call as call_of
from tests.world_traces import Scenario, scenarios

from schedule_spec.delivery import States, Terms, after_exchange, initial
from schedule_spec.delivery.choices import Choice, enabled
from schedule_spec.delivery.machine import respond

Json = Any
CREATES = (
    {"after_seconds": 1},
    {"after_seconds": 300},
    {"every_seconds": 300},
    {"every_seconds": 301},
    {"at": "2026-08-05T12:10:00Z"},
    {"at": {"date": "2026-08-05", "time": "14:05:00", "time_zone": "Europe/Paris"}},
    {"at": "soon"},
    {"after_seconds": 0},
    {"every_seconds": 299},
    {"after_seconds": 9007199254740991},
)


def request(  # noqa: PLR0911, PLR0912 - one command each
    rng: random.Random, states: States, choice: Choice, number: int
) -> Json:
    """A request that a choice stands for."""
    base: Json = {"cmd": choice.command}
    if choice.session:
        base["session"] = choice.session
    match choice.command:
        case "advance_time":
            return base | {"ms": rng.choice([1, 999, 60_000, 300_000, 900_000])}
        case "set_clock":
            return base | {"now": NOON + rng.choice([-10_000_000, 0, 1_000_000, 10_000_000])}
        case "call":
            tool, arguments = call(rng)
            return base | {"callId": f"c{number}", "tool": f"schedule_{tool}", "arguments": arguments}
        case "abort":
            return base | {"callId": choice.call}
        case "busy":
            return base | {"on": rng.random() < 0.5}
        case "barrier":
            return base | {
                "outcomes": rng.choices(["ok", "ok", "fail", "missing", "hold"], k=rng.randint(0, 3))
            }
        case "release":
            return base | {"outcome": rng.choice(["ok", "fail", "missing"])}
        case "faults":
            append = {"skip": rng.randint(0, 1), "times": rng.randint(0, 2)}
            return base | {"followup": rng.choice(["ok", "ok", "fail"]), "append": append}
        case "append":
            return base | {"event": created(one(f"z{rng.randint(1, 9)}", 600))}
        case "crash":
            return base | {"keep": rng.randint(0, 8)}
        case "fork":
            at = rng.randint(0, len(states.of(choice.session)[0].log.events))
            return base | {"at": at, "as": f"fork-{number}"}
        case _:
            return base


def call(rng: random.Random) -> tuple[str, Json]:
    if rng.random() < 0.6:
        return "create", {"prompt": rng.choice(["x", "y", " "]), **rng.choice(CREATES)}
    return rng.choice([("list", {}), ("delete", {"id": f"r{rng.randint(1, 3)}"})])


WEIGHTS = {"call": 24, "advance_time": 24, "release": 12, "abort": 3, "busy": 6, "barrier": 8, "faults": 3}
"""How often a command is chosen; the others have the weight 2."""


def walk(seed: int, length: int) -> Iterator[tuple[States, Json, Json]]:
    """Yield the world after each request of a walk, the request and the reply."""
    rng = random.Random(seed)
    world = initial(Terms(observes=MANDATORY if seed % 2 else ALL))
    log = [one("a", 60), every("b", -100)][: rng.randint(0, 2)]
    world, reply = respond(world, first := opened(*log, turns=rng.choice(["none", "hold"])))
    yield world, first, reply
    for number in range(length):
        choices = [c for c in enabled(world) if c.command != "fork" or len(world.sessions) < 3]
        weights = [WEIGHTS.get(choice.command, 2) for choice in choices]
        asked = request(rng, world, rng.choices(choices, weights)[0], number)
        world, reply = respond(world, asked)
        yield world, asked, reply


def situations(states: States, request: Json, reply: Json) -> Iterator[str]:
    for _, possible in states.sessions:
        yield f"owner {possible[0].owner.mode.name.lower()}"
        if possible[0].held:
            yield f"held with {min(len(possible[0].calls), 3)} calls"
    yield f"at most {max(len(possible) for _, possible in states.sessions)} possible"
    for observation in reply.get("result", {}).get("observed", []):
        value = observation.get("answer", {}).get("value")
        if isinstance(value, dict) and "code" in value:
            yield value["code"]
        if "aborted" in observation.get("answer", {}):
            yield "aborted"
        if "followup" in observation:
            yield "batch of two" if observation["followup"].count('"schedule_id"') > 1 else "follow-up"
    if "rejected" in reply:
        yield "candidate refused"


FLOORS = {
    "follow-up": 200,
    "batch of two": 3,
    "aborted": 5,
    "candidate refused": 5,
    "held with 3 calls": 50,
    "owner halted": 100,
    "owner lulled": 20,
    "owner stopped": 100,
    "owner disposed": 500,
    "invalid_prompt": 200,
    "invalid_rule": 50,
    "frequency_too_high": 40,
    "time_out_of_range": 30,
    "not_future": 40,
    "persistence_uncertain": 100,
    "internal_error": 20,
    "schedule_not_found": 100,
}
"""How often each situation is reached at least."""


def test_what_the_law_does_is_allowed_wherever_it_comes() -> None:
    reached: Counter[str] = Counter()
    for seed in range(200):
        judged = initial(Terms(observes=MANDATORY if seed % 2 else ALL))
        for world, asked, reply in walk(seed, 40):
            following = after_exchange(judged, asked, reply)
            assert isinstance(following, States), (seed, asked, reply, following)
            judged = following
            assert {name for name, _ in world.sessions} == {name for name, _ in judged.sessions}
            reached.update(situations(judged, asked, reply))
    assert {name: reached[name] for name, floor in FLOORS.items() if reached[name] < floor} == {}
    assert max(int(name.split()[2]) for name in reached if name.startswith("at most")) <= 12


def normative(reply: Json) -> list[Json]:
    """What both are bound to do alike, session by session."""
    kinds = {"followup", "append", "answer"}
    seen = [without_message(each) for each in reply["result"]["observed"] if kinds & set(each)]
    return sorted(seen, key=lambda each: str(each["session"]))


def without_message(observation: Json) -> Json:
    answer = observation.get("answer", {})
    value = answer.get("value")
    if not isinstance(value, dict):
        return observation
    bare = {name: member for name, member in value.items() if name != "message"}
    return observation | {"answer": answer | {"value": bare}}


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.id)
def test_the_law_at_work_does_what_the_reference_did(scenario: Scenario) -> None:
    world = initial()
    names: dict[Creation, str] = {}
    for exchange in scenario.exchanges:
        world, reply = respond(world, spelt_as_ours(exchange.request, names))
        ours, theirs = normative(reply), normative(exchange.reply)
        names |= {their: our for their, (_, our) in zip(creations(theirs), creations(ours), strict=True)}
        assert ours == [spelt_as_ours(each, names) for each in theirs]


Creation = tuple[str, str]
"""The session in which an id was created, and the id."""


def creations(observed: list[Json]) -> list[Creation]:
    appended = [(each["session"], each["append"]["data"]) for each in observed if "append" in each]
    return [(name, data["schedule"]["id"]) for name, data in appended if data["operation"] == "create"]


def spelt_as_ours(value: Json, names: dict[Creation, str]) -> Json:
    """A request or an observation of the reference, its own ids as the law at work has spelt them."""

    def ours(found: re.Match[str]) -> str:
        return names.get((value.get("session"), found[0]), found[0])

    return json.loads(re.sub("made-[0-9]+", ours, json.dumps(value)))


def at_work(*requests: Json, observes: tuple[str, ...] = ALL) -> list[Json]:
    """What the law at work lets be seen for each request."""
    world, replies = initial(Terms(observes=observes)), []
    reply: Json
    for each in requests:
        world, reply = respond(world, each)
        replies.append([kinds_alone(observation) for observation in reply["result"]["observed"]])
    return replies


def kinds_alone(observation: Json) -> Json:
    return {name: member for name, member in observation.items() if name not in ("at", "session")}


def test_the_law_at_work_does_nothing_in_a_session_that_is_not_live() -> None:
    assert at_work(opened(), command("crash", keep=0), call_of("l", "list"))[-1] == []


def test_the_law_at_work_numbers_its_ids_and_takes_each_once() -> None:
    create = {"prompt": "x", "after_seconds": 60}
    replies = at_work(opened(), *(call_of(id, "create", **create) for id in "abc"))
    made = [answer["answer"]["value"]["id"] for reply in replies for answer in reply if "answer" in answer]
    assert made == ["r1", "r2", "r3"]
    replies = at_work(opened(one("r1", 600), one("r3", 600)), call_of("c", "create", **create))
    assert replies[-1][-1]["answer"]["value"]["id"] == "r2"


def test_the_law_at_work_lets_claims_and_releases_be_seen_where_that_was_agreed() -> None:
    due, dispatch = opened(one("a", -1)), change("dispatch", "a")
    [seen] = at_work(due)
    assert seen == [OK, CLAIM, reminder("a", -1), dispatch, RELEASE, OK]
    [seen] = at_work(due, observes=MANDATORY)
    assert seen == [OK, reminder("a", -1), dispatch, OK]


def test_the_law_at_work_gives_up_a_follow_up_that_fails() -> None:
    failing, idle = command("faults", followup="fail"), command("busy", on=False)
    assert at_work(opened(one("a", -1), busy=True), failing, idle)[-1] == [OK, CLAIM, RELEASE]


def test_the_law_at_work_refuses_in_words() -> None:
    [_, [refusal]] = at_work(opened(), call_of("c", "create", prompt=" ", after_seconds=60))
    value = {"code": "invalid_prompt", "message": "refused: invalid_prompt"}
    assert refusal == {"answer": {"callId": "c", "value": value}}


def test_the_law_at_work_refuses_an_unsound_candidate() -> None:
    world, _ = respond(initial(), opened(one("a", 60)))
    _, reply = respond(world, command("append", event=created(one("a", 60))))
    assert reply == {"rejected": {"code": "corrupt_schedule_log"}}


def test_the_law_at_work_tells_the_log() -> None:
    _, reply = respond(respond(initial(), opened(one("a", 60)))[0], command("log"))
    assert reply == {"result": {"observed": [], "events": [created(one("a", 60))]}}
