"""Directives for pages written by hand: what they show is run or drawn when the site is built.

`{ask}` puts a request to the law, `{transcript}` several to a world; `{story}` plays a live session, `{run}`
runs a command and `{workshop}` shows a file it works on. `{clauses}` lists an area's clauses, `{commands}`
and `{schemas}` all of those; `{matrix}`, `{totals}` and `{standing}` show what stands behind the clauses,
`{picture}` places a picture.
"""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from click.testing import CliRunner
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from schedule_cli.__main__ import COMMANDS, main
from schedule_cli.explaining.asking import answer
from schedule_cli.explaining.explanation import exchange, lived
from schedule_cli.explaining.json_layout import in_usual_order, on_one_line
from schedule_cli.explaining.playing import exchanges
from schedule_conformance.protocol import messages

from . import examples, matrix, pages, workshop
from .markdown import block, bullets, plain, raw

_TOOK = re.compile(r"Took [0-9.]+ s")
"""How long a command took: of no use on a page, and another time with every build."""

COLUMNS = "86"
"""How wide the commands print: as wide as the text of a page."""


class Living(SphinxDirective):
    """A directive whose content is Markdown made now."""

    def markdown(self) -> str:
        """Return the Markdown; whatever it raises ends the build, with the place."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Return the nodes that the Markdown comes to; the page is read anew with every build."""
        self.env.note_reread()
        try:
            text = self.markdown()
        except Exception as fault:
            raise self.severe(f"{self.name}: {type(fault).__name__}: {fault}") from fault
        holder = nodes.container(classes=[f"living-{self.name}"])
        self.state.nested_parse(StringList(text.splitlines(), self.name), self.content_offset, holder)
        return [holder]


class Ask(Living):
    """A request, as JSON, and the law's reply to it. `:expect:` is the code, or `result`, that must come."""

    has_content = True
    option_spec: ClassVar = {"expect": directives.unchanged_required}

    def markdown(self) -> str:
        """Return request and reply."""
        request = json.loads("\n".join(self.content))
        reply = answer(request)
        came = reply["rejected"]["code"] if "rejected" in reply else next(iter(reply))
        expected = self.options.get("expect", "result")
        if came != expected:
            raise ValueError(f"{expected} was expected; {json.dumps(reply)} came")
        return examples.parts(exchange(request, reply))


class Transcript(Living):
    """Requests to a world, a line each as JSON, and the law's replies to them, as they stand on the wire.

    The live law has to allow what comes.
    """

    has_content = True

    def markdown(self) -> str:
        """Return the lines."""
        told = exchanges(tuple(map(json.loads, self.content)))
        lines = (
            f"{arrow} {on_one_line(in_usual_order({'seq': seq} | dict(message)))}"
            for seq, each in enumerate(told, 1)
            for arrow, message in (("→", each.request), ("←", each.reply))
        )
        return block("\n".join(lines), "text")


class Schemas(Living):
    """The message schemas, each a file beside the pages."""

    def markdown(self) -> str:
        """Return the list."""
        items = (
            f'<li><a href="schemas/{subject}.json"><code>{subject}.json</code></a>: '
            f"{escape(messages.schema(subject)['title'])}</li>"
            for subject in messages.SUBJECTS
        )
        return raw(f"<ul>{''.join(items)}</ul>")


class Tale(Living):
    """A story of `schedule_cli.explaining.stories`, by its name."""

    required_arguments = 1

    def markdown(self) -> str:
        """Return its title and what happened."""
        return examples.parts(lived(self.arguments[0]).parts)


