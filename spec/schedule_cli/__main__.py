"""The command `schedule-spec`: a group whose commands are imported only when they are called.

Also what holds for all of them: colour, endings that say nothing (a closed pipe, Ctrl-C), and that a fault of
this program ends with 3, never with the 1 that means a violation.
"""

import errno
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NamedTuple, cast

import click

from schedule_cli.output import ExitCode, colour, near, printable


class Entry(NamedTuple):
    """A command's place in the code, `module:attribute`, and the line that `--help` shows for it."""

    place: str
    summary: str


COMMANDS = {
    "verify": Entry("schedule_cli.verify:verify", "Hold an implementation against the clauses."),
    "compare": Entry("schedule_cli.compare:compare", "Say what changed between two runs."),
    "replay": Entry("schedule_cli.replay:replay", "Ask again what a trace asked."),
    "adapter": Entry("schedule_cli.adapter:adapter", "Serve the bundled implementation over streams."),
    "vectors": Entry("schedule_cli.vectors:command", "List, show, write or check the frozen cases."),
    "check": Entry("schedule_cli.check:check", "Judge session logs: which event breaks which clause."),
    "clauses": Entry("schedule_cli.clauses:clauses", "List the clauses."),
    "explain": Entry("schedule_cli.explain:explain", "Explain a clause, or a whole area."),
    "prove": Entry("schedule_cli.prove:prove", "Run the proofs of a checkout."),
    "evidence": Entry("schedule_cli.evidence:command", "Show what stands behind the clauses."),
    "when": Entry("schedule_cli.when:when", "Say what a selector means, and why."),
    "zones": Entry("schedule_cli.zones:command", "Show the accepted time zones, their gaps and overlaps."),
    "schema": Entry("schedule_cli.schema:schema", "Print the JSON Schemas of changes, records and tools."),
    "bench": Entry("schedule_cli.bench:bench", "Measure the bundled implementation."),
}

EPILOG = """\b
Exit codes:
  0  sound, or conformant
  1  a violation was found
  2  wrong usage
  3  could not judge
  4  the ledger of known failures is stale (only when otherwise 0)
130  ended from the keyboard
141  the reader of the output went away
"""


UNWRITABLE = "The output cannot be written: {}."
FULL_OR_GONE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""Why an open file cannot be written any more; a file that cannot be opened is named by its error."""


@contextmanager
def plain_endings() -> Iterator[None]:
    """Turn each way in which a command may end by accident into its exit code."""
    if cast("TextIOWrapper | None", sys.stdout) is None:
        click.echo(UNWRITABLE.format("standard output is closed"), err=True)
        raise click.exceptions.Exit(ExitCode.UNJUDGED)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        raise click.exceptions.Exit(ExitCode.PIPE_CLOSED) from None
    except (KeyboardInterrupt, click.Abort):
        raise click.exceptions.Exit(ExitCode.INTERRUPTED) from None
    except (click.exceptions.Exit, click.exceptions.NoArgsIsHelpError):
        raise
    except click.UsageError as problem:
        # It may repeat an argument as it came, and that may hold what a terminal obeys.
        raise click.UsageError(printable(problem.format_message()), problem.ctx) from None
    except click.ClickException as problem:
        click.echo(f"Error: {printable(problem.format_message())}", err=True)
        raise click.exceptions.Exit(ExitCode.UNJUDGED) from None
    except Exception as error:
        if isinstance(error, OSError) and error.errno in FULL_OR_GONE and error.filename is None:
            click.echo(UNWRITABLE.format(error.strerror), err=True)
            _discard_output()
            raise click.exceptions.Exit(ExitCode.UNJUDGED) from None
        traceback.print_exc()
        click.echo("This is a fault of schedule-spec itself; nothing was judged.", err=True)
        raise click.exceptions.Exit(ExitCode.UNJUDGED) from None


def _discard_output() -> None:
    """Let what is still buffered go somewhere, or the interpreter complains as it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class LazyGroup(click.Group):
    """A group over `COMMANDS` that imports a command's module only to run it or to show its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].place.partition(":")
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name].place} is no command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the group's own arguments; `--help` and `--version` end here."""
        with plain_endings():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        with plain_endings():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which names are near."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"There is no command {args[0]!r}.{near(args[0], list(COMMANDS))}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    name="schedule-spec",
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="schedule-spec", prog_name="schedule-spec")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Hold implementations and logs of the session-local Schedule, version 1, against its specification."""
    ctx.color = colour()
    for stream in (sys.stdout, sys.stderr):
        # An odd character or an unpaired surrogate is shown escaped where the terminal's encoding lacks it.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main(prog_name="schedule-spec")
