"""Breaks the law in each area, in one place at a time, and sees the proofs fail there.

`python -m proofs.broken [AREA…]` works in a copy of the checkout's packages; nothing of the checkout is
touched. Every module of the law that specifies a clause of which something is shown is broken at least once.
It prints a line a break, and ends with 1 where the proofs still hold for a law that is wrong: UNSEEN, with
what was run and with the command that runs it again.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs.running import ROOT

FOLDERS = ("spec", "impl", "proofs")


@dataclass(frozen=True, slots=True)
class Break:
    """A text of the law that is replaced by another; one at least of the obligations must fail."""

    area: str
    what: str
    file: str
    sound: str
    broken: str
    obligations: tuple[str, ...]


BREAKS = (
    Break(
        "change",
        "version 2 is accepted as well",
        "changes.py",
        'numbers.safe_integer(members.get("version")) != VERSION:',
        'numbers.safe_integer(members.get("version")) not in (VERSION, 2):',
        (
            "one_version_alone_is_accepted",
            "the_implementation_decodes_what_the_law_decodes",
            "what_decoding_accepts_it_gives_back_unchanged",
        ),
    ),
    Break(
        "change",
        "a delete may hold more than its members",
        "changes.py",
        'fields.exactly(members, ("version", "operation", "id"), "change.delete", "The delete")',
        'fields.members(members["id"] and members, "The delete")',
        (
            "the_implementation_decodes_what_the_law_decodes",
            "what_decoding_accepts_it_gives_back_unchanged",
        ),
    ),
    Break(
        "change",
        "`remove` means `delete`",
        "changes.py",
        'case "delete":',
        'case "delete" | "remove":',
        ("no_other_word_is_an_operation_or_a_kind",),
    ),
    Break(
        "record",
        "an every of 299 s is accepted",
        "records.py",
        "if not SHORTEST_INTERVAL <= seconds",
        "if not SHORTEST_INTERVAL <= seconds + 1",
        ("all_delays_and_intervals_that_are_allowed_are_read_as_they_stand",),
    ),
    Break(
        "record",
        "a delay of nothing is accepted",
        "records.py",
        "if seconds < 1:",
        "if seconds < 0:",
        (
            "all_delays_and_intervals_that_are_allowed_are_read_as_they_stand",
            "the_implementation_decodes_what_the_law_decodes",
        ),
    ),
    Break(
        "record",
        "a kind of another case is accepted",
        "records.py",
        'case "at":',
        'case "at" | "At":',
        ("no_other_word_is_an_operation_or_a_kind", "what_decoding_accepts_it_gives_back_unchanged"),
    ),
    Break(
        "id",
        "an id may be padded in front",
        "fields.py",
        '(id.shape)."""\n    return string != "" and is_trimmed(string)',
        '(id.shape)."""\n    return string != "" and is_trimmed(string[-1])',
        (
            "ids_and_prompts_are_read_as_they_stand_exactly_where_they_are_trimmed_and_not_empty",
            "the_implementation_decodes_what_the_law_decodes",
        ),
    ),
    Break(
        "number",
        "2^53 is a safe integer",
        "numbers.py",
        "MAX_SAFE = 2**53 - 1",
        "MAX_SAFE = 2**53",
        ("the_safe_integers_are_those_below_2_to_the_53rd",),
    ),
    Break(
        "number",
        "`true` is the number 1",
        "numbers.py",
        "if isinstance(value, bool) or not isinstance(value, int | float):",
        "if not isinstance(value, int | float):",
        ("the_implementation_decodes_what_the_law_decodes",),
    ),
    Break(
        "profile",
        "the earlier level reads a dispatch with acceptedAt as one by id alone",
        "profiles.py",
        'return corrupt("profile.v1-after", sentence, "acceptedAt")',
        "return DispatchOneShot(change.id)",
        ("what_decoding_accepts_it_gives_back_unchanged",),
    ),
    Break(
        "view",
        "a target is overdue from the next ms on",
        "views.py",
        "if now >= record.scheduled_at",
        "if now > record.scheduled_at",
        ("a_target_is_overdue_from_its_instant_on", "views_show_a_record_with_its_state_and_mode"),
    ),
    Break(
        "view",
        "a view tells another mode of delivery",
        "views.py",
        'DELIVERY_MODE = "session-local"',
        'DELIVERY_MODE = "local"',
        ("views_show_a_record_with_its_state_and_mode",),
    ),
    Break(
        "rate",
        "the next interval counts from the decision",
        "rate.py",
        "next_target = occurrence + interval_ms",
        "next_target = accepted + interval_ms",
        ("advance_keeps_all_its_contracts", "the_implementation_advances_as_the_law_does"),
    ),
    Break(
        "rate",
        "a record ends where its next target is the last instant",
        "rate.py",
        "next_target if next_target <= LATEST else None",
        "next_target if next_target < LATEST else None",
        ("advance_keeps_all_its_contracts", "the_implementation_advances_as_the_law_does"),
    ),
    Break(
        "calendar",
        "every hundredth year is a leap year",
        "gregorian.py",
        "year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
        "year % 4 == 0",
        ("each_next_day_is_real_and_has_the_next_number", "every_day_number_leads_to_a_real_date_and_back"),
    ),
    Break(
        "calendar",
        "1900 is a leap year, and the day after its 28 February the 29th",
        "gregorian.py",
        "    if day < month_length(year, month):\n        return Date(year, month, day + 1)",
        "    if month == 2 and day == 28 and year % 4 == 0:\n        return Date(year, 2, 29)\n"
        "    if day < month_length(year, month):\n        return Date(year, month, day + 1)",
        ("each_next_day_is_real_and_has_the_next_number", "the_number_of_the_next_day_is_one_more"),
    ),
    Break(
        "calendar",
        "April has 31 days and May 30, wherever the calendar looks",
        "gregorian.py",
        "month in (4, 6, 9, 11)",
        "month in (5, 6, 9, 11)",
        ("every_day_has_its_number_and_its_date",),
    ),
    Break(
        "instant",
        "minutes are written for seconds",
        "instants.py",
        "{minute:02}:{second:02}.",
        "{minute:02}:{minute:02}.",
        ("what_is_written_is_canonical_and_means_the_instant",),
    ),
    Break(
        "fold",
        "an id may be created anew once its record has ended",
        "fold.py",
        "    if is_fresh(state, record.id):",
        "    if find(state, record.id) is None:",
        ("law_and_implementation_agree_on_every_short_sequence",),
    ),
    Break(
        "fold",
        "a dispatched every goes to the end",
        "fold.py",
        "State(tuple(advanced if other.id == record.id else other for other in state.active), state.seen)",
        "State((*_without(state, record.id), advanced), state.seen)",
        ("law_and_implementation_agree_on_every_short_sequence",),
    ),
    Break(
        "fold",
        "active records stand in the order of their ids",
        "fold.py",
        "State((*state.active, record), (*state.seen, record.id))",
        "State(tuple(sorted((*state.active, record), key=lambda r: r.id)), (*state.seen, record.id))",
        ("law_and_implementation_agree_on_every_short_sequence",),
    ),
    Break(
        "fold",
        "what is left is listed in the order of a set",
        "fold.py",
        "return tuple(record for record in state.active if record.id != id)",
        "return tuple(record for record in set(state.active) if record.id != id)",
        ("the_fold_knows_its_arguments_alone",),
    ),
    Break(
        "fold",
        "the module remembers what was ended",
        "fold.py",
        "def _without(state: State, id: str) -> tuple[Record, ...]:\n",
        "_ended: list[str] = []\n\n\ndef _without(state: State, id: str) -> tuple[Record, ...]:\n"
        "    _ended.append(id)\n",
        ("the_fold_knows_its_arguments_alone",),
    ),
    Break(
        "fork",
        "a fork begins without its parent's events",
        "forks.py",
        "return tuple(parent[:at]), at",
        "return (), 0",
        ("every_seed_length_means_its_suffix",),
    ),
    Break(
        "fork",
        "a seed length may be one too many",
        "forks.py",
        "0 <= position <= len(events)",
        "0 <= position <= len(events) + 1",
        ("every_seed_length_means_its_suffix",),
    ),
    Break(
        "due",
        "the last due one-shot is delivered first",
        "due.py",
        "OneShot(one_shots[0])",
        "OneShot(one_shots[-1])",
        ("a_decision_is_the_first_one_shot_or_the_whole_batch_in_order_or_the_earliest_wait",),
    ),
    Break(
        "due",
        "of two due at once the one whose id comes first is delivered",
        "due.py",
        "key=lambda r: r.scheduled_at)",
        "key=lambda r: (r.scheduled_at, r.id))",
        ("a_decision_is_the_first_one_shot_or_the_whole_batch_in_order_or_the_earliest_wait",),
    ),
    Break(
        "local",
        "the later of two instants is taken",
        "local_time.py",
        "min(instants_of(zone, wall_ms), default=None)",
        "max(instants_of(zone, wall_ms), default=None)",
        ("wall_times_about_every_transition_mean_the_same",),
    ),
    Break(
        "zone",
        "an offset holds from a ms after its instant on",
        "zones.py",
        "for onset in reversed(zone.onsets) if onset.at <= t)",
        "for onset in reversed(zone.onsets) if onset.at < t)",
        ("wall_times_about_every_transition_mean_the_same",),
    ),
    Break(
        "zone",
        "summer time that states no offset is two hours ahead",
        "posix_rules.py",
        "standard + HOUR if saving_west is None",
        "standard + 2 * HOUR if saving_west is None",
        ("wall_times_about_every_transition_mean_the_same",),
    ),
    Break(
        "text",
        "line ends are not escaped",
        "text.py",
        '"\\n": "\\\\n", ',
        '"\\n": "\\n", ',
        ("the_implementation_escapes_as_the_law",),
    ),
    Break(
        "text",
        "the last surrogate is left as it is",
        "text.py",
        "0xD800 <= code <= 0xDFFF",
        "0xD800 <= code < 0xDFFF",
        ("every_character_is_escaped_and_trimmed_alike",),
    ),
    Break(
        "frame",
        "a batch tells its records' targets, not the occurrences",
        "framing.py",
        "instants.render(reminder.occurrence)",
        "instants.render(reminder.record.scheduled_at)",
        ("neither_id_nor_prompt_adds_a_line_or_a_member_to_the_framing_of_a_batch",),
    ),
    Break(
        "frame",
        "a space stands between the reminders of a batch",
        "framing.py",
        'objects = ",".join',
        'objects = ", ".join',
        ("the_implementation_frames_as_the_law",),
    ),
    Break(
        "creation",
        "a delay counts tenths of a second",
        "creation.py",
        "return now + seconds * 1000",
        "return now + seconds * 100",
        ("the_first_target_is_the_clock_sample_plus_the_span",),
    ),
    Break(
        "creation",
        "an offset is added to the reading",
        "absolute.py",
        "days * DAY + time_of_day - east",
        "days * DAY + time_of_day + east",
        ("the_implementation_answers_a_creation_with_a_code_that_applies_or_the_record_of_the_law",),
    ),
    Break(
        "creation",
        "midnight may be written 24:00:00",
        "absolute.py",
        "if hours <= 23 and",
        "if hours <= 24 and",
        ("the_implementation_answers_a_creation_with_a_code_that_applies_or_the_record_of_the_law",),
    ),
    Break(
        "tool",
        "the uncertain answer to a delete names no id",
        "tools.py",
        'return Uncertain("delete", id)',
        'return Uncertain("delete", None)',
        ("the_implementation_is_right_on_every_path_of_three_inputs",),
    ),
    Break(
        "owner",
        "what is due is queued a minute early",
        "due.py",
        "if record.scheduled_at <= now)",
        "if record.scheduled_at <= now + 60_000)",
        ("nothing_goes_wrong_in_the_narrow_space_of_the_live_law",),
    ),
    Break(
        "deliver",
        "after a failure nothing makes the owner try again",
        "delivery/owners.py",
        "            return Owner(Mode.LIVE, owed=Reason.RETRIED)",
        "            return owner",
        ("all_that_is_due_is_dispatched_at_last_in_the_narrow_space",),
    ),
    Break(
        "deliver",
        "a follow-up needs no barrier before it",
        "delivery/steps.py",
        "if not isinstance(session.phase, Claimed) or not session.phase.cleared:",
        "if not isinstance(session.phase, Claimed):",
        ("nothing_goes_wrong_in_the_narrow_space_of_the_live_law",),
    ),
    Break(
        "deliver",
        "of a batch only the first is dispatched",
        "delivery/steps.py",
        "phase = Queued(rest[1:]) if rest[1:] else Ending(queued=True, complete=True)",
        "phase = Ending(queued=True, complete=True)",
        ("nothing_goes_wrong_in_the_deep_space_of_the_live_law",),
    ),
    Break(
        "due",
        "the end of a wait makes nobody look",
        "delivery/judge.py",
        "else owner.owed or Reason.WOKE",
        "else owner.owed",
        ("the_implementation_is_right_on_every_path_of_three_inputs",),
    ),
    Break(
        "barrier",
        "a barrier that fails is believed",
        "delivery/barriers.py",
        'if result != "ok":',
        'if result == "missing":',
        ("nothing_goes_wrong_in_the_narrow_space_of_the_live_law",),
    ),
    Break(
        "barrier",
        "what a crash has lost is still there when the session is reopened",
        "delivery/inputs.py",
        "state = read_log(kept.events, log.seed, terms).state if log.seed <= keep else log.state",
        "state = log.state",
        ("nothing_goes_wrong_in_the_narrow_space_of_the_live_law",),
    ),
)


