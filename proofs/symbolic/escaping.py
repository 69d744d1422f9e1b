"""The escaping of strings: a literal is one line, ends where the string ends, and reads back as the string.

Every class of characters stands beside every other, and a few in all strings of three. Clauses:
text.json-string, text.trim, frame.injection, frame.one-shot.
"""

from icontract import ensure, require

from proofs.symbolic.characters import Character, Plain
from proofs.symbolic.twins import bare, keeps, under_contracts_of
from proofs.symbolic.values import on_values
from schedule_impl import due, rendering
from schedule_impl import framing as implementation
from schedule_impl import text as implementation_text
from schedule_spec import framing as law
from schedule_spec import json_text, text
from schedule_spec.due import Reminder
from schedule_spec.records import At, Every


@on_values
def _is_one_literal(literal: str) -> bool:
    """Tell whether the text is one JSON string on one line, which its last character alone closes."""
    inner = literal[1:-1]
    unescaped = inner.replace("\\\\", "").replace('\\"', "")
    return (
        len(literal) >= 2
        and literal[0] == literal[-1] == '"'
        and '"' not in unescaped
        and not unescaped.endswith("\\")
        and not any(character < " " for character in literal)
        and not any("\ud800" <= character <= "\udfff" for character in literal)
    )


@on_values
def _reads_as(literal: str, string: str) -> bool:
    """Tell whether the literal means the string, in which surrogates that make a pair are joined."""
    return json_text.read(literal) == text.join_surrogates(string)


_literal = on_values(text.json_string)


@ensure(
    lambda result, one, other: _reads_as(result, one.value + other.value),
    "text.json-string: the literal reads back as the string",
)
@ensure(lambda result: _is_one_literal(result), "text.json-string: one line, no quote within")
@on_values
def literal_of_two(one: Character, other: Character) -> str:
    """Return the law's literal of a string of up to two characters."""
    return text.json_string(one.value + other.value)


@under_contracts_of(literal_of_two)
@on_values
def literal_with_bare_controls(one: Character, other: Character) -> str:
    """Broken: of the control characters only those with a name are escaped."""
    return text.json_string(one.value + other.value).replace("\\u001f", "\x1f")


@ensure(
    lambda result, one, two, three: _reads_as(result, one.value + two.value + three.value),
    "text.json-string: the literal reads back as the string",
)
@ensure(lambda result: _is_one_literal(result), "text.json-string: one line, no quote within")
@on_values
def literal_of_three(one: Plain, two: Plain, three: Plain) -> str:
    """Return the law's literal of a string of up to three characters."""
    return text.json_string(one.value + two.value + three.value)


@under_contracts_of(literal_of_three)
@on_values
def literal_that_keeps_backslashes(one: Plain, two: Plain, three: Plain) -> str:
    """Broken: quotes alone are escaped, so that a backslash before one undoes it."""
    return '"' + (one.value + two.value + three.value).replace('"', '\\"').replace("\n", "\\n") + '"'


@ensure(
    lambda result, one, other: result == _literal(one.value + other.value),
    "text.json-string: the implementation's literal is the law's",
)
@on_values
def implementation_literal(one: Character, other: Character) -> str:
    """Return the implementation's literal of a string of up to two characters."""
    return rendering.json_text(one.value + other.value)


@under_contracts_of(implementation_literal)
@on_values
def implementation_literal_in_ascii(one: Character, other: Character) -> str:
    """Broken: everything beyond ASCII is escaped."""
    return ascii(one.value + other.value)


@ensure(
    lambda result, string: (
        result == text.trim(result)
        and result in string
        and all(left in text.TRIM_SET for left in string.replace(result, "", 1))
    ),
    "text.trim: what is left is trimmed, and what is taken away is of the set",
)
@require(lambda string: len(string) <= 3, "text.trim: three characters at most")
def trimming(string: str) -> str:
    """Return what the law leaves of a string."""
    return text.trim(string)


@under_contracts_of(trimming)
def trimming_as_python_does(string: str) -> str:
    """Broken: the set is Python's, which has U+0085 too."""
    return "" if string == "\x85" else text.trim(string)


@ensure(lambda result, string: result == text.trim(string), "text.trim: the implementation trims as the law")
@require(lambda string: len(string) <= 3, "text.trim: three characters at most")
def implementation_trims(string: str) -> str:
    """Return what the implementation leaves of a string."""
    return implementation_text.trim(string)


@under_contracts_of(implementation_trims)
def implementation_trims_at_the_end(string: str) -> str:
    """Broken: what stands in front is left."""
    return string if string == " " else text.trim(string)


# -- framings -----------------------------------------------------------------------------------------------


