"""Saboteurs of text.* and id.*: what is trimmed, how a string is spelt in a framing, when two ids are one."""

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.ways import (
    REFUSED,
    Object,
    answering,
    applying,
    change_of,
    correct,
    ended,
    granted,
    is_created,
    is_schedule_event,
    on_field,
    on_records,
    record_in,
    refused,
    refusing,
    sabotage,
)

from schedule_spec import changes, fold
from schedule_spec.changes import Change, Create
from schedule_spec.fold import State
from schedule_spec.records import Every
from schedule_spec.rejections import Rejection
from schedule_spec.text import TRIM_SET, trim

ASCII_SPACE = " \t\n\r\x0b\x0c"


def trimming(strip: Callable[[str], str]) -> Handler:
    """Trim otherwise: prompts of creations, and what is taken for trimmed in stored records.

    The correct one is shown a plain prompt that stands for the given one.
    """

    def handle(request: Object) -> Object:
        if request["cmd"] == "create" and isinstance(request.get("prompt"), str):
            stripped = strip(request["prompt"])
            return _restored(request, correct({**request, "prompt": "p" if stripped else ""}), stripped)
        prompt = record_in(request).get("prompt") if request["cmd"] == "decode" else None
        if not isinstance(prompt, str) or "json" in request:
            return correct(request)
        change = request["change"]
        plain = "p" if prompt and strip(prompt) == prompt else ""
        shown = {**request, "change": {**change, "schedule": {**change["schedule"], "prompt": plain}}}
        return _restored(request, correct(shown), prompt)

    return handle


def _restored(request: Object, reply: Object, prompt: str) -> Object:
    """Return a reply to the plain prompt with the prompt that it stands for."""
    match reply.get("result"):
        case {"record": dict(record)}:
            return granted(request, {"record": {**record, "prompt": prompt}})
        case {"change": dict(change)}:
            schedule = {**change["schedule"], "prompt": prompt}
            return granted(request, {"change": {**change, "schedule": schedule}})
        case _:
            return reply


def framing(alter: Callable[[str], str], *commands: str) -> Handler:
    """Alter the text of framings."""

    def handle(request: Object) -> Object:
        reply = correct(request)
        if request["cmd"] in (commands or ("frame", "frame_batch")) and "result" in reply:
            return granted(request, {"text": alter(reply["result"]["text"])})
        return reply

    return handle


LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def literals(spell: Callable[[str], str]) -> Handler:
    """Spell the string literals of framings otherwise."""
    return framing(lambda text: LITERAL.sub(lambda found: spell(json.loads(found.group())), text))


def python_raw(text: str) -> str:
    """Spell a string as Python does: unpaired surrogates stay raw."""
    return json.dumps(text, ensure_ascii=False)


def ecmascript(text: str) -> str:
    """Spell a string rightly."""
    return re.sub(r"[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", python_raw(text))


def escaping(pattern: str) -> Handler:
    """Escape further characters, as \\u and four digits."""

    def escaped(found: re.Match[str]) -> str:
        return f"\\u{ord(found.group()):04x}"

    return literals(lambda text: re.sub(pattern, escaped, ecmascript(text)))


def _upper_hex(text: str) -> str:
    return re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found.group()[2:].upper(), ecmascript(text))


def _long_escapes(text: str) -> str:
    return (
        ecmascript(text)
        .replace("\\\\", "\0")
        .replace("\\b", "\\u0008")
        .replace("\\f", "\\u000c")
        .replace("\0", "\\\\")
    )


