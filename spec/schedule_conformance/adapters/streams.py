"""A child process as a system: newline-delimited JSON over its standard streams, one request at a time.

Whatever a process does wrong fails the case at hand as a `Breakdown` that says what to do; the process is
ended, and the next request starts it anew, after a `hello` that has to say what the first one said.
"""

import json
import shlex
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from schedule_conformance.adapters.processes import SHOWN, NotStartedError, Process, shown, undisturbed
from schedule_conformance.protocol.json_values import same, show
from schedule_conformance.protocol.messages import PROTOCOL
from schedule_conformance.protocol.systems import Breakdown, GivenUpError, Trouble

FIRST_REPLY = 3
"""How many times as long as any other reply the first one of a process may take."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How patient a run is with a process.

    `reply` are the seconds after which a reply is late, `line` the bytes that a line may have; after so many
    late replies, or so many breakdowns of other kinds, the run gives up.
    """

    reply: float = 10.0
    late: int = 3
    breakdowns: int = 30
    line: int = 16 * 1024 * 1024


class ChildProcess:
    """An adapter behind a command line, which is split as a shell would and run without one.

    ValueError where the command line cannot be split, or is empty. The process is started by the first
    request; end it with `close`, or use the system in a `with` statement.
    """

    def __init__(self, command: str, limits: Limits | None = None) -> None:
        self._words = shlex.split(command)
        if not self._words:
            raise ValueError("the command is empty")
        self._name = command
        self._limits = limits or Limits()
        self._child: Process | None = None
        self._end = _nothing_to_end
        self._hello: tuple[dict[str, Any], object] | None = None
        self._late = 0
        self._broken = 0
        self._last = ""

    @property
    def name(self) -> str:
        """The command line."""
        return self._name

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process and all that belongs to its group."""
        self._child = None
        self._end()

    def ask(self, request: dict[str, Any]) -> object:
        """Return the reply, under the request's own number, or the breakdown that there is instead.

        Raises GivenUpError once the process has broken down too often.
        """
        self._refuse_hopeless()
        answer = self._greeted(request) or self._exchanged(request)
        return self._counted(answer)

    def write(self, text: bytes, replies: int) -> list[object]:
        """Write text as it is and return what comes as replies, unchecked; shorter after a breakdown."""
        self._refuse_hopeless()
        child = self._running()
        if isinstance(child, Breakdown):
            return [self._counted(child)]
        child.send(text)
        answers: list[object] = []
        while len(answers) < replies:
            answers.append(self._counted(self._received(child)))
            if isinstance(answers[-1], Breakdown):
                break
        return answers

    def finish(self) -> str:
        """Close the process's standard input and say how it ended: `status 0` where all is well."""
        child = self._running()
        if isinstance(child, Breakdown):
            return child.sentence
        child.close_input()
        ending = child.ending(self._limits.reply)
        self.close()
        return ending or f"it goes on running, {self._limits.reply:g} s after the end of its input"

    def _refuse_hopeless(self) -> None:
        if self._late >= self._limits.late:
            raise GivenUpError(
                f"{self._late} replies were late, {self._limits.reply:g} s each, so no more was asked. "
                f"The last time: {self._last}"
            )
        if self._broken >= self._limits.breakdowns:
            raise GivenUpError(
                f"The process broke down {self._broken} times, so no more was asked. "
                f"The last time: {self._last}"
            )

    def _counted(self, answer: object) -> object:
        if isinstance(answer, Breakdown):
            self.close()
            self._last = answer.sentence
            if answer.trouble is Trouble.LATE:
                self._late += 1
            else:
                self._broken += 1
        return answer

    def _running(self) -> Process | Breakdown:
        if self._child is None:
            with undisturbed():
                try:
                    self._child = Process(self._words, self._limits.line)
                except NotStartedError as problem:
                    return Breakdown(Trouble.NOT_STARTED, str(problem))
                self._end = weakref.finalize(self, self._child.end)
        return self._child

    def _greeted(self, request: dict[str, Any]) -> Breakdown | None:
        """Greet a process that is new as the first one was greeted; None where all is well."""
        if self._child is not None or self._hello is None or request.get("cmd") == "hello":
            return None
        answer = self._exchanged(self._hello[0])
        return answer if isinstance(answer, Breakdown) else None

    def _exchanged(self, request: dict[str, Any]) -> object:
        child = self._running()
        if isinstance(child, Breakdown):
            return child
        number = child.asked
        child.send(_written({**request, "seq": number}))
        reply = self._received(child)
        if isinstance(reply, Breakdown):
            return reply
        answered = reply.get("seq")
        if isinstance(answered, int | float) and not isinstance(answered, bool) and answered != number:
            return Breakdown(Trouble.OUT_OF_ORDER, _out_of_order(number, reply))
        if same(answered, number):
            reply["seq"] = request["seq"]
        if request.get("cmd") == "hello" and same(request.get("protocol"), PROTOCOL):
            return self._recognised(request, reply)
        return reply

    def _received(self, child: Process) -> dict[str, Any] | Breakdown:
        seconds = self._limits.reply * (1 if child.answered else FIRST_REPLY)
        line = child.receive(seconds)
        return line if isinstance(line, Breakdown) else _read(line)

    def _recognised(self, request: dict[str, Any], reply: dict[str, Any]) -> object:
        """Return the reply to `hello`, or a breakdown where it is another one than the first."""
        if self._hello is None:
            if "result" in reply:
                self._hello = (dict(request), reply["result"])
            return reply
        if same(reply.get("result"), self._hello[1]):
            return reply
        return Breakdown(
            Trouble.CHANGED,
            f"Greeted anew, the adapter answers {show(reply, SHOWN)}; the first time its result was "
            f"{show(self._hello[1], SHOWN)}. What hello says has to be the same in every process.",
        )


def _nothing_to_end() -> None:
    pass


def _written(request: dict[str, Any]) -> bytes:
    return _ENCODER.encode(request).encode("ascii") + b"\n"


def _read(line: bytes) -> dict[str, Any] | Breakdown:
    """Return the object that a line holds."""
    try:
        value = _DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as problem:
        return _garbage(line, f"no UTF-8 at byte {problem.start}")
    except RecursionError:
        return _garbage(line, "nested too deep to be read")
    except ValueError as problem:
        return _garbage(line, f"no JSON ({problem})")
    return value if isinstance(value, dict) else _garbage(line, "no JSON object")


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number that no double holds")
    return number


def _int(text: str) -> int:
    _float(text)
    return int(text)


_ENCODER = json.JSONEncoder(allow_nan=False)
_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_int=_int, parse_float=_float)


def _garbage(line: bytes, what: str) -> Breakdown:
    return Breakdown(
        Trouble.GARBAGE,
        f"This line on standard output is {what}: {shown(line)}. Only replies belong there, one JSON object "
        "a line; write everything else to standard error.",
    )


def _out_of_order(number: int, reply: dict[str, Any]) -> str:
    return (
        f"The line that came answers request {show(reply['seq'])}, and request {number} was asked: "
        f"{show(reply, SHOWN)}. Answer every request once, in order, with its own seq."
    )
