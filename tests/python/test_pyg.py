"""A script of a PyG user becomes private: run with the real library where it is installed, else skipped with a line."""

import difflib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import graphveil as gv

ROOT = Path(__file__).parents[2]

# As people write them: Cora in a Data, a GCN, a loop, an accuracy.
BEFORE = """
import sys
import torch
import torch.nn.functional as F
from torch_geometric.nn import GCNConv

data = torch.load(sys.argv[1], weights_only=False)


class GCN(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.first = GCNConv(features, 16)
        self.second = GCNConv(16, classes)

    def forward(self, x, edge_index):
        x = F.dropout(self.first(x, edge_index).relu(), training=self.training)
        return self.second(x, edge_index)


model = GCN(data.num_features, int(data.y.max()) + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(int(sys.argv[2])):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(data.x, data.edge_index)[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()

model.eval()
predicted = model(data.x, data.edge_index).argmax(dim=1)
accuracy = (predicted == data.y)[data.test_mask].float().mean()
print(f"accuracy {accuracy:.3f}")
"""

AFTER = """
import sys
import torch
import graphveil as gv

data = torch.load(sys.argv[1], weights_only=False)

model = gv.Lap(epsilon=4).fit(gv.Graph.from_pyg(data), train=data.train_mask, test=data.test_mask)

predicted = torch.as_tensor(model.predict().value)
accuracy = (predicted == data.y)[data.test_mask].float().mean()
print(f"accuracy {accuracy:.3f}")
print(repr(model.certificate_))
"""


def written():
    """The lines that the user writes; what they replace is left out, not rewritten."""
    lines = difflib.unified_diff(BEFORE.splitlines(), AFTER.splitlines(), lineterm="", n=0)
    return [line for line in lines if line.startswith("+") and not line.startswith("+++") and line != "+"]


def test_at_most_five_lines_are_written():
    assert len(written()) <= 5, written()


def cora():
    """The real graph where it is at hand, else one of its size."""
    place = Path(os.environ.get("GRAPHVEIL_DATA", ROOT.parent / "shared")) / "data" / "cora" / "cora.npz"
    return gv.Graph.load(place) if place.exists() else gv.Graph.generate("citation", nodes=2700, seed=1)


def test_the_script_runs_before_and_after(tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    graph = cora()
    data = graph.to_pyg()
    order = torch.randperm(graph.nodes, generator=torch.Generator().manual_seed(1))
    data.train_mask = torch.zeros(graph.nodes, dtype=torch.bool)
    data.train_mask[order[: 3 * graph.nodes // 4]] = True
    data.test_mask = ~data.train_mask & (data.y >= 0)
    data.val_mask = torch.zeros(graph.nodes, dtype=torch.bool)
    torch.save(data, tmp_path / "data.pt")
    majority = data.y[data.test_mask].bincount().max() / data.test_mask.sum()
    for text, steps in ((BEFORE, 50), (AFTER, 0)):
        (tmp_path / "script.py").write_text(text)
        done = subprocess.run(
            [sys.executable, tmp_path / "script.py", tmp_path / "data.pt", str(steps)],
            capture_output=True, text=True, timeout=600, env=os.environ,
        )
        assert done.returncode == 0, done.stderr
        print(done.stdout)
        assert float(done.stdout.split()[1]) > majority, done.stdout
    assert "Certificate(lap, epsilon 4 " in done.stdout and "relation node" in done.stdout
