"""Hosts that leave before an answer, pass no arguments, have a clock out of order, or log what is too long.

What is held: nothing hangs, nothing stays locked, nothing is acknowledged that no one could read back.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.impl.live.driving import START, after, every

from schedule_impl import storage
from schedule_impl.errors import ScheduleError
from schedule_impl.feature import Installation, ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.session import EventTooLongError, Session, new_header
from schedule_impl.simulation.disk import SimulatedDisk
from schedule_impl.simulation.virtual_time import VirtualClock, VirtualTimers
from schedule_impl.storage import Disk
from schedule_impl.store import SessionError, SessionStore
from schedule_impl.tools import ArgumentsRefusedError

LOG = "s.jsonl"
OVERDUE = "2026-08-05T11:00:00.000Z"

T = TypeVar("T")


class BrokenClock:
    """A clock that gives what it is told to give."""

    def __init__(self) -> None:
        self.gives: Any = START

    def now(self) -> int:
        given: int = self.gives
        return given


class Gate:
    """A listener that keeps every flush until it is opened."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    async def persist(self, session: Session) -> bool:
        await self.open.wait()
        return True


class Host:
    """An agent that is always idle and keeps what is queued."""

    def __init__(self) -> None:
        self.queued: list[str] = []

    def claim_idle(self) -> "Host":
        return self

    def release(self) -> None:
        pass

    def follow_up(self, text: str) -> None:
        self.queued.append(text)

    def watch_idle(self, callback: object) -> Callable[[], None]:
        return lambda: None


class Life:
    """One agent over a session that is kept nowhere."""

    def __init__(self, *changes: dict[str, Any]) -> None:
        self.session = Session(new_header("s", 0))
        for change in changes:
            self.session.append({"type": "schedule/change", "data": change}, 0)
        self.clock, self.gate, self.host = BrokenClock(), Gate(), Host()
        persistence = Persistence()
        persistence.attach(self.gate)
        feature = ScheduleFeature(persistence, self.clock, VirtualTimers())
        installed = feature.agent_created(Agent("s", self.session, self.host))
        assert installed is not None
        self.installed: Installation = installed
        self.tools = {tool.name.removeprefix("schedule_"): tool.run for tool in installed.tools}

    async def settled(self) -> None:
        for _ in range(50):
            await asyncio.sleep(0)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 30))


def test_a_call_under_way_is_answered_also_where_no_one_waits_for_the_disposal() -> None:
    async def lives() -> Any:
        life = Life()
        await life.settled()
        life.gate.open.clear()
        call = asyncio.ensure_future(life.tools["create"]({"prompt": "tea", "after_seconds": 60}))
        await life.settled()
        disposal = asyncio.ensure_future(life.installed.dispose())
        await life.settled()
        disposal.cancel()
        await life.settled()
        life.gate.open.set()
        return await asyncio.wait_for(call, 5)

    assert run(lives())["prompt"] == "tea"


@pytest.mark.parametrize("tool", ["create", "list", "delete"])
@pytest.mark.parametrize("arguments", [None, [], "prompt", 7])
def test_arguments_that_are_no_object_are_refused(tool: str, arguments: Any) -> None:
    async def lives() -> int:
        life = Life()
        with pytest.raises(ArgumentsRefusedError):
            await life.tools[tool](arguments)
        return len(life.session)

    assert run(lives()) == 0


@pytest.mark.parametrize("gives", [float("inf"), START + 0.5, float("nan"), True, "noon", None])
def test_by_a_clock_that_gives_no_integer_nothing_is_queued_or_logged(gives: Any) -> None:
    async def lives() -> tuple[int, int, Any]:
        life = Life(after("a", "2030-01-01T00:00:00.000Z"), every("e", "2030-01-01T00:00:00.000Z"))
        await life.settled()
        life.clock.gives = gives
        answer = await life.tools["delete"]({"id": "a"})
        await life.settled()
        return len(life.session), len(life.host.queued), answer

    events, queued, answer = run(lives())
    assert (events, queued, answer["code"]) == (2, 0, "internal_error")


def test_an_owner_goes_on_once_its_clock_is_in_order_again() -> None:
    async def lives() -> list[int]:
        life = Life(after("a", OVERDUE))
        life.clock.gives = float("inf")
        await life.settled()
        before = len(life.host.queued)
        life.clock.gives = START
        await life.tools["list"]({})
        await life.settled()
        return [before, len(life.host.queued)]

    assert run(lives()) == [0, 1]


@pytest.mark.parametrize("at", [True, 1.0, "1", None])
def test_a_fork_is_at_an_integer(at: Any) -> None:
    session = Session(new_header("s", 0))
    session.append({"type": "note"}, 0)
    with pytest.raises(ScheduleError):
        session.fork(at, "child", 0)


