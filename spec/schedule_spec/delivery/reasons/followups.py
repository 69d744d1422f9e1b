"""Why a follow-up was not to be queued."""

from collections.abc import Sequence

from schedule_spec import fold, forks, framing, instants, json_text, records
from schedule_spec.delivery import owners
from schedule_spec.delivery.model import Claimed, Ending, Mode, Queued, Released, Resting, Session
from schedule_spec.delivery.owners import Moment
from schedule_spec.delivery.reasons.words import Fault, at, described, no_delivery, sentence_case, what
from schedule_spec.due import Batch, Decision, OneShot, Wait
from schedule_spec.framing import BATCH_HEADER, ONE_SHOT_HEADER
from schedule_spec.json_text import Json, NotJson
from schedule_spec.records import Every, Record
from schedule_spec.rejections import Rejection, quoted, quoted_names
from schedule_spec.values import same


def framed(text: str) -> tuple[list[Json], list[Json]] | None:
    """Return the ids and occurrences that a text frames, None where it is no framing."""
    lines = text.split("\n")
    if tuple(lines[:2]) == ONE_SHOT_HEADER and len(lines) == 5:
        id = json_text.read(lines[2].removeprefix("schedule_id_json: "))
        if not isinstance(id, str):
            return None
        return [id], [lines[3].removeprefix("occurrence_at: ")]
    if tuple(lines[:2]) == BATCH_HEADER and len(lines) == 3:
        objects = json_text.read(lines[2].removeprefix("reminders_json: "))
        if isinstance(objects, list):
            reminders = [reminder for reminder in objects if isinstance(reminder, dict)]
            return [r.get("schedule_id") for r in reminders], [r.get("occurrence_at") for r in reminders]
    return None


def followup(session: Session, moment: Moment, text: Json) -> Fault:  # noqa: PLR0911 - one reason each
    """Return why no follow-up, or not this one, was to be queued."""
    fault = no_delivery(session, "A follow-up was queued")
    if fault is not None:
        return fault
    if not isinstance(text, str):
        return (
            "frame.message",
            f"The follow-up's content is {quoted(text)}; it is exactly the framing's text.",
        )
    match session.phase:
        case Queued(rest):
            owed = described(rest[0])
            return "deliver.sequence", f"A follow-up was queued already; its {owed} was to be appended."
        case Ending() | Released():
            return "deliver.sequence", "The delivery had queued its one follow-up; a barrier was to come."
        case Resting() | Claimed():
            pass
    if session.busy:
        return "owner.idle-only", "A follow-up was queued while the agent was busy."
    if session.script.followup_fails:
        return "deliver.no-dispatch-on-failure", "The enqueue was to fail, and yet a follow-up was queued."
    found = owners.decision(session, moment)
    fault = _wrong_text(session, moment, found, text)
    return fault or _unready(session, moment, found)


def _wrong_text(session: Session, moment: Moment, found: Decision, text: str) -> Fault | None:
    """Return what is wrong with the text of a follow-up, None where it is the one that is due."""
    if not isinstance(found, Wait) and same(text, framing.text_of(found)):
        return None
    told = framed(text)
    if told is None:
        clause = "frame.batch" if isinstance(found, Batch) else "frame.one-shot"
        if not isinstance(found, Wait) and framing.text_of(found).startswith(text):
            clause = "frame.whole"
        return clause, f"The text is no framing of {what(found)}."
    ids, occurrences = told
    if _is_a_parents(session, text):
        fault: Fault | None = _inherited(ids[0])
    else:
        fault = _not_deliverable(session, moment, ids, occurrences)
    if fault is not None:
        return fault
    match found:
        case Wait():
            return "deliver.sequence", f"Nothing was due at {at(moment.clock)}."
        case OneShot(record):
            return _wrong_one_shot(record, ids, text)
        case Batch():
            return _wrong_batch(found, ids, occurrences, text)


def _not_deliverable(
    session: Session, moment: Moment, ids: Sequence[Json], occurrences: Sequence[Json]
) -> Fault | None:
    """Return why one of the framed reminders is not to be delivered, if that is so."""
    for id, occurrence in zip(ids, occurrences, strict=True):
        record = fold.find(session.log.own, id) if isinstance(id, str) else None
        if record is None:
            return _not_active(session, id)
        if record.scheduled_at > moment.clock:
            ms = instants.parse(occurrence) if isinstance(occurrence, str) else None
            if isinstance(record, Every) and ms is not None and ms < record.scheduled_at:
                sentence = f"The occurrence {occurrence} of {quoted(id)} had been dispatched already."
                return "deliver.at-least-once", f"{sentence} Its next target is {at(record.scheduled_at)}."
            sentence = f"The target of {quoted(id)} is {at(record.scheduled_at)}"
            return "owner.never-early", f"{sentence}; the clock read {at(moment.clock)}."
        if isinstance(record, Every) and not instants.in_range(moment.clock):
            sentence = f"The clock read {at(moment.clock)}, outside the range: it decides no batch."
            return "due.clock-range", sentence
    return None


