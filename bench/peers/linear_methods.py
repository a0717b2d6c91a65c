"""lap and dpar-gm in PyTorch and SciPy: the same steps as ours, for bench/peers/table.

Both end in a linear softmax that full batches train by DP-SGD with momentum. Its per-sample gradients are outer products,
so their norms need no gradient (ghost norms), and sparse features stay sparse: the fastest way that PyTorch has. Not in
their time: reading the graph, calibration (the noise is taken from our JSON), and the first, untimed run.
"""
import numpy as np
import scipy.sparse
import torch
import torch.nn.functional as F

STEPS = 100
RATE = 0.1
CLIP = 0.3
MOMENTUM = 0.9
BIAS_INPUT = 0.3
SOURCES = 70
OPTIONS = {
    "lap": "--epsilon 4 --relation node",
    "dpar-gm": f"--epsilon 4 --relation node --steps {STEPS} --optimizer sgd --momentum {MOMENTUM} --max-grad-norm {CLIP}"
    f" --lr {RATE} --rate-over-noise true --batch-size full --sources {SOURCES} --picks 2",
}
PICKS = 2
PAGERANK_STEPS = 50


def train_linear(rows, transpose, dense, labels, classes, noise, prior=None):
    """Weights of softmax(rows W + dense V). `rows` is sparse CSR with its transpose at hand, `dense` may be None."""
    w = torch.zeros(rows.shape[1], classes)
    v = None if dense is None else prior.clone()
    squares = torch.from_numpy(np.asarray(transpose.power_sums)).float()
    if dense is not None:
        squares = squares + dense.square().sum(1)
    targets = F.one_hot(labels, classes).float()
    speed_w, speed_v = torch.zeros_like(w), None if v is None else torch.zeros_like(v)
    # As long as their noise allows: noise alone moves a weight by RATE in the whole training, before momentum.
    rate = min(RATE / (STEPS**0.5 * noise * CLIP / len(labels)), 40 / CLIP)
    for _ in range(STEPS):
        scores = rows @ w if v is None else torch.addmm(rows @ w, dense, v)
        g = scores.softmax(1) - targets
        factors = (CLIP / (g.square().sum(1) * squares).sqrt().clamp(min=1e-12)).clamp(max=1.0)
        g = g * (factors / len(labels))[:, None]
        scale = noise * CLIP / len(labels)
        speed_w = MOMENTUM * speed_w + transpose.matrix @ g + scale * torch.randn_like(w)
        w = w - rate * speed_w
        if v is not None:
            speed_v = MOMENTUM * speed_v + dense.t() @ g + scale * torch.randn_like(v)
            v = v - rate * speed_v
    return w, v


class Transposed:
    """Xᵀ and the squared norms of the rows of X."""

    def __init__(self, matrix):
        self.matrix = csr(matrix.T.tocsr())
        self.power_sums = np.asarray(matrix.multiply(matrix).sum(1)).ravel()


def csr(matrix):
    matrix = matrix.tocsr()
    return torch.sparse_csr_tensor(
        torch.from_numpy(matrix.indptr.astype(np.int32)),
        torch.from_numpy(matrix.indices.astype(np.int32)),
        torch.from_numpy(matrix.data.astype(np.float32)),
        size=matrix.shape,
    )


def unit_rows_with_bias(features):
    lengths = np.sqrt(np.asarray(features.multiply(features).sum(1)).ravel())
    scaled = scipy.sparse.diags(1 / np.maximum(lengths, 1e-12)) @ features
    return scipy.sparse.hstack([scaled, np.full((features.shape[0], 1), BIAS_INPUT)]).tocsr().astype(np.float32)


