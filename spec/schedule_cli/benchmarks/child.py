"""A piece of measured work in a process of its own."""

import json
import os
import subprocess
import sys
from time import perf_counter
from typing import Any

import click


def measured(module: str, *arguments: str) -> tuple[dict[str, Any], float]:
    """The figures that a module of benchmarks prints, and the seconds that the whole process took."""
    command = [sys.executable, "-m", f"schedule_cli.benchmarks.{module}", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    begin = perf_counter()
    child = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    seconds = perf_counter() - begin
    if child.returncode != 0:
        raise click.ClickException(f"The run of {' '.join(arguments)} failed:\n{child.stderr}")
    figures: dict[str, Any] = json.loads(child.stdout)
    return figures, seconds
