"""Graphs from and to arrays, SciPy, NetworkX, PyG, DGL and files."""

import copy
import pickle
import types

import networkx
import numpy as np
import pytest
import scipy.sparse as sp

import graphveil as gv

EDGES = np.array([[0, 1, 2, 2, 3], [1, 2, 0, 3, 3]])  # one of them a self-loop
X = np.array([[1, 0], [0, 1], [0.5, 0.5], [0, 0]], np.float32)
Y = np.array([0, 1, 1, -1])


def small():
    return gv.Graph.from_arrays(EDGES, X, Y)


def test_arrays():
    graph = small()
    assert (graph.nodes, graph.edges, graph.classes) == (4, 4, 2)
    assert repr(graph) == "Graph(4 nodes, 4 directed edges, 2 features, 2 classes)"
    assert graph.edge_index.tolist() == [[0, 1, 2, 2], [1, 2, 0, 3]]
    assert graph.labels.tolist() == [0, 1, 1, -1]
    assert np.array_equal(graph.features, X)
    assert np.shares_memory(graph.features, X)  # float32 rows are not copied
    assert not graph.features.flags.writeable
    assert gv.Graph.from_arrays(EDGES.T, X, Y).edge_index.tolist() == graph.edge_index.tolist()
    both = gv.Graph.from_arrays(EDGES, X, Y, directed=False)
    assert both.symmetric and both.edges == 8


def test_the_array_outlives_its_name():
    rows = np.ones((4, 3), np.float32)
    graph = gv.Graph.from_arrays(EDGES, rows, Y)
    found = graph.features
    del rows, graph
    assert found.sum() == 12


def test_scipy_round_trip():
    adjacency = sp.csr_matrix((np.array([1.0, 1, 1, 0]), ([0, 1, 2, 3], [1, 2, 0, 0])), shape=(4, 4))
    features = sp.csr_matrix(X)
    graph = gv.Graph.from_scipy(adjacency, features, Y)
    assert graph.edges == 3  # an entry of 0 is no edge
    back, rows, labels = graph.to_scipy()
    assert back.toarray().tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert np.array_equal(rows.toarray(), X) and labels.tolist() == Y.tolist()
    again = gv.Graph.from_scipy(*graph.to_scipy())
    assert again.edge_index.tolist() == graph.edge_index.tolist()


def test_networkx_round_trip():
    made = networkx.Graph()
    for name, row, label in zip("abcd", X, [0, 1, 1, None]):
        made.add_node(name, x=row, y=label)
    made.add_edges_from([("a", "b"), ("b", "c")])
    graph = gv.Graph.from_networkx(made, features="x", labels="y")
    assert graph.ids == ["a", "b", "c", "d"] and graph.symmetric and graph.edges == 4
    assert graph.labels.tolist() == [0, 1, 1, -1]
    back = graph.to_networkx()
    assert set(map(frozenset, back.edges())) == {frozenset("ab"), frozenset("bc")}
    assert np.array_equal(back.nodes["c"]["x"], X[2])


