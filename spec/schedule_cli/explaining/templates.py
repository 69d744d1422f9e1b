"""The texts that the clauses of `frame` prescribe, with gaps where a reminder's own words go.

Each is read off the law: a framing of a reminder whose id, target and prompt are then taken for the gaps.
"""

from collections.abc import Callable, Mapping

from schedule_spec import framing, instants
from schedule_spec.due import Reminder
from schedule_spec.records import At, Every
from schedule_spec.text import json_string

ID, PROMPT, TARGET = "the-id", "the prompt", 0

GAPS = {
    json_string(ID): "‹id, as JSON›",
    json_string(PROMPT): "‹prompt, as JSON›",
    instants.render(TARGET): "‹instant›",
}


def _one_shot() -> str:
    return _gapped(framing.one_shot(At(id=ID, prompt=PROMPT, scheduled_at=TARGET)))


def _batch() -> str:
    every = Every(id=ID, prompt=PROMPT, every_seconds=300, scheduled_at=TARGET)
    return _gapped(framing.batch([Reminder(every, TARGET)])).replace("}]", "},…]")


def _gapped(text: str) -> str:
    for words, gap in GAPS.items():
        text = text.replace(words, gap)
    return text


TEMPLATES: Mapping[str, Callable[[], str]] = {"frame.one-shot": _one_shot, "frame.batch": _batch}
"""The template of each clause that prescribes one."""
