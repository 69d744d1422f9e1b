"""Saboteurs of view.*, due.* and frame.*: what is shown of records, decided about them, told to the model."""

import re
from collections.abc import Callable
from typing import Any

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.lenient import visible
from tests.saboteurs.pure.strings import ecmascript, framing, literals, python_raw
from tests.saboteurs.pure.ways import (
    Object,
    answering,
    correct,
    granted,
    refused,
    rendered,
    sabotage,
)

from schedule_spec import instants
from schedule_spec.instants import EARLIEST, LATEST, in_range


def target_of(record: Object) -> int:
    """Return the target of a sound record, in ms."""
    return instants.parse(record["scheduledAt"]) or 0


def clock_of_views(alter: Callable[[Any], Any]) -> Handler:
    """Show views another clock sample."""
    return lambda request: correct(
        {**request, "now": alter(request["now"])}
        if request["cmd"] == "view" and "now" in request
        else request
    )


def viewing(alter: Callable[[Object], Object]) -> Handler:
    """Alter views."""
    return answering("view", lambda _, result: {"view": alter(result["view"])})


def deciding(decide: Callable[[list[Object], int, Object], Object | None]) -> Handler:
    """Decide otherwise, given the due records, the clock sample and the right decision; None leaves it."""

    def handle(request: Object) -> Object:
        reply = correct(request)
        if request["cmd"] != "due" or "result" not in reply:
            return reply
        now = int(request["now"])
        due = [record for record in request["records"] if target_of(record) <= now]
        other = decide(due, now, reply["result"])
        return reply if other is None else granted(request, other)

    return handle


def one_shots(due: list[Object]) -> list[Object]:
    """Return the one-shots of records."""
    return [record for record in due if record["kind"] != "every"]


def everys(due: list[Object]) -> list[Object]:
    """Return the everys of records."""
    return [record for record in due if record["kind"] == "every"]


def batch_of(records: list[Object], now: int) -> Object:
    """Return the right decision about some everys alone."""
    result: Object = correct({"seq": 1, "cmd": "due", "records": records, "now": now})["result"]
    return result


def latest_one_shot(due: list[Object], _: int, __: Object) -> Object | None:
    shots = one_shots(due)
    return {"kind": "one-shot", "id": max(shots, key=target_of)["id"]} if shots else None


def last_of_equals(due: list[Object], _: int, __: Object) -> Object | None:
    shots = one_shots(due)
    return {"kind": "one-shot", "id": min(reversed(shots), key=target_of)["id"]} if shots else None


def first_created(due: list[Object], _: int, __: Object) -> Object | None:
    shots = one_shots(due)
    return {"kind": "one-shot", "id": shots[0]["id"]} if shots else None


def every_first(due: list[Object], now: int, right: Object) -> Object | None:
    found = everys(due)
    return batch_of(found, now) if found and right["kind"] == "one-shot" and in_range(now) else None


def after_before_at(due: list[Object], _: int, __: Object) -> Object | None:
    shots = sorted(one_shots(due), key=lambda record: (record["kind"] == "at", target_of(record)))
    return {"kind": "one-shot", "id": shots[0]["id"]} if shots else None


def only_past(due: list[Object], now: int, right: Object) -> Object | None:
    """Take a one-shot for due only past its target."""
    shots = [record for record in one_shots(due) if target_of(record) < now]
    if right["kind"] != "one-shot" or shots:
        return None
    return {"kind": "wait", "until": rendered(now + 1)}


def batches(alter: Callable[[list[Object], list[Object]], list[Object]]) -> Handler:
    """Alter the reminders of a batch, given the due records too."""
    return deciding(
        lambda due, _, right: (
            {**right, "reminders": alter(right["reminders"], due)} if right["kind"] == "batch" else None
        )
    )


def in_creation_order(reminders: list[Object], due: list[Object]) -> list[Object]:
    order = [record["id"] for record in due]
    return sorted(reminders, key=lambda reminder: order.index(reminder["id"]))