OCCURRENCE = 300_000
"""An occurrence of a record whose target is the epoch."""


def _shows(line: str, name: str, value: object) -> bool:
    """Tell whether a line holds the name and a JSON text that reads back as the value, and no more."""
    return json_text.read(line.removeprefix(f"{name}: ")) == value and line.startswith(f"{name}: ")


def _shows_one_shot(framing: str, record: At) -> bool:
    """Tell whether the lines of a one-shot's framing give back what it delivers."""
    lines = framing.split("\n")
    return (
        tuple(lines[:2]) == law.ONE_SHOT_HEADER
        and lines[3] == "occurrence_at: 1970-01-01T00:00:00.000Z"
        and _shows(lines[2], "schedule_id_json", text.join_surrogates(record.id))
        and _shows(lines[4], "reminder_prompt_json", text.join_surrogates(record.prompt))
    )


@ensure(lambda result: result, "frame.injection: as the law states, and each line gives back what it shows")
@on_values
def framing_under_the_law(id: Character, prompt: Character) -> bool:
    """Tell whether the framing of a one-shot is right.

    It keeps the contract of `schedule_spec.framing.one_shot`, and its lines give back id and prompt.
    """
    record = At(id.value, prompt.value + id.value, 0)
    framing = bare(law.one_shot)(record)
    return keeps(law.one_shot, framing, record=record) and _shows_one_shot(framing, record)


@under_contracts_of(framing_under_the_law)
@on_values
def framing_of_bare_prompts(id: Character, prompt: Character) -> bool:
    """Broken: the prompt stands as it is."""
    record = At(id.value, prompt.value + id.value, 0)
    return keeps(law.one_shot, bare(law.one_shot)(record) + record.prompt, record=record)


def _reminders(id: str, prompt: str) -> tuple[Reminder, Reminder]:
    """Return two reminders, of which the first delivers a later occurrence than its target."""
    return Reminder(Every(id, prompt, 300, 0), OCCURRENCE), Reminder(Every("b", prompt + id, 300, 0), 0)


def _shows_batch(framing: str, reminders: tuple[Reminder, ...]) -> bool:
    """Tell whether the lines of a batch's framing give back what it delivers."""
    lines = framing.split("\n")
    shown = [
        {
            "schedule_id": text.join_surrogates(each.record.id),
            "occurrence_at": f"1970-01-01T00:0{each.occurrence // 60_000}:00.000Z",
            "reminder_prompt": text.join_surrogates(each.record.prompt),
        }
        for each in reminders
    ]
    return tuple(lines[:2]) == law.BATCH_HEADER and _shows(lines[2], "reminders_json", shown)


@ensure(lambda result: result, "frame.injection: as the law states, and the line gives back what it shows")
@on_values
def batch_framing_under_the_law(id: Character, prompt: Character) -> bool:
    """Tell whether the framings of one and of two reminders are right.

    They keep the contract of `schedule_spec.framing.batch`, and their lines give back the reminders.
    """
    both = _reminders(id.value, prompt.value)
    return all(
        keeps(law.batch, bare(law.batch)(shown), reminders=shown)
        and _shows_batch(bare(law.batch)(shown), shown)
        for shown in (both, both[:1])
    )


@under_contracts_of(batch_framing_under_the_law)
@on_values
def batch_framing_by_lines(id: Character, prompt: Character) -> bool:
    """Broken: each reminder stands on a line of its own."""
    reminders = _reminders(id.value, prompt.value)
    return keeps(law.batch, bare(law.batch)(reminders).replace("},{", "},\n{"), reminders=reminders)


@on_values
def _framings(id: str, prompt: str) -> tuple[str, str, str]:
    """Return the law's framings of a one-shot, of an every alone, and of two."""
    both = _reminders(id, prompt)
    return law.one_shot(At(id, prompt, OCCURRENCE)), law.batch(both[:1]), law.batch(both)


@ensure(
    lambda result, id, prompt: result == _framings(id.value, prompt.value),
    "frame.one-shot, frame.batch: the implementation's framings are the law's",
)
@on_values
def implementation_frames(id: Character, prompt: Character) -> tuple[str, str, str]:
    """Return the implementation's framings of a one-shot, of an every alone, and of two."""
    one = due.Reminder(id.value, prompt.value, OCCURRENCE)
    other = due.Reminder("b", prompt.value + id.value, 0)
    return implementation.one_shot(one), implementation.batch((one,)), implementation.batch((one, other))


@under_contracts_of(implementation_frames)
@on_values
def implementation_frames_in_other_order(id: Character, prompt: Character) -> tuple[str, str, str]:
    """Broken: id and prompt are confused."""
    return implementation_frames(prompt, id)
