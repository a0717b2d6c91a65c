"""Whole trainings of gap-edp, gap-ndp, mlp-dp and sage-inf: the same algorithms in PyTorch beside ours, in one run.

    python bench/peers/gap_methods.py [--ours build/release/graphveil] [--methods gap-edp,mlp-dp] [--repeats 5]

Data: Facebook100 Berkeley13, below $GRAPHVEIL_DATA/data or ../shared/data; without it the script prints "skipped".
For every method ours and PyTorch run in turn; printed are the median seconds, the ratio PyTorch / ours, and the mean
test accuracies, which show that both are the same algorithm. Both train with the same noise: PyTorch takes it from
our JSON, and so does not calibrate, and certifies nothing: both are left out of ours. Both sides' seconds hold the training, the
predictions for all nodes and the test accuracy; PyTorch's after one untimed training.

How PyTorch is written. Full batches come in two ways. `plain`: dense features, torch.sparse.mm on the adjacency, Adam,
as one writes it at first. `tuned`: sparse first layer (CSR, with the transpose at hand for the backward pass) where batches are
full; adjacency in CSR with 32-bit indices; fused Adam. Validation after every epoch only where ours has it (gap-edp and
sage-inf). Private training comes in four ways: per-sample gradients by torch.func, by Opacus, by Opacus with ghost
clipping; and `by hand`, which is ghost clipping written for these very networks with hooks: more than
a user of a library would do, and shown beside the others. torch.compile is not used: it takes longer than the training.

Run it on a quiet machine: PyTorch's OpenMP threads wait for each other busily, so any other load slows it down several
times with more than one thread. The script says when it was not alone. Needs torch, numpy, scipy; Opacus is left
out when it is not installed.
"""
import argparse
import copy
import json
import os
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, vmap

warnings.filterwarnings("ignore", message=".*(Sparse CSR|[Ss]parse invariant|Full backward hook|Secure RNG).*")

HIDDEN = 16
HOPS = 2
RATE = 0.01
FULL_EPOCHS = 100
PRIVATE_EPOCHS = 10
BATCH = 256
CLIP = 1.0
MAX_DEGREE = 100

NETWORK = f"--hidden-dim {HIDDEN} --activation selu --lr {RATE}"
FULL = f"{NETWORK} --epochs {FULL_EPOCHS}"
PRIVATE = f"--epsilon 8 {NETWORK} --epochs {PRIVATE_EPOCHS} --batch-size {BATCH} --max-grad-norm {CLIP}"
OPTIONS = {
    "gap-edp": f"--epsilon 4 --relation edge --hops {HOPS} --encoder-epochs {FULL_EPOCHS} {FULL}",
    "gap-ndp": f"{PRIVATE} --hops {HOPS} --encoder-epochs {PRIVATE_EPOCHS} --weights drop --max-degree {MAX_DEGREE}",
    "mlp-dp": f"{PRIVATE} --layers 3",
    "sage-inf": f"{FULL} --layers 2 --pre-layers 2 --post-layers 1",
}


# ----------------------------------------------------------------------------------------------------------- data


def csr_tensor(matrix):
    return torch.sparse_csr_tensor(
        torch.from_numpy(matrix.indptr.astype(np.int32)),
        torch.from_numpy(matrix.indices.astype(np.int32)),
        torch.from_numpy(matrix.data.astype(np.float32)),
        size=matrix.shape,
    )


class SparseRows:
    """Rows of a sparse matrix, with the transpose that a backward pass needs."""

    def __init__(self, matrix):
        self.rows = csr_tensor(matrix)
        self.columns = csr_tensor(matrix.T.tocsr())


