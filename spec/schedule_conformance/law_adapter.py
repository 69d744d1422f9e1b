"""The law behind the adapter protocol, so that the court can try the law itself.

Answers `hello` and the commands that the law specifies; the others are `unsupported`. Never raises.
"""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from schedule_conformance.json_values import show
from schedule_conformance.messages import PROTOCOL
from schedule_conformance.rulings import FEATURE_OF, rule
from schedule_spec.profiles import Profile
from schedule_spec.rejections import Rejection

Handler = Callable[[dict[str, Any]], dict[str, Any]]


def suite_version() -> str:
    """Return the version of this distribution, or `0` where it is not installed."""
    try:
        return version("schedule-spec")
    except PackageNotFoundError:
        return "0"


def handle(request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request by the law of version 1."""
    return _answer(request, Profile.V1)


def adapter(profile: Profile) -> Handler:
    """Return what answers requests by the law of a protocol level."""
    return lambda request: _answer(request, profile)


def _answer(request: object, profile: Profile) -> dict[str, Any]:
    if not isinstance(request, dict) or "seq" not in request:
        return {"seq": None, "error": {"message": "a request is an object with seq"}}
    seq = request["seq"]
    try:
        return {"seq": seq, **_reply(request, profile)}
    except Exception as fault:
        return {"seq": seq, "error": {"message": f"{type(fault).__name__}: {fault}"}}


def _reply(request: dict[str, Any], profile: Profile) -> dict[str, Any]:
    command = request.get("cmd")
    if command == "hello":
        return _hello(request, profile)
    if not isinstance(command, str) or command not in FEATURE_OF:
        return {"unsupported": {"feature": command if isinstance(command, str) else show(command, 80)}}
    ruling = rule(request, profile)
    if isinstance(ruling, Rejection):
        return {"rejected": {"code": str(ruling.code), "message": ruling.message}}
    return {"result": ruling.result}


def _hello(request: dict[str, Any], profile: Profile) -> dict[str, Any]:
    if type(request.get("protocol")) is not int or request["protocol"] != PROTOCOL:
        return {"error": {"message": f"protocol {PROTOCOL} is spoken here"}}
    return {
        "result": {
            "protocol": PROTOCOL,
            "implementation": {"name": "the law", "version": suite_version(), "language": "python"},
            "profile": str(profile),
            "features": [*dict.fromkeys(FEATURE_OF.values()), "surrogates"],
            "observes": [],
        }
    }
