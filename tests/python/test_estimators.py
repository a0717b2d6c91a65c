"""Estimators in scikit-learn's shape."""

import inspect
import os
import pickle

import numpy as np
import pytest

import graphveil as gv


def test_one_class_for_each_method():
    assert gv.Lap.__doc__.startswith("Label aggregation perturbation")
    assert {gv.estimator(name).__name__ for name in gv.methods()} <= set(gv.__all__)
    signature = inspect.signature(gv.Lap)
    assert signature.parameters["epsilon"].default == 1
    assert signature.parameters["protect_degree"].default == 100
    assert "protect_degree : integer, 1 to 2147483647 (default: 100)" in gv.Lap.__doc__


def test_parameters():
    model = gv.Lap(epsilon=4, relation="node")
    assert repr(model) == "Lap(epsilon=4, relation='node')"
    params = model.get_params()
    assert params["epsilon"] == 4 and params["protect_degree"] == 100 and params["preset"] == "default"
    assert model.set_params(epsilon=2).epsilon == 2
    with pytest.raises(ValueError, match="no parameter 'epsilom'"):
        model.set_params(epsilom=2)
    with pytest.raises(TypeError, match=r"Lap.__init__\(\) takes 1 positional"):
        gv.Lap(4)
    with pytest.raises(TypeError, match="no parameter 'hops'"):
        gv.Lap(hops=2)


def test_clone():
    clone = pytest.importorskip("sklearn.base").clone
    copy = clone(gv.Lap(epsilon=4.0, hidden_dim=8))
    assert copy.get_params() == gv.Lap(epsilon=4.0, hidden_dim=8).get_params()
    # What nobody chose stays so: a clone sets no option that the original did not.
    assert copy._given() == [("epsilon", "4.0"), ("hidden-dim", "8")]


def test_scikit_learns_checks_that_apply():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    for kind in (gv.Lap, gv.GapEdp, gv.Auto):
        for name in ("check_get_params_invariance", "check_set_params", "check_no_attributes_set_in_init"):
            getattr(checks, name)(kind.__name__, kind())


def test_fit_predict_score(tiny):
    model = gv.Lap(epsilon=4).fit(tiny, progress=False)
    assert model.epsilon_ <= 4 and model.delta_ == pytest.approx(1e-3)
    predicted, chances = model.predict(), model.predict_proba()
    assert isinstance(predicted, gv.Owner)
    assert np.asarray(predicted).shape == (300,) and chances.value.shape == (300, 3)
    assert np.allclose(np.asarray(chances).sum(axis=1), 1, atol=1e-4)
    assert 0 <= model.score() <= 1
    assert list(model.classes_) == [0, 1, 2] and model.n_features_in_ == 16
    assert model.ledger_ == model.certificate_["events"]
    assert gv.verify(model).releasable


def test_masks(tiny):
    train = np.zeros(300, bool)
    train[:100] = True
    model = gv.Lap(epsilon=4, seed=1).fit(tiny, train=train, progress=False)
    assert model.certificate_["public"]["train_nodes"] == 100
    with pytest.raises(ValueError, match="no test nodes"):
        gv.Lap(epsilon=4).fit(tiny, train=np.ones(300, bool), progress=False).score()
    wanted = np.asarray(model.predict())[100:] == tiny.labels[100:]
    assert model.score() == pytest.approx(wanted.mean())
    with pytest.raises(ValueError, match="not both"):
        gv.Lap(split="50/0/50").fit(tiny, train=train)
    with pytest.raises(ValueError, match="come with train"):
        gv.Lap().fit(tiny, test=train)