class Graph:
    def __init__(self, path):
        with np.load(path) as file:
            data = dict(file)
        self.labels = torch.from_numpy(data["labels"].astype(np.int64))
        self.classes = int(self.labels.max()) + 1
        self.adjacency = scipy.sparse.csr_matrix(
            (data["adj_data"], data["adj_indices"], data["adj_indptr"]), shape=tuple(data["adj_shape"])
        )
        self.features = scipy.sparse.csr_matrix(
            (data["attr_data"], data["attr_indices"], data["attr_indptr"]), shape=tuple(data["attr_shape"])
        )
        self.width = self.features.shape[1]
        self.nodes = len(self.labels)
        self.edges = csr_tensor(self.adjacency)  # symmetric: its own transpose
        self.all = SparseRows(self.features)
        self.dense = torch.from_numpy(self.features.toarray()).float()

    def split(self, seed):
        """75 / 10 / 15 percent of the nodes, at random."""
        order = np.random.default_rng(seed).permutation(self.nodes)
        cuts = [round(0.75 * self.nodes), round(0.85 * self.nodes)]
        return [torch.from_numpy(np.sort(part)) for part in np.split(order, cuts)]

    def bounded_edges(self, limit, seed):
        """Every node keeps at most `limit` of its outgoing edges; returns who receives from whom."""
        starts, targets = self.adjacency.indptr.astype(np.int64), self.adjacency.indices
        degrees = np.diff(starts)
        # Sorted keys (node, random, place in the node's list): the first ones of each node are a uniform choice.
        crowded = np.flatnonzero(degrees > limit)
        counts = degrees[crowded]
        first = np.concatenate([[0], np.cumsum(counts)])
        place = np.arange(first[-1]) - np.repeat(first[:-1], counts)
        random = np.random.default_rng(seed).integers(0, 1 << 24, first[-1])
        keys = np.sort((np.repeat(np.arange(len(crowded)), counts) << 44) | (random << 20) | place)
        kept = keys[(first[:-1, None] + np.arange(limit)).ravel()] & ((1 << 20) - 1)
        keep = np.repeat(degrees <= limit, degrees)
        keep[np.repeat(starts[crowded], limit) + kept] = True
        bounds = np.concatenate([[0], np.cumsum(np.minimum(degrees, limit))])
        lists = (self.adjacency.data[keep], targets[keep], bounds)
        return csr_tensor(scipy.sparse.csr_matrix(lists, shape=self.adjacency.shape).T.tocsr())


class SparseProduct(torch.autograd.Function):
    """matrix @ x for a constant sparse matrix."""

    @staticmethod
    def forward(context, matrix, transpose, x):
        context.transpose = transpose
        return matrix @ x

    @staticmethod
    def backward(context, gradient):
        return None, None, context.transpose @ gradient


# ------------------------------------------------------------------------------------------------------- networks


class SparseLinear(nn.Module):
    """nn.Linear for SparseRows."""

    def __init__(self, inputs, outputs):
        super().__init__()
        start = nn.Linear(inputs, outputs)
        self.weight = nn.Parameter(start.weight.detach().t().contiguous())
        self.bias = nn.Parameter(start.bias.detach())

    def forward(self, x):
        return SparseProduct.apply(x.rows, x.columns, self.weight) + self.bias


def unit_rows(x):
    """Rows of norm 1; a zero row stays zero. Its backward pass is cheaper than that of F.normalize."""
    return x * x.square().sum(1, keepdim=True).clamp(min=1e-24).rsqrt()


def norm(width, wanted):
    return nn.BatchNorm1d(width) if wanted else nn.Identity()


class Encoder(nn.Module):
    def __init__(self, width, classes, full, sparse=False):
        super().__init__()
        self.first = SparseLinear(width, HIDDEN) if sparse else nn.Linear(width, HIDDEN)
        self.norm1 = norm(HIDDEN, full)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.norm2 = norm(HIDDEN, full)
        self.head = nn.Linear(HIDDEN, classes)

    def embedding(self, x):
        return unit_rows(self.second(F.selu(self.norm1(self.first(x)))))

    def forward(self, x):
        return self.head(F.selu(self.norm2(self.embedding(x))))


