"""Saboteurs of the tools: what they take, what they append, what they answer."""

import ast
import fnmatch
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from typing import Any

from tests.saboteurs.live.puppet import (
    Object,
    Puppet,
    answered,
    answering,
    asking,
    breaking,
    changed,
    changing,
    coding,
    each,
    erring,
    given,
    observed,
    patch,
    remembering,
    replaced,
    seeing,
    with_observed,
)
from tests.saboteurs.model import Make, Saboteur

from schedule_spec import instants, tools
from schedule_spec.delivery import barriers, calls, inputs, machine, steps
from schedule_spec.delivery.model import Answering
from schedule_spec.fold import Refused, State
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.profiles import Profile
from schedule_spec.records import After
from schedule_spec.rejections import Code
from schedule_spec.tools import Creating, Failed, Listing, NotFound, Remove, Store

# --- ids ---


def numbering(number: Any) -> Make:
    """Ids of creates are numbered by a count of what the session holds."""

    def fault(puppet: Puppet, request: Object) -> Object:
        reply = puppet.ask(request)
        if request["cmd"] == "reopen":
            puppet.memory.setdefault("since", {})[request["session"]] = 0
        seen = []
        for one in observed(reply):
            held = puppet.memory.setdefault("held", {}).setdefault(one["session"], ([], []))
            since = puppet.memory.setdefault("since", {})
            data = one.get("append", {}).get("data", {})
            match data:
                case {"operation": "create"}:
                    since[one["session"]] = since.get(one["session"], 0) + 1
                    own = data["schedule"]["id"]
                    id = number(held, since[one["session"]]) or own
                    held[0].append(own)
                    schedule = {**data["schedule"], "id": id}
                    one = {**one, "append": {**one["append"], "data": {**data, "schedule": schedule}}}  # noqa: PLW2901
                case {"operation": "delete" | "dispatch", "id": str(id)} if "acceptedAt" not in data:
                    if id in held[0]:
                        held[0].remove(id)
                    held[1].append(id)
            seen.append(one)
        return with_observed(reply, seen)

    return breaking(fault)


def wrapped(puppet: Puppet, request: Object) -> Object:
    """Ids have two digits: behind a hundred creates the first comes again."""
    count = puppet.memory.setdefault(request.get("session", ""), [0])
    if request["cmd"] == "open":
        count[0] = sum(is_create(event) for event in request.get("events", []))

    def renamed(data: Object) -> Object:
        count[0] += 1
        id = f"schedule-{(count[0] - 1) % 100 + 1}"
        return {**data, "schedule": {**data["schedule"], "id": id}} if count[0] > 100 else data

    reply = puppet.ask(request)
    return with_observed(reply, each(changed("create", renamed))(observed(reply)))


def is_create(event: object) -> bool:
    match event:
        case {"data": {"operation": "create"}}:
            return True
    return False


IDS = (
    Saboteur(
        "reuses_ended_id",
        "id.fresh",
        "A create takes the id of a record that has ended, as a pool of free numbers would give it.",
        numbering(lambda held, since: held[1][-1] if held[1] else None),
    ),
    Saboteur(
        "numbers_ids_by_active_records",
        "id.fresh",
        "The next id is the number of active records plus one, which a remaining record may bear.",
        numbering(lambda held, since: f"r{len(held[0]) + 1}" if held[1] else None),
    ),
    Saboteur(
        "restarts_ids_on_reopen",
        "id.fresh",
        "The counter of ids lives in memory, and begins anew with each process.",
        numbering(lambda held, since: f"r{since}"),
    ),
    Saboteur(
        "numbers_ids_with_two_digits",
        "id.fresh",
        "Behind a hundred creates the counter of ids begins anew.",
        breaking(wrapped),
    ),
)


# --- arguments ---


def snake(value: Any) -> Any:
    if isinstance(value, list):
        return [snake(member) for member in value]
    if isinstance(value, dict) and "scheduledAt" in value:
        return {("scheduled_at" if key == "scheduledAt" else key): member for key, member in value.items()}
    return value


def camel(arguments: Object) -> Object:
    names = {
        "afterSeconds": "after_seconds",
        "everySeconds": "every_seconds",
        "after_seconds": "x",
        "every_seconds": "x",
    }
    return {names.get(key, key): value for key, value in arguments.items()}


def one_selector(arguments: Object) -> Object:
    extra = [key for key in ("after_seconds", "at", "every_seconds") if key in arguments][1:]
    return {key: value for key, value in arguments.items() if key not in extra}


def known_alone(arguments: Object) -> Object:
    known = ("prompt", "after_seconds", "at", "every_seconds", "id")
    return {key: value for key, value in arguments.items() if key in known}


def unpadded(arguments: Object) -> Object:
    id = arguments.get("id")
    return {**arguments, "id": id.strip() or "?"} if isinstance(id, str) else arguments