def by_occurrence(reminders: list[Object], _: list[Object]) -> list[Object]:
    return sorted(reminders, key=lambda reminder: str(reminder["occurrenceAt"]))


def equals_reversed(reminders: list[Object], due: list[Object]) -> list[Object]:
    places = {record["id"]: (target_of(record), -place) for place, record in enumerate(due)}
    return sorted(reminders, key=lambda reminder: places[reminder["id"]])


def at_their_targets(reminders: list[Object], due: list[Object]) -> list[Object]:
    targets = {record["id"]: record["scheduledAt"] for record in due}
    return [{**reminder, "occurrenceAt": targets[reminder["id"]]} for reminder in reminders]


def all_occurrences(reminders: list[Object], due: list[Object]) -> list[Object]:
    """List the first missed occurrence beside the latest."""
    first = at_their_targets(reminders, due)
    return [
        one
        for pair in zip(first, reminders, strict=True)
        for one in ([pair[1]] if pair[0] == pair[1] else pair)
    ]


def accepted_at_occurrence(_: list[Object], __: int, right: Object) -> Object | None:
    return (
        {**right, "acceptedAt": right["reminders"][0]["occurrenceAt"]} if right["kind"] == "batch" else None
    )


def accepted_in_seconds(_: list[Object], now: int, right: Object) -> Object | None:
    if right["kind"] != "batch":
        return None
    return {**right, "acceptedAt": rendered(now // 1000 * 1000)}


def batch_beside_the_range(due: list[Object], now: int, right: Object) -> Object | None:
    found = everys(due)
    return batch_of(found, LATEST) if right["kind"] == "wait" and found and not in_range(now) else None


def stops_beside_the_range(request: Object) -> Object:
    """Refuse a clock sample outside the range."""
    now = request.get("now")
    if request["cmd"] == "due" and type(now) is int and not in_range(now) and abs(now) < 2**53:
        return refused(request, "time_out_of_range")
    return correct(request)


def no_one_shot_beside_the_range(due: list[Object], now: int, right: Object) -> Object | None:
    return {"kind": "wait"} if right["kind"] == "one-shot" and not in_range(now) else None


def waiting(until: Callable[[list[Object], int], int | None]) -> Handler:
    """Wait for another time, given the records to come."""

    def handle(request: Object) -> Object:
        reply = correct(request)
        if request["cmd"] != "due" or "until" not in reply.get("result", {}):
            return reply
        now = int(request["now"])
        coming = [record for record in request["records"] if target_of(record) > now]
        other = until(coming, now)
        if other is None:
            return granted(request, {"kind": "wait"})
        return granted(request, {"kind": "wait", "until": rendered(other)})

    return handle


def _first(coming: list[Object]) -> int:
    return min(map(target_of, coming))


# --- framings


def lines(alter: Callable[[list[str]], list[str]], *commands: str) -> Handler:
    """Alter the lines of framings."""
    return framing(lambda text: "\n".join(alter(text.split("\n"))), *commands)


def _keys_turned(text: str) -> str:
    found = re.compile(r'("schedule_id":"(?:[^"\\]|\\.)*"),("occurrence_at":"[^"]*")', re.DOTALL)
    return found.sub(r"\2,\1", text)


def _shortened(text: str) -> str:
    return python_raw(text[:1000]) if len(text) > 1000 else ecmascript(text)


def _ellipsis(text: str) -> str:
    return ecmascript(f"{text[:2000]}…") if len(text) > 2000 else ecmascript(text)


def quoting(request: Object) -> Object:
    """Put ids and prompts between quotes without escaping them."""
    return literals(lambda text: f'"{text}"')(request)


def line_breaks_kept(request: Object) -> Object:
    """Leave line feeds of ids and prompts as they are."""
    return literals(lambda text: ecmascript(text).replace("\\n", "\n"))(request)


# --- many records at once


def large_batches(alter: Callable[[list[Object]], list[Object]], few: int) -> Handler:
    """Alter the reminders of batches of more than a few."""
    return batches(lambda reminders, _: alter(reminders) if len(reminders) > few else reminders)


def equals_by_id(reminders: list[Object], due: list[Object]) -> list[Object]:
    """Let ids decide between equal targets where a sort by insertion is left for another."""
    targets = {record["id"]: target_of(record) for record in due}
    if len(reminders) <= 12:
        return reminders
    return sorted(reminders, key=lambda reminder: (targets[reminder["id"]], reminder["id"]))


def heap_of_one_shots(due: list[Object], _: int, __: Object) -> Object | None:
    """Take the least of a heap, which keeps no order of equals, where there are more than a few."""
    shots = one_shots(due)
    if len(shots) <= 8:
        return None
    return {"kind": "one-shot", "id": min(shots, key=lambda each: (target_of(each), each["id"]))["id"]}


def equals_by_kind(due: list[Object], _: int, __: Object) -> Object | None:
    shots = sorted(one_shots(due), key=lambda record: (target_of(record), record["kind"] != "at"))
    return {"kind": "one-shot", "id": shots[0]["id"]} if shots else None


def page_of_records(request: Object) -> Object:
    """Look at the first twenty records, the page of a store."""
    return correct({**request, "records": request["records"][:20]} if request["cmd"] == "due" else request)


def cut_batch(request: Object) -> Object:
    """Frame the first twenty reminders of a batch."""
    return correct(
        {**request, "reminders": request["reminders"][:20]} if request["cmd"] == "frame_batch" else request
    )


def waiting_unless(is_overlooked: Callable[[int], bool]) -> Handler:
    """Wait for nothing where the target to be waited for is overlooked."""
    return deciding(
        lambda _, __, right: (
            {"kind": "wait"}
            if right["kind"] == "wait"
            and "until" in right
            and is_overlooked(instants.parse(right["until"]) or 0)
            else None
        )
    )


def overlooking_the_epoch(request: Object) -> Object:
    """Decide about those records alone whose target is not 0 ms."""
    if request["cmd"] != "due" or "result" not in correct(request):
        return correct(request)
    return correct({**request, "records": [each for each in request["records"] if target_of(each) != 0]})


def scheduled_at_zero(request: Object) -> Object:
    """Show what is due at 0 ms, or under a clock sample of 0, as scheduled."""
    reply = correct(request)
    if request["cmd"] != "view" or "result" not in reply:
        return reply
    view = reply["result"]["view"]
    without_time = request["now"] == 0 or target_of(view) == 0
    return granted(request, {"view": {**view, "state": "scheduled"}}) if without_time else reply


SABOTEURS = (
    # view.*
    sabotage(
        "shows_further_fields",
        "view.fields",
        "Shows how long a reminder is overdue.",
        viewing(lambda view: {**view, "overdueBy": 0}),
    ),
    sabotage(
        "shows_no_delivery_mode",
        "view.fields",
        "Leaves out the delivery mode, which is always the same.",
        viewing(lambda view: {key: value for key, value in view.items() if key != "deliveryMode"}),
    ),
    sabotage(
        "shows_no_delay",
        "view.fields",
        "Shows the target alone and not the delay or interval.",
        viewing(lambda view: {k: v for k, v in view.items() if k not in ("afterSeconds", "everySeconds")}),
    ),
    sabotage(
        "shows_fields_in_snake_case",
        "view.fields",
        "Shows fields as the arguments are spelt.",
        viewing(lambda view: {"scheduled_at" if key == "scheduledAt" else key: view[key] for key in view}),
    ),
    sabotage(
        "is_overdue_only_past_the_target",
        "view.state",
        "Calls a reminder overdue only past its target.",
        clock_of_views(lambda now: now - 1 if type(now) is int and abs(now) < 2**53 - 1 else now),
    ),
    sabotage(
        "is_overdue_within_the_second",
        "view.state",
        "Compares seconds, so that a reminder is overdue some milliseconds early.",
        clock_of_views(lambda now: now + 999 if type(now) is int and abs(now) < 2**53 - 1000 else now),
    ),
    sabotage(
        "is_never_overdue",
        "view.state",
        "Stores the state when a reminder is created.",
        viewing(lambda view: {**view, "state": "scheduled"}),
    ),
    sabotage(
        "calls_overdue_due",
        "view.state",
        "Has another word for overdue.",
        viewing(lambda view: {**view, "state": "due" if view["state"] == "overdue" else view["state"]}),
    ),
    sabotage(
        "shows_views_by_any_clock",
        "number.safe-integer",
        "Takes a clock sample that is no number for zero.",
        clock_of_views(lambda now: 0 if now is None or isinstance(now, str) else now),
    ),
    # due.one-shot-first
    sabotage(
        "chooses_the_latest_one_shot",
        "due.one-shot-first",
        "Chooses the one-shot that was due last.",
        deciding(latest_one_shot),
    ),
    sabotage(
        "chooses_the_last_of_equal_one_shots",
        "due.one-shot-first",
        "Chooses the one that was created last where several have the same target.",
        deciding(last_of_equals),
    ),
    sabotage(
        "chooses_the_first_created_one_shot",
        "due.one-shot-first",
        "Chooses by creation and not by target.",
        deciding(first_created),
    ),
    sabotage(
        "chooses_everys_first",
        "due.one-shot-first",
        "Delivers a batch before a one-shot that is due.",
        deciding(every_first),
    ),
    sabotage(
        "chooses_after_before_at",
        "due.one-shot-first",
        "Keeps after and at apart and looks at after first.",
        deciding(after_before_at),
    ),
    sabotage(
        "delivers_one_shots_a_millisecond_late",
        "due.one-shot-first",
        "Takes a one-shot for due only past its target.",
        deciding(only_past),
    ),
    # due.batch, rate.latest-due, due.one-decision-time, due.clock-range
    sabotage(
        "orders_batches_by_creation", "due.batch", "Orders a batch by creation.", batches(in_creation_order)
    ),
    sabotage(
        "orders_batches_by_occurrence", "due.batch", "Orders a batch by occurrence.", batches(by_occurrence)
    ),
    sabotage(
        "orders_equal_targets_by_last_creation",
        "due.batch",
        "Orders equal targets of a batch by creation, the last first.",
        batches(equals_reversed),
    ),
    sabotage(
        "delivers_one_every_at_a_time",
        "due.batch",
        "Delivers the first of several due everys alone.",
        batches(lambda reminders, _: reminders[:1]),
    ),
    sabotage(
        "replays_missed_occurrences",
        "due.batch",
        "Lists missed occurrences in a batch, and not the latest alone.",
        batches(all_occurrences),
    ),
    sabotage(
        "batches_first_missed_occurrences",
        "rate.latest-due",
        "Gives the stored targets as the occurrences of a batch.",
        batches(at_their_targets),
    ),
    sabotage(
        "decides_at_the_occurrence",
        "due.one-decision-time",
        "Accepts a batch at its first occurrence and not at the decision time.",
        deciding(accepted_at_occurrence),
    ),
    sabotage(
        "accepts_in_whole_seconds",
        "due.one-decision-time",
        "Cuts the milliseconds of the decision time off.",
        deciding(accepted_in_seconds),
    ),
    sabotage(
        "decides_batches_beside_the_range",
        "due.clock-range",
        "Decides a batch with a clock after the range.",
        deciding(batch_beside_the_range),
    ),
    sabotage(
        "refuses_clocks_beside_the_range",
        "due.clock-range",
        "Refuses to decide anything with a clock outside the range.",
        stops_beside_the_range,
    ),
    sabotage(
        "chooses_no_one_shot_beside_the_range",
        "due.one-shot-first",
        "Chooses no one-shot with a clock outside the range.",
        deciding(no_one_shot_beside_the_range),
    ),
    # due.wait
    sabotage(
        "waits_for_the_last_target",
        "due.wait",
        "Waits for the last of the targets to come.",
        waiting(lambda coming, _: max(map(target_of, coming))),
    ),
    sabotage(
        "waits_for_the_first_created",
        "due.wait",
        "Waits for the reminder that was created first.",
        waiting(lambda coming, _: target_of(coming[0])),
    ),
    sabotage(
        "waits_for_one_shots_alone",
        "due.wait",
        "Derives its wake from one-shots alone.",
        waiting(lambda coming, _: min(map(target_of, one_shots(coming)), default=None)),
    ),
    sabotage(
        "waits_no_longer_than_timers_hold",
        "due.wait",
        "Shows the timer's delay, 2^31 - 1 ms at most, for the time that is waited for.",
        waiting(lambda coming, now: min(_first(coming), max(now, EARLIEST) + 2**31 - 1)),
    ),
    sabotage(
        "waits_until_null",
        "due.wait",
        "Gives null where nothing is waited for.",
        deciding(lambda _, __, right: {"until": None, **right} if right["kind"] == "wait" else None),
    ),
    # frame.*
    sabotage(
        "ends_lines_with_carriage_returns",
        "frame.one-shot",
        "Ends lines as Windows does.",
        framing(lambda text: text.replace("\n", "\r\n"), "frame"),
    ),
    sabotage(
        "ends_framings_with_a_newline",
        "frame.one-shot",
        "Ends the framing with a line end.",
        framing(lambda text: f"{text}\n", "frame"),
    ),
    sabotage(
        "leaves_the_warning_out",
        "frame.one-shot",
        "Leaves out the line that calls the prompt untrusted.",
        lines(lambda rows: [rows[0], *rows[2:]], "frame"),
    ),
    sabotage(
        "names_the_prompt_first",
        "frame.one-shot",
        "Puts the fields of a one-shot in another order.",
        lines(lambda rows: [*rows[:2], *reversed(rows[2:])], "frame"),
    ),
    sabotage(
        "frames_occurrences_in_seconds",
        "frame.one-shot",
        "Gives the occurrence without milliseconds.",
        framing(lambda text: re.sub(r"(?m)^(occurrence_at: .{19})\.\d{3}Z$", r"\1Z", text), "frame"),
    ),
    sabotage(
        "frames_ids_without_quotes",
        "frame.one-shot",
        "Gives the id as it is, since it holds nothing that needs quotes.",
        framing(lambda text: re.sub(r'(?m)^(schedule_id_json: )"([^"\\]*)"$', r"\1\2", text), "frame"),
    ),
    sabotage(
        "puts_spaces_in_batches",
        "frame.batch",
        "Writes JSON with a space after each comma.",
        framing(lambda text: text.replace('","', '", "'), "frame_batch"),
    ),
    sabotage(
        "turns_the_keys_of_batches",
        "frame.batch",
        "Writes the keys of a reminder in another order.",
        framing(_keys_turned, "frame_batch"),
    ),
    sabotage(
        "frames_a_single_every_alone",
        "frame.batch",
        "Has the header of a one-shot for a batch of one.",
        framing(lambda text: text.replace(" BATCH]", "]", 1), "frame_batch"),
    ),
    sabotage(
        "frames_reminders_line_by_line",
        "frame.batch",
        "Writes each reminder of a batch on a line of its own.",
        framing(lambda text: text.replace('"},{"', '"},\n{"'), "frame_batch"),
    ),
    sabotage(
        "quotes_without_escaping",
        "frame.injection",
        "Puts ids and prompts between quotes and escapes nothing.",
        quoting,
    ),
    sabotage(
        "leaves_line_feeds_raw",
        "frame.injection",
        "Escapes quotes and leaves line feeds as they are.",
        line_breaks_kept,
    ),
    sabotage(
        "flattens_line_feeds",
        "text.json-string",
        "Replaces line feeds of a prompt by spaces.",
        literals(lambda text: ecmascript(text.replace("\n", " "))),
    ),
    sabotage(
        "cuts_long_texts_off",
        "frame.whole",
        "Cuts ids and prompts off after 1,000 characters.",
        literals(_shortened),
    ),
    sabotage(
        "shortens_long_texts_with_an_ellipsis",
        "frame.whole",
        "Shortens prompts of more than 2,000 characters and says so.",
        literals(_ellipsis),
    ),
    sabotage(
        "cuts_framings_off",
        "frame.whole",
        "Cuts framings off after 4,000 characters.",
        framing(lambda text: text[:4000]),
    ),
    # many records at once
    sabotage(
        "orders_large_batches_by_id",
        "due.batch",
        "Sorts by a method that is stable for twelve records and not for more.",
        batches(equals_by_id),
    ),
    sabotage(
        "delivers_ten_at_a_time",
        "due.batch",
        "Takes ten reminders into a batch and leaves the rest for the next.",
        large_batches(lambda reminders: reminders[:10], 10),
    ),
    sabotage(
        "keeps_one_shots_in_a_heap",
        "due.one-shot-first",
        "Takes the first of a heap, which does not keep equal targets in creation order.",
        deciding(heap_of_one_shots),
    ),
    sabotage(
        "chooses_at_of_equal_targets",
        "due.one-shot-first",
        "Keeps a list for each kind and looks at that of at first.",
        deciding(equals_by_kind),
    ),
    sabotage(
        "looks_at_a_page_of_records",
        "due.one-shot-first",
        "Reads twenty records from its store and decides about these.",
        page_of_records,
    ),
    sabotage(
        "frames_twenty_of_a_batch",
        "frame.batch",
        "Puts the first twenty reminders into a framing.",
        cut_batch,
    ),
    sabotage(
        "reads_patterns_in_prompts",
        "frame.one-shot",
        "Puts prompts into a template by a function that gives $$ a meaning.",
        framing(lambda text: text.replace("$$", "$"), "frame"),
    ),
    # values that a language takes for false, and texts that are shown whole
    sabotage(
        "waits_for_no_target_at_the_epoch",
        "due.wait",
        "Asks whether there is a target by whether it is true, and 0 ms is not.",
        waiting_unless(lambda target: target == 0),
    ),
    sabotage(
        "takes_the_last_instant_for_never",
        "due.wait",
        "Begins the search for the earliest target at the last instant, and takes that for none.",
        waiting_unless(lambda target: target == LATEST),
    ),
    sabotage(
        "takes_the_first_instant_for_none",
        "due.wait",
        "Has the first instant say that there is no target.",
        waiting_unless(lambda target: target == EARLIEST),
    ),
    sabotage(
        "finds_nothing_due_at_the_epoch",
        "due.one-shot-first",
        "Passes over a target of 0 ms, which a language takes for false.",
        overlooking_the_epoch,
    ),
    sabotage(
        "shows_as_scheduled_at_zero",
        "view.state",
        "Compares clock and target only where both are true, and 0 ms is not.",
        scheduled_at_zero,
    ),
    sabotage(
        "shows_prompts_without_what_is_invisible",
        "view.fields",
        "Cleans prompts of controls and invisible characters before they are shown.",
        viewing(lambda view: {**view, "prompt": visible(view["prompt"])}),
    ),
    sabotage(
        "joins_blanks_in_framings",
        "frame.one-shot",
        "Runs blanks of a prompt together.",
        answering("frame", lambda _, result: {"text": re.sub("  +", " ", result["text"])}),
    ),
    sabotage(
        "frames_batches_without_what_is_invisible",
        "frame.batch",
        "Cleans prompts of controls and invisible characters before they are framed.",
        answering(
            "frame_batch", lambda _, result: {"text": "\n".join(map(visible, result["text"].split("\n")))}
        ),
    ),
)