class Lap:
    """Two rounds of noisy label sums; features and sums then go through one linear layer."""

    def __init__(self, graph, train):
        self.graph, self.train = graph, train
        self.labels = graph.labels[train]
        self.features = unit_rows_with_bias(graph.features)
        rows = self.features[train.numpy()]
        self.rows, self.transpose, self.all = csr(rows), Transposed(rows), csr(self.features)

    def scores(self, noise):
        c = self.graph.classes
        stddev = noise["labels"] * (1 - 1 / c) ** 0.5
        messages = torch.zeros(self.graph.nodes, c)
        messages[self.train] = F.one_hot(self.labels, c).float() - 1 / c
        sums = self.graph.edges @ messages + stddev * torch.randn(self.graph.nodes, c)
        guesses = self.graph.edges @ messages_of_guesses(sums, messages, self.train, c)
        sums = (sums + guesses + stddev * torch.randn_like(sums)) / 2
        limit = 3 * stddev * c**0.5
        z = 0.5 * sums / sums.norm(dim=1, keepdim=True).clamp(min=limit)
        w, v = train_linear(self.rows, self.transpose, z[self.train], self.labels, c, noise["training"], 2 * torch.eye(c))
        return torch.addmm(self.all @ w, z, v)


def messages_of_guesses(sums, messages, train, classes):
    """In the second round nodes without a label of their own send their guess."""
    guesses = F.one_hot(sums.argmax(1), classes).float() - 1 / classes
    guesses[train] = messages[train]
    return guesses


class DparGm:
    """PageRank rows of some training nodes, Gaussian noise on every entry, the largest kept; then training on their sums."""

    def __init__(self, graph, train):
        self.graph, self.train = graph, train
        self.labels = graph.labels[train]
        self.features = unit_rows_with_bias(graph.features)
        degrees = np.maximum(np.asarray(graph.adjacency.sum(1)).ravel(), 1)
        self.degrees, self.all = degrees, csr(self.features)
        self.mean = csr(scipy.sparse.diags(1 / degrees) @ graph.adjacency)

    def pagerank(self, sources, alpha=0.25, rho=1e-4):
        """The l1-regularized rows of Fountoulakis et al. (2019), all sources at once."""
        degrees = torch.from_numpy(self.degrees).float()[:, None]
        start = torch.zeros(self.graph.nodes, len(sources))
        start[torch.from_numpy(sources), torch.arange(len(sources))] = alpha / degrees[sources, 0]
        x = torch.zeros_like(start)
        for _ in range(PAGERANK_STEPS):
            x = ((1 - alpha) / 2 * (x + self.mean @ x) + start - rho * alpha).clamp(min=0)
        return (x * degrees).T.numpy().astype(np.float64)

    def scores(self, noise):
        random = np.random.default_rng(1)
        train = self.train.numpy()
        chosen = random.choice(len(train), SOURCES, replace=False)
        rows = self.pagerank(train[chosen])
        rows /= np.maximum(np.sqrt((rows**2).sum(1, keepdims=True)), 1e-12)
        noisy = rows + noise["pagerank"] * random.standard_normal(rows.shape)
        picks = np.argpartition(-noisy, PICKS, axis=1)[:, :PICKS]
        weights = np.clip(np.take_along_axis(noisy, picks, 1), 0, 1)
        shares = np.hstack([np.ones((SOURCES, 1)), weights])
        shares /= shares.sum(1, keepdims=True)
        # Lists and a linear network commute: each sample is one row, the weighted sum of what is in its list.
        where = np.repeat(chosen, PICKS + 1), np.hstack([train[chosen][:, None], picks]).ravel()
        others = np.setdiff1d(np.arange(len(train)), chosen)
        lists = scipy.sparse.coo_matrix(
            (
                np.concatenate([shares.ravel(), np.ones(len(others))]),
                (np.concatenate([where[0], others]), np.concatenate([where[1], train[others]])),
            ),
            shape=(len(train), self.graph.nodes),
        ).tocsr()
        samples = lists @ self.features
        w, _ = train_linear(csr(samples), Transposed(samples), None, self.labels, self.graph.classes, noise["training"])
        scores = self.all @ w
        mixed = scores
        for _ in range(2):
            mixed = 0.75 * (self.mean @ mixed) + 0.25 * scores
        return mixed
