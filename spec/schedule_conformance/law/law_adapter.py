"""The law behind the adapter protocol, so that the court can try the law itself.

Answers `hello`, which begins a new world, and every other command of the protocol. Never raises.
"""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from schedule_conformance.law.law_world import OBSERVES, LawWorld
from schedule_conformance.law.rulings import FEATURE_OF, EitherWay, Granted, refusals_of, rule
from schedule_conformance.protocol.json_values import same, show
from schedule_conformance.protocol.messages import PROTOCOL, WORLD_COMMANDS
from schedule_spec import zones
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Code

Handler = Callable[[dict[str, Any]], dict[str, Any]]


def suite_version() -> str:
    """Return the version of this distribution, or `0` where it is not installed."""
    try:
        return version("schedule-spec")
    except PackageNotFoundError:
        return "0"


def adapter(profile: Profile) -> Handler:
    """Return what answers requests by the law of a protocol level; its world is its own."""
    world = LawWorld(profile)
    return lambda request: _answer(request, profile, world)


handle = adapter(Profile.V1)
"""Answers requests by the law of version 1."""


def _answer(request: object, profile: Profile, world: LawWorld) -> dict[str, Any]:
    if not isinstance(request, dict) or "seq" not in request:
        return {"seq": None, "error": {"message": "a request is an object with seq"}}
    seq = request["seq"]
    try:
        return {"seq": seq, **_reply(request, profile, world)}
    except Exception as fault:
        return {"seq": seq, "error": {"message": f"{type(fault).__name__}: {fault}"}}


def _reply(request: dict[str, Any], profile: Profile, world: LawWorld) -> dict[str, Any]:
    command = request.get("cmd")
    if command == "hello":
        world.clear()
        return _hello(request, profile)
    if command in WORLD_COMMANDS:
        return world.answer(request)
    if not isinstance(command, str) or command not in FEATURE_OF:
        return {"unsupported": {"feature": command if isinstance(command, str) else show(command, 80)}}
    ruling = rule(request, profile)
    if isinstance(ruling, Granted):
        return {"result": ruling.result}
    if isinstance(ruling, EitherWay):
        return {"rejected": {"code": str(Code.INVALID_TIME_ZONE)}}
    rejection = refusals_of(ruling)[0]
    return {"rejected": {"code": str(rejection.code), "message": rejection.message}}


def _hello(request: dict[str, Any], profile: Profile) -> dict[str, Any]:
    if not same(request.get("protocol"), PROTOCOL):
        return {"error": {"message": f"protocol {PROTOCOL} is spoken here"}}
    return {
        "result": {
            "protocol": PROTOCOL,
            "implementation": {"name": "the law", "version": suite_version(), "language": "python"},
            "profile": str(profile),
            "features": [*dict.fromkeys(FEATURE_OF.values()), "tools", "delivery", "candidate", "surrogates"],
            "observes": list(OBSERVES),
            "tzdata": zones.release(),
        }
    }
