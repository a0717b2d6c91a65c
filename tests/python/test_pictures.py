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
    import matplotlib

    matplotlib.use("Agg")
    ax = gv.plot_accuracy_vs_epsilon(compared)
    assert len(ax.get_legend().get_texts()) == 2
    for results in ([fitted], fitted):
        assert gv.plot_accuracy_vs_epsilon(results).lines[0].get_xdata()[0] == pytest.approx(4)
    book = gv.Budget.open(tmp_path / "b.book", data=tiny, epsilon=5, delta=1e-3)
    gv.Lap(epsilon=2).fit(tiny, budget=book, progress=False)
    spent, left = gv.plot_budget(book).patches
    assert spent.get_width() == pytest.approx(2) and left.get_width() == pytest.approx(3)


def test_curves_of_an_attack(tiny):
    import matplotlib

    matplotlib.use("Agg")
    attack = gv.attack("membership", "mlp-dp", data=tiny, epsilon=1, delta=1e-3, progress=False, quick=True, repeats=2)
    assert len(attack["members"]["roc"]) == 2
    labels = [line.get_label() for line in gv.plot_roc(attack).lines]
    assert labels[:3] == ["members, repeat 1", "members, repeat 2", "allowed by epsilon"]
    allowed = gv.plot_roc(attack).lines[2].get_ydata()
    assert allowed[0] == pytest.approx(1e-3) and allowed[2] == pytest.approx(min(1, 2.718281828 * 0.01 + 1e-3)) and allowed[-1] == 1
    # Ranks of twenty points, drawn by hand.
    assert gv.plot_roc([(0, 0), (0.2, 0.7), (1, 1)]).lines[0].get_ydata().tolist() == [0, 0.7, 1]
