"""`schedule-spec schema`: what it prints is a schema, by its name."""

import json

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from schedule_cli.__main__ import main
from schedule_cli.schema import SCHEMAS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["schema", *arguments])


def test_without_a_name_each_schema_is_listed_on_a_line() -> None:
    lines = run().stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(SCHEMAS)
    assert lines[0] == "change            The data of a schedule/change event"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_printed_as_json(name: str) -> None:
    ended = run(name)
    assert ended.exit_code == 0
    printed = json.loads(ended.stdout)
    assert printed["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(printed)


def test_a_printed_schema_judges_a_change() -> None:
    validator = Draft202012Validator(json.loads(run("change").stdout))
    assert validator.is_valid({"version": 1, "operation": "delete", "id": "a"})
    assert not validator.is_valid({"version": 1, "operation": "delete", "id": "a "})


def test_all_are_printed_in_one_object() -> None:
    assert json.loads(run("--json").stdout) == SCHEMAS


def test_wrong_usage_is_told() -> None:
    assert run("record", "--json").exit_code == 2
    ended = run("recrd")
    assert ended.exit_code == 2
    assert "Did you mean record" in ended.stderr
