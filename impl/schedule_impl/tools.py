"""The three tools by which a model manages its reminders.

A call is checked as far as its arguments alone show, waits for its turn in the agent's queue and for a
barrier, and only then reads the session. It ends in a value; an error is a value too, with a code of the
closed set. Clauses: tool.*, barrier.*, id.fresh.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from schedule_impl import tool_schemas
from schedule_impl.changes import Create, Delete
from schedule_impl.creation import Request, read_request, schedule
from schedule_impl.durable_schemas import Schema
from schedule_impl.ecma_json import Json
from schedule_impl.errors import Code, ScheduleError
from schedule_impl.host import Agent, Clock
from schedule_impl.owner import ScheduleOwner
from schedule_impl.persistence import Persistence
from schedule_impl.text import is_label
from schedule_impl.views import view
from schedule_impl.work_queue import Turn, WorkQueue

Arguments: TypeAlias = Mapping[str, Json]
Value: TypeAlias = dict[str, Json] | list[Json]
"""What a call ends in; rendered for the model by `rendering.json_text` (tool.deterministic-text)."""
Operation: TypeAlias = Literal["create", "list", "delete"]

_CREATE_ARGUMENTS: Final = frozenset(tool_schemas.CREATE_ARGUMENTS["properties"])
_SHAPE_CODES: Final = ("invalid_selector", "invalid_prompt")

# What such a message could tell would depend on the log or on the backend (tool.errors-stable).
_MESSAGES: Final[dict[Code, str]] = {
    "corrupt_schedule_log": "the session's log holds Schedule events that are not sound",
    "persistence_uncertain": "it could not be confirmed that the session is durable",
    "internal_error": "the reminder tool failed",
}


class ArgumentsRefusedError(Exception):
    """The arguments are none that the tool declares, and no code says so (tool.ill-typed)."""


class _UncertainError(Exception):
    """A barrier did not succeed; `id` is that of the reminder concerned, where one is known."""

    def __init__(self, operation: Operation, identity: str | None) -> None:
        self.operation = operation
        self.id = identity


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as it is registered.

    `run` takes the arguments and the agent on whose behalf it is called, by default the one the tool was made
    for. It raises ArgumentsRefusedError, and CancelledError where the host cancels the call.
    """

    name: str
    description: str
    arguments: Schema
    result: Schema
    run: Callable[..., Awaitable[Value]]