def numbers_from_strings(arguments: Object) -> Object:
    return {
        key: int(value) if key.endswith("_seconds") and isinstance(value, str) else value
        for key, value in arguments.items()
    }


def numbers_from_truth(arguments: Object) -> Object:
    return {key: 1 if value is True else value for key, value in arguments.items()}


def without_nulls(arguments: Object) -> Object:
    kept = {key: value for key, value in arguments.items() if value is not None}
    return kept if "id" in kept or "prompt" in kept else {**kept, "prompt": "reminder"}


def default_prompt(arguments: Object) -> Object:
    timed = any(key.endswith("_seconds") or key == "at" for key in arguments)
    return {"prompt": "reminder", **arguments} if timed else arguments


def prompt_of_blank(arguments: Object) -> Object:
    prompt = arguments.get("prompt")
    return (
        {**arguments, "prompt": "reminder"} if isinstance(prompt, str) and not prompt.strip() else arguments
    )


def raised_interval(arguments: Object) -> Object:
    every = arguments.get("every_seconds")
    return {**arguments, "every_seconds": 300} if every in (299, 0, -300) else arguments


def with_prompt(alter: Callable[[str], str]) -> Make:
    """The prompt of a create is taken otherwise."""

    def altered(arguments: Object) -> Object:
        prompt = arguments.get("prompt")
        return {**arguments, "prompt": alter(prompt)} if isinstance(prompt, str) else arguments

    return given(altered)


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def without_controls(text: str) -> str:
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ufeff]", "", text)


def numbers_for_ids(arguments: Object) -> Object:
    id = arguments.get("id")
    return {**arguments, "id": str(id)} if isinstance(id, int) else arguments


def parsed(read: Callable[[str], Any]) -> Make:
    """The JSON text of arguments is read otherwise, where that comes to an object."""

    def heard(request: Object) -> Object:
        try:
            value = read(request["json"]) if "json" in request else None
        except (ValueError, SyntaxError):
            return request
        if not isinstance(value, dict):
            return request
        return {**{key: member for key, member in request.items() if key != "json"}, "arguments": value}

    return asking(heard, "call")


def read_the_first(text: str) -> Any:
    return json.JSONDecoder().raw_decode(text.lstrip("\ufeff"))[0]


def read_as_a_literal(text: str) -> Any:
    return ast.literal_eval(text.strip())


def first_of_duplicates(pairs: list[tuple[str, Any]]) -> Object:
    """Of the arguments of a create the first counts."""
    return dict(reversed(pairs)) if any(name == "prompt" for name, _ in pairs) else dict(pairs)


