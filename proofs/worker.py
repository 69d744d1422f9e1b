"""One target or control in a process of its own: `python -m proofs.worker TOOL NAME SECONDS WITNESS FILE`.

Its outcome is written to the file as JSON, so that whatever tools print does no harm.
"""

import json
import sys
import traceback
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from icontract import ViolationError

from proofs.ledger import Verdict
from proofs.naming import UnknownNameError, resolve
from proofs.outcomes import Outcome


class UnmetWitnessError(Exception):
    """A witness with which a function's contracts do not hold."""


def _meets_its_contracts(name: str, witness: str) -> None:
    """Call the function with its witness; `UnmetWitnessError` where a contract is broken."""
    try:
        resolve(name)(**resolve(witness)())
    except ViolationError as problem:
        raise UnmetWitnessError(str(problem)) from problem


def outcome(tool: str, name: str, seconds: int, witness: str) -> Outcome:
    """Return what a tool makes of a function; a fault of the function itself is `broken`."""
    try:
        if witness:
            _meets_its_contracts(name, witness)
        found = import_module(f"proofs.tools.{tool}").run(name, seconds)
        return (
            found if isinstance(found, Outcome) else Outcome(Verdict.BROKEN, f"the tool answered {found!r}")
        )
    except UnknownNameError as problem:
        return Outcome(Verdict.BROKEN, f"there is no {problem}")
    except UnmetWitnessError as problem:
        return Outcome(Verdict.BROKEN, f"the witness {witness} breaks a contract: {problem}")
    except Exception:
        return Outcome(Verdict.BROKEN, traceback.format_exc(limit=-4).strip())


def main(arguments: list[str]) -> None:
    """Run what the arguments name, and write what it came to."""
    tool, name, seconds, witness, file = arguments
    found = outcome(tool, name, int(seconds), witness)
    Path(file).write_text(json.dumps(asdict(found)), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