class Tensor:
    """What from_pyg asks of a tensor."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.values


def test_pyg_by_its_shape():
    mask = np.array([True, False, False, False])
    data = types.SimpleNamespace(
        num_nodes=4,
        x=Tensor(X),
        edge_index=Tensor(EDGES),
        y=Tensor(Y),
        train_mask=Tensor(mask),
        val_mask=Tensor(np.roll(mask, 1)),
        test_mask=Tensor(np.roll(mask, 2)),
    )
    graph = gv.Graph.from_pyg(data)
    assert [part.tolist() for part in graph.split] == [[0], [1], [2]]
    assert np.shares_memory(graph.features, X)


def test_pyg_round_trip():
    torch = pytest.importorskip("torch")
    data_module = pytest.importorskip("torch_geometric.data")
    data = data_module.Data(x=torch.from_numpy(X), edge_index=torch.from_numpy(EDGES), y=torch.from_numpy(Y))
    data.train_mask = torch.tensor([True, True, False, False])
    back = gv.Graph.from_pyg(data).to_pyg()
    assert back.edge_index.tolist() == [[0, 1, 2, 2], [1, 2, 0, 3]]
    assert torch.equal(back.x, data.x) and torch.equal(back.y, data.y)
    assert torch.equal(back.train_mask, data.train_mask)


def test_dgl_by_its_shape():
    graph = types.SimpleNamespace(
        edges=lambda: (EDGES[0], EDGES[1]), ndata={"feat": Tensor(X), "label": Tensor(Y)}, num_nodes=lambda: 4
    )
    assert gv.Graph.from_dgl(graph).edge_index.tolist() == small().edge_index.tolist()


def test_dgl_round_trip():
    pytest.importorskip("dgl")
    graph = small().with_split([0, 1], [2])
    back = gv.Graph.from_dgl(graph.to_dgl())
    assert back.edge_index.tolist() == graph.edge_index.tolist() and back.labels.tolist() == graph.labels.tolist()
    assert np.array_equal(back.features, graph.features)
    assert [part.tolist() for part in back.split] == [[0, 1], [2], []]


def test_files(tmp_path, tiny):
    for ending in ("gvg", "npz"):
        path = tmp_path / f"g.{ending}"
        tiny.save(path)
        again = gv.Graph.load(path)
        assert np.array_equal(again.edge_index, tiny.edge_index)
        assert np.array_equal(again.labels, tiny.labels)


def test_lists_are_arrays_too():
    graph = gv.Graph.from_arrays([[0, 1], [1, 2]], [[1, 0], [0, 1], [1, 1]], [0, 1, None])
    assert graph.nodes == 3 and graph.labels.tolist() == [0, 1, -1]


def test_classes_by_name():
    graph = gv.Graph.from_arrays([[0, 1], [1, 2]], np.eye(3), ["yes", "no", None], classes=["no", "yes"])
    assert graph.labels.tolist() == [1, 0, -1] and graph.class_names == ["no", "yes"]
    assert graph._handle.found_in_data == []
    with pytest.raises(ValueError, match="name the classes"):
        gv.Graph.from_arrays([[0, 1], [1, 2]], np.eye(3), ["yes", "no", None])
    with pytest.raises(ValueError, match="'maybe'"):
        gv.Graph.from_arrays([[0, 1], [1, 2]], np.eye(3), ["yes", "maybe", None], classes=["no", "yes"])
    club = networkx.karate_club_graph()
    named = gv.Graph.from_networkx(club, labels="club", classes=["Mr. Hi", "Officer"])
    assert named.ids[33] == "33" and named.class_names[named.labels[33]] == "Officer"
    for words in ({"features": "x"}, {"labels": "clubb"}):
        with pytest.raises(ValueError, match="node has an attribute"):
            gv.Graph.from_networkx(club, **words)


def test_graphs_are_pickled_whole(tiny):
    graph = small().with_split([0, 1], [2]).with_names(list("abcd"), ["no", "yes"]).with_entities([1, 1, 2, None])
    again = pickle.loads(pickle.dumps(graph))
    assert np.array_equal(again.edge_index, graph.edge_index) and np.array_equal(again.features, graph.features)
    assert (again.ids, again.class_names, again.labels.tolist()) == (graph.ids, graph.class_names, graph.labels.tolist())
    assert [p.tolist() for p in again.split] == [[0, 1], [2], []] and again.entities.tolist() == graph.entities.tolist()
    assert again._handle.found_in_data == graph._handle.found_in_data
    assert copy.deepcopy(graph) is graph
    assert pickle.loads(pickle.dumps(tiny))._path == tiny._path


def test_split_and_names():
    graph = small().with_split([0, 1], val=np.array([False, False, True, False]))
    assert [part.tolist() for part in graph.split] == [[0, 1], [2], []]
    named = graph.with_names(class_names=["no", "yes"])
    assert named.class_names == ["no", "yes"]
    assert named.split is not None
    # What is not named stays as it was; an empty list takes names away.
    both = named.with_names(ids=list("abcd"))
    assert both.class_names == ["no", "yes"] and both.ids == list("abcd")
    assert both.with_names(class_names=[]).class_names == ["0", "1"]


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: gv.Graph.from_arrays([[0, 9], [1, 2]], X, Y), "9"),
        (lambda: gv.Graph.from_arrays([[0.5, 1], [1, 2]], X, Y), "not whole"),
        (lambda: gv.Graph.from_arrays(np.zeros((3, 3)), X, Y), "(2, E) or (E, 2)"),
        (lambda: gv.Graph.from_arrays(EDGES, X[:3], Y), "3 rows, want 4"),
        (lambda: gv.Graph.from_arrays(EDGES, np.full((4, 2), np.nan, np.float32), Y), "features"),
        (lambda: gv.Graph.from_arrays(EDGES, X, [0, 1, 1, -2]), "-2"),
        (lambda: gv.Graph.from_arrays(EDGES, X, Y, classes=1), "classes is 1"),
        (lambda: gv.Graph.from_arrays([[2**40], [0]], X, Y), "1099511627776"),
        (lambda: gv.Graph.from_scipy(sp.csr_matrix((3, 4))), "3 x 4"),
        (lambda: small().with_split([0], [0]), "0"),
        (lambda: small().with_split([7]), "7"),
        (lambda: small().with_split(np.array([True])), "(4,)"),
        (lambda: gv.Graph.generate("nothing"), "nothing"),
    ],
)
def test_bad_input_is_a_value_error(make, words):
    with pytest.raises(ValueError, match=".*") as error:
        make()
    assert words in str(error.value)
    assert isinstance(error.value, gv.Error)


def test_classes_that_are_declared_are_not_taken_from_the_data():
    assert small()._handle.found_in_data == ["the number of classes (the largest label)"]
    assert gv.Graph.from_arrays(EDGES, X, Y, classes=3)._handle.found_in_data == []


def test_a_missing_file_is_an_os_error():
    with pytest.raises(OSError):
        gv.Graph.load("/nowhere/graph.npz")
