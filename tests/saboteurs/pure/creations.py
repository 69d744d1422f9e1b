"""Saboteurs of after.*, every.* and of prompts and selectors in tool.*: from a request to a record."""

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.ways import (
    SELECTORS,
    Object,
    answering,
    code_of,
    coded,
    correct,
    creating,
    members,
    moved,
    on_created,
    on_member,
    on_prompt,
    refused,
    refusing,
    sabotage,
)

from schedule_spec import json_text
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.numbers import safe_integer
from schedule_spec.text import trim

UNSAFE = 2**53


def to_seconds(record: Object) -> Object:
    """Cut the milliseconds of a target off."""
    return moved(record, lambda ms: ms // 1000 * 1000)


def _digits(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value


def least(minimum: int) -> Handler:
    """Take intervals from another minimum on."""

    def handle(request: Object) -> Object:
        given = members(request)
        seconds = given.get("every_seconds")
        if request["cmd"] != "create" or type(seconds) is not int:
            return correct(request)
        if minimum <= seconds < 300:
            reply = correct({**given, "seq": request["seq"], "cmd": "create", "every_seconds": 300})
            if "result" in reply:
                reply["result"]["record"]["everySeconds"] = seconds
            return reply
        return refused(request, "frequency_too_high") if 300 <= seconds < minimum else correct(request)

    return handle


def ending_at_the_range(name: str, smaller: int) -> Handler:
    """Bring a target beyond the range, of one selector, to its end."""

    def handle(request: Object) -> Object:
        reply, given = correct(request), members(request)
        now, seconds = given.get("now"), given.get(name)
        if code_of(reply) != "time_out_of_range" or type(now) is not int or type(seconds) is not int:
            return reply
        if now > LATEST or now + seconds * 1000 <= LATEST:
            return reply
        shown = correct({**given, "seq": request["seq"], "cmd": "create", name: smaller, "now": 0})
        return shown if "result" in shown else reply

    return handle


def starts_at_the_range(request: Object) -> Object:
    """Bring a target before the range to its beginning."""
    reply, given = correct(request), members(request)
    now = safe_integer(given.get("now"))
    if code_of(reply) != "time_out_of_range" or now is None or now >= EARLIEST or "at" in given:
        return reply
    shown = correct({**given, "seq": request["seq"], "cmd": "create", "now": EARLIEST})
    return shown if "result" in shown else reply


def _no_clock(given: Object) -> bool:
    return safe_integer(given.get("now")) is None


def first_of_several(given: Object) -> Object:
    """Take the first of several selectors."""
    present = [name for name in SELECTORS if name in given]
    return {key: value for key, value in given.items() if key not in present[1:]}


def without_nulls(given: Object) -> Object:
    """Pass over selectors that are null."""
    return {key: value for key, value in given.items() if key not in SELECTORS or value is not None}


def now_by_default(given: Object) -> Object:
    """Deliver at once where no selector is given."""
    return given if any(name in given for name in SELECTORS) else {**given, "after_seconds": 1}


def untrimmed(request: Object, result: Object) -> Object:
    """Store the prompt as it came."""
    return {"record": {**result["record"], "prompt": members(request)["prompt"]}}


def _whole(value: Any) -> Any:
    return max(1, int(value)) if isinstance(value, float) and 0 < value < UNSAFE else value


def spells_with_fraction(request: Object) -> bool:
    """Tell whether a number of a creation is held as a floating-point one, or spelt so in its JSON text."""
    text = request.get("json")
    if isinstance(text, str):
        return any(mark in text for mark in ("0.0", "e2", "E2", "e+", ".0,", ".0}"))
    return any(isinstance(request.get(name), float) for name in (*SELECTORS, "now"))


# --- prompts as they are stored


def storing(alter: Callable[[str], str]) -> Handler:
    """Store the trimmed prompt altered."""
    return answering(
        "create",
        lambda _, result: {"record": {**result["record"], "prompt": alter(result["record"]["prompt"])}},
    )


def _date_as_a_library_prints_it(prompt: str) -> str:
    return prompt.replace("T", " ").removesuffix("Z") if _DATE.fullmatch(prompt) else prompt


_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9:]{5})")
_LONGEST_COLUMN = 16_383


def _beyond_a_column(request: Object) -> bool:
    prompt = members(request).get("prompt")
    return isinstance(prompt, str) and len(prompt) > _LONGEST_COLUMN


def _as_text(prompt: Any) -> Any:
    return json.dumps(prompt) if isinstance(prompt, bool | int | float) else prompt


