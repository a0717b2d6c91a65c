"""PrivGNN's GraphSAGE teachers in PyTorch beside ours, on the same subgraphs.

    python bench/peers/teachers.py --ours build/bench/bench_teachers --data GRAPH [--threads 2] [--teachers 20]

A teacher: 2 layers of x W + mean over neighbors(x) W' + b, hidden 64, batch norm, ReLU and dropout 0.5 between them, Adam
0.01, 200 epochs, about 750 records. PyTorch trains them one after the other with all threads, in two ways: `gather` averages
the neighbors' raw features before the product, as PyTorch Geometric's SAGEConv does; `sparse` multiplies first and averages by
torch.sparse.mm, the faster order. Prints seconds per teacher, of the clock and of the processors. Needs torch.
"""
import argparse
import array
import json
import os
import subprocess
import tempfile
import time


def read(path, kind, code):
    import torch

    values = array.array(code)
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return torch.frombuffer(values, dtype=kind).clone()


def train(folder, way, epochs=200):
    import torch
    from torch import nn

    offsets = read(os.path.join(folder, "offsets.i64"), torch.int64, "q")
    sources = read(os.path.join(folder, "sources.i32"), torch.int32, "i").long()
    labels = read(os.path.join(folder, "labels.i32"), torch.int32, "i").long()
    x = read(os.path.join(folder, "features.f32"), torch.float32, "f").reshape(len(labels), -1)
    degrees = offsets[1:] - offsets[:-1]
    targets = torch.repeat_interleave(torch.arange(len(labels)), degrees)
    weights = 1 / degrees.clamp(min=1).float()
    mean = torch.sparse_csr_tensor(offsets, sources, weights[targets], (len(labels), len(labels)))

    class Sage(nn.Module):
        def __init__(self, width, out):
            super().__init__()
            self.own, self.neighbors = nn.Linear(width, out), nn.Linear(width, out, bias=False)

        def forward(self, h):
            if way == "sparse":
                return self.own(h) + torch.sparse.mm(mean, self.neighbors(h))
            total = torch.zeros_like(h).index_add_(0, targets, h[sources])
            return self.own(h) + self.neighbors(total * weights[:, None])

    classes = int(labels.max()) + 1
    model = nn.Sequential(Sage(x.shape[1], 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.5), Sage(64, classes))
    adam = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(epochs):
        adam.zero_grad()
        nn.functional.cross_entropy(model(x), labels).backward()
        adam.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default="build/bench/bench_teachers")
    parser.add_argument("--data", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--teachers", type=int, default=20)
    args = parser.parse_args()
    import torch

    torch.set_num_threads(args.threads)
    with tempfile.TemporaryDirectory() as folder:
        command = [args.ours, args.data, "--threads", str(args.threads), "--teachers", str(args.teachers), "--export", folder]
        lines = [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]
        ours = lines[-1]
        print(f"ours: {ours['seconds'] / args.teachers:.3f} s a teacher, {ours['cpu_seconds'] / args.teachers:.3f} s of processors")
        for way in ("gather", "sparse"):
            train(os.path.join(folder, "0"), way, 5)
            clock, processors = time.perf_counter(), time.process_time()
            for t in range(args.teachers):
                train(os.path.join(folder, str(t)), way)
            clock, processors = time.perf_counter() - clock, time.process_time() - processors
            print(f"PyTorch {way}: {clock / args.teachers:.3f} s a teacher, {processors / args.teachers:.3f} s of processors;"
                  f" {clock / ours['seconds']:.1f} and {processors / ours['cpu_seconds']:.1f} times ours", flush=True)


if __name__ == "__main__":
    main()
