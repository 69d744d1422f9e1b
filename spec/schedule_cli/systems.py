"""The systems that a command line can name: the law, the implementation that comes along, or any command.

A child process is ended with the command, however that ends.
"""

import os
import shlex
import shutil
import signal
from collections.abc import Callable
from functools import partial
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

import click

from schedule_cli.output import near
from schedule_conformance.protocol.systems import InProcess, System

Command = TypeVar("Command", bound=Callable[..., Any])

BUILT_IN = ("bundled", "law")
TIMEOUT = 10.0
"""Seconds after which a reply is late."""
LONGEST = 86_400.0
"""Seconds that a reply may take at most."""

_TIMEOUT = "schedule_cli.timeout"


def handler(name: str) -> Callable[[dict[str, Any]], object]:
    """Return what answers requests in this process, by its name in BUILT_IN."""
    if name == "law":
        from schedule_conformance.law import law_adapter  # noqa: PLC0415 - only where it is what is asked

        return law_adapter.handle
    from schedule_impl import adapter  # noqa: PLC0415 - only where it is what is asked

    return adapter.handle


def bundled() -> System:
    """Return the implementation that comes along."""
    return InProcess("bundled", handler("bundled"))


def named(ctx: click.Context, _: click.Parameter, value: str) -> System:
    """Return the system of a name or a command; a wrong usage where there is none."""
    match value:
        case "law":
            return InProcess("law", handler("law"))
        case "bundled":
            return bundled()
        case _:
            return _child(ctx, value)


def _child(ctx: click.Context, command: str) -> System:
    from schedule_conformance.adapters.streams import ChildProcess, Limits  # noqa: PLC0415 - slow to import

    try:
        words = shlex.split(command)
        process = ChildProcess(command, Limits(reply=ctx.meta.get(_TIMEOUT, TIMEOUT)))
    except ValueError as problem:
        raise click.BadParameter(f"{command!r} cannot be split into words: {problem}.") from None
    if shutil.which(words[0]) is None and not os.path.exists(words[0]):
        raise click.BadParameter(
            f"{words[0]!r} is neither bundled nor law, and no command that is found here."
            f"{near(words[0], BUILT_IN)}"
        )
    if os.path.isdir(words[0]):
        raise click.BadParameter(f"{words[0]!r} is a directory; name the command that starts the adapter.")
    ctx.call_on_close(process.close)
    if current_thread() is main_thread():
        _end_too(ctx, process.close)
    return process


def _end_too(ctx: click.Context, close: Callable[[], None]) -> None:
    """Let the child end too where a signal that nobody else heeds tells this process to end."""

    def end(number: int, _: FrameType | None) -> None:
        close()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)
            ctx.call_on_close(partial(signal.signal, number, signal.SIG_DFL))


def _remembered(ctx: click.Context, _: click.Parameter, value: float) -> None:
    if not value <= LONGEST:
        raise click.BadParameter(f"{value} is not in the range 0<x<={LONGEST:g}.")
    ctx.meta[_TIMEOUT] = value


def sut(command: Command) -> Command:
    """Add the options that name the system under trial and say how long to wait for it."""
    system = click.option(
        "--sut",
        "system",
        callback=named,
        default="bundled",
        show_default=True,
        metavar="bundled|law|COMMAND",
        help="What is tried: bundled, the implementation that comes along; law, the specification itself; or "
        "the command of an adapter, split into words as a shell would and run without one.",
    )
    timeout = click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        callback=_remembered,
        is_eager=True,
        expose_value=False,
        default=TIMEOUT,
        show_default=True,
        metavar="SECONDS",
        help="How long an adapter may take for a reply; three times as long for its first.",
    )
    return system(timeout(command))
