"""Graphs with features and labels, from whatever people hold them in, and back."""

from __future__ import annotations

import os
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _core
from ._errors import InvalidArgument
from ._progress import Progress, listener

Path = Union[str, "os.PathLike[str]"]
_LARGEST = 2**31 - 1


def _numbers(values: Any, what: str, dtype: Any) -> Any:
    """A C-contiguous array of this type, without a copy where it is one already. Nothing is cut off or wrapped."""
    array = np.asarray(values)
    wanted = np.dtype(dtype)
    if array.dtype == wanted and array.flags.c_contiguous:
        return array
    if wanted.kind == "i":
        if array.dtype.kind not in "iub":
            if array.dtype.kind == "f" and array.size and not np.array_equal(array, np.trunc(array)):
                raise InvalidArgument(f"{what} has numbers that are not whole")
            if array.dtype.kind not in "f" and array.size:
                raise InvalidArgument(f"{what} is of type {array.dtype}, want whole numbers")
        info = np.iinfo(wanted)
        if array.size and (array.min() < info.min or array.max() > info.max):
            raise InvalidArgument(f"{what} has {array.min()} to {array.max()}, want {info.min} to {info.max}")
    elif array.dtype.kind not in "fiub":
        raise InvalidArgument(f"{what} is of type {array.dtype}, want numbers")
    return np.ascontiguousarray(array, dtype=wanted)


def _labels(values: Any) -> Any:
    """Whole numbers; -1, NaN or None is no label."""
    if values is None:
        return None
    array = np.asarray(values)
    if array.dtype == object:
        array = np.array([-1 if v is None or v != v else v for v in array.tolist()])
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InvalidArgument(f"labels have {array.ndim} dimensions, want 1")
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), -1, array)
    return _numbers(array, "labels", np.int64)


def _features(values: Any, nodes: int) -> Any:
    """A dense float32 table, or (offsets, columns, values, width) of a sparse one."""
    if values is None:
        return np.zeros((nodes, 1), np.float32)
    if hasattr(values, "tocsr"):
        rows = values.tocsr()
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        return (
            _numbers(rows.indptr, "features", np.int64),
            _numbers(rows.indices, "features", np.int32),
            _numbers(rows.data, "features", np.float32),
            int(rows.shape[1]),
        )
    table = np.asarray(values)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2:
        raise InvalidArgument(f"features have {table.ndim} dimensions, want 2")
    return _numbers(table, "features", np.float32)


def _places(mask: Any, nodes: int, what: str) -> Any:
    """Node numbers from a mask or from node numbers."""
    if mask is None:
        return np.zeros(0, np.int64)
    if hasattr(mask, "detach"):
        mask = mask.detach().cpu().numpy()
    array = np.asarray(mask)
    if array.dtype == bool:
        if array.shape != (nodes,):
            raise InvalidArgument(f"{what} is a mask of shape {array.shape}, want ({nodes},)")
        return np.flatnonzero(array).astype(np.int64)
    return _numbers(array.reshape(-1), what, np.int64)


