# %% [markdown]
# # A method of your own
# It declares a plan, runs through the same Release, and gets calibration, a certificate, verification and the neighbor
# check for nothing. PyTorch, where it is installed, does the post-processing.
# %%
import numpy as np

import graphveil as gv
from graphveil import method, testing

try:
    import torch
except ImportError:
    torch = None


class TiltedMeans(gv.Method):
    """Class means of the features, released once; a softmax on the means says how sure the nearest one is."""

    name = "tilted-means"
    releases = "One noisy release of class sums, sharpened after the fact"
    relations = ("node", "record")
    every_degree = True  # no edge is read
    sharpness = method.real(4.0, 0.1, 100, "How sure the nearest class is")

    def plan(self, noise, setting):
        return [method.class_sums("sums", noise, setting)]

    def run(self, task, release):
        train = task.train
        sums = release.class_sums("sums", task.features[train], task.graph.labels[train])
        return {"means": self.sharpened(sums)}  # a dict of arrays, made of what was released and nothing else

    def sharpened(self, sums):
        if torch is None:
            return sums / (np.linalg.norm(sums, axis=0, keepdims=True) + 1e-12)
        # Post-processing: directions that tell the classes apart best, found from the released sums alone.
        means = torch.tensor(sums)
        directions = torch.nn.Parameter(means / (means.norm(dim=0, keepdim=True) + 1e-12))
        optimizer = torch.optim.SGD([directions], lr=0.1)
        for _ in range(50):
            optimizer.zero_grad()
            scores = means.T @ directions
            torch.nn.functional.cross_entropy(scores, torch.arange(scores.shape[0])).backward()
            optimizer.step()
        return directions.detach() / (directions.detach().norm(dim=0, keepdim=True) + 1e-12)

    def predict(self, model, task, release):
        scores = self.sharpness * task.features @ model["means"]
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)


testing.check_neighbors(TiltedMeans)  # raises when a neighbor is told apart in a way that the plan does not pay for
model = TiltedMeans.estimator(epsilon=2.0, sharpness=8.0).fit(gv.Graph.generate("social", nodes=2000, seed=1))
print(repr(model.certificate_), model.score())
print("verified:", gv.verify(model).ok)
