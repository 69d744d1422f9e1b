"""The command `schedule-spec schema`: the published JSON Schemas, each under a name."""

import click

from schedule_cli.output import ExitCode, near, print_json
from schedule_impl import durable_schemas, tool_schemas

SCHEMAS = {
    "change": durable_schemas.CHANGE,
    "record": durable_schemas.RECORD,
    "create-arguments": tool_schemas.CREATE_ARGUMENTS,
    "create-result": tool_schemas.CREATE_RESULT,
    "list-arguments": tool_schemas.LIST_ARGUMENTS,
    "list-result": tool_schemas.LIST_RESULT,
    "delete-arguments": tool_schemas.DELETE_ARGUMENTS,
    "delete-result": tool_schemas.DELETE_RESULT,
    "batch-reminders": tool_schemas.REMINDERS,
}
"""Every published schema by its name."""


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--json", "as_json", is_flag=True, help="Print all in one JSON object, by their names.")
@click.pass_context
def schema(ctx: click.Context, name: str | None, as_json: bool) -> None:
    """Print a JSON Schema (draft 2020-12), or list their names.

    `change` and `record` accept exactly the values that are sound in themselves. They cannot say what only
    the text shows (that it is JSON, which of duplicate keys counts), nor what only the fold knows: whether a
    change fits the state. A validator must read numbers as IEEE 754 doubles.

    The arguments of the tools are what a host may hold a call against before it makes it; the tools check
    more: that a prompt is not blank, that one selector is given, that a date and a zone exist.
    """
    if name is not None and as_json:
        raise click.UsageError("--json prints all schemas: give no NAME with it.")
    if as_json:
        print_json(SCHEMAS)
    elif name is None:
        widest = max(map(len, SCHEMAS))
        for known, one in SCHEMAS.items():
            click.echo(f"{known:{widest}}  {one['title']}")
    elif name in SCHEMAS:
        print_json(SCHEMAS[name])
    else:
        click.echo(f"There is no schema {name!r}.{near(name, list(SCHEMAS))}", err=True)
        ctx.exit(ExitCode.USAGE)
