"""Graphs with features and labels, from whatever people hold them in, and back."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _core
from ._arrays import Classes, feature_rows, how_many, label_numbers, numbers, places
from ._errors import InvalidArgument
from ._graph_back import GivenBack
from ._progress import Progress, listener

Path = Union[str, "os.PathLike[str]"]
class Graph(GivenBack):
    """An immutable directed graph with features and labels.

    An edge u -> v means that v aggregates from u; an undirected graph holds both directions. Self-loops and duplicates
    are left out. Arrays of the right types (float32 features, int32 columns) are shared, not copied: leave them as they
    are while the graph is used. A label of -1 is none.
    """

    def __init__(self, handle: Any, path: Optional[str] = None, origin: Optional[str] = None) -> None:
        self._handle = handle
        self._path = path  # a file with all of it
        self._origin = origin or path  # where its records came from: a budget book lies beside it

    # ---- making one

    @classmethod
    def from_arrays(
        cls,
        edges: Any,
        features: Any = None,
        labels: Any = None,
        *,
        nodes: Optional[int] = None,
        directed: bool = True,
        classes: Classes = None,
        name: str = "arrays",
    ) -> "Graph":
        """`edges`: 2 x E (sources, targets) or E x 2; directed=False adds the other direction of each.

        `classes`: how many there are, or their names, where you declare it; else it is taken from the largest label, and
        the certificate says so. Labels are numbers, or some of these names.
        """
        array = np.asarray(edges)
        if array.size == 0:
            array = np.zeros((2, 0), np.int32)
        if array.ndim != 2 or 2 not in array.shape:
            raise InvalidArgument(f"edges are of shape {array.shape}, want (2, E) or (E, 2)")
        if array.shape[0] != 2:
            array = array.T
        sources, targets = (numbers(row, "edges", np.int32) for row in array)
        if nodes is None:
            known = next((x for x in (labels, features) if x is not None), None)
            if known is None:
                nodes = int(max(sources.max(initial=-1), targets.max(initial=-1))) + 1
            else:
                nodes = known.shape[0] if hasattr(known, "shape") else len(known)
        made = cls(
            _core.GraphHandle.from_edges(
                nodes,
                sources,
                targets,
                directed,
                feature_rows(features, nodes),
                label_numbers(labels, classes),
                how_many(classes),
                name,
            )
        )
        return made._with_classes(classes)

    @classmethod
    def from_scipy(
        cls, adjacency: Any, features: Any = None, labels: Any = None, *, classes: Classes = None, name: str = "scipy"
    ) -> "Graph":
        """Entry (u, v) of a square sparse matrix that is not 0 is the edge u -> v."""
        rows = adjacency.tocsr()
        if rows.shape[0] != rows.shape[1]:
            raise InvalidArgument(f"the adjacency is {rows.shape[0]} x {rows.shape[1]}, want a square one")
        if rows.nnz and not np.all(rows.data):
            rows = rows.copy()
            rows.eliminate_zeros()
        nodes = int(rows.shape[0])
        made = cls(
            _core.GraphHandle.from_rows(
                numbers(rows.indptr, "adjacency", np.int64),
                numbers(rows.indices, "adjacency", np.int32),
                feature_rows(features, nodes),
                label_numbers(labels, classes),
                how_many(classes),
                name,
            )
        )
        return made._with_classes(classes)

    @classmethod
    def from_networkx(
        cls, graph: Any, features: Optional[str] = None, labels: Optional[str] = None, *, classes: Classes = None
    ) -> "Graph":
        """`features` and `labels` name node attributes. Ids are the graph's own nodes, as text, in its order."""
        for attribute, every in ((features, True), (labels, False)):
            have = attribute is None or not len(graph) or (all if every else any)(attribute in d for _, d in graph.nodes(data=True))
            if not have:
                raise InvalidArgument(f"{'not every node has' if every else 'no node has'} an attribute {attribute!r}")
        names = list(graph.nodes)
        place = {node: i for i, node in enumerate(names)}
        pairs = np.array([(place[u], place[v]) for u, v in graph.edges()], np.int32).reshape(-1, 2)
        rows = None if features is None else np.array([graph.nodes[n][features] for n in names], np.float32)
        marks = None if labels is None else [graph.nodes[n].get(labels) for n in names]
        made = cls.from_arrays(
            pairs.T,
            rows,
            marks,
            nodes=len(names),
            directed=bool(graph.is_directed()),
            classes=classes,
            name="networkx",
        )
        return made.with_names(ids=[str(n) for n in names])

    @classmethod
    def from_pyg(cls, data: Any, *, classes: Classes = None) -> "Graph":
        """A torch_geometric Data: edge_index, x, y, and train_mask, val_mask, test_mask where it has them."""

        def array(value: Any) -> Any:
            return value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)

        nodes = int(data.num_nodes)
        x, y = getattr(data, "x", None), getattr(data, "y", None)
        made = cls.from_arrays(
            array(data.edge_index),
            None if x is None else array(x),
            None if y is None else array(y),
            nodes=nodes,
            classes=classes,
            name="pyg",
        )
        masks = [getattr(data, part, None) for part in ("train_mask", "val_mask", "test_mask")]
        if masks[0] is None or any(m is not None and array(m).ndim != 1 for m in masks):
            return made
        return made.with_split(*masks)

    @classmethod
    def from_dgl(cls, graph: Any, features: str = "feat", labels: str = "label", *, classes: Classes = None) -> "Graph":
        """A DGL graph, its ndata[features] and ndata[labels], and its masks where it has them."""
        sources, targets = graph.edges()
        data = graph.ndata

        def array(key: str) -> Any:
            return data[key].detach().cpu().numpy() if key in data else None

        made = cls.from_arrays(
            np.stack([np.asarray(sources), np.asarray(targets)]),
            array(features),
            array(labels),
            nodes=int(graph.num_nodes()),
            classes=classes,
            name="dgl",
        )
        masks = [array(part) for part in ("train_mask", "val_mask", "test_mask")]
        return made if masks[0] is None else made.with_split(*masks)

    @classmethod
    def from_arrow(
        cls,
        nodes: Any,
        edges: Any,
        schema: Union[str, "os.PathLike[str]"],
        *,
        strict: bool = False,
        threads: int = 0,
        progress: Progress = None,
    ) -> "Graph":
        """Two tables that speak the Arrow PyCapsule protocol (pandas, polars, pyarrow, DuckDB, ...), by a schema.

        They are read in record batches, each seen once, with the schema and the checks of `graphveil data import`
        (docs/schema.md). `schema` is the path of the TOML file, or its text. With strict=True what had to be left out or
        clipped is an error; else `import_report` says it.
        """
        text, name = _schema_text(schema)
        handle, report = _core.import_arrow(
            _stream(nodes), lambda: _stream(edges), text, name, threads, listener(progress)
        )
        graph = cls(handle)
        graph._report = list(report)
        if strict and report:
            raise InvalidArgument("; ".join(report))
        return graph

    @classmethod
    def from_pandas(cls, nodes: Any, edges: Any, schema: Union[str, "os.PathLike[str]"], **how: Any) -> "Graph":
        """Two data frames, by a schema: from_arrow(), which pandas speaks with pyarrow beside it."""
        return cls.from_arrow(nodes, edges, schema, **how)

    @classmethod
    def load(cls, path: Path, *, target: str = "year", threads: int = 0, progress: Progress = None) -> "Graph":
        """A file or folder in one of the formats of docs/formats.md."""
        text = os.fspath(path)
        handle = _core.GraphHandle.read(text, target, threads, listener(progress))
        # The program, given the path, would read the column that is the default.
        return cls(handle, text if target == "year" else None, text)

    @classmethod
    def generate(cls, preset: str = "social", *, nodes: Optional[int] = None, seed: int = 0) -> "Graph":
        """A made-up graph: `graphveil data generate`."""
        return cls(_core.GraphHandle.generate(preset, nodes, seed))

    # ---- what it has

    _report: Sequence[str] = ()

    @property
    def import_report(self) -> Sequence[str]:
        """What an import left out or clipped, in words: counts of private records, for the holder."""
        return self._report

    @property
    def nodes(self) -> int:
        return int(self._handle.nodes)

    @property
    def edges(self) -> int:
        """Directed edges: an undirected one counts twice."""
        return int(self._handle.edges)

    @property
    def classes(self) -> int:
        return int(self._handle.classes)

    @property
    def feature_columns(self) -> int:
        return int(self._handle.feature_columns)

    @property
    def symmetric(self) -> bool:
        return bool(self._handle.symmetric)

    @property
    def labels(self) -> Any:
        """One number for each node; -1 is none. The holder's."""
        return self._handle.labels

    @property
    def features(self) -> Any:
        """A table, or a SciPy sparse matrix where the features are sparse. The holder's."""
        found = self._handle.features
        if not isinstance(found, tuple):
            return found
        from scipy.sparse import csr_matrix

        offsets, columns, values, width = found
        data = values if len(values) else np.ones(len(columns), np.float32)
        return csr_matrix((data, columns, offsets), shape=(self.nodes, width))

    @property
    def edge_index(self) -> Any:
        """2 x E, sources above targets, as PyG has it."""
        sources = np.repeat(np.arange(self.nodes, dtype=np.int64), np.diff(self._handle.offsets))
        return np.stack([sources, self._handle.targets.astype(np.int64)])

    @property
    def split(self) -> Optional[tuple[Any, Any, Any]]:
        """The node numbers of (train, val, test) that came with the data; None: it came with none."""
        found = self._handle.split
        return None if found is None else (found[0], found[1], found[2])

    @property
    def entities(self) -> Optional[Any]:
        """The number of the person that each node is, where one may be several; None: nobody says. The holder's."""
        found = self._handle.entities
        return found if len(found) else None

    @property
    def ids(self) -> list[str]:
        return list(self._handle.ids) or [str(i) for i in range(self.nodes)]

    @property
    def class_names(self) -> list[str]:
        return list(self._handle.class_names) or [str(k) for k in range(self.classes)]

    def __repr__(self) -> str:
        kind = "undirected" if self.symmetric else "directed"
        edges = self.edges // 2 if self.symmetric else self.edges
        return (
            f"Graph({self.nodes:,} nodes, {edges:,} {kind} edges, {self.feature_columns:,} features, "
            f"{self.classes} classes)"
        )

    def _with_classes(self, classes: Classes) -> "Graph":
        return self if classes is None or isinstance(classes, int) else self.with_names(class_names=classes)

    # It never changes, so a copy is itself; pickled, it is the bytes of a .gvg file.

    def __copy__(self) -> "Graph":
        return self

    def __deepcopy__(self, seen: Any) -> "Graph":
        return self

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory(prefix="graphveil-") as folder:
            path = os.path.join(folder, "graph.gvg")
            self._handle.write(path)
            with open(path, "rb") as file:
                return (_unpickled, (file.read(), self._path, self._origin))

    # ---- another one like it

    def with_split(self, train: Any, val: Any = None, test: Any = None) -> "Graph":
        """The same with these training, validation and test nodes: masks or node numbers. Who is where is public."""
        n = self.nodes
        parts = [places(part, n, what) for part, what in ((train, "train"), (val, "val"), (test, "test"))]
        return Graph(self._handle.with_split(*parts), origin=self._origin)

    def with_names(
        self,
        ids: Optional[Sequence[str]] = None,
        class_names: Optional[Sequence[str]] = None,
        feature_names: Optional[Sequence[str]] = None,
    ) -> "Graph":
        """The same with these names; an empty list: by number; None: as they are."""
        old = self._handle
        handle = old.with_names(
            list(old.ids if ids is None else ids),
            list(old.class_names if class_names is None else class_names),
            list(old.feature_names if feature_names is None else feature_names),
        )
        return Graph(handle, origin=self._origin)

    def with_entities(self, entities: Any) -> "Graph":
        """The same with the person behind each node, where one may be several: any names; None, NaN or "" is a person apart.

        Trainings under relations node and record then want entity_size, as the program does. None: nobody says.
        """
        if entities is None:
            return Graph(self._handle.with_entities(np.zeros(0, np.int32)), origin=self._origin)
        names = list(np.asarray(entities).tolist())
        first: dict[Any, int] = {}
        known = [not (name is None or name == "" or name != name) for name in names]
        numbers = [first.setdefault(name, i) if named else i for i, (name, named) in enumerate(zip(names, known))]
        return Graph(self._handle.with_entities(np.array(numbers, np.int32)), origin=self._origin)

    def save(self, path: Path) -> None:
        """Writes .gvg or .npz, by the ending of the path."""
        self._handle.write(os.fspath(path))
        self._path = os.fspath(path)
        self._origin = self._origin or self._path


def _unpickled(data: bytes, path: Optional[str], origin: Optional[str]) -> Graph:
    with tempfile.TemporaryDirectory(prefix="graphveil-") as folder:
        file = os.path.join(folder, "graph.gvg")
        with open(file, "wb") as written:
            written.write(data)
        return Graph(_core.GraphHandle.read(file, "year", 0, None), path, origin)


def _schema_text(schema: Union[str, "os.PathLike[str]"]) -> tuple[str, str]:
    text = os.fspath(schema)
    if "\n" in text:
        return text, "schema"
    with open(text, encoding="utf-8") as file:
        return file.read(), text


def _stream(table: Any) -> Any:
    """The PyCapsule of an Arrow stream."""
    if hasattr(table, "__arrow_c_stream__"):
        return table.__arrow_c_stream__()
    for name in ("to_arrow_reader", "fetch_record_batch", "arrow"):  # DuckDB before it spoke the protocol
        if hasattr(table, name):
            return getattr(table, name)().__arrow_c_stream__()
    raise InvalidArgument(
        f"{type(table).__name__} does not speak the Arrow PyCapsule protocol (__arrow_c_stream__); "
        "pandas needs pyarrow beside it, a LazyFrame of polars wants collect()"
    )
