"""The systems that a command line can name: the law, and the implementation that comes along."""

import click

from schedule_conformance import law_adapter
from schedule_conformance.systems import InProcess, System


def bundled() -> System:
    """Return the implementation that comes along."""
    from schedule_impl import adapter  # noqa: PLC0415 - only where it is what is tried

    return InProcess("bundled", adapter.handle)


def named(_: click.Context, __: click.Parameter, value: str) -> System:
    """Return the system of a name; a wrong usage where there is none."""
    match value:
        case "law":
            return InProcess("law", law_adapter.handle)
        case "bundled":
            return bundled()
        case _:
            raise click.BadParameter(f"{value!r} cannot be tried: this version offers only law and bundled.")


sut = click.option(
    "--sut",
    "system",
    callback=named,
    default="bundled",
    show_default=True,
    help="What is tried: bundled, the implementation that comes along; or law, the specification itself.",
)
"""The option that names the system under trial."""
