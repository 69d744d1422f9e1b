"""The entry of the suite into pytest: `pytest --pyargs schedule_conformance --sut "COMMAND"`.

pytest loads this module in every run of an environment that has the suite; so it imports nothing heavy, and
does nothing, options included, unless the suite is asked for by its name.
"""

import pytest

SUITE = "schedule_conformance"
"""The package by whose name the suite is asked for."""


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Load the suite's own plugin where the arguments name its package."""
    if early_config.known_args_namespace.pyargs and any(_names_the_suite(each) for each in args):
        early_config.pluginmanager.import_plugin("schedule_cli.pytest_suite")


def _names_the_suite(argument: str) -> bool:
    return argument.partition("::")[0].partition(".")[0] == SUITE
