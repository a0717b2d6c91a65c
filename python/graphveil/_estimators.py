"""Estimators in scikit-learn's shape: one class for each method, made from the options that the method declares."""

from __future__ import annotations

import csv
import inspect
import io
import json
import os
import pickle
import shutil
import tempfile
import textwrap
import warnings
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _core
from ._audience import Audience, HolderFloat, wrapped
from ._cards import estimator_card
from ._certificate import Certificate
from ._errors import BadInput, FileError, InvalidArgument, NotFitted
from ._graph import Graph, Path
from ._options import Default, class_name, parsed, python_name, text_of, typed
from ._progress import Progress, listener


class PrivacyWarning(UserWarning):
    """Something about a private training that its user should know."""


class Estimator:
    """A method with its options. fit() trains it through a private release and leaves a run folder with a certificate.

    After fit(): certificate_, ledger_, epsilon_, delta_, report_ (what `graphveil train --json` prints; accuracies in it
    are the holder's), run_folder_, classes_, n_features_in_.
    """

    _method: str = ""
    _about: dict[str, Any] = {}
    _options: dict[str, str] = {}  # by Python name: the option's own
    _estimator_type = "classifier"

    if TYPE_CHECKING:
        # Parameters are attributes of the classes that are made of a method's options.
        preset: str

        def __getattr__(self, name: str) -> Any: ...

    # ---- parameters

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return ["preset", *cls._options]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params: Any) -> "Estimator":
        for name, value in params.items():
            if name not in self._get_param_names():
                raise InvalidArgument(f"{type(self).__name__} has no parameter '{name}': {', '.join(self._get_param_names())}")
            setattr(self, name, value)
        return self

    def _given(self) -> list[tuple[str, str]]:
        """The options that somebody chose, in the order of their declaration."""
        out = []
        for name, option in self._options.items():
            value = getattr(self, name)
            if value is not None and not isinstance(value, Default):
                out.append((option, text_of(value)))
        return out

    def __repr__(self) -> str:
        chosen = [f"{n}={v!r}" for n, v in self.get_params().items() if not isinstance(v, Default) and v is not None and (n, v) != ("preset", "default")]
        return f"{type(self).__name__}({', '.join(chosen)})"

    def _repr_html_(self) -> str:
        return estimator_card(self)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=False),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(two_d_array=False),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "run_folder_", None) is not None

    # ---- training

    def fit(
        self,
        graph: Graph,
        y: Any = None,
        *,
        train: Any = None,
        val: Any = None,
        test: Any = None,
        public: Optional[Graph] = None,
        out: Optional[Path] = None,
        sign: Optional[Path] = None,
        budget: Optional[Path] = None,
        quick: bool = False,
        threads: int = 0,
        progress: Progress = None,
    ) -> "Estimator":
        """Trains on `graph` (for methods of two graphs: the one to protect, beside `public`).

        train, val, test: masks or node numbers; without `train` the parameter `split` decides, without `test` all
        labeled nodes that are left test. Who is in which part is public.
        out: where the run folder goes; else a private temporary one, until save().
        sign: a file with an Ed25519 private key (PEM). budget: a budget book to reserve in.
        """
        if not isinstance(graph, Graph):
            raise InvalidArgument(f"fit() got a {type(graph).__name__}, want a graphveil.Graph: Graph.from_pyg, from_scipy, ...")
        if y is not None:
            raise InvalidArgument("labels belong to the graph: Graph.from_arrays(edges, features, labels)")
        options = self._given()
        used = graph
        if train is None and (val is not None or test is not None):
            raise InvalidArgument("val and test come with train: the three are one public split")
        if train is not None:
            if "split" not in self._options:
                raise InvalidArgument(f"{type(self).__name__} takes the sizes of its parts as parameters, not masks")
            if any(name == "split" for name, _ in options):
                raise InvalidArgument("give the parameter split or fit(train=...), not both")
            used = _split(graph, train, val, test)
            options.append(("split", "file"))
        book = os.fspath(budget) if budget is not None else _found_book(graph)
        temporary = None
        if out is None:
            temporary = tempfile.TemporaryDirectory(prefix="graphveil-")
            folder = os.path.join(temporary.name, "run")
        else:
            folder = os.path.abspath(os.fspath(out))
        text = _core.train(
            self._method,
            str(self.preset),
            options,
            quick,
            used._handle,
            None if public is None else public._handle,
            folder,
            "" if sign is None else os.fspath(sign),
            book,
            threads,
            listener(progress),
        )
        report = json.loads(text)
        self._fitted(folder, temporary)
        self.report_ = report
        for line in report["warnings"]:
            warnings.warn(line, PrivacyWarning, stacklevel=2)
        self.classes_ = np.arange(graph.classes)
        self.n_features_in_ = graph.feature_columns
        return self

    def _fitted(self, folder: str, temporary: Optional[Any] = None) -> None:
        self.certificate_ = Certificate.read(folder)
        self.run_folder_ = folder
        self._temporary = temporary
        self.epsilon_ = self.certificate_.epsilon
        self.delta_ = self.certificate_.delta
        self.ledger_ = self.certificate_.ledger

    def _folder(self) -> str:
        folder = getattr(self, "run_folder_", None)
        if folder is None:
            raise NotFitted(f"{type(self).__name__} is not fitted: call fit() first")
        if not os.path.isdir(folder):
            raise FileError(f"{folder}: the run folder of this estimator is not there any more")
        return str(folder)

    # ---- predictions

    def predict(
        self,
        graph: Optional[Graph] = None,
        *,
        total_epsilon: Optional[float] = None,
        disjoint: bool = False,
        joined: bool = False,
        budget: Optional[Path] = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Audience[Any]:
        """Class numbers, for whom they may be. Without a graph: those of the training graph, made with the model.

        On another graph they may cost privacy: it is recorded in the run folder and charged, never beyond total_epsilon
        (default: what training cost). last_prediction_ says what it came to. disjoint=True declares that nobody of this
        graph is in any other that the run has read; joined=True that its new nodes joined the training graph: the rows,
        of predicted_ids_, are then theirs alone.
        """
        return self._predict(graph, True, total_epsilon, disjoint, joined, budget, threads, progress)

    def predict_proba(
        self,
        graph: Optional[Graph] = None,
        *,
        total_epsilon: Optional[float] = None,
        disjoint: bool = False,
        joined: bool = False,
        budget: Optional[Path] = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Audience[Any]:
        """Class probabilities, to the six digits that the run folder holds; else as predict()."""
        return self._predict(graph, False, total_epsilon, disjoint, joined, budget, threads, progress)

    def _predict(
        self,
        graph: Optional[Graph],
        classes: bool,
        total_epsilon: Optional[float],
        disjoint: bool,
        joined: bool,
        budget: Optional[Path],
        threads: int,
        progress: Progress,
    ) -> Audience[Any]:
        folder = self._folder()
        if graph is None:
            audience, table, probabilities = _core.stored_predictions(folder)
            self.last_prediction_: dict[str, Any] = {"kind": "stored", "audience": audience, "rows": len(probabilities)}
        else:
            if not isinstance(graph, Graph):
                raise InvalidArgument(f"predict() got a {type(graph).__name__}, want a graphveil.Graph, or nothing")
            book = os.fspath(budget) if budget is not None else _core.kept_book(folder) or _found_book(graph)
            text, table, probabilities = _core.predict(
                folder, graph._handle, total_epsilon, disjoint, joined, book, threads, listener(progress)
            )
            self.last_prediction_ = json.loads(text)
            audience = self.last_prediction_["audience"]
            if self.last_prediction_["not_releasable"]:
                audience = "holder"
        self.predicted_ids_, chosen = _columns(table)
        return wrapped(audience, chosen if classes else probabilities, "classes" if classes else "probabilities")

    def score(self, graph: Optional[Graph] = None, y: Any = None, **how: Any) -> HolderFloat:
        """Accuracy, the holder's: of the test nodes of fit(), or of all labeled nodes of another graph."""
        if graph is None:
            metrics = self._metrics()
            if not np.sum(metrics["confusion"]):
                raise InvalidArgument("accuracy was not measured: there are no test nodes")
            return HolderFloat(metrics["test_accuracy"])
        predicted = np.asarray(self.predict(graph, **how))
        labels = np.asarray(graph.labels if y is None else y)
        known = labels >= 0
        if not known.any():
            raise InvalidArgument("nobody in this graph has a label")
        return HolderFloat(np.mean(predicted[known] == labels[known]))

    def _metrics(self) -> dict[str, Any]:
        path = os.path.join(self._folder(), "holder", "metrics.jsonl")
        try:
            with open(path, encoding="utf-8") as file:
                found: dict[str, Any] = json.loads(file.readline())
                return found
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}; scores are in holder/, which never leaves") from None

    # ---- keeping it

    def save(self, folder: Path) -> "Estimator":
        """Moves the run folder there. It is moved, not copied: two copies would each spend what is left."""
        present = self._folder()
        wanted = os.path.abspath(os.fspath(folder))
        if os.path.exists(wanted):
            raise FileError(f"{wanted}: exists already; choose another name")
        if self._temporary is None:
            raise InvalidArgument(f"the run folder lies at {present} already; move it, and graphveil.load() it there")
        os.makedirs(os.path.dirname(wanted), exist_ok=True)
        shutil.move(present, wanted)
        self._temporary.cleanup()
        self._fitted(wanted)
        if hasattr(self, "report_"):
            self.report_["out"] = wanted
        return self

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if state.get("_temporary") is not None:
            raise pickle.PicklingError(
                "a fitted estimator is pickled by its run folder, and this one's is temporary: save(folder) first"
            )
        return state

    def __reduce__(self) -> Any:
        return (_unpickled, (self._method, self.__getstate__()))


def _unpickled(method: str, state: dict[str, Any]) -> Estimator:
    kind = estimator(method)
    made = kind.__new__(kind)
    made.__dict__.update(state)
    return made


def _columns(table: str) -> tuple[list[str], Any]:
    """Ids and class numbers of a table of predictions."""
    rows = csv.reader(io.StringIO(table))
    header = next(rows)
    names = {name: k for k, name in enumerate(header[2:])}
    numbered = header[2:] == [f"p{k}" for k in range(len(names))]
    ids: list[str] = []
    chosen: list[int] = []
    for row in rows:
        ids.append(row[0])
        chosen.append(int(row[1]) if numbered else names[row[1]])
    return ids, np.array(chosen, np.int64)


def _split(graph: Graph, train: Any, val: Any, test: Any) -> Graph:
    if test is not None:
        return graph.with_split(train, val, test)
    taken = graph.with_split(train, val)
    assert taken.split is not None
    free = np.asarray(graph.labels) >= 0
    for part in taken.split[:2]:
        free[part] = False
    return graph.with_split(taken.split[0], taken.split[1], np.flatnonzero(free))


def _found_book(graph: Graph) -> str:
    """The book that the program would find: GRAPHVEIL_BUDGET, or graphveil.book beside the file of the records."""
    found = [_core.find_book(path) for path in (graph._origin, graph._path) if path is not None]
    return next((book for book in found if book), os.environ.get("GRAPHVEIL_BUDGET", ""))


# ---- the classes

_classes: dict[str, type[Estimator]] = {}


def _parameters(about: dict[str, Any]) -> list[tuple[str, dict[str, Any], Any]]:
    return [(python_name(o["name"]), o, parsed(o)) for o in about["options"]]


def docstring(about: dict[str, Any]) -> str:
    """What help() says of a method, from its own description and options."""
    lines = [about["releases"] + ".", ""]
    if about["paper"]:
        lines += [f"From: {about['paper']}", ""]
    if about["relations"]:
        lines += [f"Protects: {', '.join(about['relations'])}.", ""]
    else:
        lines += ["Promises nothing: a reference without noise.", ""]
    if about["two_graphs"]:
        lines += ["Takes two graphs: fit(private_graph, public=public_graph).", ""]
    lines += ["Parameters", "----------"]
    names = ", ".join(p["name"] for p in about["presets"])
    lines += ["preset : " + ("default" + (f", {names}" if names else "")) + " (default: default)"]
    for name, option, default in _parameters(about):
        lines.append(f"{name} : {option['values']} (default: {default!r})")
        lines += textwrap.wrap(option["help"], 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def _made(about: dict[str, Any]) -> type[Estimator]:
    parameters = _parameters(about)
    signature = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=d) for n, _, d in parameters),
            inspect.Parameter("preset", inspect.Parameter.KEYWORD_ONLY, default="default"),
        ]
    )
    defaults = {name: default for name, _, default in parameters}

    def __init__(self: Estimator, **chosen: Any) -> None:
        self.preset = chosen.pop("preset", "default")
        for name, default in defaults.items():
            setattr(self, name, chosen.pop(name, default))
        if chosen:
            raise TypeError(f"{type(self).__name__} has no parameter '{next(iter(chosen))}': {', '.join(defaults)}")

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{class_name(about['name'])}.__init__"
    body = {
        "__init__": __init__,
        "__doc__": docstring(about),
        "__module__": "graphveil.estimators",
        "_method": about["name"],
        "_about": about,
        "_options": {name: option["name"] for name, option, _ in parameters},
    }
    return type(class_name(about["name"]), (Estimator,), body)


for _description in json.loads(_core.methods()):
    _classes[_description["name"]] = _made(_description)


def methods() -> list[str]:
    """The names of all methods."""
    return list(_classes)


def estimator(method: str) -> type[Estimator]:
    """The estimator class of a method by name, of one's own methods too."""
    found = _classes.get(method)
    if found is None:
        about = json.loads(_core.method(method))
        found = _classes[method] = _made(about)
    return found


def forget(method: str) -> None:
    """A method of one's own was defined anew."""
    _classes.pop(method, None)


def load(folder: Path) -> Estimator:
    """The fitted estimator of a run folder, the program's or one's own."""
    path = os.path.abspath(os.fspath(folder))
    certificate = Certificate.read(path)
    kind = estimator(certificate.method)
    made = kind()
    for name, option in kind._options.items():
        if option in certificate.options:
            value = typed(certificate.options[option], getattr(made, name))
            if value != getattr(made, name):
                setattr(made, name, value)
    made._fitted(path)
    return made


__all__ = ["BadInput", "Estimator", "PrivacyWarning", "estimator", "load", "methods"]
