# %% [markdown]
# # Choosing epsilon
#
# Accuracy over epsilon for a few methods. Every training here is one more look at the same people: what leaves the
# holder's machine is one model, and its certificate covers that one alone. The accuracies are the holder's.

# %%
import graphveil as gv

graph = gv.Graph.generate("social", nodes=2000, seed=1)
results = []
for epsilon in (0.5, 1, 2, 4, 8):
    for method in (gv.Lap, gv.MlpDp):
        results.append(method(epsilon=epsilon, seed=1).fit(graph, progress=False))
for model in results:
    print(f"{model.certificate_.method:8} epsilon {model.epsilon_:5.2f}  test accuracy {float(model.score()):.3f}")

# %% [markdown]
# Before any of this, noise can be priced from public numbers alone.

# %%
for epsilon in (1, 4):
    noise = gv.calibrate("lap", epsilon=epsilon, nodes=2000, train_nodes=1500, classes=graph.classes, features=graph.feature_columns)
    print("epsilon", epsilon, "noise", noise["noise_multiplier"])

# %% [markdown]
# The picture, where matplotlib is installed.

# %%
try:
    import matplotlib

    matplotlib.use("Agg")
    ax = gv.plot_accuracy_vs_epsilon(results)
    print("drawn:", len(ax.lines), "lines")
except ImportError:
    print("no picture: matplotlib is not installed")
