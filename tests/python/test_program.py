"""Every estimator gives the bits that the program gives with the same seed."""

import json
import os

import pytest

import graphveil as gv

# What two runs never share: the time, the key of the fingerprint and what is made with it.
OWN = {"created", "data_fingerprint", "digest", "seconds"}
NEEDS_A_FILE = {"dp-gpl", "dp-gpl-w", "prompt-dpsgd", "prompt-inf", "prompt-ft", "prompt-ens", "prompt-ub", "prompt-lb"}


def contents(folder):
    out = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                data = file.read()
            if name == "certificate.json":
                data = {k: v for k, v in json.loads(data).items() if k not in OWN}
            elif name == "metrics.jsonl":
                data = [{k: v for k, v in json.loads(line).items() if k not in OWN} for line in data.splitlines()]
            elif name in ("fingerprint.key", "releases.jsonl", "releases.head", "certificate.md", "certificate.html"):
                data = len(data) > 0
            out[os.path.relpath(path, folder)] = data
    return out


def sizes(about):
    """Parts of one small graph for methods that want two."""
    return {"private_nodes": 150, "public_nodes": 80, "public_test": 50} if about["two_graphs"] else {}


@pytest.mark.parametrize("method", gv.methods())
def test_same_bits_as_the_program(method, tiny_path, tiny, program, tmp_path):
    if method in NEEDS_A_FILE:
        pytest.skip("reads a pre-trained backbone")
    kind = gv.estimator(method)
    chosen = {"epsilon": 4.0, "seed": 5, **sizes(kind._about)}
    arguments = [f"--{name.replace('_', '-')}={value:g}" for name, value in chosen.items()]
    quick = [] if method == "auto" else ["--quick"]
    program("train", method, "--data", tiny_path, *arguments, *quick, "--out", tmp_path / "program")
    fitted = kind(**chosen).fit(tiny, out=tmp_path / "python", quick=bool(quick), progress=False)
    assert contents(tmp_path / "python") == contents(tmp_path / "program")
    assert fitted.report_["method"] == fitted.certificate_.method


def test_two_graphs(tiny, tmp_path, program, tiny_path):
    other = gv.Graph.generate("tiny", seed=2)
    other.save(tmp_path / "public.gvg")
    program(
        "train", "oneshot", "--private", tiny_path, "--public", tmp_path / "public.gvg", "--quick", "--seed=3",
        "--out", tmp_path / "program",
    )
    gv.Oneshot(seed=3).fit(tiny, public=other, quick=True, out=tmp_path / "python", progress=False)
    ours, theirs = contents(tmp_path / "python"), contents(tmp_path / "program")
    assert ours["draft/model.safetensors"] == theirs["draft/model.safetensors"]


def test_the_number_of_threads_changes_no_bit(tiny, tmp_path):
    for threads in (1, 2):
        gv.Lap(epsilon=4.0, seed=5).fit(tiny, out=tmp_path / str(threads), threads=threads, progress=False)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_predictions_are_the_programs(fitted, program, tmp_path):
    other = gv.Graph.generate("tiny", seed=9)
    other.save(tmp_path / "other.gvg")
    mine = gv.Lap(epsilon=4.0, seed=5).fit(gv.Graph.generate("tiny", seed=1), out=tmp_path / "a", progress=False)
    twin = gv.Lap(epsilon=4.0, seed=5).fit(gv.Graph.generate("tiny", seed=1), out=tmp_path / "b", progress=False)
    answer = program(
        "predict", twin.run_folder_, "--data", tmp_path / "other.gvg", "--total-epsilon=20", "--out", tmp_path / "p.csv"
    )
    mine.predict(other, total_epsilon=20)
    for name in ("kind", "audience", "relation", "epsilon_inference", "epsilon_total", "delta", "rows"):
        assert mine.last_prediction_[name] == answer[name], name


def test_a_folder_of_the_program_is_loaded(tiny_path, program, tmp_path):
    program("train", "lap", "--data", tiny_path, "-e", "2", "--protect-degree=50", "--out", tmp_path / "run")
    loaded = gv.load(tmp_path / "run")
    assert isinstance(loaded, gv.Lap)
    assert loaded.epsilon == 2.0 and loaded.protect_degree == 50
    assert len(loaded.predict()) == 300
    assert 0 <= loaded.score() <= 1
