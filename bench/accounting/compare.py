#!/usr/bin/env python3
"""Compares the accountant with Google's dp_accounting on random ledgers: epsilon and time, in one run.

    PYTHON_WITH_DP_ACCOUNTING bench/accounting/compare.py build/bench/account_cases [--cases 200] [--seed 1]
        [--golden CASES.json]

Needs `pip install dp-accounting`. Exits 1 when a case is more than 0.1 % away or more than 0.05 % below.
"""
import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
import time

import dp_accounting
from dp_accounting import pld


def random_event(rng):
    if rng.random() < 0.75:
        mechanism = {"kind": "gaussian", "noise_multiplier": math.exp(rng.uniform(math.log(0.5), math.log(30)))}
    else:
        mechanism = {"kind": "laplace", "noise_multiplier": math.exp(rng.uniform(math.log(0.7), math.log(30)))}
    if rng.random() < 0.7:
        sampling = {"kind": "poisson", "rate": math.exp(rng.uniform(math.log(1e-3), math.log(0.5)))}
    else:
        sampling = {"kind": "none"}
    return {"mechanism": mechanism, "sampling": sampling, "count": round(math.exp(rng.uniform(0, math.log(20000))))}


def random_case(rng):
    events = [random_event(rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    return {"events": events, "delta": 10 ** rng.uniform(-10, -3)}


def roughly(case):
    """Standard deviation of the total loss: keeps the draw to epsilons people use."""
    total = 0
    for event in case["events"]:
        rate = event["sampling"].get("rate", 1)
        noise = event["mechanism"]["noise_multiplier"]
        total += event["count"] * rate**2 * math.expm1(min(1 / noise**2, 50))
    return math.sqrt(total)


def google_event(event):
    noise = event["mechanism"]["noise_multiplier"]
    kind = dp_accounting.GaussianDpEvent if event["mechanism"]["kind"] == "gaussian" else dp_accounting.LaplaceDpEvent
    one = kind(noise)
    if event["sampling"]["kind"] == "poisson":
        one = dp_accounting.PoissonSampledDpEvent(event["sampling"]["rate"], one)
    return dp_accounting.SelfComposedDpEvent(one, event["count"])


def google(case, interval=1e-4):
    start = time.perf_counter()
    accountant = pld.PLDAccountant(value_discretization_interval=interval)
    for event in case["events"]:
        accountant.compose(google_event(event))
    epsilon = accountant.get_epsilon(case["delta"])
    return epsilon, 1e3 * (time.perf_counter() - start)


def ours(program, cases):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(cases, file)
        file.flush()
        lines = subprocess.run([program, file.name], check=True, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def known_to_google(case):
    return all(
        e["mechanism"]["kind"] in ("gaussian", "laplace") and e["sampling"]["kind"] in ("none", "poisson")
        for e in case["events"]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--golden")
    parser.add_argument("--fine", type=float, default=1e-5)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    rng = random.Random(options.seed)
    cases = []
    while len(cases) < options.cases:
        case = random_case(rng)
        if 0.02 < roughly(case) < 8:
            cases.append(case)
    answers = ours(options.program, cases)
    above, below, speed_ups, slowest = 0.0, 0.0, [], 0.0
    for case, answer in zip(cases, answers):
        epsilon, milliseconds = google(case)
        if epsilon < 1e-3:
            continue
        # Its lattice is coarse for many small losses; where the two differ, ask it again on a finer one (not timed).
        if not -1e-4 <= answer["epsilon"] / epsilon - 1 <= 5e-4:
            epsilon = google(case, options.fine)[0]
        error = answer["epsilon"] / epsilon - 1
        above, below = max(above, error), min(below, error)
        speed_ups.append(milliseconds / answer["milliseconds"])
        slowest = max(slowest, answer["milliseconds"])
        if options.verbose:
            print(f"{error:+.1e} {answer['milliseconds']:8.2f} ms  peer {milliseconds:8.1f} ms", json.dumps(case))
        if not -5e-4 <= error <= 1e-3:
            print("off by", error, "epsilon", epsilon, json.dumps(case))
    mean = math.exp(sum(map(math.log, speed_ups)) / len(speed_ups))
    print(f"{len(speed_ups)} random cases: at most {above:.2e} above, {-below:.2e} below")
    print(f"speed-up: geometric mean {mean:.1f}, least {min(speed_ups):.1f}; our slowest case {slowest:.2f} ms")
    if options.golden:
        golden = json.load(open(options.golden))
        speed_ups = []
        for case, answer in zip(golden, ours(options.program, golden)):
            error = answer["epsilon"] / case["epsilon"] - 1
            peer = google(case)[1] if known_to_google(case) else None
            if peer:
                speed_ups.append(peer / answer["milliseconds"])
            peer = f"{peer:9.2f} ms" if peer else "-"
            print(f"golden {case['epsilon']:10.6f}  error {error:+.1e}  {answer['milliseconds']:7.3f} ms  peer {peer}")
        mean = math.exp(sum(map(math.log, speed_ups)) / len(speed_ups))
        print(f"golden speed-up: geometric mean {mean:.1f}")
    return 0 if above <= 1e-3 and below >= -5e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
