"""One DP-Adam step of PyTorch with per-sample gradients beside ours, on the same bounded graph.

    python bench/peers/rooted_step.py --ours build/bench/bench_rooted_step [--threads 2] [--memory-gb 8] [--rounds 3]

The network is dpgnn's one-layer GCN: encoder 128-256, mean over a root and its sources, 256-256 with a skip, decoder
256-256-40, tanh. PyTorch pads the neighborhoods and maps grad over the samples (torch.func). Batches are doubled until
the next would not fit in the memory given; the time per root at the largest one that fits is compared with ours at
10,000 roots. Every batch size runs in a process of its own, whose peak memory is read when it ends. Needs torch, numpy.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time


def read(folder):
    import numpy as np

    def array(name, kind):
        return np.fromfile(os.path.join(folder, name), kind)

    offsets = array("offsets.i64", "int64")
    features = array("features.f32", "float32").reshape(len(offsets) - 1, -1)
    return offsets, array("sources.i32", "int32"), features, array("labels.i32", "int32"), array("train.i32", "int32")


def peer_step_seconds(folder, batch, threads, rounds):
    """Seconds of a step with `batch` roots, the fastest of a few."""
    import numpy as np
    import torch
    from torch.func import grad, vmap

    torch.set_num_threads(threads)
    offsets, sources, features, labels, train = read(folder)
    table = torch.from_numpy(features)
    width, latent, classes = features.shape[1], 256, int(labels.max()) + 1
    shapes = [(width, latent), (latent,), (latent, latent), (latent,), (latent, latent), (latent,), (latent, classes), (classes,)]
    weights = [(torch.randn(*s) * 0.05).requires_grad_() for s in shapes]
    adam = torch.optim.Adam(weights, 1e-3)

    def loss(w, rows, mask, label):
        encoded = torch.tanh(rows @ w[0] + w[1]) * mask[:, None]
        mean = encoded.sum(0) / mask.sum()
        hidden = torch.tanh(mean @ w[2] + w[3]) + mean
        scores = torch.tanh(hidden @ w[4] + w[5]) @ w[6] + w[7]
        return torch.nn.functional.cross_entropy(scores[None], label[None])

    per_sample = vmap(grad(loss), in_dims=(None, 0, 0, 0))
    random = np.random.default_rng(1)

    def step():
        roots = random.choice(train, batch, replace=False)
        lists = [np.concatenate(([v], sources[offsets[v] : offsets[v + 1]])) for v in roots]
        longest = max(len(one) for one in lists)
        nodes = np.zeros((batch, longest), "int64")
        mask = np.zeros((batch, longest), "float32")
        for i, one in enumerate(lists):
            nodes[i, : len(one)] = one
            mask[i, : len(one)] = 1
        rows = table[torch.from_numpy(nodes)]
        target = torch.from_numpy(labels[roots].astype("int64"))
        with torch.no_grad():
            gradients = per_sample([w.detach() for w in weights], rows, torch.from_numpy(mask), target)
            norms = torch.stack([g.flatten(1).norm(dim=1) for g in gradients]).norm(dim=0)
            factors = (1 / norms).clamp(max=1)
            for w, g in zip(weights, gradients):
                total = torch.einsum("i,i...->...", factors, g)
                w.grad = (total + torch.randn_like(total)) / batch
        adam.step()

    step()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory-gb", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--measure", nargs=2, metavar=("FOLDER", "BATCH"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        seconds = peer_step_seconds(args.measure[0], int(args.measure[1]), args.threads, args.rounds)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(json.dumps({"batch": int(args.measure[1]), "seconds": seconds, "peak_gb": peak}))
        return

    with tempfile.TemporaryDirectory() as folder:
        ours = json.loads(
            subprocess.run(
                [args.ours, "--threads", str(args.threads), "--seconds", str(args.seconds), "--export", folder],
                capture_output=True, text=True, check=True,
            ).stdout
        )
        print(f"ours: {ours['step_ms']:.0f} ms for {ours['batch']} roots, {ours['peak_memory_mb']:.0f} MB", flush=True)
        best, batch = None, 250
        while True:
            command = [sys.executable, __file__, "--measure", folder, str(batch), "--threads", str(args.threads),
                       "--rounds", str(args.rounds)]
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode != 0:
                break
            result = json.loads(run.stdout)
            print(f"torch.func: {1e3 * result['seconds']:.0f} ms for {batch} roots, {result['peak_gb']:.1f} GB", flush=True)
            if result["peak_gb"] > args.memory_gb:
                break
            best, batch = result, 2 * batch
    per_root = best["seconds"] / best["batch"]
    ours_per_root = 1e-3 * ours["step_ms"] / ours["batch"]
    print(f"per root at {best['batch']}: {1e6 * per_root:.0f} us against {1e6 * ours_per_root:.0f} us, {per_root / ours_per_root:.1f} times ours")


if __name__ == "__main__":
    main()