@pytest.fixture
def short_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds of logs, small enough to be passed in no time: 4,000 bytes, and 2,000 for odd lines."""
    for module in ("session", "session_log"):
        monkeypatch.setattr(f"schedule_impl.{module}.MAX_LINE", 4_000)
    for module in ("session", "events"):
        monkeypatch.setattr(f"schedule_impl.{module}.MAX_ODD_LINE", 2_000)


@pytest.mark.usefixtures("short_bounds")
@pytest.mark.parametrize(
    ("prompt", "is_kept"),
    [("x" * 3_000, True), ("x" * 4_001, False), ("\ud800" * 200, True), ("\ud800" * 400, False)],
    ids=["long", "too long", "odd", "too long and odd"],
)
@pytest.mark.parametrize("kind", ["schedule/change", "tool/result"])
def test_only_what_can_be_read_back_is_appended(kind: str, prompt: str, is_kept: bool) -> None:
    async def lives() -> tuple[bool, int]:
        store = SessionStore(SimulatedDisk(), VirtualClock())
        session = await store.create("s", LOG)
        data = after("a", OVERDUE)
        data["schedule"]["prompt"] = prompt
        try:
            session.append({"type": kind, "data": data}, 0)
        except EventTooLongError:
            assert len(session) == 0
        await store.persist(session)
        await store.close(session)
        again = await store.resume(LOG)
        return again.is_corrupt, sum(b'"a"' in line for line in again.lines())

    assert run(lives()) == (False, int(is_kept))


@pytest.mark.usefixtures("short_bounds")
def test_a_reminder_too_long_for_a_log_is_an_error_and_never_a_success() -> None:
    async def lives() -> tuple[Any, Any]:
        life = Life()
        refused = await life.tools["create"]({"prompt": "x" * 4_001, "after_seconds": 60})
        return refused, await life.tools["list"]({})

    refused, views = run(lives())
    assert (refused["code"], views) == ("internal_error", [])


@pytest.mark.parametrize("making", [True, False], ids=["create", "resume"])
def test_a_log_whose_taker_was_cancelled_is_left_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, making: bool
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    sync = storage._OpenFile.sync

    def slow(file: storage._OpenFile) -> None:
        begun.set()
        go_on.wait(10)
        sync(file)

    async def lives() -> None:
        store = SessionStore(Disk(tmp_path), VirtualClock())
        if not making:
            await store.close(await store.create("s", LOG))
        monkeypatch.setattr(storage._OpenFile, "sync", slow)
        taking = asyncio.ensure_future(store.create("s", LOG) if making else store.resume(LOG))
        await asyncio.to_thread(begun.wait, 10)
        taking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await taking
        go_on.set()
        for _ in range(500):
            try:
                session = await store.resume(LOG)
            except SessionError:
                await asyncio.sleep(0.01)
            else:
                return await store.close(session)
        raise AssertionError("the log is still in use")

    run(lives())


def test_a_taker_that_is_cancelled_takes_nothing_from_whoever_has_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = threading.Event(), threading.Event()
    lock = storage._lock

    def slow(descriptor: int) -> None:
        asked.set()
        go_on.wait(10)
        lock(descriptor)

    async def lives() -> bool:
        store = SessionStore(Disk(tmp_path), VirtualClock())
        session = await store.create("s", LOG)
        monkeypatch.setattr(storage, "_lock", slow)
        taking = asyncio.ensure_future(store.resume(LOG))
        await asyncio.to_thread(asked.wait, 10)
        taking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await taking
        go_on.set()
        await asyncio.sleep(0.1)
        session.append({"type": "note"}, 0)
        kept = await store.persist(session)
        await store.close(session)
        return kept

    assert run(lives())


def test_a_close_whose_caller_is_cancelled_behind_a_flush_frees_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    sync = storage._OpenFile.sync

    def slow(file: storage._OpenFile) -> None:
        begun.set()
        go_on.wait(10)
        sync(file)

    async def lives() -> None:
        store = SessionStore(Disk(tmp_path), VirtualClock())
        session = await store.create("s", LOG)
        session.append({"type": "note"}, 0)
        monkeypatch.setattr(storage._OpenFile, "sync", slow)
        flush = asyncio.ensure_future(store.persist(session))
        await asyncio.to_thread(begun.wait, 10)
        closing = asyncio.ensure_future(store.close(session))
        await asyncio.sleep(0.01)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        go_on.set()
        assert await flush
        await asyncio.sleep(0.2)
        await store.close(await store.resume(LOG))

    run(lives())
