"""Methods written in Python: the same release, the same checks."""

import numpy as np
import pytest

import graphveil as gv
from graphveil import method, testing


class Means(gv.Method):
    name = "test-means"
    every_degree = True
    scale = method.real(4.0, 0.1, 100, "How sure")
    bias = method.boolean(False, "Nothing")
    rounds = method.integer(3, 1, 9, "Nothing either")
    style = method.choice("plain", ["plain", "bold"], "Nothing at all")

    def plan(self, noise, setting):
        return [method.class_sums("sums", noise, setting)]

    def run(self, task, release):
        self.last_release = release
        Means.kept = release
        return {"means": release.class_sums("sums", task.features[task.train], task.graph.labels[task.train])}

    def predict(self, model, task, release):
        scores = np.exp(np.clip(self.scale * task.features @ model["means"], -30, 30))
        return scores / scores.sum(axis=1, keepdims=True)


class Softmax(gv.Method):
    """A linear softmax by DP-SGD whose gradients Python computes."""

    name = "test-softmax"
    every_degree = True

    def plan(self, noise, setting):
        return [method.dp_sgd("training", noise, setting, steps=20, batch_size=64, max_grad_norm=1.0)]

    def run(self, task, release):
        x, y = task.features[task.train], task.graph.labels[task.train]
        weights = np.zeros((x.shape[1], task.graph.classes), np.float32)
        truth = np.eye(task.graph.classes, dtype=np.float32)[y] * (y >= 0)[:, None]
        for _ in range(release.steps("training")):
            p = self.predict({"w": weights}, task, None)[task.train]
            rows = np.einsum("ni,nk->nik", x, p - truth).reshape(len(x), -1)
            noisy = release.gradient("training", np.ascontiguousarray(rows, np.float32), max_grad_norm=1.0)
            weights -= np.float32(0.5) * (noisy / release.expected_batch("training")).reshape(weights.shape).astype(np.float32)
        return {"w": weights}

    def predict(self, model, task, release):
        scores = np.einsum("ni,ik->nk", task.features, model["w"])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return (scores / scores.sum(axis=1, keepdims=True)).astype(np.float32)


class Neighbors(gv.Method):
    """Sums over neighbors of the features; the model is what was released."""

    name = "test-neighbors"
    level = "edge"
    relations = ("undirected-edge", "edge")

    def plan(self, noise, setting):
        return [method.neighbor_sum("sums", noise, setting)]

    inference_plan = plan

    def run(self, task, release):
        return {"sums": release.neighbor_sum("sums", np.ascontiguousarray(task.features))}

    def predict(self, model, task, release):
        sums = model["sums"] if release is None else release.neighbor_sum("sums", np.ascontiguousarray(task.features))
        scores = np.exp(np.clip(sums[:, : task.graph.classes], -9, 9))
        return scores / scores.sum(axis=1, keepdims=True)


class Leak(Means):
    """The same with a mistake: the model holds private rows."""

    name = "test-leak"

    def run(self, task, release):
        made = super().run(task, release)
        return {**made, "rows": task.features}


class TooLong(Softmax):
    """Asks for more steps than were planned."""

    name = "test-too-long"

    def run(self, task, release):
        made = super().run(task, release)
        release.gradient("training", np.zeros((len(task.train), made["w"].size), np.float32))
        return made


class Silent(Means):
    name = "test-silent"

    def run(self, task, release):
        return {"means": np.zeros((task.features.shape[1], task.graph.classes))}


def test_it_is_an_estimator_like_any_other(tiny, tmp_path):
    model = Means.estimator(epsilon=4.0, scale=8.0).fit(tiny, out=tmp_path / "run", progress=False)
    assert model.certificate_.valid and model.certificate_.releasable
    assert model.epsilon_ <= 4 and model.ledger_[0]["label"] == "sums"
    assert any("Python" in line for line in model.certificate_["assumptions"])
    assert gv.verify(model).ok
    assert np.asarray(model.predict_proba()).shape == (300, 3)
    assert "scale : number, 0.1 to 100 (default: 4.0)" in type(model).__doc__
    again = gv.load(tmp_path / "run")
    assert again.scale == 8.0
    assert again.predict(gv.Graph.generate("tiny", seed=4), disjoint=True).value.shape == (300,)
    assert gv.calibrate("test-means", epsilon=1, nodes=1000, train_nodes=750).epsilon <= 1


def test_the_same_seed_gives_the_same_bits(tiny):
    a, b = (Softmax.estimator(epsilon=4.0, seed=3).fit(tiny, progress=False).predict_proba() for _ in range(2))
    assert np.array_equal(a, b)


def test_it_learns(tiny):
    chance = np.bincount(tiny.labels).max() / tiny.nodes
    score = Softmax.estimator(epsilon=1000.0, relation="record", seed=1).fit(tiny, progress=False).score()
    assert score > chance + 0.05


@pytest.mark.parametrize("kind", [Means, Softmax, Neighbors])
def test_the_neighbor_check_finds_nothing(kind):
    testing.check_neighbors(kind, graphs=3)


def test_the_neighbor_check_finds_a_leak():
    with pytest.raises(testing.NeighborFindings, match="public model differs") as error:
        testing.check_neighbors(Leak, graphs=1)
    assert len(error.value.findings) > 1


def test_the_neighbor_check_takes_methods_of_the_library():
    testing.check_neighbors("oneshot", relation="record", graphs=1)


def test_what_is_not_planned_is_refused(tiny):
    with pytest.raises(gv.Error, match="training"):
        TooLong.estimator(epsilon=4.0).fit(tiny, progress=False)
    with pytest.raises(gv.Error):
        Silent.estimator(epsilon=4.0).fit(tiny, progress=False)


def test_the_release_is_closed_after_the_run(tiny):
    Means.estimator(epsilon=4.0).fit(tiny, progress=False)
    with pytest.raises(ValueError, match="closed"):
        Means.kept.class_sums("sums", np.zeros((2, 2), np.float32), np.zeros(2, np.int32))


def test_errors_of_python_come_through(tiny):
    class Broken(Means):
        name = "test-broken"

        def run(self, task, release):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Broken.estimator(epsilon=4.0).fit(tiny, progress=False)


def test_a_class_may_be_defined_again(tiny):
    for value in (1.0, 2.0):

        class Again(Means):
            name = "test-again"
            scale = method.real(value, 0.1, 100, "How sure")

        assert Again.estimator().scale == value


def test_names_of_the_library_are_taken():
    with pytest.raises(ValueError, match="lap"):
        type("Mine", (gv.Method,), {"name": "lap"})