def in_text_twice(request: Object) -> Object:
    """Read a creation that was encoded twice."""
    text = request.get("json") if request["cmd"] == "create" else None
    inner = json_text.read(text) if isinstance(text, str) else None
    return correct({**request, "json": inner}) if isinstance(inner, str) else correct(request)


def targets_at_epoch(reply: Object) -> bool:
    """Tell whether a record was created whose target is 0 ms."""
    return "result" in reply and reply["result"]["record"]["scheduledAt"] == "1970-01-01T00:00:00.000Z"


def of_delay_at_epoch(request: Object) -> Object:
    """Refuse a delay whose target is 0 ms."""
    reply = correct(request)
    delayed = request["cmd"] == "create" and "after_seconds" in members(request)
    return refused(request, "time_out_of_range") if delayed and targets_at_epoch(reply) else reply


FALSE_TEXTS = ("0", "false", "null", "undefined", "[]")


def _prompt_says_nothing(request: Object) -> bool:
    prompt = members(request).get("prompt")
    return isinstance(prompt, str) and trim(prompt) in FALSE_TEXTS and "result" in correct(request)


SABOTEURS = (
    # after.rule
    sabotage(
        "takes_zero_for_a_delay",
        "after.rule",
        "Takes a delay of zero for at once.",
        on_member("after_seconds", lambda n: 1 if type(n) is int and n == 0 else n),
    ),
    sabotage(
        "takes_negative_delays",
        "after.rule",
        "Takes a negative delay for at once.",
        on_member("after_seconds", lambda n: 1 if type(n) is int and -UNSAFE < n < 0 else n),
    ),
    sabotage(
        "rounds_delays",
        "after.rule",
        "Cuts the fraction of a delay off.",
        on_member("after_seconds", _whole),
    ),
    sabotage(
        "reads_delays_from_texts",
        "after.rule",
        "Takes a text of digits for a delay.",
        on_member("after_seconds", _digits),
    ),
    sabotage(
        "takes_true_for_a_delay",
        "after.rule",
        "Takes true for a delay of 1 s.",
        on_member("after_seconds", lambda n: 1 if n is True else n),
    ),
    sabotage(
        "takes_null_for_a_delay",
        "after.rule",
        "Takes null for a delay, as Number(null) does, and delivers at once.",
        on_member("after_seconds", lambda n: 1 if n is None else n),
    ),
    sabotage(
        "calls_an_unsafe_delay_out_of_range",
        "after.rule",
        "Computes with whatever number comes and finds the target out of range.",
        coded(
            "invalid_rule",
            "time_out_of_range",
            lambda given: (
                type(given.get("after_seconds")) in (int, float) and abs(given["after_seconds"]) >= UNSAFE
            ),
        ),
    ),
    sabotage(
        "refuses_delays_beyond_timers",
        "after.rule",
        "Refuses delays that the host's timers cannot hold, from 2^31 ms on.",
        refusing(
            lambda request: (
                type(members(request).get("after_seconds")) is int
                and members(request)["after_seconds"] > 2_147_483
                and "result" in correct(request)
            ),
            "invalid_rule",
            "create",
        ),
    ),
    # after.target, record.after
    sabotage(
        "stores_delayed_targets_in_seconds",
        "after.target",
        "Cuts the milliseconds of the clock sample off.",
        on_created("after", lambda _, record: to_seconds(record)),
    ),
    sabotage(
        "rounds_delayed_targets_up",
        "after.target",
        "Rounds the target up to a whole second.",
        on_created("after", lambda _, record: moved(record, lambda ms: -(-ms // 1000) * 1000)),
    ),
    sabotage(
        "takes_delays_for_milliseconds",
        "after.target",
        "Adds the delay to the clock sample without multiplying it.",
        on_created(
            "after", lambda given, record: moved(record, lambda ms: ms - int(given["after_seconds"]) * 999)
        ),
    ),
    sabotage(
        "counts_delays_from_the_epoch",
        "after.target",
        "Adds the delay to nothing.",
        on_created("after", lambda given, record: moved(record, lambda ms: ms - int(given["now"]))),
    ),
    sabotage(
        "forgets_the_delay",
        "record.after",
        "Stores the target and not the delay.",
        on_created("after", lambda _, record: {k: v for k, v in record.items() if k != "afterSeconds"}),
    ),
    # after.range, every.range
    sabotage(
        "ends_delayed_targets_at_the_range",
        "after.range",
        "Brings a target beyond the year 9999 to its end.",
        ending_at_the_range("after_seconds", 60),
    ),
    sabotage(
        "ends_first_targets_at_the_range",
        "every.range",
        "Brings a first target beyond the year 9999 to its end.",
        ending_at_the_range("every_seconds", 300),
    ),
    sabotage(
        "begins_targets_at_the_range",
        "after.range",
        "Brings a clock before the year 1 to its beginning.",
        starts_at_the_range,
    ),
    sabotage(
        "calls_delayed_targets_out_of_range_a_bad_rule",
        "after.range",
        "Has one code for each delay that will not do.",
        coded(
            "time_out_of_range",
            "invalid_rule",
            lambda given: "after_seconds" in given and not _no_clock(given),
        ),
    ),
    sabotage(
        "calls_first_targets_out_of_range_a_bad_rule",
        "every.range",
        "Has one code for each interval that will not do.",
        coded(
            "time_out_of_range",
            "invalid_rule",
            lambda given: "every_seconds" in given and not _no_clock(given),
        ),
    ),
    sabotage(
        "calls_a_bad_clock_a_bad_rule",
        "after.range",
        "Has the code of a bad rule for a clock sample that is no safe integer.",
        coded(
            "time_out_of_range", "invalid_rule", lambda given: "after_seconds" in given and _no_clock(given)
        ),
    ),
    sabotage(
        "takes_a_missing_clock_for_the_epoch",
        "every.range",
        "Takes a clock sample that is no safe integer for zero.",
        creating(
            lambda given: {**given, "now": 0} if "every_seconds" in given and _no_clock(given) else given
        ),
    ),
    # every.*
    sabotage("takes_intervals_from_299", "every.minimum", "Is off by one at the least interval.", least(299)),
    sabotage(
        "takes_intervals_from_301", "every.minimum", "Takes the least interval for too small.", least(301)
    ),
    sabotage(
        "calls_zero_a_bad_interval",
        "every.minimum",
        "Calls an interval of zero or below a bad rule, since it is none.",
        coded(
            "frequency_too_high",
            "invalid_rule",
            lambda given: type(given.get("every_seconds")) is int and given["every_seconds"] <= 0,
        ),
    ),
    sabotage(
        "calls_fractions_too_frequent",
        "every.rule",
        "Has one code for each interval that will not do.",
        coded("invalid_rule", "frequency_too_high", lambda given: "every_seconds" in given),
    ),
    sabotage(
        "reads_intervals_from_texts",
        "every.rule",
        "Takes a text of digits for an interval.",
        on_member("every_seconds", _digits),
    ),
    sabotage(
        "rounds_intervals",
        "every.rule",
        "Cuts the fraction of an interval off.",
        on_member("every_seconds", lambda n: int(n) if isinstance(n, float) and abs(n) < UNSAFE else n),
    ),
    sabotage(
        "rounds_anchors_to_seconds",
        "every.first-target",
        "Cuts the milliseconds of the anchor off.",
        on_created("every", lambda _, record: to_seconds(record)),
    ),
    sabotage(
        "starts_everys_at_once",
        "every.first-target",
        "Takes the clock sample for the first target.",
        on_created(
            "every",
            lambda given, record: moved(record, lambda ms: max(EARLIEST, ms - record["everySeconds"] * 1000)),
        ),
    ),
    sabotage(
        "aligns_everys_with_the_clock",
        "every.first-target",
        "Puts the first target on a multiple of the interval since the epoch.",
        on_created(
            "every",
            lambda _, record: moved(
                record, lambda ms: ms // (record["everySeconds"] * 1000) * record["everySeconds"] * 1000
            ),
        ),
    ),
    sabotage(
        "stores_intervals_in_minutes",
        "record.every",
        "Stores the interval in whole minutes.",
        on_created("every", lambda _, record: {**record, "everySeconds": record["everySeconds"] // 60 * 60}),
    ),
    sabotage(
        "stores_the_anchor",
        "record.every",
        "Stores the anchor beside the target.",
        on_created("every", lambda _, record: {**record, "anchor": record["scheduledAt"]}),
    ),
    # number.safe-integer
    sabotage(
        "minds_the_spelling_of_numbers",
        "number.safe-integer",
        "Refuses numbers that are spelt with a fraction or an exponent.",
        refusing(
            lambda request: spells_with_fraction(request) and "result" in correct(request),
            "invalid_rule",
            "create",
        ),
    ),
    # tool.create-prompt
    sabotage(
        "stores_prompts_as_they_come",
        "tool.create-prompt",
        "Checks that something is left of the trimmed prompt, and stores the other.",
        answering("create", untrimmed),
    ),
    sabotage(
        "accepts_blank_prompts",
        "tool.create-prompt",
        "Checks that a prompt has characters before it is trimmed.",
        on_prompt(lambda prompt: prompt if trim(prompt) or not prompt else "p"),
    ),
    sabotage(
        "accepts_empty_prompts",
        "tool.create-prompt",
        "Takes an empty prompt.",
        on_prompt(lambda prompt: prompt or "p"),
    ),
    sabotage(
        "calls_a_blank_prompt_a_bad_rule",
        "tool.create-prompt",
        "Has one code for every argument that will not do.",
        coded("invalid_prompt", "invalid_rule", lambda given: isinstance(given.get("prompt"), str)),
    ),
    sabotage(
        "shortens_prompts",
        "tool.create-prompt",
        "Stores the first 1,000 characters of a prompt.",
        answering(
            "create",
            lambda _, result: {
                "record": {**result["record"], "prompt": trim(result["record"]["prompt"][:1000])}
            },
        ),
    ),
    # tool.create-selector
    sabotage(
        "takes_the_first_of_several_selectors",
        "tool.create-selector",
        "Takes the first selector that is there.",
        creating(first_of_several),
    ),
    sabotage(
        "passes_over_selectors_that_are_null",
        "tool.create-selector",
        "Takes a selector that is null for an absent one.",
        creating(without_nulls),
    ),
    sabotage(
        "delivers_at_once_without_a_selector",
        "tool.create-selector",
        "Takes a missing selector for at once.",
        creating(now_by_default),
    ),
    sabotage(
        "calls_a_missing_selector_a_bad_rule",
        "tool.create-selector",
        "Has the code of a bad rule for a missing or a second selector.",
        coded("invalid_selector", "invalid_rule"),
    ),
    # prompts as they are stored
    sabotage(
        "normalises_prompts",
        "tool.create-prompt",
        "Brings prompts into normal form C before they are stored.",
        storing(lambda prompt: unicodedata.normalize("NFC", prompt)),
    ),
    sabotage(
        "stores_line_feeds_for_line_ends",
        "tool.create-prompt",
        "Stores every line end as a line feed.",
        storing(lambda prompt: prompt.replace("\r\n", "\n").replace("\r", "\n")),
    ),
    sabotage(
        "escapes_prompts_for_html",
        "tool.create-prompt",
        "Escapes what HTML gives a meaning before it is stored.",
        storing(lambda prompt: prompt.replace("&", "&amp;").replace("<", "&lt;")),
    ),
    sabotage(
        "stores_no_unpaired_surrogates",
        "tool.create-prompt",
        "Stores prompts as UTF-8, in which unpaired surrogates become replacement characters.",
        storing(lambda prompt: re.sub("[\ud800-\udfff]", "\ufffd", prompt)),
    ),
    sabotage(
        "stores_dates_as_its_library_prints_them",
        "tool.create-prompt",
        "Reads JSON by a parser that makes dates of texts that look like one.",
        storing(_date_as_a_library_prints_it),
    ),
    sabotage(
        "refuses_prompts_beyond_a_column",
        "tool.create-prompt",
        "Refuses prompts that its column of 16,383 characters does not hold.",
        refusing(_beyond_a_column, "invalid_prompt", "create"),
    ),
    sabotage(
        "takes_values_for_prompts",
        "tool.ill-typed",
        "Reads a prompt by a parser that makes a text of a number or a truth value.",
        on_member("prompt", _as_text),
    ),
    sabotage(
        "takes_prompts_of_creations_for_false",
        "tool.create-prompt",
        "Reads prompts as a form's values, where false, null and 0 say that there is none.",
        refusing(_prompt_says_nothing, "invalid_prompt", "create"),
    ),
    sabotage(
        "calls_a_delayed_target_at_the_epoch_out_of_range",
        "after.range",
        "Asks whether there is a target by whether it is true, and 0 ms is not.",
        of_delay_at_epoch,
    ),
    sabotage(
        "reads_creations_encoded_twice",
        "tool.ill-typed",
        "Decodes what it is given until it is no text.",
        in_text_twice,
    ),
    sabotage(
        "stores_ids_normalised",
        "record.at",
        "Stores ids in normal form C.",
        on_created("at", lambda _, record: {**record, "id": unicodedata.normalize("NFC", record["id"])}),
    ),
)
