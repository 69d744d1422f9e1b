"""Saboteurs of profile.v1-after: the earlier level, at which after is all there is."""

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.ways import Object, code_of, correct, refused, sabotage

from schedule_conformance.law import law_adapter
from schedule_spec.profiles import Profile

earlier: Handler = law_adapter.adapter(Profile.V1_AFTER)


def claiming(later: Handler) -> Handler:
    """Say in `hello` to be of the earlier level, and answer everything else by another handler."""
    return lambda request: earlier(request) if request["cmd"] == "hello" else later(request)


def _has(request: Object, word: str) -> bool:
    return word in str({key: value for key, value in request.items() if key != "prompt"})


def later_for(*commands: str, word: str = "") -> Handler:
    """Answer by the later level where a request of some command mentions a word."""
    return claiming(
        lambda request: (
            correct(request) if request["cmd"] in commands and _has(request, word) else earlier(request)
        )
    )


def _bad_rule(request: Object) -> Object:
    reply = earlier(request)
    later = "at" in request or "every_seconds" in request
    wrong = request["cmd"] == "create" and later and code_of(reply) == "invalid_selector"
    return refused(request, "invalid_rule") if wrong else reply


def _ignoring_later_selectors(request: Object) -> Object:
    if request["cmd"] != "create":
        return earlier(request)
    return earlier({key: value for key, value in request.items() if key not in ("at", "every_seconds")})


SABOTEURS = (
    sabotage(
        "reads_at_of_the_later_level",
        "profile.v1-after",
        "Claims the earlier level and reads records of the kind at.",
        later_for("decode", "fold", word="'at'"),
    ),
    sabotage(
        "reads_every_of_the_later_level",
        "profile.v1-after",
        "Claims the earlier level and reads records of the kind every.",
        later_for("decode", "fold", word="'every'"),
    ),
    sabotage(
        "creates_at_of_the_later_level",
        "profile.v1-after",
        "Claims the earlier level and takes the argument at.",
        later_for("create", word="'at'"),
    ),
    sabotage(
        "creates_every_of_the_later_level",
        "profile.v1-after",
        "Claims the earlier level and takes the argument every_seconds.",
        later_for("create", word="'every_seconds'"),
    ),
    sabotage(
        "reads_times_of_the_later_level",
        "profile.v1-after",
        "Claims the earlier level and reads dispatches with a time.",
        later_for("decode", word="'acceptedAt'"),
    ),
    sabotage(
        "calls_later_selectors_a_bad_rule",
        "profile.v1-after",
        "Knows the later arguments and calls them a bad rule.",
        claiming(_bad_rule),
    ),
    sabotage(
        "passes_over_later_selectors",
        "profile.v1-after",
        "Passes over the later arguments as unknown ones.",
        claiming(_ignoring_later_selectors),
    ),
)
