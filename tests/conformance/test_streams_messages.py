"""Both directions keep to the schemas: what the suite asks, and what the law answers.

Generated requests of pure commands are held to them in `test_messages`.
"""

import json
from typing import Any

import pytest

from schedule_conformance.frozen.vectors import Vector, vectors
from schedule_conformance.law import law_adapter
from schedule_conformance.protocol.messages import validate_reply, validate_request
from schedule_conformance.worlds import traces, walk
from schedule_conformance.worlds.replaying import replayed
from schedule_conformance.worlds.world import begun
from schedule_spec.delivery import Terms
from schedule_spec.profiles import Profile

EVERY_VECTOR = tuple(vectors())


class Watched:
    """The law, which looks at every message in either direction."""

    name = "watched"

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def ask(self, request: dict[str, Any]) -> object:
        self.asked.add(request["cmd"])
        assert validate_request(request) == []
        assert json.loads(json.dumps(request, allow_nan=False)) == request
        reply = law_adapter.handle(request)
        assert validate_reply(request, reply) == []
        return reply


def test_frozen_requests_are_messages_of_the_protocol() -> None:
    levels = {profile: law_adapter.adapter(profile) for profile in Profile}

    def problems(vector: Vector) -> list[str]:
        request = {"seq": 1, **vector.request}
        return [*validate_request(request), *validate_reply(request, levels[vector.profile](request))]

    assert [(vector.id, problems(vector)) for vector in EVERY_VECTOR if problems(vector)] == []


@pytest.mark.parametrize("trace", traces.frozen(), ids=lambda trace: trace.id)
def test_frozen_worlds_are_asked_in_messages_of_the_protocol(trace: traces.Trace) -> None:
    if trace.terms.profile is Profile.V1:
        assert replayed(Watched(), trace.terms, trace.steps).violation is None


def test_random_worlds_are_asked_in_messages_of_the_protocol() -> None:
    system = Watched()
    for number in range(30):
        world = begun(system, Terms())
        walk.stroll(world, walk.source_of(1, number), True, lambda world, request: world.ask(request))
        assert world.violation is None
    assert system.asked > {
        "open",
        "call",
        "advance_time",
        "barrier",
        "release",
        "append",
        "fork",
        "reopen",
        "log",
    }
