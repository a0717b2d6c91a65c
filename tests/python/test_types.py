"""Types: the stubs are current, and mypy --strict is content with the package and with a user's script."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SCRIPT = """
import graphveil as gv

graph = gv.Graph.generate("tiny", seed=1)
model: gv.Estimator = gv.Lap(epsilon=4, relation="node", protect_degree=100).fit(graph)
epsilon: float = gv.account(model).epsilon
rows: gv.Audience[object] = gv.GapEdp(epsilon=1.0, hops=2).fit(graph).predict_proba()
"""

WRONG = """
import graphveil as gv

gv.Lap(epsilom=4)
gv.Lap(relation="friend")
gv.Lap(protect_degree="many")
"""


def mypy(*arguments):
    pytest.importorskip("mypy")
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir=/dev/null", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT / "python",
    )


def test_the_stubs_are_current():
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "python-stubs"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_extensions_stub_has_its_names():
    core = importlib.import_module("graphveil._core")
    text = (ROOT / "python" / "graphveil" / "_core.pyi").read_text()
    stated = set(re.findall(r"^(?:def|class) (\w+)", text, re.M)) | {"version"}
    assert stated == {name for name in dir(core) if not name.startswith("_")}
    for kind in ("GraphHandle", "Release"):
        body = text.split(f"class {kind}:")[1].split("\nclass ")[0].split("\ndef ")[0]
        names = set(re.findall(r"^    (?:def )?(\w+)[:(]", body, re.M))
        assert names == {n for n in dir(getattr(core, kind)) if not n.startswith("_")}, kind


def test_mypy_strict(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    done = mypy("graphveil", str(tmp_path / "script.py"))
    assert done.returncode == 0, done.stdout
    (tmp_path / "wrong.py").write_text(WRONG)
    done = mypy(str(tmp_path / "wrong.py"))
    assert done.stdout.count("error:") == 3, done.stdout
