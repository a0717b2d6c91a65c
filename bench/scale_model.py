"""Measured runs beside `graphveil plan`: for bench/scale."""
import json
import os
import subprocess
import time

# One thread, from small to large; every other one is left out of a fit, and tells how good it is.
PRESETS = [("citation", 60_000), ("social", 100_000), ("citation", 169_343), ("social", 400_000), ("products", 400_000)]
METHODS = [("lap", []), ("mlp-dp", []), ("gap-edp", []), ("gap-ndp", []), ("lap", ["--relation", "undirected-edge"])]
LARGEST_AT_EDGE_LEVEL = 100_000  # lap trains many classifiers there
PARTS = ["reading", "sums over neighbors", "noise and rows", "samples", "own products", "products"]


def answer(words):
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def graph_of(program, folder, preset, nodes):
    path = os.path.join(folder, f"{preset}-{nodes}.gvg")
    if not os.path.exists(path):
        subprocess.run([program, "data", "generate", path, "--preset", preset, "--nodes", str(nodes), "--seed", "1",
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return path


def forecast(program, method, options, path, ranks=1, threads=1):
    """What `plan` says of a run on this graph."""
    info = answer([program, "data", "info", path, "--json"])
    words = [program, "plan", method, "--nodes", info["nodes"], "--edges", info["edges"], "--features", info["features"],
             "--row-entries", info["feature_entries"] / info["nodes"], "--classes", info["classes"], "--ranks", ranks, "--rank-threads",
             threads, "--json", *options]
    return answer([str(word) for word in words])


def measured(words):
    """Exit code, wall clock and resources of a command."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, usage


def amounts(plan):
    """How much of each part a run has, in the order of PARTS; bytes, terms, numbers, rows, multiply-adds."""
    work = plan["work"]
    return [plan["file_bytes"], work["edge_terms"], work["noise"], work["samples"], work["own_products"], work["products"]]


def non_negative_fit(rows, seconds, rounds=20_000):
    """Costs, none below zero, that miss the seconds by the least sum of squared shares: by coordinate descent."""
    scaled = [[amount / second for amount in row] for row, second in zip(rows, seconds)]
    costs = [0.0] * len(rows[0])
    left = [1.0] * len(rows)
    norms = [sum(row[i] ** 2 for row in scaled) for i in range(len(costs))]
    for _ in range(rounds):
        for i, norm in enumerate(norms):
            if norm == 0:
                continue
            new = max(0.0, costs[i] + sum(row[i] * miss for row, miss in zip(scaled, left)) / norm)
            if new != costs[i]:
                left = [miss - (new - costs[i]) * row[i] for row, miss in zip(scaled, left)]
                costs[i] = new
    return costs


def model(program, folder, fit):
    """Prints measured and forecast seconds and memory of every run; with `fit` the costs that suit them best."""
    start = 0.05  # seconds of the program, calibration included
    rows, seconds = [], []
    print(f"{'graph':<18} {'run':<28} {'CPU s':>7} {'plan s':>7} {'ratio':>6} {'peak MB':>8} {'plan MB':>8}", flush=True)
    for preset, nodes in PRESETS:
        path = graph_of(program, folder, preset, nodes)
        for method, options in METHODS:
            if method == "lap" and options and nodes > LARGEST_AT_EDGE_LEVEL:
                continue
            options = ["--epsilon", "2", *options]
            plan = forecast(program, method, options, path)
            out = os.path.join(folder, "run")
            code, _, usage = measured([program, "train", method, "--data", path, "--threads", 1, "--quiet", "--out", out,
                                       *options])
            subprocess.run(["rm", "-rf", out], check=True)
            if code != 0:
                return 2
            cpu = usage.ru_utime + usage.ru_stime
            print(f"{preset + '-' + str(nodes):<18} {method + ' ' + ' '.join(options[2:]):<28} {cpu:7.2f} "
                  f"{plan['seconds']:7.2f} {plan['seconds'] / cpu:6.2f} {usage.ru_maxrss / 1024:8.0f} "
                  f"{plan['memory_bytes'] / 2**20:8.0f}", flush=True)
            rows.append(amounts(plan))
            seconds.append(max(cpu - start, 0.01))
    if fit:
        for name, used in (("all runs", slice(None)), ("every other run", slice(0, None, 2))):
            costs = non_negative_fit(rows[used], seconds[used])
            misses = [abs(sum(a * c for a, c in zip(row, costs)) / second - 1) for row, second in zip(rows, seconds)]
            print(f"fitted to {name}: " + ", ".join(f"{part} {1e9 * cost:.3g} ns" for part, cost in zip(PARTS, costs)) +
                  f"; off by {100 * sum(misses) / len(misses):.0f}% on average, {100 * max(misses):.0f}% at most")
    return 0


def threads(program, folder, counts):
    """Prints seconds of lap and gap-edp on so many threads: of training, and of the command beside it."""
    path = graph_of(program, folder, "products", 1_790_731)
    print(f"{'run':<10} {'threads':>7} {'wall s':>8} {'training s':>10} {'beside it':>9} {'times faster':>12}", flush=True)
    for method in ("lap", "gap-edp"):
        first = None
        for count in counts:
            out = os.path.join(folder, "run")
            begin = time.monotonic()
            said = answer([program, "train", method, "--data", path, "--epsilon", "2", "--threads", str(count), "--quiet",
                           "--json", "--out", out])
            seconds = time.monotonic() - begin
            subprocess.run(["rm", "-rf", out], check=True)
            first = first or seconds
            trained = said["seconds"]["train"]
            print(f"{method:<10} {count:7d} {seconds:8.2f} {trained:10.2f} {1 - trained / seconds:9.0%} "
                  f"{first / seconds:12.2f}", flush=True)
    return 0
