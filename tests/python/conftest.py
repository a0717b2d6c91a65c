"""What the tests of the Python package share: small graphs, and the program to compare with."""

import json
import os
import subprocess

import pytest

import graphveil as gv


@pytest.fixture(scope="session")
def tiny_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("graphs") / "tiny.gvg"
    gv.Graph.generate("tiny", seed=1).save(path)
    return str(path)


@pytest.fixture(scope="session")
def tiny(tiny_path):
    return gv.Graph.load(tiny_path)


@pytest.fixture(scope="session")
def program():
    """Runs the program and gives its JSON answer, exit codes 0 and 1 allowed."""
    path = os.environ.get("GRAPHVEIL_PROGRAM")
    if not path:
        pytest.skip("GRAPHVEIL_PROGRAM is not set")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments), "--json", "-q"], capture_output=True, text=True, timeout=120)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def fitted(tiny, tmp_path_factory):
    """A releasable run, saved."""
    folder = tmp_path_factory.mktemp("runs") / "lap"
    return gv.Lap(epsilon=4.0).fit(tiny, out=folder, progress=False)
