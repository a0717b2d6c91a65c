"""Comparisons, cards and plots."""

import pytest

import graphveil as gv


@pytest.fixture(scope="module")
def compared(tiny_path, tmp_path_factory):
    import os

    if not os.environ.get("GRAPHVEIL_PROGRAM"):
        pytest.skip("GRAPHVEIL_PROGRAM is not set")
    graph = gv.Graph.load(tiny_path)
    out = tmp_path_factory.mktemp("compared") / "out"
    return gv.compare([gv.Lap(steps=5), "mlp-dp"], graph, epsilon=[1, 4], repeats=2, out=out)


def test_compare(compared):
    assert compared.ok and len(compared.cells) == 4
    assert {cell["epsilon"] for cell in compared.cells} == {1, 4}


def test_comparison_card(compared):
    card = compared._repr_html_()
    assert "epsilon 4" in card and "mlp-dp" in card and "holder" in card


def test_a_program_that_refuses(tiny, tmp_path):
    with pytest.raises(gv.BadInput, match="nothing"):
        gv.compare("nothing", tiny, out=tmp_path / "out")


def test_plots(compared, tiny, tmp_path, fitted):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = gv.plot_accuracy_vs_epsilon(compared)
    assert len(ax.get_legend().get_texts()) == 2
    ax = gv.plot_accuracy_vs_epsilon([fitted])
    assert ax.lines[0].get_xdata()[0] == pytest.approx(4)
    book = gv.Budget.open(tmp_path / "b.book", data=tiny, epsilon=5, delta=1e-3)
    assert gv.plot_budget(book).patches
    attack = gv.attack("membership", "mlp", data=tiny, progress=False, quick=True, models=4)
    assert gv.plot_roc(attack).lines
