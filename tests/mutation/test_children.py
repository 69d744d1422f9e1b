"""A child's end is told as it was: an answer, out of time, or a crash, which is no verdict."""

import os
import signal
import time

import pytest
from tests.mutation.children import Answer, End, HarnessError, answered, in_child


def test_an_answer_of_any_size() -> None:
    outcome = in_child(lambda answer: answer({"text": "x" * 300_000}), 20)
    assert outcome.end is End.ANSWERED
    assert outcome.answer == {"text": "x" * 300_000}


def test_what_a_child_writes_or_changes_stays_with_it(capfd: pytest.CaptureFixture[str]) -> None:
    changed: list[int] = []

    def work(answer: Answer) -> None:
        changed.append(1)
        os.write(1, b"noise")
        answer(len(changed))

    assert in_child(work, 20).answer == 1
    assert changed == []
    assert capfd.readouterr().out == ""


def test_one_that_hangs_is_out_of_time() -> None:
    began = time.monotonic()
    assert in_child(lambda answer: time.sleep(60), 0.2).end is End.TIMEOUT
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    "work",
    [
        lambda answer: 1 // 0,
        lambda answer: None,
        lambda answer: os._exit(7),
        lambda answer: os.kill(os.getpid(), signal.SIGSEGV),
    ],
    ids=["raises", "says nothing", "exits", "dies"],
)
def test_one_that_dies_has_crashed(work: object) -> None:
    outcome = in_child(work, 20)  # type: ignore[arg-type]
    assert outcome.end is End.CRASHED
    assert outcome.why
    with pytest.raises(HarnessError, match="crashed"):
        answered(work, 20)  # type: ignore[arg-type]