def test_whose_a_value_is(tiny):
    model = gv.Lap(epsilon=4).fit(tiny, progress=False)
    assert repr(model.predict()) == "Owner(classes, 300: each row is for its own node alone; .value gives it)"
    assert "holder's" in repr(model.score())
    edge = gv.Lap(epsilon=4, relation="undirected-edge").fit(tiny, progress=False)
    assert isinstance(edge.predict(), gv.Public)
    # Comparing compares the values, as arrays do, and never the wrappers.
    truth = np.asarray(model.predict())
    assert (model.predict() == truth).all() and (model.predict() == model.predict()).all()
    assert ((model.predict() == 1) == (truth == 1)).all() and ((model.predict() != 1) == (truth != 1)).all()
    clear = gv.GapInf().fit(tiny, quick=True, progress=False)
    assert isinstance(clear.predict(), gv.Holder)
    assert "never leaves" in repr(clear.predict())


def test_a_seed_is_not_releasable(tiny):
    model = gv.Lap(epsilon=4, seed=1).fit(tiny, progress=False)
    assert not model.certificate_.releasable
    assert isinstance(model.predict(), gv.Holder)


def test_save_load_pickle(tiny, tmp_path):
    model = gv.Lap(epsilon=4).fit(tiny, progress=False)
    temporary = model.run_folder_
    with pytest.raises(pickle.PicklingError, match="save"):
        pickle.dumps(model)
    model.save(tmp_path / "run")
    assert not os.path.exists(temporary)
    for again in (gv.load(tmp_path / "run"), pickle.loads(pickle.dumps(model))):
        assert type(again) is gv.Lap and again.epsilon == 4
        assert np.array_equal(again.predict_proba(), model.predict_proba())
        assert again.certificate_["digest"] == model.certificate_["digest"]
        assert repr(again) in ("Lap(epsilon=4)", "Lap(epsilon=4.0)")
    with pytest.raises(OSError, match="exists already"):
        model.save(tmp_path / "run")
    with pytest.raises(ValueError, match="already"):
        model.save(tmp_path / "other")
    pickle.loads(pickle.dumps(gv.Lap(epsilon=3)))


def test_a_temporary_folder_goes_with_its_estimator(tiny):
    model = gv.Lap(epsilon=4).fit(tiny, progress=False)
    folder = model.run_folder_
    assert os.path.isdir(folder) and os.stat(os.path.dirname(folder)).st_mode & 0o077 == 0
    del model
    assert not os.path.exists(folder)


def test_not_fitted(tiny):
    for ask in (lambda m: m.predict(), lambda m: m.score(), lambda m: m.save("x")):
        with pytest.raises(gv.NotFitted, match="call fit"):
            ask(gv.Lap())
    with pytest.raises(ValueError, match="want a graphveil.Graph"):
        gv.Lap().fit(np.zeros((3, 3)))


def test_options_are_checked_by_the_library(tiny):
    with pytest.raises(ValueError, match="--epsilon is '-1.0', want number"):
        gv.Lap(epsilon=-1.0).fit(tiny)
    with pytest.raises(gv.InvalidArgument):
        gv.Lap(relation="friend").fit(tiny)


def test_another_graph_costs(tiny, tmp_path):
    other = gv.Graph.generate("tiny", seed=5)
    model = gv.Lap(epsilon=4).fit(tiny, progress=False)
    with pytest.raises(gv.BudgetExceeded):
        model.predict(other)
    predicted = model.predict(other, total_epsilon=30)
    assert model.last_prediction_["kind"] == "released" and model.last_prediction_["epsilon_total"] > 4
    assert len(predicted) == 300
    # The log moves with the folder: what was spent stays spent.
    model.save(tmp_path / "run")
    with pytest.raises(gv.BudgetExceeded):
        gv.load(tmp_path / "run").predict(gv.Graph.generate("tiny", seed=6))