class Graph:
    """An immutable directed graph with features and labels.

    An edge u -> v means that v aggregates from u; an undirected graph holds both directions. Self-loops and duplicates
    are left out. Arrays of the right types (float32 features, int32 columns) are shared, not copied: leave them as they
    are while the graph is used. A label of -1 is none.
    """

    def __init__(self, handle: Any, path: Optional[str] = None) -> None:
        self._handle = handle
        self._path = path

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
        classes: Optional[int] = None,
        name: str = "arrays",
    ) -> "Graph":
        """`edges`: 2 x E (sources, targets) or E x 2; directed=False adds the other direction of each.

        `classes`: how many there are, where you declare it; else it is taken from the largest label, and the certificate
        says so.
        """
        array = np.asarray(edges)
        if array.size == 0:
            array = np.zeros((2, 0), np.int32)
        if array.ndim != 2 or 2 not in array.shape:
            raise InvalidArgument(f"edges are of shape {array.shape}, want (2, E) or (E, 2)")
        if array.shape[0] != 2:
            array = array.T
        sources, targets = (_numbers(row, "edges", np.int32) for row in array)
        if nodes is None:
            known = [len(x) for x in (labels,) if x is not None] + [x.shape[0] for x in (features,) if x is not None]
            nodes = known[0] if known else int(max(sources.max(initial=-1), targets.max(initial=-1))) + 1
        return cls(
            _core.GraphHandle.from_edges(
                nodes, sources, targets, directed, _features(features, nodes), _labels(labels), classes, name
            )
        )

    @classmethod
    def from_scipy(
        cls, adjacency: Any, features: Any = None, labels: Any = None, *, classes: Optional[int] = None, name: str = "scipy"
    ) -> "Graph":
        """Entry (u, v) of a square sparse matrix that is not 0 is the edge u -> v."""
        rows = adjacency.tocsr()
        if rows.shape[0] != rows.shape[1]:
            raise InvalidArgument(f"the adjacency is {rows.shape[0]} x {rows.shape[1]}, want a square one")
        if rows.nnz and not np.all(rows.data):
            rows = rows.copy()
            rows.eliminate_zeros()
        nodes = int(rows.shape[0])
        return cls(
            _core.GraphHandle.from_rows(
                _numbers(rows.indptr, "adjacency", np.int64),
                _numbers(rows.indices, "adjacency", np.int32),
                _features(features, nodes),
                _labels(labels),
                classes,
                name,
            )
        )

    @classmethod
    def from_networkx(
        cls, graph: Any, features: Optional[str] = None, labels: Optional[str] = None, *, classes: Optional[int] = None
    ) -> "Graph":
        """`features` and `labels` name node attributes. Ids are the graph's own nodes, as text, in its order."""
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
    def from_pyg(cls, data: Any, *, classes: Optional[int] = None) -> "Graph":
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
    def from_dgl(cls, graph: Any, features: str = "feat", labels: str = "label", *, classes: Optional[int] = None) -> "Graph":
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
        return cls(_core.GraphHandle.read(text, target, threads, listener(progress)), text)

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

    # ---- another one like it

    def with_split(self, train: Any, val: Any = None, test: Any = None) -> "Graph":
        """The same with these training, validation and test nodes: masks or node numbers. Who is where is public."""
        n = self.nodes
        parts = [_places(part, n, what) for part, what in ((train, "train"), (val, "val"), (test, "test"))]
        return Graph(self._handle.with_split(*parts))

    def with_names(
        self, ids: Sequence[str] = (), class_names: Sequence[str] = (), feature_names: Sequence[str] = ()
    ) -> "Graph":
        """The same with these names; none: by number."""
        return Graph(self._handle.with_names(list(ids), list(class_names), list(feature_names)))

    # ---- back to what it came from

    def to_scipy(self) -> tuple[Any, Any, Any]:
        """(adjacency, features, labels), the first a CSR matrix of ones."""
        from scipy.sparse import csr_matrix

        ones = np.ones(self.edges, np.float32)
        adjacency = csr_matrix((ones, self._handle.targets, self._handle.offsets), shape=(self.nodes, self.nodes))
        return adjacency, self.features, self.labels

    def to_arrays(self) -> tuple[Any, Any, Any]:
        """(edge_index, features, labels)."""
        return self.edge_index, self.features, self.labels

    def to_networkx(self) -> Any:
        """A DiGraph, or a Graph where edges go both ways, with node attributes x and y."""
        import networkx

        graph = networkx.Graph() if self.symmetric else networkx.DiGraph()
        dense = self.features
        dense = dense.toarray() if hasattr(dense, "toarray") else dense
        for i, name in enumerate(self.ids):
            graph.add_node(name, x=dense[i], y=int(self.labels[i]))
        ids = self.ids
        graph.add_edges_from((ids[u], ids[v]) for u, v in self.edge_index.T if not self.symmetric or u < v)
        return graph

    def to_pyg(self) -> Any:
        """A torch_geometric Data with x, edge_index, y and the masks of the split."""
        import torch
        from torch_geometric.data import Data

        dense = self.features
        dense = dense.toarray() if hasattr(dense, "toarray") else np.array(dense)
        data = Data(
            x=torch.from_numpy(dense),
            edge_index=torch.from_numpy(self.edge_index),
            y=torch.from_numpy(np.array(self.labels, np.int64)),
            num_nodes=self.nodes,
        )
        if self.split is not None:
            for part, places in zip(("train_mask", "val_mask", "test_mask"), self.split):
                mask = torch.zeros(self.nodes, dtype=torch.bool)
                mask[torch.from_numpy(np.asarray(places, np.int64))] = True
                data[part] = mask
        return data

    def to_dgl(self) -> Any:
        """A DGL graph with ndata feat and label."""
        import dgl
        import torch

        sources, targets = self.edge_index
        graph = dgl.graph((torch.from_numpy(sources), torch.from_numpy(targets)), num_nodes=self.nodes)
        dense = self.features
        dense = dense.toarray() if hasattr(dense, "toarray") else np.array(dense)
        graph.ndata["feat"] = torch.from_numpy(dense)
        graph.ndata["label"] = torch.from_numpy(np.array(self.labels, np.int64))
        return graph

    def to_pandas(self) -> tuple[Any, Any]:
        """(nodes, edges): a row for each node with id, label and features; a row for each directed edge."""
        import pandas

        dense = self.features
        dense = dense.toarray() if hasattr(dense, "toarray") else dense
        names = list(self._handle.feature_names) or [f"x{j}" for j in range(self.feature_columns)]
        ids = np.array(self.ids, dtype=object)
        classes = np.array(self.class_names + [""], dtype=object)
        nodes = pandas.DataFrame(dense, columns=names)
        nodes.insert(0, "id", ids)
        nodes.insert(1, "label", classes[np.asarray(self.labels)])
        sources, targets = self.edge_index
        return nodes, pandas.DataFrame({"source": ids[sources], "target": ids[targets]})

    def to_arrow(self) -> tuple[Any, Any]:
        """The tables of to_pandas() as pyarrow tables."""
        import pyarrow

        nodes, edges = self.to_pandas()
        return (
            pyarrow.Table.from_pandas(nodes, preserve_index=False),
            pyarrow.Table.from_pandas(edges, preserve_index=False),
        )

    def save(self, path: Path) -> None:
        """Writes .gvg or .npz, by the ending of the path."""
        self._handle.write(os.fspath(path))
        self._path = os.fspath(path)


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
        "pandas needs pyarrow beside it"
    )
