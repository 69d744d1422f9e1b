"""World commands and observations in words, as Markdown."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from schedule_conformance.worlds.world import Exchange, observed
from schedule_spec import instants

from .markdown import block, code, indented, json_text
from .stories import START

Object = Mapping[str, Any]

FIRST_DAY = instants.render(START)[:10]
"""The day that is not said."""


def story(exchanges: tuple[Exchange, ...]) -> str:
    """Return a story as a numbered list: what is asked, and under it what is seen."""
    items = []
    for number, exchange in enumerate(exchanges, 1):
        margin = " " * len(f"{number}. ")
        lines = [f"{number}. {indented(asked(exchange.request), margin)}"]
        told = (*map(_seen, observed(exchange.reply)), *_rest(exchange.reply))
        lines += [f"{margin}- {indented(words, margin + '  ')}" for words in told]
        items.append("\n".join(lines))
    return "\n".join(items) + "\n"


def asked(request: Object) -> str:
    """Return a world command in words."""
    return _ASKED[request["cmd"]](request)


def named(observation: Object) -> str:
    """Return in a few words what is observed."""
    kind = next(name for name in _NAMED if name in observation)
    return _NAMED[kind](observation[kind])


def _seen(observation: Object) -> str:
    """Return an observation in words, with its time and all that it holds."""
    return f"{_placed(observation)}{_told(observation)}"


def _told(observation: Object) -> str:
    match observation:
        case {"followup": str(text)}:
            return f"the follow-up is queued:\n{block(text)}"
        case {"append": {"data": data}}:
            return f"appended: {code(json_text(data))}"
        case {"answer": {"callId": str(call), "value": value}}:
            return f"{code(call)} is answered: {code(json_text(value))}"
        case {"answer": {"callId": str(call)} as answer}:
            return f"{code(call)} is {'refused by the host' if 'refused' in answer else 'aborted'}"
        case _:
            return named(observation)


def _rest(reply: Object) -> Iterator[str]:
    """Yield what a reply says beside its observations."""
    match reply:
        case {"rejected": {"code": str(refusal)}}:
            yield f"refused as {code(refusal)}"
        case {"result": {"events": list(events)}}:
            listed = "\n".join(json_text(event.get("data")) for event in events)
            yield f"the log holds:\n{block(listed, 'json')}" if events else "the log is empty"
        case {"result": {"tools": list(tools)}}:
            yield "the session has the three tools" if tools else "the session has no Schedule tools"
        case {"result": {"observed": []}}:
            yield "nothing happens"


def _opened(request: Object) -> str:
    held = "".join(f" {words}," for key, words in _OPENED.items() if key in request).rstrip(",")
    first = f"A session{held} is opened at {_instant(request['now'])}"
    events = request.get("events", ())
    if not events:
        return f"{first}, its log empty."
    return f"{first} over this log:\n" + block("\n".join(json_text(each["data"]) for each in events), "json")


_OPENED = {
    "busy": "whose agent is busy",
    "turns": "in which each follow-up occupies the agent until it is said to be idle",
    "agent": "of a child agent",
    "persistence": "without a persistence service",
}


def _called(request: Object) -> str:
    line = f"{request['tool']} {json_text(request['arguments'])}"
    return f"Call {code(request['callId'])}{_where(request)}: {code(line)}."


def _failing(request: Object) -> str:
    faults = {key: value for key, value in request.items() if key not in ("cmd", "session")}
    return f"From now on these fail: {code(json_text(faults))}." if faults else "All faults are over."


def _forked(request: Object) -> str:
    return f"The session is forked as {code(request['as'])}, which inherits {_events(request['at'])}."


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

_ASKED: Mapping[str, Callable[[Object], str]] = {
    "open": _opened,
    "call": _called,
    "abort": lambda request: f"Call {code(request['callId'])} is cancelled.",
    "advance_time": lambda request: f"{_duration(request['ms'])} pass.",
    "set_clock": lambda request: f"The wall clock is set to {_instant(request['now'])}.",
    "busy": lambda request: "The agent gets to work." if request["on"] else "The agent becomes idle.",
    "turn": lambda _: "A turn runs and ends.",
    "barrier": lambda request: f"The next barriers will come out as: {', '.join(request['outcomes'])}.",
    "release": lambda request: f"The held barrier comes out as {request['outcome']}.",
    "faults": _failing,
    "append": lambda request: f"Another writer appends {code(json_text(request['event']))}.",
    "crash": lambda request: f"The process is killed. The log keeps {_events(request['keep'])}.",
    "reopen": lambda _: "The session is opened again.",
    "fork": _forked,
    "dispose": lambda _: "The owner is disposed of.",
    "log": lambda request: f"The log is read{_where(request)}.",
}
