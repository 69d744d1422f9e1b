"""One piece of work after another, whoever still waits for it."""

import asyncio
import gc
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from schedule_impl.work_queue import AbandonedError, Turn, WorkQueue

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of the work; nothing may be reported to the event loop on the way."""
    told: list[dict[str, Any]] = []

    async def watched() -> T:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        result = await work
        gc.collect()
        await asyncio.sleep(0)
        return result

    result = asyncio.run(watched())
    gc.collect()
    assert told == []
    return result


class Piece:
    """A piece of work that goes on when it is let, and ends as it is told."""

    def __init__(self, outcome: object = None) -> None:
        self.outcome = outcome
        self.begun = asyncio.Event()
        self.let = asyncio.Event()

    async def __call__(self, turn: Turn) -> object:
        self.begun.set()
        await self.let.wait()
        turn.check()
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def test_pieces_end_in_their_results_one_after_another() -> None:
    async def lives() -> list[object]:
        queue, pieces = WorkQueue(), [Piece("a"), Piece(OSError("b")), Piece("c")]
        results = [queue.put(piece) for piece in pieces]
        for place, piece in enumerate(pieces):
            await piece.begun.wait()
            assert [each.begun.is_set() for each in pieces] == [each <= place for each in range(3)]
            piece.let.set()
        return await asyncio.gather(*results, return_exceptions=True)

    first, second, third = run(lives())
    assert (first, str(second), third) == ("a", "b", "c")


def test_a_piece_that_no_one_waits_for_never_begins_or_ends_at_its_next_check() -> None:
    async def lives() -> list[bool]:
        queue, pieces = WorkQueue(), [Piece("a"), Piece("b"), Piece("c")]
        results = [queue.put(piece) for piece in pieces]
        await pieces[0].begun.wait()
        results[0].cancel()
        results[1].cancel()
        await asyncio.sleep(0)
        assert not pieces[2].begun.is_set()
        for piece in pieces:
            piece.let.set()
        assert await results[2] == "c"
        return [piece.begun.is_set() for piece in pieces]

    assert run(lives()) == [True, False, True]


@pytest.mark.parametrize("outcome", ["a", OSError("a")], ids=["value", "failure"])
def test_what_a_piece_ends_in_without_a_check_is_dropped_where_no_one_waits(outcome: object) -> None:
    async def work(turn: Turn) -> object:
        await asyncio.sleep(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def lives() -> None:
        queue = WorkQueue()
        result = queue.put(work)
        await asyncio.sleep(0)
        result.cancel()
        await queue.drained()

    run(lives())


def test_a_turn_is_abandoned_only_where_its_result_is_cancelled() -> None:
    async def lives() -> None:
        result: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turn = Turn(result)
        turn.check()
        result.cancel()
        with pytest.raises(AbandonedError):
            turn.check()

    run(lives())


def test_a_queue_is_drained_once_what_was_queued_has_ended() -> None:
    async def lives() -> list[str]:
        queue, piece, told = WorkQueue(), Piece(), []
        await queue.drained()
        result = queue.put(piece)
        result.add_done_callback(lambda _: told.append("ended"))
        drained = asyncio.ensure_future(queue.drained())
        drained.add_done_callback(lambda _: told.append("drained"))
        await piece.begun.wait()
        await asyncio.sleep(0)
        assert told == []
        piece.let.set()
        await drained
        await queue.drained()
        return told

    assert run(lives()) == ["ended", "drained"]


def test_pieces_that_have_ended_are_not_kept() -> None:
    async def lives() -> int:
        queue, piece = WorkQueue(), Piece()
        piece.let.set()
        for _ in range(50):
            await queue.put(piece)
        await queue.drained()
        await asyncio.sleep(0)
        gc.collect()
        return sum(isinstance(each, asyncio.Task) for each in gc.get_objects())

    assert run(lives()) < 10
