"""Tables by the Arrow PyCapsule protocol, with the schema and the checks of `data import`."""

import subprocess

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import graphveil as gv

SCHEMA = """format = "graphveil-schema/1"
declared = true
[nodes]
id = "person"
label = "job"
classes = ["nurse", "teacher"]
[edges]
source = "from"
target = "to"
[[feature]]
column = "age"
kind = "number"
range = [0, 100]
missing = 40
[[feature]]
column = "city"
kind = "category"
values = ["Lyon", "Paris"]
"""


def people():
    return pd.DataFrame(
        {
            "person": [10, 2, 3, 4],
            "age": [30.0, 50.0, np.nan, 120.0],
            "city": ["Lyon", "Paris", "Rome", None],
            "job": ["nurse", "teacher", None, "pilot"],
        }
    )


def friends():
    return pd.DataFrame({"from": [10, 3, 4, 4], "to": [2, 2, 10, 99]})


def same(a, b):
    assert a.ids == b.ids and a.labels.tolist() == b.labels.tolist()
    assert a.edge_index.tolist() == b.edge_index.tolist()
    assert np.array_equal(a._handle.features, b._handle.features)


def test_pandas(program, tmp_path):
    graph = gv.Graph.from_pandas(people(), friends(), SCHEMA)
    assert graph.ids == ["2", "3", "4", "10"] and graph.class_names == ["nurse", "teacher"]
    assert graph._handle.schema == SCHEMA
    assert any("an end is no node" in line for line in graph.import_report)
    # The program's own import of the same cells.
    people().to_csv(tmp_path / "n.csv", index=False)
    friends().to_csv(tmp_path / "e.csv", index=False)
    (tmp_path / "s.toml").write_text(SCHEMA)
    program(
        "data", "import", "--schema", tmp_path / "s.toml", "--nodes", tmp_path / "n.csv", "--edges", tmp_path / "e.csv",
        tmp_path / "g.gvg",
    )
    same(graph, gv.Graph.load(tmp_path / "g.gvg"))
    same(graph, gv.Graph.from_pandas(people(), friends(), tmp_path / "s.toml"))


def test_pyarrow_and_batches():
    wanted = gv.Graph.from_pandas(people(), friends(), SCHEMA)
    nodes, edges = pa.Table.from_pandas(people()), pa.Table.from_pandas(friends())
    same(wanted, gv.Graph.from_arrow(nodes, edges, SCHEMA))
    reader = pa.RecordBatchReader.from_batches(edges.schema, edges.to_batches(max_chunksize=1))
    same(wanted, gv.Graph.from_arrow(nodes.slice(0), reader, SCHEMA))
    texts = nodes.set_column(2, "city", nodes["city"].dictionary_encode())
    same(wanted, gv.Graph.from_arrow(texts, edges, SCHEMA))


def test_polars():
    polars = pytest.importorskip("polars")
    wanted = gv.Graph.from_pandas(people(), friends(), SCHEMA)
    same(wanted, gv.Graph.from_arrow(polars.from_pandas(people()), polars.from_pandas(friends()), SCHEMA))


def test_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    wanted = gv.Graph.from_pandas(people(), friends(), SCHEMA)
    people().to_parquet(tmp_path / "n.parquet")
    friends().to_parquet(tmp_path / "e.parquet")
    nodes = duckdb.sql(f"select * from '{tmp_path}/n.parquet'")
    edges = duckdb.sql(f"select * from '{tmp_path}/e.parquet'")
    same(wanted, gv.Graph.from_arrow(nodes, edges, SCHEMA))


def test_round_trip(tiny):
    nodes, edges = tiny.to_arrow()
    features = "".join(
        f'[[feature]]\ncolumn = "x{j}"\nkind = "number"\nrange = [-1e9, 1e9]\nscale = "none"\nmissing = 0\n' for j in range(16)
    )
    schema = (
        'format = "graphveil-schema/1"\ndeclared = true\n[nodes]\nid = "id"\nlabel = "label"\nclasses = ["0", "1", "2"]\n'
        f'[edges]\nsource = "source"\ntarget = "target"\n{features}'
    )
    again = gv.Graph.from_arrow(nodes, edges, schema)
    order = [again.ids.index(name) for name in tiny.ids]
    assert again.edges == tiny.edges and again.labels[order].tolist() == tiny.labels.tolist()


def test_refusals():
    with pytest.raises(gv.BadInput, match="row 3: the id"):
        gv.Graph.from_pandas(people().assign(person=["a", "b", None, "d"]), friends(), SCHEMA)
    with pytest.raises(gv.BadInput, match="did you mean 'persn'"):
        gv.Graph.from_pandas(people().rename(columns={"person": "persn"}), friends(), SCHEMA)
    with pytest.raises(gv.BadInput, match="cast it to whole numbers"):
        gv.Graph.from_pandas(people().assign(person=[1.0, 2.0, 3.0, 4.0]), friends(), SCHEMA)
    with pytest.raises(gv.BadInput, match="none of its 4 rows joins"):
        gv.Graph.from_pandas(people(), friends().assign(to=77), SCHEMA)
    with pytest.raises(ValueError, match="PyCapsule"):
        gv.Graph.from_arrow([1, 2], friends(), SCHEMA)
    with pytest.raises(ValueError, match="an end is no node"):
        gv.Graph.from_pandas(people(), friends(), SCHEMA, strict=True)


def test_people_who_are_several_nodes(program, tmp_path):
    schema = SCHEMA.replace('id = "person"', 'id = "person"\nentity = "owner"')
    table = people().assign(owner=["a", "a", None, "c"])
    graph = gv.Graph.from_pandas(table, friends(), schema)
    # Nodes 2, 3, 4, 10: the first and the last are one person, an empty cell is a person apart.
    assert graph.entities[0] == graph.entities[3] and len(set(graph.entities.tolist())) == 3
    assert graph.to_pandas()[0]["entity"].nunique() == 3
    assert gv.Graph.from_pandas(people(), friends(), SCHEMA).entities is None
    # The program's own import of the same cells says the same, and a file keeps it.
    table.to_csv(tmp_path / "n.csv", index=False)
    friends().to_csv(tmp_path / "e.csv", index=False)
    (tmp_path / "s.toml").write_text(schema)
    program(
        "data", "import", "--schema", tmp_path / "s.toml", "--nodes", tmp_path / "n.csv", "--edges", tmp_path / "e.csv",
        tmp_path / "g.gvg",
    )
    assert gv.Graph.load(tmp_path / "g.gvg").entities.tolist() == graph.entities.tolist()
    graph.save(tmp_path / "again.gvg")
    assert (tmp_path / "again.gvg").read_bytes() == (tmp_path / "g.gvg").read_bytes()
    with pytest.raises(ValueError, match="only .gvg"):
        graph.save(tmp_path / "g.npz")


def test_optional_packages_are_imported_when_used():
    import os
    import sys

    code = "import sys, graphveil; print([m for m in ('scipy','pandas','pyarrow','sklearn','torch','networkx','matplotlib','tqdm') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, timeout=60)
    assert found.stdout.strip() == "[]", found.stderr
