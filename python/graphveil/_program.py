"""The program itself, which comes with the package: for commands that start many processes, and as a console script."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any, Sequence

from ._errors import BadInput, BudgetExceeded, Error, FileError, InternalError

_KINDS: dict[int, type[Error]] = {2: BadInput, 3: BudgetExceeded, 4: InternalError}


def path() -> str:
    """Where the program lies: GRAPHVEIL_PROGRAM, beside the package, or on the PATH."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "graphveil")
    for place in (os.environ.get("GRAPHVEIL_PROGRAM"), beside, shutil.which("graphveil")):
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    raise FileError("the program graphveil is not there: install the package, or set GRAPHVEIL_PROGRAM")


def answer(arguments: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON answer. Its progress goes to standard error; Ctrl-C ends it as it ends the program."""
    process = subprocess.Popen([path(), *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        out, errors = process.communicate()
    except KeyboardInterrupt:
        process.wait()
        raise
    if process.returncode not in (0, 1):
        lines = [line for line in errors.splitlines() if line.strip()]
        message = lines[-1].removeprefix("graphveil: ") if lines else f"exit code {process.returncode}"
        raise _KINDS.get(process.returncode, InternalError)(message)
    found: dict[str, Any] = json.loads(out)
    return process.returncode, found


def main() -> None:
    """The console script `graphveil`."""
    program = path()
    os.execv(program, [program, *sys.argv[1:]])
