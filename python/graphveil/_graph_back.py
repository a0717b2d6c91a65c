"""Graphs given back as what people hold them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

import numpy as np


class GivenBack:
    """What a Graph can become. Who is several nodes to_pandas(), to_arrow() and save() keep; the others have no place for it."""

    if TYPE_CHECKING:
        # What Graph has.
        def __getattr__(self, name: str) -> Any: ...

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

    def _masks(self) -> Iterator[tuple[str, Any]]:
        for part, places in zip(("train_mask", "val_mask", "test_mask"), self.split or ()):
            mask = np.zeros(self.nodes, bool)
            mask[places] = True
            yield part, mask

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
        for part, mask in self._masks():
            data[part] = torch.from_numpy(mask)
        return data

    def to_dgl(self) -> Any:
        """A DGL graph with ndata feat, label and the masks of the split."""
        import dgl
        import torch

        sources, targets = self.edge_index
        graph = dgl.graph((torch.from_numpy(sources), torch.from_numpy(targets)), num_nodes=self.nodes)
        dense = self.features
        dense = dense.toarray() if hasattr(dense, "toarray") else np.array(dense)
        graph.ndata["feat"] = torch.from_numpy(dense)
        graph.ndata["label"] = torch.from_numpy(np.array(self.labels, np.int64))
        for part, mask in self._masks():
            graph.ndata[part] = torch.from_numpy(mask)
        return graph

    def to_pandas(self) -> tuple[Any, Any]:
        """(nodes, edges): a row for each node with id, label and features; a row for each directed edge.

        Where the graph says who is several nodes, a column "entity" does too.
        """
        import pandas

        dense = self.features
        dense = dense.toarray() if hasattr(dense, "toarray") else dense
        names = list(self._handle.feature_names) or [f"x{j}" for j in range(self.feature_columns)]
        ids = np.array(self.ids, dtype=object)
        classes = np.array(self.class_names + [""], dtype=object)
        nodes = pandas.DataFrame(dense, columns=names)
        nodes.insert(0, "id", ids)
        nodes.insert(1, "label", classes[np.asarray(self.labels)])
        if self.entities is not None:
            nodes.insert(2, "entity", ids[self.entities])
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