class ScheduleTools:
    """The tools of one agent."""

    __slots__ = ("_agent", "_clock", "_owner", "_persistence", "_queue")

    def __init__(
        self, agent: Agent, queue: WorkQueue, owner: ScheduleOwner, persistence: Persistence, clock: Clock
    ) -> None:
        self._agent = agent
        self._queue = queue
        self._owner = owner
        self._persistence = persistence
        self._clock = clock

    def all(self) -> tuple[Tool, ...]:
        """The three tools, to be registered for this agent alone."""
        return (
            Tool(
                "schedule_create",
                "Set a reminder for this session; exactly one of after_seconds, at, every_seconds says when.",
                tool_schemas.CREATE_ARGUMENTS,
                tool_schemas.CREATE_RESULT,
                self.create,
            ),
            Tool(
                "schedule_list",
                "List the active reminders of this session.",
                tool_schemas.LIST_ARGUMENTS,
                tool_schemas.LIST_RESULT,
                self.list,
            ),
            Tool(
                "schedule_delete",
                "Delete an active reminder of this session.",
                tool_schemas.DELETE_ARGUMENTS,
                tool_schemas.DELETE_RESULT,
                self.delete,
            ),
        )

    async def create(self, arguments: Arguments, caller: Agent | None = None) -> Value:
        """`schedule_create`: the view of the new reminder, or an error (tool.create-result)."""
        _check_object(arguments)
        try:
            request = _read_create(arguments)
        except ScheduleError as refusal:
            return _error(refusal.code, refusal.message)

        async def work(turn: Turn) -> Value:
            await self._barrier("create")
            agenda = self._agent.session.agenda
            asked = request()
            now = self._clock.now()
            record = schedule(agenda.fresh_id(), asked, now)
            turn.check()
            self._agent.session.append_change(Create(1, record), now)
            await self._barrier("create", record.id)
            return view(record, self._clock.now())

        return await self._run(work, caller)

    async def list(self, arguments: Arguments, caller: Agent | None = None) -> Value:
        """`schedule_list`: the views of all active reminders in creation order, or an error (tool.list)."""
        _check_object(arguments)
        if arguments:
            raise ArgumentsRefusedError("schedule_list takes no arguments")

        async def work(turn: Turn) -> Value:
            await self._barrier("list")
            records = self._agent.session.agenda.active()
            now = self._clock.now()
            return [view(record, now) for record in records]

        return await self._run(work, caller)

    async def delete(self, arguments: Arguments, caller: Agent | None = None) -> Value:
        """`schedule_delete`: whether the reminder was deleted, or an error (tool.delete-*)."""
        _check_object(arguments)
        if not arguments.keys() <= {"id"}:
            raise ArgumentsRefusedError("schedule_delete takes id alone")
        identity = arguments.get("id")
        if not isinstance(identity, str) or not is_label(identity):
            return _error("invalid_rule", "id is no string, is empty, or is padded with white space")

        async def work(turn: Turn) -> Value:
            await self._barrier("delete", identity)
            if self._agent.session.agenda.record(identity) is None:
                return {"id": identity, "deleted": False, "code": "schedule_not_found"}
            now = self._clock.now()
            turn.check()
            self._agent.session.append_change(Delete(1, identity), now)
            await self._barrier("delete", identity)
            return {"id": identity, "deleted": True}

        return await self._run(work, caller)

    async def _run(self, work: Callable[[Turn], Awaitable[Value]], caller: Agent | None) -> Value:
        """Do the work in its turn; a caller that is cancelled leaves at once."""
        if caller is not None and caller is not self._agent:
            return _error("internal_error")
        return await self._queue.put(lambda turn: _answer(work(turn)))

    async def _barrier(self, operation: Operation, identity: str | None = None) -> None:
        """Wait for a barrier, before anything is read or behind an append; then let the owner look anew.

        Clauses: barrier.before-read, barrier.after-append, barrier.uncertain, owner.recompute.
        """
        if not await self._persistence.flush(self._agent.session):
            raise _UncertainError(operation, identity)
        self._owner.recompute()


async def _answer(work: Awaitable[Value]) -> Value:
    """What the work ends in, every failure as the error value that it is (tool.errors-closed)."""
    try:
        return await work
    except _UncertainError as uncertain:
        error = _error("persistence_uncertain")
        error["operation"] = uncertain.operation
        return error if uncertain.id is None else {**error, "id": uncertain.id}
    except ScheduleError as refusal:
        return _error(refusal.code, refusal.message)
    except Exception:
        # An abandoned call ends here too: no one waits for what it ends in.
        return _error("internal_error")


def _check_object(arguments: object) -> None:
    if not isinstance(arguments, Mapping):
        raise ArgumentsRefusedError("the arguments of a tool are an object")


def _error(code: Code, message: str = "") -> dict[str, Json]:
    return {"code": code, "message": _MESSAGES.get(code, message)}


def _read_create(arguments: Arguments) -> Callable[[], Request]:
    """What is asked for, to be had after the barrier; ScheduleError for what is told before it.

    What concerns `at`, and the range, waits, so that the session's state is told first (tool.shape-first).
    """
    unknown = arguments.keys() - _CREATE_ARGUMENTS
    if unknown:
        raise ScheduleError("invalid_selector", "an argument is none of those that schedule_create takes")
    try:
        request = read_request(arguments)
    except ScheduleError as refusal:
        if refusal.code in _SHAPE_CODES or ("at" not in arguments and refusal.code != "time_out_of_range"):
            raise
        return _raising(refusal)
    return lambda: request


def _raising(refusal: ScheduleError) -> Callable[[], Request]:
    def again() -> Request:
        raise refusal

    return again