def _replaced(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


# --- ids


def resurrects(state: State, change: Change) -> State | None:
    """Let an id that ended be created again."""
    if isinstance(change, Create) and is_created(state, change) and not fold.find(state, change.schedule.id):
        return State((*state.active, change.schedule), state.seen)
    return None


def replaces(state: State, change: Change) -> State | None:
    """Let a create replace the active record of its id."""
    if isinstance(change, Create) and fold.find(state, change.schedule.id):
        return State((*ended(state, change.schedule.id).active, change.schedule), state.seen)
    return None


def forgets_on(kind: type[Change]) -> Handler:
    """Forget ids when changes of a type end their records."""

    def handle(request: Object) -> Object:
        whole = request.get("seedLength", 0)
        if request["cmd"] != "fold" or type(whole) is not int or whole != 0:
            return correct(request)
        state, forgotten = fold.EMPTY, set[str]()
        for event in request["events"]:
            change = changes.decode(event.get("data")) if is_schedule_event(event) else None
            again = isinstance(change, Create) and change.schedule.id in forgotten
            following = resurrects(state, change) if again and isinstance(change, Create) else None
            after = following or fold.step(state, event)
            if not isinstance(after, State):
                return refused(request)
            if isinstance(change, kind) and not isinstance(change, Create):
                gone = fold.find(after, change.id) is None
                forgotten |= {change.id} if gone else set()
            state = after
        return granted(request, fold.encode_state(state))

    return handle


def same_where(normal: Callable[[str], str]) -> Handler:
    """Take ids for one where their normal forms are equal."""

    def apply(state: State, change: Change) -> State | None:
        if isinstance(change, Create):
            return None
        alike = [record.id for record in state.active if normal(record.id) == normal(change.id)]
        if change.id in alike or not alike:
            return None
        found = fold.find(state, alike[0])
        return None if isinstance(found, Every) else ended(state, alike[0])

    return applying(apply)


def known_to_every_object(_: State, change: Change) -> Rejection | None:
    """Take an id for seen that each plain object of ECMAScript has as a member."""
    names = {"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"}
    return REFUSED if isinstance(change, Create) and change.schedule.id in names else None


def shared_ids(request: Object) -> Object:
    """Count the parent's ids as seen in the child."""
    begin = request.get("seedLength", 0)
    if request["cmd"] == "fold" and isinstance(begin, int) and 0 < begin <= len(request["events"]):
        inherited = fold.fold(request["events"][:begin])
        seen = inherited.seen if isinstance(inherited, State) else ()
        for event in request["events"][begin:]:
            change = changes.decode(event.get("data")) if is_schedule_event(event) else None
            if isinstance(change, Create) and change.schedule.id in seen:
                return refused(request)
    return correct(request)


def _blank_prompt(record: Object) -> Object:
    return {**record, "prompt": "p"} if record.get("prompt") == "" else record


def _trimmed(value: Any) -> Any:
    return trim(value) if isinstance(value, str) else value


def _lowered(change: Object) -> Object:
    return {**change, "id": change["id"].lower()} if "id" in change else change


def _id_of(request: Object) -> Any:
    change = change_of(request)
    return change.get("id", record_in(request).get("id")) if isinstance(change, dict) else None


def _deleted(request: Object) -> str:
    """Return the id that a change itself names, if it is one."""
    change = change_of(request)
    named = change.get("id") if isinstance(change, dict) else None
    return named if isinstance(named, str) else ""


def by_graphemes(text: str) -> str:
    """Trim whole graphemes, so that a space with a combining mark behind it stays."""
    kept = trim(text)
    marked = kept and unicodedata.combining(kept[0]) and not text.startswith(kept)
    return text[text.index(kept) - 1 :][: len(kept) + 1] if marked else kept


def reserving(is_reserved: Callable[[str], bool]) -> Handler:
    """Refuse to create an id that something keeps for itself."""
    return applying(
        lambda _, change: REFUSED if isinstance(change, Create) and is_reserved(change.schedule.id) else None
    )


MEMBERS_OF_COLLECTIONS = ("size", "length", "key", "keys", "has", "get", "set", "then", "toJSON", "prototype")


def _is_no_number(id: str) -> bool:
    return id in ("undefined", "null", "None") or bool(
        re.fullmatch("[+-]?(?:NaN|Infinity|[0-9.]+(?:e[0-9]+)?)", id)
    )


SABOTEURS = (
    # text.trim
    sabotage(
        "trims_as_python_does",
        "text.trim",
        "Trims with str.strip, which strips U+001C to U+001F and U+0085 and leaves U+FEFF.",
        trimming(str.strip),
    ),
    sabotage(
        "trims_control_characters",
        "text.trim",
        "Trims all up to U+0020, control characters too, and nothing beyond, as Java's String.trim does.",
        trimming(lambda text: text.strip("".join(map(chr, range(0x21))))),
    ),
    sabotage(
        "trims_ascii_alone",
        "text.trim",
        "Trims the white space of ASCII alone, as C's isspace has it: U+00A0 and U+3000 stay.",
        trimming(lambda text: text.strip(ASCII_SPACE)),
    ),
    sabotage(
        "trims_the_mongolian_vowel_separator",
        "text.trim",
        "Trims by a Unicode table before 6.3, in which U+180E was white space.",
        trimming(lambda text: text.strip(TRIM_SET + "\u180e")),
    ),
    sabotage(
        "trims_zero_width_space",
        "text.trim",
        "Trims U+200B too, which looks like nothing and is no white space.",
        trimming(lambda text: text.strip(TRIM_SET + "\u200b")),
    ),
    sabotage(
        "trims_next_line",
        "text.trim",
        "Trims by Unicode's property White_Space, which has U+0085 too.",
        trimming(lambda text: text.strip(TRIM_SET + "\u0085")),
    ),
    sabotage(
        "keeps_byte_order_mark",
        "text.trim",
        "Does not trim U+FEFF, which is white space in ECMAScript alone.",
        trimming(lambda text: text.strip(TRIM_SET.replace("\ufeff", ""))),
    ),
    sabotage(
        "trims_the_beginning_alone",
        "text.trim",
        "Trims the beginning and forgets the end.",
        trimming(lambda text: text.lstrip(TRIM_SET)),
    ),
    # text.prompt
    sabotage(
        "trims_stored_prompts",
        "text.prompt",
        "Trims a padded prompt of the log in silence where it has to be refused.",
        on_field("prompt", _trimmed),
    ),
    sabotage(
        "accepts_empty_stored_prompt",
        "text.prompt",
        "Takes a stored prompt that is empty, because only its type is checked.",
        on_records(_blank_prompt),
    ),
    sabotage(
        "refuses_prompts_of_several_lines",
        "text.prompt",
        "Takes a prompt for one line and refuses the log that has another.",
        refusing(lambda request: "\n" in str(record_in(request).get("prompt", "")).strip()),
    ),
    # text.json-string
    sabotage(
        "escapes_all_but_ascii",
        "text.json-string",
        "Spells everything beyond ASCII as an escape, as json.dumps does by default.",
        literals(json.dumps),
    ),
    sabotage(
        "escapes_for_html",
        "text.json-string",
        "Escapes <, > and & as Go's encoder does.",
        escaping("[<>&]"),
    ),
    sabotage(
        "escapes_line_separators",
        "text.json-string",
        "Escapes U+2028 and U+2029, for JSON that is to be a script too.",
        escaping("[\u2028\u2029]"),
    ),
    sabotage(
        "escapes_delete", "text.json-string", "Escapes U+007F, which is no control of JSON.", escaping("\x7f")
    ),
    sabotage(
        "escapes_slashes",
        "text.json-string",
        "Escapes the slash, as PHP's encoder does.",
        literals(lambda text: ecmascript(text).replace("/", "\\/")),
    ),
    sabotage(
        "leaves_surrogates_raw",
        "text.json-string",
        "Leaves unpaired surrogates raw, as JSON.stringify did before it was well-formed.",
        literals(python_raw),
    ),
    sabotage(
        "frames_surrogates_as_replacement_characters",
        "text.json-string",
        "Encodes to UTF-8 first, so that an unpaired surrogate turns into U+FFFD.",
        literals(lambda text: ecmascript(_replaced(text))),
    ),
    sabotage(
        "writes_hexadecimal_in_capitals",
        "text.json-string",
        "Writes the digits of escapes in capitals.",
        literals(_upper_hex),
    ),
    sabotage(
        "has_no_short_escapes",
        "text.json-string",
        "Spells U+0008 and U+000C with four digits, as some encoders that know \\n and \\t alone.",
        literals(_long_escapes),
    ),
    # id.shape
    sabotage("trims_ids", "id.shape", "Trims a padded id of the log in silence.", on_field("id", _trimmed)),
    sabotage(
        "accepts_empty_id",
        "id.shape",
        "Takes an empty id, because only its type is checked.",
        on_field("id", lambda id: id or "x" if isinstance(id, str) else id),
    ),
    sabotage(
        "accepts_numbers_for_ids",
        "id.shape",
        "Takes a number for an id and makes it a text.",
        on_field("id", lambda id: str(id) if type(id) is int else id),
    ),
    sabotage(
        "demands_ids_in_ascii",
        "id.shape",
        "Takes ids for printable ASCII, though they are opaque.",
        refusing(lambda request: "change" in request and not re.fullmatch("[ -~]*", str(_id_of(request)))),
    ),
    # ids in logs
    sabotage(
        "resurrects_ended_id",
        "id.never-reused",
        "Looks an id up among the active records alone, so that an ended one is created again.",
        applying(resurrects),
    ),
    sabotage(
        "reuses_dispatched_id",
        "id.never-reused",
        "Keeps tombstones of deleted records alone, so that the id of a delivered one-shot is free again.",
        forgets_on(changes.DispatchOneShot),
    ),
    sabotage(
        "reuses_deleted_id",
        "id.never-reused",
        "Frees the id with the record that a delete takes away.",
        forgets_on(changes.Delete),
    ),
    sabotage(
        "reuses_exhausted_id",
        "fold.no-id-reuse",
        "Frees the id of an every that ended because its next target left the range.",
        forgets_on(changes.DispatchEvery),
    ),
    sabotage(
        "replaces_active_record",
        "fold.no-id-reuse",
        "Lets a create of an active id replace its record, as assigning to a map does.",
        applying(replaces),
    ),
    sabotage(
        "compares_ids_without_case",
        "fold.inactive",
        "Keys records by the id in lower case, so that another spelling ends them.",
        same_where(str.lower),
    ),
    sabotage(
        "normalises_ids",
        "fold.inactive",
        "Normalises ids to NFC, so that the decomposed spelling names the composed one's record.",
        same_where(lambda id: unicodedata.normalize("NFC", id)),
    ),
    sabotage(
        "reads_ids_as_numbers",
        "fold.inactive",
        "Keys records by the number that the id spells, so that 01 is 1.",
        same_where(lambda id: str(int(id)) if re.fullmatch("[0-9]{1,9}", id) else id),
    ),
    sabotage(
        "knows_ids_of_every_object",
        "id.shape",
        "Asks a plain object of ECMAScript whether an id was seen, which has __proto__ and constructor.",
        applying(known_to_every_object),
    ),
    sabotage(
        "shares_the_parents_ids",
        "id.session-local",
        "Takes the ids of the inherited part for seen.",
        shared_ids,
    ),
    sabotage(
        "lowers_ids",
        "change.lossless",
        "Hands ids back in lower case.",
        answering("decode", lambda _, result: {"change": _lowered(result["change"])}),
    ),
    # what is rare in texts and ids
    sabotage(
        "trims_graphemes",
        "text.trim",
        "Trims by graphemes: a space before a combining mark is none.",
        trimming(by_graphemes),
    ),
    sabotage(
        "escapes_plus_signs",
        "text.json-string",
        "Escapes plus signs, as some encoders for the web do.",
        escaping("[+]"),
    ),
    sabotage(
        "compares_the_beginnings_of_ids",
        "fold.inactive",
        "Keeps 64 characters of an id, so that a longer one names another's record.",
        same_where(lambda id: id[:64]),
    ),
    sabotage(
        "ends_ids_at_a_zero_character",
        "fold.inactive",
        "Compares ids up to the first zero character.",
        same_where(lambda id: id.split("\0")[0]),
    ),
    sabotage(
        "compares_ids_in_utf_8",
        "fold.inactive",
        "Keys records by the id in UTF-8, in which unpaired surrogates are replacement characters.",
        same_where(lambda id: re.sub("[\ud800-\udfff]", "\ufffd", id)),
    ),
    sabotage(
        "passes_over_invisible_characters_of_ids",
        "fold.inactive",
        "Compares ids as they look, without characters of no width.",
        same_where(lambda id: re.sub("[\u200b-\u200d\u2060]", "", id)),
    ),
    sabotage(
        "refuses_ids_that_begin_with_a_dash",
        "id.shape",
        "Demands that an id begins with a letter or a digit.",
        refusing(lambda request: _deleted(request).startswith("-")),
    ),
    sabotage(
        "refuses_ids_beyond_a_column",
        "id.shape",
        "Refuses ids that its column of 1,000 characters does not hold.",
        refusing(lambda request: len(_deleted(request)) > 1_000),
    ),
    sabotage(
        "knows_ids_of_collections",
        "fold.create",
        "Asks whether a map has an id by looking the id up among the map's own members.",
        reserving(lambda id: id in MEMBERS_OF_COLLECTIONS),
    ),
    sabotage(
        "reserves_ids_of_documents",
        "fold.create",
        "Stores records as documents, where names with a dollar, a full stop or an underscore are taken.",
        reserving(lambda id: not id.startswith("__") and (id[0] in "$@_" or "." in id)),
    ),
    sabotage(
        "reads_ids_as_values",
        "fold.create",
        "Reads an id as a number or as a value of its language, and refuses what is then none.",
        reserving(lambda id: id != "0" and _is_no_number(id)),
    ),
)
