"""World commands and observations in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from schedule_cli.explaining.json_layout import in_usual_order, on_one_line
from schedule_cli.explaining.parts import Listing, Said, Step, Steps, code
from schedule_cli.explaining.stories import START
from schedule_conformance.worlds.world import Exchange, observed
from schedule_spec import instants

Object = Mapping[str, Any]

FIRST_DAY = instants.render(START)[:10]
"""The day that is not said."""


def story(exchanges: tuple[Exchange, ...]) -> Steps:
    """Return what was asked of a world, and what was seen in it."""
    return Steps(tuple(_step(exchange) for exchange in exchanges))


def _step(exchange: Exchange) -> Step:
    seen = map(_seen, observed(exchange.reply))
    return Step(_ASKED[exchange.request["cmd"]](exchange.request), (*seen, *_rest(exchange.reply)))


def named(observation: Object) -> str:
    """Return in a few words what is observed."""
    kind = next(name for name in _NAMED if name in observation)
    return _NAMED[kind](observation[kind])


def _seen(observation: Object) -> Said:
    """Return an observation in words, with its time and all that it holds."""
    place = _placed(observation)
    if "followup" in observation:
        return Said(f"{place}the follow-up is queued:", Listing(observation["followup"]))
    return Said(f"{place}{_told(observation)}")


def _told(observation: Object) -> str:
    match observation:
        case {"append": {"data": data}}:
            return f"appended: {code(on_one_line(in_usual_order(data)))}"
        case {"answer": {"callId": str(call), "value": value}}:
            return f"{code(call)} is answered: {code(on_one_line(value))}"
        case {"answer": {"callId": str(call)} as answer}:
            return f"{code(call)} is {'refused by the host' if 'refused' in answer else 'aborted'}"
        case _:
            return named(observation)


def _rest(reply: Object) -> Iterator[Said]:
    """Yield what a reply says beside its observations."""
    match reply:
        case {"rejected": {"code": str(refusal)}}:
            yield Said(f"refused as {code(refusal)}")
        case {"result": {"events": list(events)}}:
            listing = _listed(event.get("data") for event in events)
            yield Said("the log holds:", listing) if events else Said("the log is empty")
        case {"result": {"tools": list(tools)}}:
            yield Said("the session has the three tools" if tools else "the session has no Schedule tools")
        case {"result": {"observed": []}}:
            yield Said("nothing happens")


def _listed(values: Iterable[object]) -> Listing:
    return Listing("\n".join(on_one_line(in_usual_order(value)) for value in values), "json")


def _opened(request: Object) -> Said:
    held = "".join(f" {words}," for key, words in _OPENED.items() if key in request).rstrip(",")
    first = f"A session{held} is opened at {_instant(request['now'])}"
    events = request.get("events", ())
    if not events:
        return Said(f"{first}, its log empty.")
    return Said(f"{first} over this log:", _listed(each["data"] for each in events))


_OPENED = {
    "busy": "whose agent is busy",
    "turns": "in which each follow-up occupies the agent until it is said to be idle",
    "agent": "of a child agent",
    "persistence": "without a persistence service",
}


def _called(request: Object) -> Said:
    line = f"{request['tool']} {on_one_line(request['arguments'])}"
    return Said(f"Call {code(request['callId'])}{_where(request)}: {code(line)}.")


def _failing(request: Object) -> Said:
    faults = {key: value for key, value in request.items() if key not in ("cmd", "session")}
    words = f"From now on these fail: {code(on_one_line(faults))}." if faults else "All faults are over."
    return Said(words)


def _forked(request: Object) -> Said:
    return Said(f"The session is forked as {code(request['as'])}, which inherits {_events(request['at'])}.")


def _where(request: Object) -> str:
    return "" if request.get("session") == "s" else f" in {code(str(request.get('session')))}"


def _events(count: int) -> str:
    return f"{count} {'event' if count == 1 else 'events'}"


def _placed(observation: Object) -> str:
    ms = int(observation["at"])
    if not instants.EARLIEST <= ms <= instants.LATEST:
        return ""
    day, _, time = instants.render(ms).removesuffix("Z").partition("T")
    return f"{'' if day == FIRST_DAY else f'{day} '}{time}{_where(observation)} · "


def _instant(ms: int) -> str:
    inside = instants.EARLIEST <= ms <= instants.LATEST
    return instants.render(ms) if inside else f"{ms:,} ms, beyond the year 9999"


def _duration(ms: int) -> str:
    days, rest = divmod(ms, 86_400_000)
    hours, rest = divmod(rest, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    parts = [f"{count:,} {unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if count]
    parts += [f"{rest / 1000:g} s"] if rest else []
    return " ".join(parts) or "0 s"


def _appended(event: Object) -> str:
    operation = event.get("data", {}).get("operation")
    return f"the append of the {operation}" if operation else "the append of another event"


_BARRIERS = {"ok": "a barrier that succeeds", "fail": "a barrier that fails"}

_NAMED: Mapping[str, Callable[[Any], str]] = {
    "followup": lambda _: "the follow-up",
    "append": _appended,
    "answer": lambda answer: f"the answer to {code(answer['callId'])}",
    "barrier": lambda outcome: _BARRIERS.get(outcome, "a barrier that nobody takes part in"),
    "claim": lambda outcome: (
        "the claim of the idle phase" if outcome == "ok" else "a claim that finds it busy"
    ),
    "release": lambda _: "the release of the phase",
    "steer": lambda _: "a message into the running turn",
}

_ASKED: Mapping[str, Callable[[Object], Said]] = {
    "open": _opened,
    "call": _called,
    "abort": lambda request: Said(f"Call {code(request['callId'])} is cancelled."),
    "advance_time": lambda request: Said(f"{_duration(request['ms'])} later."),
    "set_clock": lambda request: Said(f"The wall clock is set to {_instant(request['now'])}."),
    "busy": lambda request: Said("The agent gets to work." if request["on"] else "The agent becomes idle."),
    "turn": lambda _: Said("A turn runs and ends."),
    "barrier": lambda request: Said(f"The next barriers will come out as: {', '.join(request['outcomes'])}."),
    "release": lambda request: Said(f"The held barrier comes out as {request['outcome']}."),
    "faults": _failing,
    "append": lambda request: Said(f"Another writer appends {code(on_one_line(request['event']))}."),
    "crash": lambda request: Said(f"The process is killed. The log keeps {_events(request['keep'])}."),
    "reopen": lambda _: Said("The session is opened again."),
    "fork": _forked,
    "dispose": lambda _: Said("The owner is disposed of."),
    "log": lambda request: Said(f"The log is read{_where(request)}."),
}