def read_without_surrogates(text: str) -> Any:
    return json.loads(re.sub(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}", "\ufffd", text))


def arguments_in_a_text(request: Object) -> Object:
    """Arguments that are a JSON text are read as what it says."""
    arguments = request.get("arguments")
    try:
        value = json.loads(arguments) if isinstance(arguments, str) else None
    except ValueError:
        return request
    return {**request, "arguments": value} if isinstance(value, dict) else request


def refusing(concerns: Callable[[Object], bool], code: str) -> Make:
    """Calls whose arguments are thought to be too much are refused at once."""

    def fault(puppet: Puppet, request: Object) -> Object:
        arguments = request.get("arguments")
        if request["cmd"] != "call" or not isinstance(arguments, dict) or not concerns(arguments):
            return puppet.ask(request)
        answer = {"callId": request["callId"], "value": {"code": code, "message": "too much"}}
        seen = [{"at": puppet.now, "session": request["session"], "answer": answer}]
        return {"seq": request["seq"], "result": {"observed": seen}}

    return breaking(fault)


def fractions_refused(puppet: Puppet, request: Object) -> Object:
    """A number of a JSON text that is written with a fraction or an exponent is no integer."""
    if request["cmd"] != "call" or not re.search(r"_seconds\"\s*:\s*[0-9]+[.eE]", request.get("json", "")):
        return puppet.ask(request)
    answer = {"callId": request["callId"], "value": {"code": "invalid_rule", "message": "no integer"}}
    seen = [{"at": puppet.now, "session": request["session"], "answer": answer}]
    return {"seq": request["seq"], "result": {"observed": seen}}


def shape_behind_barrier(puppet: Puppet, request: Object) -> Object:
    """A create with a shape that is wrong stands in the queue all the same, as a list would."""
    if request["cmd"] != "call" or request["tool"] != "schedule_create":
        return _shape_told(puppet, puppet.ask(request))
    shaped = tools.read(request["tool"], request.get("arguments"), Profile.V1)
    if "json" in request or not isinstance(shaped, tools.Refusal):
        return _shape_told(puppet, puppet.ask(request))
    puppet.memory[request["callId"]] = str(shaped.codes[0])
    return _shape_told(puppet, puppet.ask({**request, "tool": "schedule_list", "arguments": {}}))


def _shape_told(puppet: Puppet, reply: Object) -> Object:
    def told(one: Object) -> Object:
        answer = one.get("answer", {})
        code = puppet.memory.get(answer.get("callId"))
        if code is None or not isinstance(answer.get("value"), list | dict):
            return one
        value = answer["value"]
        if isinstance(value, list):
            other = {"code": code, "message": f"refused: {code}"}
        else:
            other = {**value, "operation": "create"} if "operation" in value else value
        return {**one, "answer": {**answer, "value": other}}

    return with_observed(reply, map(told, observed(reply)))


ARGUMENTS = (
    Saboteur(
        "answers_in_snake_case",
        "tool.case",
        "Results spell scheduled_at as the arguments do.",
        answering(snake),
    ),
    Saboteur(
        "takes_arguments_in_camel_case",
        "tool.case",
        "Arguments are read as afterSeconds and everySeconds.",
        given(camel),
    ),
    Saboteur(
        "takes_first_of_two_selectors",
        "tool.create-selector",
        "Of several selectors the first wins, and the others are dropped in silence.",
        given(one_selector),
    ),
    Saboteur(
        "ignores_unknown_arguments",
        "tool.create-selector",
        "Arguments that a create does not know are passed over.",
        given(known_alone),
    ),
    Saboteur(
        "calls_two_selectors_a_wrong_rule",
        "tool.create-selector",
        "None or several selectors are told as invalid_rule.",
        coding("invalid_rule", "invalid_selector"),
    ),
    Saboteur(
        "creates_with_a_blank_prompt",
        "tool.create-prompt",
        "A blank prompt is given a default one.",
        given(prompt_of_blank),
    ),
    Saboteur(
        "stores_another_prompt",
        "tool.create-prompt",
        "The prompt gets a full stop before it is stored.",
        changing(
            "create",
            lambda data: {
                **data,
                "schedule": {**data["schedule"], "prompt": data["schedule"]["prompt"] + "."},
            },
        ),
    ),
    Saboteur(
        "checks_shape_behind_the_barrier",
        "tool.shape-first",
        "Arguments are looked at when the call's turn has come: a failed barrier hides what is wrong.",
        breaking(shape_behind_barrier),
    ),
    Saboteur(
        "trims_the_id_to_delete",
        "tool.shape-first",
        "A padded id is trimmed and looked for.",
        given(unpadded),
    ),
    Saboteur(
        "raises_short_intervals",
        "tool.shape-first",
        "An interval below the minimum is raised to it.",
        given(raised_interval),
    ),
    Saboteur(
        "reads_numbers_from_strings",
        "tool.ill-typed",
        "Loose conversion takes the text 60 for the number.",
        given(numbers_from_strings),
    ),
    Saboteur(
        "takes_true_for_one",
        "tool.ill-typed",
        "A truth value passes for an integer.",
        given(numbers_from_truth),
    ),
    Saboteur(
        "takes_null_for_absent",
        "tool.ill-typed",
        "A member that is null counts as not given.",
        given(without_nulls),
    ),
    Saboteur(
        "defaults_a_missing_prompt",
        "tool.ill-typed",
        "A create without a prompt gets a default one.",
        given(default_prompt),
    ),
    Saboteur(
        "takes_a_number_for_an_id",
        "tool.ill-typed",
        "The number 7 is turned into the text that is an id.",
        given(numbers_for_ids),
    ),
    Saboteur(
        "reads_arguments_from_a_text",
        "tool.ill-typed",
        "Arguments that a model wrote as a JSON text are read once more.",
        asking(arguments_in_a_text, "call"),
    ),
    Saboteur(
        "takes_raw_controls_in_json",
        "tool.ill-typed",
        "The reader of JSON is lenient: a line end may stand in a string.",
        parsed(lambda text: json.loads(text, strict=False)),
    ),
    Saboteur(
        "reads_the_first_value_of_a_text",
        "tool.ill-typed",
        "What stands before a JSON value, or behind it, is passed over.",
        parsed(read_the_first),
    ),
    Saboteur(
        "reads_literals_for_json",
        "tool.ill-typed",
        "Arguments are read as a literal of the language: single quotes, a trailing comma.",
        parsed(read_as_a_literal),
    ),
    Saboteur(
        "takes_the_first_of_duplicates",
        "tool.create-prompt",
        "Of duplicate members in the text of a create's arguments the first counts.",
        parsed(lambda text: json.loads(text, object_pairs_hook=first_of_duplicates)),
    ),
    Saboteur(
        "refuses_whole_numbers_with_a_fraction",
        "tool.error-sound",
        "60.0 is read as a number of another type, which is no integer.",
        breaking(fractions_refused),
    ),
    Saboteur(
        "replaces_surrogates_of_a_text",
        "tool.create-prompt",
        "The reader of JSON puts U+FFFD for an unpaired surrogate.",
        parsed(read_without_surrogates),
    ),
    Saboteur(
        "stores_prompts_in_a_normal_form",
        "tool.create-prompt",
        "A prompt is composed (NFC) before it is stored.",
        with_prompt(composed),
    ),
    Saboteur(
        "runs_blanks_together",
        "tool.create-prompt",
        "White space within a prompt becomes one blank.",
        with_prompt(lambda text: re.sub(r"[ \t\u00a0]+", " ", text)),
    ),
    Saboteur(
        "drops_controls_from_prompts",
        "tool.create-prompt",
        "Characters that cannot be seen are removed from a prompt.",
        with_prompt(without_controls),
    ),
    Saboteur(
        "cuts_prompts_at_64_kib",
        "tool.create-prompt",
        "A prompt is stored in a column of 65,535 characters, which cuts off the rest.",
        with_prompt(lambda text: text[:65_535]),
    ),
    Saboteur(
        "refuses_prompts_beyond_10000_characters",
        "tool.error-sound",
        "A prompt is thought to be too long.",
        refusing(lambda arguments: len(str(arguments.get("prompt", ""))) > 10_000, "invalid_prompt"),
    ),
    Saboteur(
        "refuses_ids_of_another_spelling",
        "tool.error-sound",
        "An id to delete has to look like those that are given to new records.",
        refusing(
            lambda arguments: bool(re.search(r"[^\w.-]|.{65}", str(arguments.get("id", "a")).strip())),
            "invalid_rule",
        ),
    ),
)


# --- outcomes ---


def outcome(other: Any) -> Make:
    """What the head of the queue comes to is decided otherwise."""
    return replaced(patch(calls, "outcome", other), patch(steps, "outcome", other))


def deleting(alike: Callable[[Any, str], bool]) -> Make:
    """A delete whose id is unknown ends the one record that it is thought to mean."""

    def other(own: Any, session: Any, call: Any, moment: Any) -> Any:
        found = own(session, call, moment)
        if not isinstance(found, NotFound):
            return found
        meant = [record for record in session.log.own.active if alike(record, found.id)]
        return Remove(meant[0].id) if len(meant) == 1 else found

    return outcome(other)


def as_a_number(id: str) -> float | str:
    try:
        return float(id)
    except ValueError:
        return id


def no_room(own: Any, session: Any, call: Any, moment: Any) -> Any:
    """There is room for a hundred records."""
    found = own(session, call, moment)
    full = isinstance(found, Store) and len(session.log.own.active) >= 100
    return Failed((Code.INVALID_RULE,)) if full else found


def by_another_clock(clock: Callable[[int], int]) -> Make:
    """Creates are decided by another clock."""

    def other(own: Any, session: Any, call: Any, moment: Any) -> Any:
        creating = isinstance(call.request, Creating)
        return own(session, call, replace(moment, clock=clock(moment.clock)) if creating else moment)

    return outcome(other)


def past_accepted(own: Any, session: Any, call: Any, moment: Any) -> Any:
    found = own(session, call, moment)
    if isinstance(found, Failed) and Code.NOT_FUTURE in found.codes:
        return own(session, call, replace(moment, clock=EARLIEST))
    return found


def short_delays(own: Any, session: Any, call: Any, moment: Any) -> Any:
    found = own(session, call, moment)
    if isinstance(found, Store) and found.record.scheduled_at - moment.clock > 2**31 - 1:
        return Failed((Code.TIME_OUT_OF_RANGE,))
    return found


def rounded(own: Any, session: Any, call: Any, moment: Any) -> Any:
    found = own(session, call, moment)
    if isinstance(found, Store) and isinstance(found.record, After):
        return Store(replace(found.record, scheduled_at=-(-found.record.scheduled_at // 1000) * 1000))
    return found


def sampled_when_called(concerns: Callable[[Any], bool]) -> Make:
    """Requests of a kind are decided by the clock that was read when their calls came in."""
    return remembering(lambda memory: _sampled_when_called(memory, concerns))


def _sampled_when_called(memory: Object, concerns: Callable[[Any], bool]) -> Any:
    """The clock of each call, by its name, when it was put into the queue."""

    def called(own: Any, session: Any, request: Any, terms: Any) -> Any:
        memory[f"log {request['callId']}"] = session.log.state
        return own(session, request, terms)

    def settled(own: Any, session: Any, moment: Any) -> Any:
        for call in session.calls:
            memory.setdefault(call.id, moment.clock)
        return own(session, moment)

    def decided(own: Any, session: Any, call: Any, moment: Any) -> Any:
        if concerns(call.request):
            return own(session, call, replace(moment, clock=memory.get(call.id, moment.clock)))
        return own(session, call, moment)

    return (
        patch(inputs.COMMANDS, "call", called),
        patch(machine, "_run", settled),
        patch(calls, "outcome", decided),
        patch(steps, "outcome", decided),
    )


def creates_at(request: Any) -> bool:
    return isinstance(request, Creating) and request.selector == "at"


def creates_after(request: Any) -> bool:
    return isinstance(request, Creating) and request.selector != "at"


def listed_when_called(memory: Object) -> Any:
    def called(own: Any, session: Any, request: Any, terms: Any) -> Any:
        memory[request["callId"]] = session.log.state
        return own(session, request, terms)

    def decided(own: Any, session: Any, call: Any, moment: Any) -> Any:
        if isinstance(call.request, Listing):
            return tools.outcome(call.request, memory.get(call.id, session.log.state), moment.clock)
        return own(session, call, moment)

    return (
        patch(inputs.COMMANDS, "call", called),
        patch(calls, "outcome", decided),
        patch(steps, "outcome", decided),
    )


def viewed_at_the_append(memory: Object) -> Any:
    """The clock of the append decides whether the answer says overdue."""

    def appended(own: Any, session: Any, moment: Any, event: Any) -> Any:
        for call in session.calls[:1]:
            memory[call.id] = moment.clock
        return own(session, moment, event)

    def confirmed(own: Any, call: Any, moment: Any) -> Any:
        return own(call, replace(moment, clock=memory.get(call.id, moment.clock)))

    return patch(steps, "on_append", appended), patch(barriers, "_confirmation", confirmed)


def appended_twice(seen: list[Object]) -> list[Object]:
    twice = []
    for one in seen:
        twice.append(one)
        if one.get("append", {}).get("data", {}).get("operation") == "create":
            twice.append(one)
    return twice


def moved_target(data: Object) -> Object:
    target = instants.parse(data["schedule"]["scheduledAt"])
    assert target is not None
    moved = instants.render(max(target - 1, EARLIEST))
    return {**data, "schedule": {**data["schedule"], "scheduledAt": moved}}


def by_target(value: Any) -> Any:
    return sorted(value, key=lambda view: view["scheduledAt"]) if isinstance(value, list) else value


def at_hand(value: Any) -> Any:
    """Views of what is still to come alone."""
    return [view for view in value if view["state"] != "overdue"] if isinstance(value, list) else value


def view_with(**members: Any) -> Make:
    def altered(value: Any) -> Any:
        if isinstance(value, list):
            return [{**view, **members} for view in value]
        return {**value, **members} if isinstance(value, dict) and "state" in value else value

    return answering(altered)


def not_found(told: Any) -> Make:
    return answering(
        lambda value: told(value) if isinstance(value, dict) and value.get("deleted") is False else value
    )


def mended(own: Any, session: Any, moment: Any) -> Any:
    """A create whose append failed is told as done."""
    for following in own(session, moment):
        pending = following.answers[-1] if following.answers else None
        head = session.calls[0]
        found = calls.outcome(session, head, moment)
        if isinstance(pending, Answering) and isinstance(found, Store) and session.script.fails("create"):
            view = tools.Viewed(tools.stored(found.record, "lost"), moment.clock)
            yield replace(following, answers=(*following.answers[:-1], replace(pending, answers=(view,))))
        else:
            yield following


def dropped_before_the_append(own: Any, session: Any, moment: Any) -> Any:
    """A delete leaves memory before its event is appended, and stays out where that fails."""
    for following in own(session, moment):
        head = session.calls[0]
        found = calls.outcome(session, head, moment)
        if isinstance(found, Remove) and session.script.fails("delete"):
            state = following.log.own
            kept = tuple(record for record in state.active if record.id != found.id)
            yield replace(following, log=replace(following.log, state=State(kept, state.seen)))
        else:
            yield following


def appended_again(own: Any, session: Any, moment: Any) -> Any:
    """An append that fails is tried once more at once, and succeeds."""
    head = session.calls[0] if session.calls else None
    if head is None or not session.call_cleared or head.appended is not None or head.aborted or head.answered:
        return own(session, moment)
    found = calls.outcome(session, head, moment)
    if isinstance(found, Store) and session.script.fails("create"):
        return own(replace(session, script=calls.attempted(session, "create")), moment)
    return own(session, moment)


def shortened(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [{**view, "prompt": view["prompt"][:200]} for view in value]


def within_16000_characters(value: Any) -> Any:
    """As many views as fit into what is thought to be the room for a result."""
    if not isinstance(value, list):
        return value
    sizes = accumulate(len(json.dumps(view)) for view in value)
    return [view for view, size in zip(value, sizes, strict=True) if size <= 16_000]


def prompts_composed(value: Any) -> Any:
    return (
        [{**view, "prompt": composed(view["prompt"])} for view in value] if isinstance(value, list) else value
    )


def numbers_first(value: Any) -> Any:
    """An object of the language holds the views: members that are numbers come first, by their size."""
    if not isinstance(value, list):
        return value
    numbers = sorted((view for view in value if view["id"].isdecimal()), key=lambda view: int(view["id"]))
    return [*numbers, *(view for view in value if not view["id"].isdecimal())]


def deleted_again(puppet: Puppet, request: Object) -> Object:
    """A delete that was uncertain is told as done when it is asked for again."""
    reply = puppet.ask(request)

    def told(value: Any) -> Any:
        if isinstance(value, dict) and value.get("operation") == "delete":
            puppet.memory[value["id"]] = True
        if isinstance(value, dict) and value.get("deleted") is False and value["id"] in puppet.memory:
            return {"id": value["id"], "deleted": True}
        return value

    return with_observed(reply, map(answered(told), observed(reply)))


def overdue_first(value: Any) -> Any:
    return sorted(value, key=lambda view: view["state"] != "overdue") if isinstance(value, list) else value


OUTCOMES = (
    Saboteur(
        "calls_the_past_a_wrong_rule",
        "tool.error-sound",
        "A target in the past is told as invalid_rule, whose condition does not hold.",
        coding("invalid_rule", "not_future"),
    ),
    Saboteur(
        "creates_in_the_past",
        "tool.error-sound",
        "A target in the past is taken as due now.",
        outcome(past_accepted),
    ),
    Saboteur(
        "has_room_for_a_hundred_records",
        "tool.error-sound",
        "A create is refused where a hundred records are active.",
        outcome(no_room),
    ),
    Saboteur(
        "takes_no_clock_before_1970",
        "tool.create-result",
        "A clock before 1970 is taken for its beginning, as of an unsigned number.",
        by_another_clock(lambda clock: max(clock, 0)),
    ),
    Saboteur(
        "clamps_the_clock_of_creates",
        "tool.error-sound",
        "A clock outside the range is taken for the nearest instant within.",
        by_another_clock(lambda clock: min(max(clock, EARLIEST), LATEST)),
    ),
    Saboteur(
        "refuses_delays_beyond_a_timer",
        "tool.error-sound",
        "A target further off than the host's timer holds is refused as out of range.",
        outcome(short_delays),
    ),
    Saboteur(
        "samples_target_before_the_barrier",
        "tool.create-result",
        "The clock is read when the call comes in, and not after its first barrier.",
        sampled_when_called(creates_after),
    ),
    Saboteur(
        "judges_an_absolute_time_when_called",
        "tool.create-result",
        "Whether an absolute time is still to come is asked when the call comes in.",
        sampled_when_called(creates_at),
    ),
    Saboteur(
        "samples_state_at_the_append",
        "tool.create-result",
        "What the answer says of overdue was decided before the second barrier.",
        remembering(viewed_at_the_append),
    ),
    Saboteur(
        "rounds_targets_to_seconds",
        "tool.create-result",
        "The target of a delay is rounded up to a whole second.",
        outcome(rounded),
    ),
    Saboteur(
        "stores_target_a_millisecond_early",
        "tool.create-result",
        "The record that is appended is not the one that is shown.",
        changing("create", moved_target),
    ),
    Saboteur(
        "appends_a_create_twice",
        "tool.create-result",
        "A retry appends the same create once more.",
        seeing(appended_twice),
    ),
    Saboteur(
        "creates_without_an_event",
        "tool.create-result",
        "The record lives in memory, and no event is appended.",
        changing("create", lambda data: None),
    ),
    Saboteur(
        "lists_newest_first",
        "tool.list",
        "The list is turned round.",
        answering(lambda value: value[::-1] if isinstance(value, list) else value),
    ),
    Saboteur("lists_by_target", "tool.list", "The list is sorted by target.", answering(by_target)),
    Saboteur("lists_no_overdue", "tool.list", "What is overdue is taken to be gone.", answering(at_hand)),
    Saboteur(
        "lists_at_most_two",
        "tool.list",
        "A list is cut to a page.",
        answering(lambda value: value[:2] if isinstance(value, list) else value),
    ),
    Saboteur(
        "lists_ten_on_a_page",
        "tool.list",
        "A list has ten members at most, as a page of a store has.",
        answering(lambda value: value[:10] if isinstance(value, list) else value),
    ),
    Saboteur(
        "lists_a_hundred_on_a_page",
        "tool.list",
        "A list has a hundred members at most.",
        answering(lambda value: value[:100] if isinstance(value, list) else value),
    ),
    Saboteur(
        "lists_what_fits_in_16000_characters",
        "frame.whole",
        "A list ends where the room for a result of a tool is thought to end.",
        answering(within_16000_characters),
    ),
    Saboteur(
        "lists_prompts_in_a_normal_form",
        "tool.list",
        "A list shows prompts composed (NFC).",
        answering(prompts_composed),
    ),
    Saboteur(
        "lists_ids_that_are_numbers_first",
        "tool.list",
        "Records are members of an object, whose names that are numbers come first.",
        answering(numbers_first),
    ),
    Saboteur(
        "lists_beginnings_of_prompts",
        "tool.list",
        "A list shows 200 characters of a prompt.",
        answering(shortened),
    ),
    Saboteur(
        "lists_overdue_first",
        "tool.list",
        "What is overdue stands first.",
        answering(overdue_first),
    ),
    Saboteur(
        "lists_what_was_before_the_barrier",
        "tool.list",
        "The list is taken when the call comes in, and not after its barrier.",
        remembering(listed_when_called),
    ),
    Saboteur(
        "lists_as_of_before_the_barrier",
        "view.state",
        "A list says overdue by the clock that was read when the call came in.",
        sampled_when_called(lambda request: isinstance(request, Listing)),
    ),
    Saboteur("never_says_overdue", "view.state", "Views are all scheduled.", view_with(state="scheduled")),
    Saboteur("shows_a_zone", "view.fields", "Views have one member more.", view_with(zone="UTC")),
    Saboteur(
        "deletes_without_an_event",
        "tool.delete-active",
        "The record is dropped from memory alone.",
        changing("delete", lambda data: None),
    ),
    Saboteur(
        "deletes_by_a_dispatch",
        "tool.delete-active",
        "A delete appends a dispatch, which ends a one-shot as well.",
        changing("delete", lambda data: {"version": 1, "operation": "dispatch", "id": data["id"]}),
    ),
    Saboteur(
        "says_deleted_when_asked_again",
        "tool.delete-unknown",
        "A delete that was uncertain is remembered, and told as done when it is retried.",
        breaking(deleted_again),
    ),
    Saboteur(
        "deletes_by_the_beginning_of_an_id",
        "tool.delete-unknown",
        "An id may be shortened as long as it is clear which is meant.",
        deleting(lambda record, id: record.id.startswith(id)),
    ),
    Saboteur(
        "deletes_by_a_pattern",
        "tool.delete-unknown",
        "The id of a delete goes into a query in which * stands for anything.",
        deleting(lambda record, id: fnmatch.fnmatchcase(record.id, id)),
    ),
    Saboteur(
        "deletes_by_the_prompt",
        "tool.delete-unknown",
        "A model that gives the prompt for the id is understood.",
        deleting(lambda record, id: record.prompt == id),
    ),
    Saboteur(
        "deletes_by_a_normal_form",
        "tool.delete-unknown",
        "Ids are compared in a normal form.",
        deleting(lambda record, id: composed(record.id) == composed(id)),
    ),
    Saboteur(
        "deletes_without_regard_to_blanks",
        "tool.delete-unknown",
        "Ids are compared with their white space run together.",
        deleting(lambda record, id: record.id.split() == id.split()),
    ),
    Saboteur(
        "deletes_without_regard_to_quotes",
        "tool.delete-unknown",
        "A model that puts the id into quotes is understood.",
        deleting(lambda record, id: record.id == id.strip("'\"")),
    ),
    Saboteur(
        "compares_ids_as_numbers",
        "tool.delete-unknown",
        "Ids that are numbers are equal where the numbers are.",
        deleting(lambda record, id: as_a_number(record.id) == as_a_number(id)),
    ),
    Saboteur(
        "compares_the_beginnings_of_long_ids",
        "tool.delete-unknown",
        "A key of the store holds 64 characters of an id.",
        deleting(lambda record, id: record.id[:64] == id[:64]),
    ),
    Saboteur(
        "ends_ids_at_nul",
        "tool.delete-unknown",
        "An id is handed to a library for which U+0000 ends a text.",
        deleting(lambda record, id: record.id == id.partition("\0")[0]),
    ),
    Saboteur(
        "calls_not_found_an_error",
        "tool.delete-unknown",
        "An unknown id is told as an error.",
        not_found(lambda value: {"code": "invalid_rule", "message": "no such id"}),
    ),
    Saboteur(
        "deletes_the_unknown_gladly",
        "tool.delete-unknown",
        "A delete is idempotent, and says true of whatever it is given.",
        not_found(lambda value: {"id": value["id"], "deleted": True}),
    ),
    Saboteur(
        "has_a_code_of_its_own",
        "tool.errors-closed",
        "An error has a code that is none of the set.",
        coding("out_of_range", "time_out_of_range"),
    ),
    Saboteur(
        "gives_errors_members_of_its_own",
        "tool.errors-closed",
        "An error carries a stack beside code and message.",
        erring(lambda value: {**value, "stack": "at create"}, "not_future"),
    ),
    Saboteur(
        "calls_a_corrupt_log_internal",
        "tool.corrupt",
        "A log that does not fold is told as internal_error.",
        coding("internal_error", "corrupt_schedule_log"),
    ),
    Saboteur(
        "calls_a_failed_append_uncertain",
        "tool.internal-error",
        "An append that threw is told as if a barrier had failed.",
        erring(
            lambda v: {"code": "persistence_uncertain", "operation": "create", "message": ""},
            "internal_error",
        ),
    ),
    Saboteur(
        "confirms_a_failed_append",
        "tool.internal-error",
        "The failure of an append is swallowed, and the create confirmed.",
        replaced(patch(calls, "complete_head", mended)),
    ),
    Saboteur(
        "tries_a_failed_append_again",
        "tool.internal-error",
        "An append that threw is tried again behind the caller's back.",
        replaced(patch(machine, "_serve", appended_again)),
    ),
    Saboteur(
        "forgets_a_record_whose_delete_failed",
        "deliver.no-loss",
        "A delete takes the record out of memory, and then its append throws.",
        replaced(patch(calls, "complete_head", dropped_before_the_append)),
    ),
)


# --- messages ---


def chatty(words: Callable[[str], str]) -> Make:
    """Error messages carry these words of what the backend said."""

    def fault(puppet: Puppet, request: Object) -> Object:
        if request["cmd"] == "faults":
            puppet.memory["text"] = request.get("text", "")

        def told(one: Object) -> Object:
            answer = one.get("answer", {})
            value = answer.get("value")
            text = puppet.memory.get("text")
            if isinstance(value, dict) and value.get("code") == "internal_error" and text:
                return {**one, "answer": {**answer, "value": {**value, "message": words(text)}}}
            return one

        reply = puppet.ask(request)
        return with_observed(reply, map(told, observed(reply)))

    return breaking(fault)


def numbered(puppet: Puppet, request: Object) -> Object:
    """Error messages are numbered."""

    def told(one: Object) -> Object:
        answer = one.get("answer", {})
        value = answer.get("value")
        if not isinstance(value, dict) or "message" not in value:
            return one
        puppet.memory["count"] = puppet.memory.get("count", 0) + 1
        message = f"{value['message']} ({puppet.memory['count']})"
        return {**one, "answer": {**answer, "value": {**value, "message": message}}}

    reply = puppet.ask(request)
    return with_observed(reply, map(told, observed(reply)))


def messages_with(more: Callable[[Puppet, Object], str]) -> Make:
    """Error messages say more, given the observation of the answer."""

    def fault(puppet: Puppet, request: Object) -> Object:
        def told(one: Object) -> Object:
            answer = one.get("answer", {})
            value = answer.get("value")
            if not isinstance(value, dict) or "message" not in value:
                return one
            message = f"{value['message']} ({more(puppet, one)})"
            return {**one, "answer": {**answer, "value": {**value, "message": message}}}

        reply = puppet.ask(request)
        return with_observed(reply, map(told, observed(reply)))

    return breaking(fault)


def by_the_last_barrier(puppet: Puppet, request: Object) -> Object:
    """The message for what is uncertain says how its barrier ended."""
    reply = puppet.ask(request)
    told, last = [], ""
    for one in observed(reply):
        last = one.get("barrier", last)
        answer = one.get("answer", {})
        value = answer.get("value")
        if isinstance(value, dict) and value.get("code") == "persistence_uncertain":
            value = {**value, "message": f"the flush was {last}"}
            one = {**one, "answer": {**answer, "value": value}}  # noqa: PLW2901
        told.append(one)
    return with_observed(reply, told)


def with_position(own: Any, session: Any) -> Any:
    """The message for a log that does not fold tells the place of the event that is to blame."""
    act = own(session)
    state, answer = session.log.state, act.seen["answer"]
    match answer:
        case {"value": {"code": "corrupt_schedule_log", "message": str(message)}} if isinstance(
            state, Refused
        ):
            value = {**answer["value"], "message": f"{message} (event {state.position})"}
            return replace(act, seen={"answer": {**answer, "value": value}})
    return act


MESSAGES = (
    Saboteur(
        "tells_the_backends_words",
        "tool.errors-stable",
        "A message carries the text of the backend's failure.",
        chatty(lambda text: text),
    ),
    Saboteur(
        "tells_the_backends_error_code",
        "tool.errors-stable",
        "A message carries the first word of the backend's text, which is the system's name of the failure.",
        chatty(lambda text: text.split()[0]),
    ),
    Saboteur(
        "numbers_its_messages",
        "tool.errors-stable",
        "A message carries a count, as of a log line.",
        breaking(numbered),
    ),
    Saboteur(
        "tells_the_time_in_messages",
        "tool.errors-stable",
        "A message says when it was written.",
        messages_with(lambda puppet, one: f"{one['at']} ms"),
    ),
    Saboteur(
        "tells_the_place_of_a_corrupt_event",
        "tool.errors-stable",
        "The message for a log that does not fold says which event is to blame.",
        replaced(patch(machine, "_answer", with_position)),
    ),
    Saboteur(
        "tells_how_the_barrier_failed",
        "tool.errors-stable",
        "The message for what is uncertain says whether the flush failed, or nobody took part.",
        breaking(by_the_last_barrier),
    ),
    Saboteur(
        "tells_the_session_in_messages",
        "tool.errors-stable",
        "A message says which session it is of.",
        messages_with(lambda puppet, one: str(one["session"])),
    ),
)

SABOTEURS = (*IDS, *ARGUMENTS, *OUTCOMES, *MESSAGES)