class MisplacedError(Exception):
    """The law no longer holds the text that is to be broken, or holds it more than once."""


def break_law(root: Path, each: Break) -> None:
    """Break the law in a copy; `MisplacedError` where its text is another by now."""
    file = root / "spec" / "schedule_spec" / each.file
    text = file.read_text("utf-8")
    if text.count(each.sound) != 1:
        raise MisplacedError(f"{each.file} holds {each.sound!r} {text.count(each.sound)} times")
    file.write_text(text.replace(each.sound, each.broken), "utf-8")


def failing(root: Path, obligations: tuple[str, ...]) -> list[str]:
    """Return which of the obligations fail in a copy, each with the first reason."""
    run_all = "from schedule_cli.prove import prove; prove()"
    command = [sys.executable, "-c", run_all, "--json", *obligations]
    path = os.pathsep.join(str(root / folder) for folder in ("spec", "impl", "."))
    ended = subprocess.run(
        command, cwd=root, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    if not ended.stdout.startswith("{"):
        raise MisplacedError(f"the proofs did not run: {ended.stderr.strip()}")
    run = json.loads(ended.stdout)
    return [f"{each['id']}: {each['faults'][0]}" for each in run["obligations"] if each["faults"]]


def _again(each: Break) -> Iterator[str]:
    """Yield what holds for the broken law, and how to see it again."""
    yield from (f"{id} holds" for id in each.obligations)
    yield f"run it again: python -m proofs.broken {each.area}"


def main(areas: list[str]) -> int:
    """Break what belongs to the areas, or everything, and tell what failed; return the exit code."""
    unseen = 0
    for each in BREAKS:
        if areas and each.area not in areas:
            continue
        with TemporaryDirectory() as folder:
            root = Path(folder)
            for name in FOLDERS:
                shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
            break_law(root, each)
            failed = failing(root, each.obligations)
        unseen += not failed
        print(f"{'seen  ' if failed else 'UNSEEN'}  {each.area:<9} {each.what}", flush=True)  # noqa: T201
        for line in failed or _again(each):
            print(f"{'':18}{' '.join(line.split())[:160]}", flush=True)  # noqa: T201
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
