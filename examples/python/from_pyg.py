# %% [markdown]
# # From PyG to a certificate
#
# A script for Cora in a PyG `Data` becomes private by five lines: the import, the graph, the model, its predictions, and
# the accuracy. Without PyG an object of the same shape stands in here.

# %%
import numpy as np

try:
    import torch
    from torch_geometric.data import Data

    def tensor(values):
        return torch.from_numpy(np.ascontiguousarray(values))

except ImportError:
    from types import SimpleNamespace as Data

    def tensor(values):
        return np.ascontiguousarray(values)


import graphveil as gv

# Stands for `data = Planetoid(root, "Cora")[0]`.
made = gv.Graph.generate("social", nodes=2000, seed=1)
train_mask = np.zeros(made.nodes, bool)
train_mask[np.random.default_rng(0).permutation(made.nodes)[:1200]] = True
features = made.features.toarray() if hasattr(made.features, "toarray") else np.array(made.features)
data = Data(
    x=tensor(features),
    edge_index=tensor(made.edge_index),
    y=tensor(np.array(made.labels, np.int64)),
    train_mask=tensor(train_mask),
    num_nodes=made.nodes,
)

# %% [markdown]
# The five lines. What a non-private script does with `GCN(...)`, a training loop and `model(data.x, data.edge_index)` is
# now:

# %%
graph = gv.Graph.from_pyg(data)
model = gv.Lap(epsilon=4).fit(graph, train=data.train_mask)
predicted = np.asarray(model.predict())
accuracy = (predicted == np.asarray(data.y))[~train_mask].mean()
print(repr(model.certificate_), f"accuracy {accuracy:.3f} (the holder's)")

# %%
assert gv.verify(model).ok
