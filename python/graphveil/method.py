"""A method of one's own: plan, run and predict in Python, the release, its price and its certificate by graphveil."""

from __future__ import annotations

from typing import Any, ClassVar, Iterable, NamedTuple, Optional, Sequence

import numpy as np

from . import _core
from ._estimators import Estimator, estimator, forget
from ._graph import Graph

Line = _core.PlanLine
Release = _core.Release


class Setting(NamedTuple):
    """What a plan may know: the relation and public numbers."""

    relation: str
    protect_degree: int
    nodes: int
    train_nodes: int
    features: int
    classes: int
    epsilon: float
    delta: float


class Task:
    """What a run is given: the private graph, its public split and a seed. Nothing of it may leave but by the release."""

    def __init__(self, handle: Any, train: Any, relation: str, protect_degree: int, seed: int) -> None:
        self.graph = Graph(handle)
        self.train = train
        self.relation = relation
        self.protect_degree = protect_degree
        self._seed = seed

    def random(self, purpose: str = "") -> np.random.Generator:
        """Numbers for initial weights and the like: the same for the same seed. Never for noise."""
        return np.random.default_rng([self._seed, *purpose.encode()])

    @property
    def features(self) -> Any:
        """All rows, dense float32."""
        found = self.graph.features
        return found.toarray() if hasattr(found, "toarray") else found


class Option(NamedTuple):
    """An option of a method: real(), integer(), boolean() and choice() make them."""

    kind: str
    default: Any
    low: float
    high: float
    words: Sequence[str]
    help: str


def real(default: float, low: float, high: float, help: str) -> Any:
    return Option("real", float(default), low, high, (), help)


def integer(default: int, low: int, high: int, help: str) -> Any:
    return Option("integer", int(default), low, high, (), help)


def boolean(default: bool, help: str) -> Any:
    return Option("boolean", bool(default), 0, 0, (), help)


def choice(default: str, words: Iterable[str], help: str) -> Any:
    return Option("choice", default, 0, 0, tuple(words), help)


# ---- the lines that a plan is made of, each beside its bound


def class_sums(label: str, noise: float, setting: Setting) -> Line:
    """Records' rows summed by class (release.class_sums): rows of norm at most 1. Relations node and record."""
    return _core.line_class_sums(label, noise, setting.classes)


def neighbor_sum(label: str, noise: float, setting: Setting, max_row_norm: float = 1.0) -> Line:
    """Rows summed over neighbors (release.neighbor_sum). Under node for nodes of setting.protect_degree edges."""
    return _core.line_neighbor_sum(label, noise, setting.relation, setting.protect_degree, max_row_norm)


def votes(label: str, noise: float, queries: int) -> Line:
    """Votes of teachers of disjoint records (release.votes). Relations node and record."""
    return _core.line_votes(label, noise, queries)


def dp_sgd(
    label: str, noise: float, setting: Setting, *, steps: int, batch_size: Optional[int] = None, max_grad_norm: float = 1.0
) -> Line:
    """So many steps of DP-SGD (release.gradient); no batch_size: all training nodes in every step."""
    return _core.line_steps(label, noise, setting.train_nodes, steps, batch_size, max_grad_norm)


class Method:
    """Write a subclass with a `name` and it is a method like graphveil's own: calibrated, certified, verified.

    plan() says what a run releases, from public numbers alone. run() asks `release` for the plan's lines and makes the
    model, a dict of arrays, of what it gave out and of nothing else. predict() gives a row of class probabilities for
    each node, from the model and that node's own record (and what it releases itself, where there is an
    inference_plan). testing.check_neighbors() looks for what these rules forbid; a certificate lists them as assumed.
    """

    name: ClassVar[str] = ""
    level: ClassVar[str] = "node"
    releases: ClassVar[str] = "A method written in Python"
    paper: ClassVar[str] = ""
    relations: ClassVar[Sequence[str]] = ("node", "record")
    every_degree: ClassVar[bool] = False  # no edge is read

    def plan(self, noise: float, setting: Setting) -> Sequence[Line]:
        raise NotImplementedError

    def run(self, task: Task, release: Any) -> dict[str, Any]:
        raise NotImplementedError

    def predict(self, model: dict[str, Any], task: Task, release: Any) -> Any:
        raise NotImplementedError

    def inference_plan(self, noise: float, setting: Setting) -> Sequence[Line]:
        """What predict() releases about another graph; empty: nothing."""
        return ()

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        if cls.name:
            _core.register_method(cls.name, cls)
            forget(cls.name)

    @classmethod
    def estimator(cls, **params: Any) -> Estimator:
        """The method as an estimator with these parameters."""
        return estimator(cls.name)(**params)

    @classmethod
    def _specifications(cls) -> list[dict[str, Any]]:
        found: dict[str, Option] = {}
        for base in reversed(cls.__mro__):
            found.update({name: value for name, value in vars(base).items() if isinstance(value, Option)})
        return [
            {"name": name.replace("_", "-"), **option._asdict(), "words": list(option.words)}
            for name, option in found.items()
        ]


def predict_after_run(method: Method, model: dict[str, Any], task: Task, release: Any) -> Any:
    """Predictions on the training graph. They may ask for nothing: what they need is in the model."""
    return method.predict(model, task, None)


def as_rows(values: Any, what: str) -> Any:
    """A C-contiguous float32 table; torch tensors too."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    table = np.asarray(values, np.float32)
    if table.ndim < 2:
        table = table.reshape(1, -1)
    if table.ndim != 2:
        raise ValueError(f"{what} has {table.ndim} dimensions, want at most 2")
    return np.ascontiguousarray(table)


def texts(values: Any) -> list[str]:
    return [values] if isinstance(values, str) else [str(v) for v in values]


__all__ = [
    "Line",
    "Method",
    "Option",
    "Release",
    "Setting",
    "Task",
    "boolean",
    "choice",
    "class_sums",
    "dp_sgd",
    "integer",
    "neighbor_sum",
    "real",
    "votes",
]
