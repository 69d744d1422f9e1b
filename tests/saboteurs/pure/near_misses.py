"""Near misses: what the clauses and the protocol leave free in single requests, used."""

from collections.abc import Callable
from typing import Any

from tests.saboteurs.model import Handler, NearMiss
from tests.saboteurs.pure.ways import Object, correct, granted, members, refused, rendered

from schedule_conformance.law import law_adapter
from schedule_conformance.law.rulings import EitherWay, refusals_of, rule
from schedule_conformance.protocol.json_values import has_surrogate
from schedule_spec import json_text
from schedule_spec.profiles import Profile
from schedule_spec.text import trim


def near_miss(name: str, about: str, handle: Handler) -> NearMiss:
    """Return the near miss that a handler without memory is."""
    return NearMiss(name, about, lambda: handle)


def replying(alter: Callable[[Object], Object]) -> Handler:
    """Alter every reply."""
    return lambda request: alter(correct(request))


def in_hello(alter: Callable[[Object], Object], others: Handler = correct) -> Handler:
    """Alter what `hello` says; everything else is answered by another handler."""

    def handle(request: Object) -> Object:
        if request["cmd"] != "hello":
            return others(request)
        reply = correct(request)
        return {**reply, "result": alter(reply["result"])} if "result" in reply else reply

    return handle


def having(*features: str) -> Handler:
    """Have some features alone, and say so to requests of others."""
    commands = {"rate": ("advance",), "frame": ("frame", "frame_batch")}
    known = {command for feature in features for command in commands.get(feature, (feature,))}

    def handle(request: Object) -> Object:
        command = request["cmd"]
        if command in known:
            return correct(request)
        return {"seq": request["seq"], "unsupported": {"feature": command}}

    return in_hello(lambda said: {**said, "features": list(features)}, handle)


def _other_message(reply: Object) -> Object:
    if "rejected" not in reply:
        return reply
    return {**reply, "rejected": {**reply["rejected"], "message": "Nein, so nicht.\n\u2028\0"}}


def _no_message(reply: Object) -> Object:
    return {**reply, "rejected": {"code": reply["rejected"]["code"]}} if "rejected" in reply else reply


def _reversed(value: Any) -> Any:
    match value:
        case dict():
            return {key: _reversed(value[key]) for key in reversed(value)}
        case list():
            return [_reversed(each) for each in value]
        case _:
            return value


def _as_doubles(value: Any) -> Any:
    match value:
        case dict():
            return {key: _as_doubles(each) for key, each in value.items()}
        case list():
            return [_as_doubles(each) for each in value]
        case int() if not isinstance(value, bool):
            return float(value)
        case _:
            return value


def last_admissible_code(request: Object) -> Object:
    """Refuse a creation with the last of the codes that apply."""
    reply = correct(request)
    if request["cmd"] != "create" or "rejected" not in reply:
        return reply
    refusals = refusals_of(rule(request))
    return refused(request, str(refusals[-1].code)) if refusals else reply


def open_zones_taken(request: Object) -> Object:
    """Take the fifteen names that may go either way, as ever their zones may be."""
    if request["cmd"] != "create" or not isinstance(rule(request), EitherWay):
        return correct(request)
    given = members(request)
    record = {
        "id": given["id"],
        "kind": "at",
        "prompt": trim(given["prompt"]),
        "scheduledAt": rendered(int(given["now"]) + 1),
    }
    return granted(request, {"record": record})


def lenient_with_unsound_records(request: Object) -> Object:
    """Show, decide and frame something where a record could stand in no sound log."""
    reply = correct(request)
    if request["cmd"] in ("frame", "frame_batch") and "rejected" in reply:
        return granted(request, {"text": "nothing"})
    if request["cmd"] in ("view", "due") and reply.get("rejected", {}).get("code") == "corrupt_schedule_log":
        return granted(request, {"kind": "wait"} if request["cmd"] == "due" else {"view": {}})
    return reply


def without_surrogates(request: Object) -> Object:
    """Break where a request holds an unpaired surrogate."""
    spelt = request.get("json")
    if has_surrogate(request) or (isinstance(spelt, str) and has_surrogate(json_text.read(spelt))):
        return {"seq": request["seq"], "error": {"message": "no UTF-8"}}
    return correct(request)


NEAR_MISSES: tuple[NearMiss, ...] = (
    near_miss(
        "words_its_messages_freely", "Says other messages, in another language.", replying(_other_message)
    ),
    near_miss("gives_no_messages", "Gives codes without messages.", replying(_no_message)),
    near_miss(
        "orders_keys_freely", "Writes the keys of every object the other way round.", replying(_reversed)
    ),
    near_miss("writes_integers_as_doubles", "Writes 300 as 300.0.", replying(_as_doubles)),
    near_miss(
        "answers_another_admissible_code",
        "Answers the last of several codes that apply to a creation.",
        last_admissible_code,
    ),
    near_miss(
        "takes_zones_that_may_go_either_way",
        "Takes SystemV zones, which some runtimes carry beside the release.",
        open_zones_taken,
    ),
    near_miss(
        "says_more_in_hello",
        "Has further members in hello, and a feature that nobody knows.",
        in_hello(
            lambda said: {
                **said,
                "features": [*said["features"], "teleport"],
                "implementation": {**said["implementation"], "commit": "abc"},
                "licence": "MIT",
            }
        ),
    ),
    near_miss(
        "names_no_zone_data",
        "Does not say which release its zone data is of.",
        in_hello(lambda said: {key: value for key, value in said.items() if key != "tzdata"}),
    ),
    near_miss(
        "names_unknown_zone_data",
        "Has zone data of a release that the suite does not know.",
        in_hello(lambda said: {**said, "tzdata": "2031a"}),
    ),
    near_miss(
        "has_the_core_alone",
        "Has the core features and says of all else that it lacks it.",
        having("decode", "fold", "create"),
    ),
    near_miss(
        "has_no_framings",
        "Has all that single requests ask but framings and unpaired surrogates.",
        having("decode", "fold", "create", "rate", "view", "due"),
    ),
    near_miss(
        "takes_no_surrogates",
        "Breaks on unpaired surrogates, and does not claim to take them.",
        in_hello(
            lambda said: {**said, "features": [name for name in said["features"] if name != "surrogates"]},
            without_surrogates,
        ),
    ),
    near_miss(
        "is_lenient_with_unsound_records",
        "Answers what is shown of records that no sound log could hold.",
        lenient_with_unsound_records,
    ),
    near_miss(
        "is_of_the_earlier_level",
        "Knows after alone, and says so.",
        law_adapter.adapter(Profile.V1_AFTER),
    ),
)
