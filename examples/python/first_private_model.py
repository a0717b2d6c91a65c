# %% [markdown]
# # A first private model
#
# A graph, a model that is private by itself, its certificate, and a check of the certificate.

# %%
import graphveil as gv

graph = gv.Graph.generate("social", nodes=3000, seed=1)  # yours: Graph.load, from_pyg, from_scipy, from_pandas, ...
print(graph)

# %% [markdown]
# One node with everything about it is protected: at most 100 outgoing edges, epsilon 4. The noise is found before
# anything is read.

# %%
model = gv.Lap(epsilon=4, relation="node", protect_degree=100).fit(graph)
print(repr(model.certificate_))

# %% [markdown]
# What comes out says whose it is. Each row of the predictions is for its own node; accuracy reads private labels, so it
# is the data holder's.

# %%
print(model.predict())
print("test accuracy", model.score())

# %% [markdown]
# The run folder has a part for everybody, one for the owners and one for the holder. Whoever gets `release/` can check
# it without the data.

# %%
import tempfile

folder = model.save(tempfile.mkdtemp() + "/run").run_folder_
answer = gv.verify(folder)
print("holds and may be released:", answer.releasable)
assert answer.releasable

# %% [markdown]
# What it cost, by the accountant, from the events that the certificate lists.

# %%
print("epsilon", round(gv.account(model).epsilon, 4), "at delta", model.delta_)