class Classifier(nn.Module):
    """x is the aggregations side by side."""

    def __init__(self, classes, full):
        super().__init__()
        self.base = nn.ModuleList([nn.Linear(HIDDEN, HIDDEN) for _ in range(HOPS + 1)])
        self.norm = norm(HIDDEN * (HOPS + 1), full)
        self.head = nn.Linear(HIDDEN * (HOPS + 1), classes)

    def forward(self, x):
        parts = [layer(part) for layer, part in zip(self.base, x.split(HIDDEN, dim=1))]
        return self.head(F.selu(self.norm(unit_rows(torch.cat(parts, dim=1)))))


class Mlp(nn.Sequential):
    def __init__(self, width, classes):
        hidden = [nn.Linear(width, HIDDEN), nn.SELU(), nn.Linear(HIDDEN, HIDDEN), nn.SELU()]
        super().__init__(*hidden, nn.Linear(HIDDEN, classes))


class Sage(nn.Module):
    """Scores of some nodes from the features of all.

    As in ours, layers before a batch normalization have biases. Their gradient is zero but for rounding, Adam makes a
    random walk of that, and the running statistics lag behind it: accuracies vary by a few points between runs.
    """

    def __init__(self, graph, tuned):
        super().__init__()
        self.graph, self.tuned = graph, tuned
        self.first = (SparseLinear if tuned else nn.Linear)(graph.width, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.own = nn.ModuleList([nn.Linear(HIDDEN, HIDDEN) for _ in range(2)])
        self.neighbors = nn.ModuleList([nn.Linear(HIDDEN, HIDDEN, bias=False) for _ in range(2)])
        self.norms = nn.ModuleList([nn.BatchNorm1d(HIDDEN) for _ in range(4)])
        self.last = nn.Linear(HIDDEN, graph.classes)

    def forward(self, nodes):
        edges = self.graph.edges
        rows = self.graph.all if self.tuned else self.graph.dense
        x = self.second(F.selu(self.norms[0](self.first(rows))))
        x = F.selu(self.norms[1](x))
        for own, neighbors, normalized in zip(self.own, self.neighbors, self.norms[2:]):
            sums = SparseProduct.apply(edges, edges, neighbors(x)) if self.tuned else torch.sparse.mm(edges, neighbors(x))
            x = F.selu(normalized(own(x) + sums))
        return self.last(x).index_select(0, nodes)


# ------------------------------------------------------------------------------------------------------- training


def adam(network):
    return torch.optim.Adam(network.parameters(), RATE, fused=True)


class Plain:
    name = "plain"


class Tuned:
    name = "tuned"


def fit(network, train, val, way):
    """Full batches; keeps the epoch that is best on `val`. Both are (input, labels)."""
    optimizer = adam(network) if way is Tuned else torch.optim.Adam(network.parameters(), RATE)
    best, best_state = -1, None
    for _ in range(FULL_EPOCHS):
        network.train()
        optimizer.zero_grad()
        F.cross_entropy(network(train[0]), train[1]).backward()
        optimizer.step()
        network.eval()
        with torch.inference_mode():
            right = int((network(val[0]).argmax(1) == val[1]).sum())
        if right > best:
            best, best_state = right, copy.deepcopy(network.state_dict())
    network.load_state_dict(best_state)


class TorchFunc:
    """Per-sample gradients by vmap(grad)."""

    name = "torch.func"

    def __init__(self, network, noise, expected):
        self.network, self.noise, self.expected, self.optimizer = network, noise, expected, adam(network)
        self.parameters = dict(network.named_parameters())

        def loss(parameters, x, y):
            return F.cross_entropy(functional_call(network, parameters, (x.unsqueeze(0),)), y.unsqueeze(0))

        self.per_sample = vmap(grad(loss), in_dims=(None, 0, 0))

    def step(self, x, y):
        with torch.no_grad():
            gradients = self.per_sample({name: p.detach() for name, p in self.parameters.items()}, x, y)
            norms = torch.stack([g.flatten(1).norm(dim=1) for g in gradients.values()]).norm(dim=0)
            factors = (CLIP / norms).clamp(max=1.0)
            for name, g in gradients.items():
                total = (factors @ g.flatten(1)).view(g.shape[1:])
                self.parameters[name].grad = (total + self.noise * torch.randn_like(total)) / self.expected
        self.optimizer.step()


class Opacus:
    """GradSampleModule and DPOptimizer."""

    name = "opacus"

    def __init__(self, network, noise, expected):
        from opacus import GradSampleModule
        from opacus.optimizers import DPOptimizer

        self.network = GradSampleModule(network)
        self.optimizer = DPOptimizer(
            adam(network), noise_multiplier=noise / CLIP, max_grad_norm=CLIP, expected_batch_size=expected
        )

    def step(self, x, y):
        self.optimizer.zero_grad()
        F.cross_entropy(self.network(x), y).backward()
        self.optimizer.step()


class OpacusGhost:
    """Opacus without per-sample gradients: their norms, then a second backward pass."""

    name = "opacus ghost"

    def __init__(self, network, noise, expected):
        from opacus.grad_sample import GradSampleModuleFastGradientClipping
        from opacus.optimizers import DPOptimizerFastGradientClipping
        from opacus.utils.fast_gradient_clipping_utils import DPLossFastGradientClipping

        self.network = GradSampleModuleFastGradientClipping(network, max_grad_norm=CLIP, use_ghost_clipping=True)
        self.optimizer = DPOptimizerFastGradientClipping(
            adam(network), noise_multiplier=noise / CLIP, max_grad_norm=CLIP, expected_batch_size=expected
        )
        mean = nn.CrossEntropyLoss(reduction="mean")
        self.loss = DPLossFastGradientClipping(self.network, self.optimizer, mean, "mean")

    def step(self, x, y):
        self.optimizer.zero_grad()
        self.loss(self.network(x), y).backward()
        self.optimizer.step()


class ByHand:
    """Ghost clipping for networks whose only parameters are those of nn.Linear, in one backward pass."""

    name = "by hand"

    def __init__(self, network, noise, expected):
        self.network, self.noise, self.expected, self.optimizer = network, noise, expected, adam(network)
        self.calls = []
        self.hooks = [
            layer.register_forward_hook(lambda layer, args, out: self.calls.append((layer, args[0].detach(), out)))
            for layer in network.modules()
            if isinstance(layer, nn.Linear)
        ]
        self.size = sum(p.numel() for p in network.parameters())

    def step(self, x, y):
        self.calls.clear()
        loss = F.cross_entropy(self.network(x), y, reduction="sum")
        gradients = torch.autograd.grad(loss, [out for _, _, out in self.calls])
        with torch.no_grad():
            squares = sum(g.square().sum(1) * (a.square().sum(1) + 1) for (_, a, _), g in zip(self.calls, gradients))
            factors = (CLIP * squares.rsqrt()).clamp(max=1.0).unsqueeze(1)
            noise = torch.randn(self.size).mul_(self.noise / self.expected)
            at = 0
            for (layer, a, _), g in zip(self.calls, gradients):
                clipped = g * (factors / self.expected)
                weight, bias = layer.weight, layer.bias
                middle, end = at + weight.numel(), at + weight.numel() + bias.numel()
                weight.grad = torch.addmm(noise[at:middle].view_as(weight), clipped.t(), a)
                bias.grad = noise[middle:end] + clipped.sum(0)
                at = end
        self.optimizer.step()

    def close(self):
        for hook in self.hooks:
            hook.remove()


def fit_private(network, x, labels, noise, way):
    """Poisson batches."""
    steps = PRIVATE_EPOCHS * len(x) // BATCH
    trainer = way(network, noise, BATCH)
    for _ in range(steps):
        batch = (torch.rand(len(x)) < BATCH / len(x)).nonzero().squeeze(1)
        trainer.step(x.index_select(0, batch), labels.index_select(0, batch))
    if hasattr(trainer, "close"):
        trainer.close()
    elif trainer.network is not network:
        trainer.network.remove_hooks()


def aggregate(edges, x, noise):
    """x and the noisy, normalized sums over 1 .. HOPS steps, side by side."""
    hops = [x]
    for _ in range(HOPS):
        hops.append(unit_rows(edges @ hops[-1] + noise * torch.randn_like(x)))
    return torch.cat(hops, dim=1)


# -------------------------------------------------------------------------------------------------------- methods


class Peer:
    """One method in PyTorch: what it prepares with the data is not timed, `scores` is."""

    def __init__(self, graph, seed):
        self.graph, self.seed = graph, seed
        self.train, self.val, self.test = graph.split(seed)
        self.labels = graph.labels[self.train]
        self.prepare()

    def prepare(self):
        pass

    def accuracy(self, scores):
        return float((scores[self.test].argmax(1) == self.graph.labels[self.test]).float().mean())


class GapEdge(Peer):
    def prepare(self):
        self.val_labels = self.graph.labels[self.val]
        self.rows = {}
        for way, name in ((Plain, "dense"), (Tuned, "all")):
            parts = [self.graph.features[part.numpy()] for part in (self.train, self.val)]
            make = SparseRows if way is Tuned else lambda part: torch.from_numpy(part.toarray()).float()
            self.rows[way] = [*map(make, parts), getattr(self.graph, name)]

    def scores(self, noise, way):
        graph = self.graph
        train_rows, val_rows, all_rows = self.rows[way]
        encoder = Encoder(graph.width, graph.classes, True, sparse=way is Tuned)
        fit(encoder, (train_rows, self.labels), (val_rows, self.val_labels), way)
        with torch.no_grad():
            x = aggregate(graph.edges, encoder.eval().embedding(all_rows), noise["aggregation"])
        classifier = Classifier(graph.classes, True)
        fit(classifier, (x[self.train], self.labels), (x[self.val], self.val_labels), way)
        with torch.no_grad():
            return classifier.eval()(x)


class DenseFeatures(Peer):
    def prepare(self):
        self.dense = torch.from_numpy(self.graph.features.toarray())
        self.train_rows = self.dense[self.train]


class GapNode(DenseFeatures):
    def scores(self, noise, way):
        graph = self.graph
        encoder = Encoder(graph.width, graph.classes, False)
        fit_private(encoder, self.train_rows, self.labels, noise["encoder"], way)
        with torch.no_grad():
            edges = graph.bounded_edges(MAX_DEGREE, self.seed)
            x = aggregate(edges, encoder.embedding(self.dense), noise["aggregation"])
        classifier = Classifier(graph.classes, False)
        fit_private(classifier, x[self.train], self.labels, noise["classifier"], way)
        with torch.no_grad():
            return classifier(x)


class MlpPrivate(DenseFeatures):
    def scores(self, noise, way):
        network = Mlp(self.graph.width, self.graph.classes)
        fit_private(network, self.train_rows, self.labels, noise["training"], way)
        with torch.no_grad():
            return network(self.dense)


class SageInf(Peer):
    def scores(self, noise, way):
        network = Sage(self.graph, way is Tuned)
        fit(network, (self.train, self.labels), (self.val, self.graph.labels[self.val]), way)
        with torch.no_grad():
            return network.eval()(torch.arange(self.graph.nodes))


PEERS = {"gap-edp": GapEdge, "gap-ndp": GapNode, "mlp-dp": MlpPrivate, "sage-inf": SageInf}


# ---------------------------------------------------------------------------------------------------------- timing


def training_seconds(mine):
    """Of our JSON, without prices: the peers take our noise, and state nothing."""
    return mine["seconds"]["train"] - mine["seconds"]["calibrate"] - mine["seconds"]["certify"]


def run_ours(program, method, path, threads, seed):
    command = [program, "train", method, "--data", path, "--preset", "paper", *OPTIONS[method].split()]
    command += ["--threads", str(threads), "--seed", str(seed), "--json", "--quiet"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def run_peer(peer, noise, way):
    start = time.perf_counter()
    accuracy = peer.accuracy(peer.scores(noise, way))
    return time.perf_counter() - start, accuracy


class Quiet:
    """How many processors other programs kept busy since it was made."""

    def __init__(self):
        self.start = self.now()

    @staticmethod
    def now():
        """(seconds, processor seconds of everybody, processor seconds of ours)"""
        try:
            with open("/proc/stat") as file:
                fields = [int(field) for field in file.readline().split()[1:9]]
        except OSError:
            return None
        user, nice, system, _, _, interrupts, soft_interrupts, stolen = fields
        everybody = (user + nice + system + interrupts + soft_interrupts + stolen) / os.sysconf("SC_CLK_TCK")
        return time.perf_counter(), everybody, sum(os.times()[:4])

    def others(self):
        end = self.now()
        if end is None:
            return 0.0
        seconds, everybody, mine = (after - before for after, before in zip(end, self.start))
        return max(0.0, (everybody - mine) / seconds)


def compare(method, graph, path, args, ways):
    """Prints the lines of one method."""
    quiet = Quiet()
    chosen = ways if issubclass(PEERS[method], DenseFeatures) else [Plain, Tuned]
    times = {way: [] for way in [*chosen, "ours"]}
    accuracies = {way: [] for way in times}
    calibrations = []
    for repeat in range(args.repeats):
        torch.manual_seed(repeat)
        mine = run_ours(args.ours, method, path, args.threads, repeat)
        times["ours"].append(training_seconds(mine))
        calibrations.append(mine["seconds"]["calibrate"])
        accuracies["ours"].append(mine["test_accuracy"]["mean"])
        peer = PEERS[method](graph, repeat)
        for way in chosen:
            if repeat == 0:
                run_peer(peer, mine["noise"], way)
            seconds, accuracy = run_peer(peer, mine["noise"], way)
            times[way].append(seconds)
            accuracies[way].append(accuracy)
    ours = statistics.median(times["ours"])
    accuracy = 100 * statistics.mean(accuracies["ours"])
    print(f"{method}: ours {ours:.3f} s (and {statistics.median(calibrations):.3f} s calibration), accuracy {accuracy:.1f}%")
    for way in chosen:
        theirs = statistics.median(times[way])
        print(
            f"    {way.name:12} {theirs:7.3f} s, accuracy {100 * statistics.mean(accuracies[way]):.1f}%: "
            f"{theirs / ours:.1f} times ours",
            flush=True,
        )
    others = quiet.others()
    if others > 0.1:
        print(f"    not a measurement: other programs kept {others:.1f} processors busy, to PyTorch's harm", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default="build/release/graphveil")
    parser.add_argument("--methods", default=",".join(PEERS), help="comma-separated")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    methods = args.methods.split(",")
    for method in methods:
        if method not in PEERS:
            parser.error(f"there is no method '{method}' here; there are {', '.join(PEERS)}")

    here = os.path.dirname(os.path.abspath(__file__))
    root = os.environ.get("GRAPHVEIL_DATA") or os.path.join(here, "../../../shared")
    path = os.path.normpath(os.path.join(root, "data/facebook100/Berkeley13/Berkeley13_year.npz"))
    if not os.path.exists(path):
        print(f"skipped: no {path}")
        return
    torch.set_num_threads(args.threads)
    ways = [TorchFunc]
    try:
        import opacus  # noqa: F401

        ways += [Opacus, OpacusGhost]
    except ImportError:
        pass
    ways.append(ByHand)

    graph = Graph(path)
    print(f"{args.threads} threads, {args.repeats} repeats, torch {torch.__version__}", flush=True)
    for method in methods:
        compare(method, graph, path, args, ways)


if __name__ == "__main__":
    main()
