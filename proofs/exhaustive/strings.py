"""Short strings of every class of characters: their literals, and framings that hold them as ids and prompts.

Every class stands beside every other, and beside any two others. Clauses: text.json-string, frame.one-shot,
frame.batch, frame.injection.
"""

import json
from collections.abc import Callable
from typing import TypeAlias

from proofs.exhaustive.cases import on_all
from proofs.outcomes import Counterexample, Counts
from schedule_impl import due, framing, rendering
from schedule_spec import framing as law
from schedule_spec import json_text, text
from schedule_spec.due import Reminder
from schedule_spec.records import At, Every

CHARACTERS = (
    "",
    "\0",
    "\b",
    "\t",
    "\n",
    "\v",
    "\f",
    "\r",
    "\x1f",
    " ",
    '"',
    "/",
    "n",
    "\\",
    "\x7f",
    "\x85",
    "\u2028",
    "\ud800",
    "\udbff",
    "\udc00",
    "\udfff",
    "\ufeff",
    "\U0001f600",
)
"""One of each class that a rule tells apart, ends of ranges among them, and none, for shorter strings."""

# --- literals ---

Writing: TypeAlias = Callable[[str], str]


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


def _literal(writing: Writing, *characters: str) -> str:
    string = "".join(characters)
    literal = writing(string)
    if not _is_one_literal(literal):
        raise Counterexample(f"{literal!a} is no single literal on one line")
    if json_text.read(literal) != text.join_surrogates(string):
        raise Counterexample(f"{literal!a} does not read back as {string!a}")
    return "strings"


def a_literal_is_one_line_and_reads_back() -> Counts:
    """The law's literals."""
    return on_all(lambda *three: _literal(text.json_string, *three), *[CHARACTERS] * 3)


def _keeping_backslashes(string: str) -> str:
    """Escape no backslash, so that one before a quote undoes its escape."""
    return text.json_string(string).replace("\\\\", "\\")


def literals_that_keep_backslashes() -> Counts:
    """The same of literals in which backslashes are left as they are."""
    return on_all(lambda *three: _literal(_keeping_backslashes, *three), *[CHARACTERS] * 3)


def _alike(writing: Writing, *characters: str) -> str:
    string = "".join(characters)
    if (found := writing(string)) != text.json_string(string):
        raise Counterexample(f"{string!a} is written as {found!a}")
    return "strings"


def the_implementation_escapes_as_the_law() -> Counts:
    """The implementation's literals against the law's."""
    return on_all(lambda *three: _alike(rendering.json_text, *three), *[CHARACTERS] * 3)


def literals_in_ascii() -> Counts:
    """The same of literals in which everything beyond ASCII is escaped."""
    return on_all(lambda *three: _alike(json.dumps, *three), *[CHARACTERS] * 3)


# --- framings ---

Framing: TypeAlias = Callable[[str, str], str]
"""Frames a one-shot of an id and a prompt."""
OCCURRENCE = 300_000
"""An occurrence of a record whose target is the epoch."""


def _shows(line: str, name: str, value: object) -> bool:
    """Tell whether a line holds the name and a JSON text that reads back as the value, and no more."""
    return json_text.read(line.removeprefix(f"{name}: ")) == value and line.startswith(f"{name}: ")


def _one_shot(framed: Framing, id: str, *prompt: str) -> str:
    """Hold the framing of a one-shot to give back id and prompt, each in its line."""
    said = "".join(prompt)
    lines = framed(id, said).split("\n")
    if not (
        tuple(lines[:2]) == law.ONE_SHOT_HEADER
        and len(lines) == 5
        and _shows(lines[2], "schedule_id_json", text.join_surrogates(id))
        and lines[3] == "occurrence_at: 1970-01-01T00:00:00.000Z"
        and _shows(lines[4], "reminder_prompt_json", text.join_surrogates(said))
    ):
        raise Counterexample(f"{id!a} and {said!a} are framed as {lines!a}")
    return "framings"


def one_shots_are_framed_in_five_lines() -> Counts:
    """The law's framings of one-shots, their contracts in force."""
    return on_all(
        lambda *case: _one_shot(lambda id, prompt: law.one_shot(At(id, prompt, 0)), *case),
        *[CHARACTERS] * 3,
    )


def one_shots_are_framed_with_bare_prompts() -> Counts:
    """The same of framings in which the prompt stands as it is."""
    return on_all(
        lambda *case: _one_shot(lambda id, prompt: law.one_shot(At(id, "", 0))[:-1] + f'{prompt}"', *case),
        *[CHARACTERS] * 3,
    )


def _reminders(id: str, prompt: str) -> tuple[Reminder, Reminder]:
    """Return two reminders, of which the first delivers a later occurrence than its target."""
    return Reminder(Every(id, prompt, 300, 0), OCCURRENCE), Reminder(Every("b", prompt + id, 300, 0), 0)


def _batch(framed: Callable[[tuple[Reminder, ...]], str], id: str, *prompt: str) -> str:
    """Hold the framings of one and of two reminders to give them back in their third and last line."""
    both = _reminders(id, "".join(prompt))
    for reminders in (both[:1], both):
        lines = framed(reminders).split("\n")
        shown = [
            {
                "schedule_id": text.join_surrogates(each.record.id),
                "occurrence_at": f"1970-01-01T00:0{each.occurrence // 60_000}:00.000Z",
                "reminder_prompt": text.join_surrogates(each.record.prompt),
            }
            for each in reminders
        ]
        if not (
            tuple(lines[:2]) == law.BATCH_HEADER
            and len(lines) == 3
            and _shows(lines[2], "reminders_json", shown)
        ):
            raise Counterexample(f"{reminders!a} are framed as {lines!a}")
    return "framings"


def batches_are_framed_in_three_lines() -> Counts:
    """The law's framings of batches, their contracts in force."""
    return on_all(lambda *case: _batch(law.batch, *case), *[CHARACTERS] * 2)


def batches_are_framed_by_lines() -> Counts:
    """The same of framings in which each reminder stands on a line of its own."""
    return on_all(
        lambda *case: _batch(lambda shown: law.batch(shown).replace("},{", "},\n{"), *case),
        *[CHARACTERS] * 2,
    )


Three: TypeAlias = tuple[str, str, str]
"""Framings of a one-shot, of an every alone, and of two."""


def _by_law(id: str, prompt: str) -> Three:
    both = _reminders(id, prompt)
    return law.one_shot(At(id, prompt, OCCURRENCE)), law.batch(both[:1]), law.batch(both)


def _by_implementation(id: str, prompt: str) -> Three:
    one = due.Reminder(id, prompt, OCCURRENCE)
    other = due.Reminder("b", prompt + id, 0)
    return framing.one_shot(one), framing.batch((one,)), framing.batch((one, other))


def _framed_alike(framed: Callable[[str, str], Three], id: str, prompt: str) -> str:
    if (found := framed(id, prompt)) != (expected := _by_law(id, prompt)):
        raise Counterexample(f"{id!a} and {prompt!a} are framed as {found!a}, not {expected!a}")
    return "framings"


def the_implementation_frames_as_the_law() -> Counts:
    """The implementation's framings against the law's."""
    return on_all(lambda *case: _framed_alike(_by_implementation, *case), *[CHARACTERS] * 2)


def framings_in_which_id_and_prompt_change_places() -> Counts:
    """The same of framings in which id and prompt are confused."""
    return on_all(
        lambda *case: _framed_alike(lambda id, prompt: _by_implementation(prompt, id), *case),
        *[CHARACTERS] * 2,
    )