def _not_active(session: Session, id: Json) -> Fault:
    if id in session.log.own.seen:
        sentence = f"The record {quoted(id)} had ended: its dispatch or deletion is in the log."
        return "deliver.at-least-once", sentence
    inherited = any(_creates(event, id) for event in session.log.events[: session.log.seed or 0])
    if inherited:
        return _inherited(id)
    return "fold.authority", f"No record {quoted(id)} was ever created in this session."


def _inherited(id: Json) -> Fault:
    return "fork.no-adoption", f"The record {quoted(id)} is a parent's; it is not active here."


def _is_a_parents(session: Session, text: str) -> bool:
    """Tell whether a text is exactly the framing of a one-shot that a parent created."""
    for event in map(json_text.read, session.log.events[: session.log.seed or 0]):
        record = records.decode(_schedule_of(event))
        if not isinstance(record, Rejection | Every) and text == framing.one_shot(record):
            return True
    return False


def _schedule_of(event: Json | NotJson) -> Json:
    match event:
        case {"data": {"operation": "create", "schedule": schedule}}:
            return schedule
        case _:
            return None


def _creates(event: str, id: Json) -> bool:
    """Tell whether an inherited event was meant to create the id."""
    value = json_text.read(event)
    return isinstance(id, str) and not isinstance(value, NotJson) and forks.creates(value, id)


def _wrong_one_shot(record: Record, ids: Sequence[Json], text: str) -> Fault:
    if list(ids) != [record.id] or text.startswith(BATCH_HEADER[0]):
        sentence = (
            f"The one-shot {quoted(record.id)} was due at {at(record.scheduled_at)} and comes first; "
            f"the follow-up frames {quoted_names(list(ids))}."
        )
        return "due.one-shot-first", sentence
    if framing.one_shot(record).startswith(text):
        return "frame.whole", f"The framing of {quoted(record.id)} was cut short."
    return "frame.one-shot", f"The text is not exactly the framing of {quoted(record.id)}."


def _wrong_batch(found: Batch, ids: Sequence[Json], occurrences: Sequence[Json], text: str) -> Fault:
    expected = [reminder.record.id for reminder in found.reminders]
    if text.startswith(ONE_SHOT_HEADER[0]):
        return "frame.batch", f"Everys are framed in a batch: {quoted_names(expected)}."
    if list(ids) != expected:
        sentence = f"The batch is {quoted_names(expected)}, in this order; {quoted_names(list(ids))} came."
        return "due.batch", sentence
    latest = [instants.render(reminder.occurrence) for reminder in found.reminders]
    if list(occurrences) != latest:
        sentence = f"The latest occurrences at {at(found.accepted_at)} are {quoted_names(latest)}"
        return "due.batch", f"{sentence}; {quoted_names(list(occurrences))} came."
    if framing.batch(found.reminders).startswith(text):
        return "frame.whole", f"The framing of {quoted_names(expected)} was cut short."
    return "frame.batch", f"The text is not exactly the framing of {quoted_names(expected)}."


def _unready(session: Session, moment: Moment, found: Decision) -> Fault:
    """Return why what is due, and framed as it should be, was not to be delivered yet."""
    subject = sentence_case(what(found))
    if session.owner.mode is Mode.HALTED:
        why = "after a failed preflight, framing or enqueue, without activity or a successful tool preflight"
        return "owner.activity-retry", f"{subject} was delivered {why}."
    if owners.mid_call(session) or session.held:
        return "barrier.fifo", f"{subject} was delivered while another transaction held the queue."
    if not owners.may_deliver(session, moment):
        return (
            "deliver.barrier-failure",
            f"{subject} was delivered after a failed last barrier, without a trigger.",
        )
    if isinstance(session.phase, Claimed) or not session.owner_cleared:
        why = "without a successful barrier of this drive before the claim"
        return "barrier.before-read", f"{subject} was delivered {why}."
    return "deliver.sequence", f"{subject} was delivered without a claim of the idle phase."