class Run(Living):
    """A command line of `schedule-spec`, run in the workshop's folder, with what it prints.

    `:exit:` is the exit code that must come, 0 where it is not given; `:head:` the lines that are shown,
    all where it is not given; `:input:` what comes on standard input; `:before:` a line each for commands
    that are run and shown before it, whatever they end with and without what they print.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {
        "exit": directives.nonnegative_int,
        "head": directives.positive_int,
        "input": directives.unchanged_required,
        "before": directives.unchanged_required,
    }

    def markdown(self) -> str:
        """Return the command and its output."""
        before = self.options.get("before", "").splitlines()
        line, given = self.arguments[0], self.options.get("input")
        with _at_work():
            for each in before:
                _ran(each)
            ended, output = _ran(line, given and f"{given}\n")
        if ended != self.options.get("exit", 0):
            raise ValueError(f"`{line}` ended with {ended}: {output}")
        lines = output.rstrip().splitlines()
        head = self.options.get("head", len(lines))
        shown = [_TOOK.sub("Took … s", each) for each in lines[:head]] + (["…"] if len(lines) > head else [])
        asked = f"$ echo {shlex.quote(given)} | {line}" if given else f"$ {line}"
        # What is asked of `--help` is words; all else stands in columns.
        language = "text" if line.endswith(" --help") else "console"
        return block("\n".join([*(f"$ {each}" for each in before), asked, *shown]), language)


def _ran(line: str, given: str | None = None) -> tuple[int, str]:
    """Return the exit code of a command line of `schedule-spec`, and what it prints."""
    program, *arguments = shlex.split(line)
    if program != "schedule-spec":
        raise ValueError(f"only schedule-spec is run here, not {program}")
    result = CliRunner().invoke(main, arguments, input=given, prog_name=program, color=False)
    return result.exit_code, str(result.output)


@contextmanager
def _at_work() -> Iterator[None]:
    """Stand in a fresh workshop, where `python` is the one that builds the site."""
    folder_before, surroundings = Path.cwd(), dict(os.environ)
    with TemporaryDirectory() as folder:
        workshop.furnish(Path(folder))
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        os.environ["COLUMNS"] = COLUMNS
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(folder_before)
            os.environ.clear()
            os.environ.update(surroundings)


class Workshop(Living):
    """A file of the folder in which the commands run, by its name."""

    required_arguments = 1

    def markdown(self) -> str:
        """Return the file."""
        with TemporaryDirectory() as folder:
            workshop.furnish(Path(folder))
            file = Path(folder) / self.arguments[0]
            return block(file.read_text("utf-8").rstrip("\n"), "python" if file.suffix == ".py" else "text")


class Clauses(Living):
    """The clauses of an area, each with its sentence and why."""

    required_arguments = 1

    def markdown(self) -> str:
        """Return the list."""
        return pages.listed(self.arguments[0])


class Matrix(Living):
    """The table of all clauses."""

    def markdown(self) -> str:
        """Return the table."""
        return raw(matrix.matrix())


class Totals(Living):
    """What the matrix holds, in a few sentences."""

    def markdown(self) -> str:
        """Return the sentences."""
        return matrix.totals()


class Standing(Living):
    """How much there is of everything, in a line."""

    def markdown(self) -> str:
        """Return the line."""
        return matrix.standing()


class Commands(Living):
    """All commands, with what each does."""

    def markdown(self) -> str:
        """Return the list."""
        return bullets(
            f"[`{name}`](/commands/{name}.md) {plain(entry.summary)}" for name, entry in COMMANDS.items()
        )


class Picture(Living):
    """A picture that is drawn from the law, by its name."""

    required_arguments = 1

    def markdown(self) -> str:
        """Return the picture with its caption."""
        from docs._ext.pictures import figures  # noqa: PLC0415 - drawing takes a while

        figure = next((each for each in figures() if each.name == self.arguments[0]), None)
        if figure is None:
            raise LookupError(f"there is no picture {self.arguments[0]}")
        return raw(f'<figure class="picture">{figure.svg}<figcaption>{figure.caption}</figcaption></figure>')


DIRECTIVES = {
    "ask": Ask,
    "transcript": Transcript,
    "schemas": Schemas,
    "story": Tale,
    "run": Run,
    "workshop": Workshop,
    "clauses": Clauses,
    "matrix": Matrix,
    "totals": Totals,
    "standing": Standing,
    "commands": Commands,
    "picture": Picture,
}
