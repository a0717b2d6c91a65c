"""DP-SGD steps of PyTorch (torch.func per-sample gradients, and Opacus) beside ours, in one run.

    python bench/peers/dp_step.py --ours build/bench/bench_training_step [--threads 1] [--seconds 2]

For every network and batch it runs our program and PyTorch in turn and prints the microseconds of one step and how
many times slower PyTorch is. A step is forward, backward, clipping to norm 1, noise and the SGD update. Times are lower
quartiles. Needs torch; Opacus is left out when it is not installed.
"""
import argparse
import json
import subprocess
import time

import torch
from torch.func import functional_call, grad, vmap


def network(widths):
    layers = []
    for i in range(len(widths) - 1):
        layers.append(torch.nn.Linear(widths[i], widths[i + 1]))
        if i + 2 < len(widths):
            layers.append(torch.nn.ReLU())
    return torch.nn.Sequential(*layers)


def quartile(step, seconds):
    step()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 8:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 4] * 1e6


def plain_step(model, x, y):
    optimizer = torch.optim.SGD(model.parameters(), 1e-3)
    loss = torch.nn.CrossEntropyLoss()

    def step():
        optimizer.zero_grad()
        loss(model(x), y).backward()
        optimizer.step()

    return step


def vmap_step(model, x, y):
    loss = torch.nn.CrossEntropyLoss()
    parameters = {name: p.detach() for name, p in model.named_parameters()}

    def sample_loss(p, one_x, one_y):
        return loss(functional_call(model, p, (one_x.unsqueeze(0),)), one_y.unsqueeze(0))

    per_sample = vmap(grad(sample_loss), in_dims=(None, 0, 0))

    def step():
        with torch.no_grad():
            gradients = per_sample(parameters, x, y)
            norms = torch.stack([g.flatten(1).norm(dim=1) for g in gradients.values()]).norm(dim=0)
            factors = (1.0 / norms).clamp(max=1.0)
            for name, g in gradients.items():
                total = torch.einsum("i,i...->...", factors, g)
                total += torch.randn_like(total)
                parameters[name] -= 1e-3 * total / len(x)

    return step


def opacus_step(model, x, y):
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    wrapped = GradSampleModule(model)
    optimizer = DPOptimizer(
        torch.optim.SGD(wrapped.parameters(), 1e-3), noise_multiplier=1.0, max_grad_norm=1.0, expected_batch_size=len(x)
    )
    loss = torch.nn.CrossEntropyLoss()

    def step():
        optimizer.zero_grad()
        loss(wrapped(x), y).backward()
        optimizer.step()

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    peers = {"torch.func": vmap_step}
    try:
        import opacus  # noqa: F401

        peers["opacus"] = opacus_step
    except ImportError:
        pass

    ours = subprocess.run(
        [args.ours, "--threads", str(args.threads), "--seconds", str(args.seconds)], capture_output=True, text=True, check=True
    ).stdout
    for line in ours.splitlines():
        mine = json.loads(line)
        widths = [int(w) for w in mine["widths"].split("-")]
        x = torch.randn(mine["batch"], widths[0])
        y = torch.randint(0, widths[-1], (mine["batch"],))
        sgd = quartile(plain_step(network(widths), x, y), args.seconds)
        print(
            f"{mine['widths']} batch {mine['batch']}: ours sgd {mine['sgd_us']:.0f} us, dp {mine['dp_us']:.0f} us "
            f"(x{mine['ratio']:.2f}); torch sgd {sgd:.0f} us ({sgd / mine['sgd_us']:.1f} times ours)",
            flush=True,
        )
        for name, make in peers.items():
            theirs = quartile(make(network(widths), x, y), args.seconds)
            print(f"    {name} dp {theirs:.0f} us: {theirs / mine['dp_us']:.1f} times ours", flush=True)


if __name__ == "__main__":
    main()