def test_people_who_are_several_nodes(tiny, tmp_path):
    names = ["" if i > 5 else f"p{i // 2}" for i in range(300)]
    pairs = tiny.with_entities(names)
    assert len(set(pairs.entities.tolist())) == 297
    # As the program: it must be declared, and what is declared must hold, without a number of the data being named.
    for graph in (pairs, pairs.with_split([0, 1, 2]), pairs.with_names(class_names=["a", "b", "c"])):
        with pytest.raises(ValueError, match="declare with --entity-size"):
            gv.Lap(epsilon=4).fit(graph, progress=False)
    with pytest.raises(gv.BadInput, match="more nodes than --entity-size 1 declares"):
        gv.Lap(epsilon=4, entity_size=1).fit(pairs, progress=False)
    model = gv.Lap(epsilon=4, entity_size=2).fit(pairs, progress=False)
    assert any("at most 2 nodes" in s["what"] for s in model.certificate_["statements"])
    gv.Lap(epsilon=4, relation="undirected-edge").fit(pairs, progress=False)  # nobody is a node there
    # Nor does a prediction read people that the training did not declare.
    with pytest.raises(gv.BadInput, match="than its training declares"):
        gv.Lap(epsilon=4).fit(tiny, progress=False).predict(gv.Graph.generate("tiny", seed=5).with_entities(names), total_epsilon=50)
    with pytest.raises(gv.BadInput, match="more nodes than"):
        gv.Budget.open(tmp_path / "b.book", data=pairs, epsilon=5, delta=1e-3)
    assert pairs.with_entities(None).entities is None
    with pytest.raises(ValueError, match="299 entities"):
        tiny.with_entities(names[1:])


def test_a_book_beside_the_data_is_found(tmp_path):
    gv.Graph.generate("tiny", seed=1).save(tmp_path / "g.gvg")
    graph = gv.Graph.load(tmp_path / "g.gvg")
    book = gv.Budget.open(tmp_path / "graphveil.book", data=graph, epsilon=9, delta=1e-3)
    gv.Lap(epsilon=3).fit(graph.with_split(range(150)), progress=False)
    assert len(book.history()["releases"]) == 1
    with pytest.raises(gv.BudgetExceeded):
        gv.Lap(epsilon=8).fit(graph.with_names(class_names=["a", "b", "c"]), progress=False)
    # A run that was not trained under it is asked to be entered before it reads these people.
    other = gv.Lap(epsilon=3).fit(gv.Graph.generate("tiny", seed=5), progress=False)
    with pytest.raises(gv.BadInput, match="budget enter"):
        other.predict(graph, total_epsilon=50)


@pytest.mark.parametrize("most", [0.0, -1.0, float("nan"), float("inf")])
def test_a_total_that_allows_everything_or_nothing_is_refused(tiny, fitted, most):
    with pytest.raises(ValueError, match="want a positive number"):
        fitted.predict(gv.Graph.generate("tiny", seed=5), total_epsilon=most)


def test_people_who_join(tiny, tmp_path):
    """Newcomers alone are predicted, and nobody pays more."""
    edges, x, y = tiny.to_arrays()
    model = gv.Lap(epsilon=4).fit(tiny, progress=False)
    more = gv.Graph.from_arrays(
        np.hstack([edges, [[0, 300], [300, 0]]]), np.vstack([x, x[:1]]), np.append(y, -1), classes=3
    )
    predicted = model.predict(more, joined=True)
    assert len(predicted) == 1 and model.predicted_ids_ == ["300"] and model.last_prediction_["newcomers"] == 1
    assert model.last_prediction_["epsilon_inference"] == 0


def test_auto_says_why(tiny):
    model = gv.Auto(epsilon=4).fit(tiny, progress=False)
    assert model.certificate_.method == "lap" and "budget" in model.report_["why"]


def test_cards(tiny, fitted):
    assert "not fitted" in gv.Lap()._repr_html_()
    card = fitted._repr_html_()
    assert "may be released" in card and "test accuracy (holder&#x27;s)" in card
    page = fitted.certificate_._repr_html_()
    assert "outgoing edges" in page and "<script" not in page
    assert "differential" in str(fitted.certificate_) or "epsilon" in str(fitted.certificate_)
