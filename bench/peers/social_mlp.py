"""Full-batch training of an MLP 501-16-16-6 on the `social` preset: PyTorch beside ours, in one run.

    python bench/peers/social_mlp.py --ours build/bench/bench_social_mlp [--threads 1] [--seconds 5]

PyTorch gets the features as a dense matrix (its usual way) and as a sparse CSR matrix; the faster one counts.
Needs torch, numpy and scipy.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

import numpy as np
import torch


def quartile(step, seconds):
    step()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 8:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 4] * 1e6


def epoch(x, y, features, classes, sparse):
    first = torch.nn.Linear(features, 16)
    rest = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, classes))
    parameters = list(first.parameters()) + list(rest.parameters())
    optimizer = torch.optim.Adam(parameters, 0.01)
    loss = torch.nn.CrossEntropyLoss()

    def step():
        optimizer.zero_grad()
        h = torch.sparse.mm(x, first.weight.t()) + first.bias if sparse else first(x)
        loss(rest(h), y).backward()
        optimizer.step()

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "social.npz")
        output = subprocess.run(
            [args.ours, "--threads", str(args.threads), "--seconds", str(args.seconds), "--write", path],
            capture_output=True, text=True, check=True,
        ).stdout
        data = dict(np.load(path))
    mine = json.loads(output)
    n = mine["train_nodes"]
    indptr = torch.from_numpy(data["attr_indptr"].astype(np.int64))[: n + 1]
    entries = int(indptr[-1])
    sparse = torch.sparse_csr_tensor(
        indptr,
        torch.from_numpy(data["attr_indices"].astype(np.int64))[:entries],
        torch.from_numpy(data["attr_data"].astype(np.float32))[:entries],
        size=(n, mine["features"]),
    )
    labels = torch.from_numpy(data["labels"].astype(np.int64))[:n]
    classes = int(data["labels"].max()) + 1
    print(f"ours: {mine['epoch_us']:.0f} us per epoch, {args.threads} threads")
    for name, x, is_sparse in (("dense", sparse.to_dense(), False), ("sparse", sparse, True)):
        theirs = quartile(epoch(x, labels, mine["features"], classes, is_sparse), args.seconds)
        print(f"torch {name}: {theirs:.0f} us per epoch, {theirs / mine['epoch_us']:.1f} times ours", flush=True)


if __name__ == "__main__":
    main()
