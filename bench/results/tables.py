"""The experiments behind the pages: trains every method on real graphs and writes what came out to results/*.jsonl.

    python3 bench/results/tables.py [--ours build/release/graphveil] [--tables gap,node] [--graphs cora_ml] [--repeats 5]
    python3 bench/results/tables.py --list        # the commands, without running any
    scripts/pages                                 # then: writes the figures into README.md and docs/

A line of a result file is one number of a page with all that it takes to make it again (results/README.md). Lines that were run
replace theirs, others stay. Data below $GRAPHVEIL_DATA/data or ../shared/data; without it the script prints "skipped" (the citation
table generates its graph). Seeds are fixed, so the same program gives the same files. Python's standard library is all it needs.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.normpath(os.path.join(HERE, "../../results"))

FACEBOOK = ("Berkeley13", "Rutgers89")
SIX = {  # name: mean degree, for `auto`, protected degree (about the 90th percentile) and largest degree, taken as declared
    "cora_ml": (5.4, 11, 246),
    "coauthor_cs": (8.9, 19, 136),
    "coauthor_physics": (14.4, 30, 382),
    "amazon_computers": (35.8, 73, 2992),
    "Berkeley13": (71.5, 152, 1110),
    "musae_facebook": (15.2, 36, 709),
}
CHOSEN_ON = {"amazon_photo": (31.1, 60, 1434), "Rutgers89": (63.8, 131, 562), "cora": (3.9, 9, 168)}
EDGE_GRAPHS = {"Berkeley13": 5, "amazon_photo": 5, "amazon_computers": 5, "cora": 10, "chameleon": 10, "Rutgers89": 5,
               "actor": 5, "tolokers": 5}  # name: repeats
EDGE_METHODS = ("lap", "lpgnet", "gap-edp", "progap-edp", "mlp")
HETEROPHILOUS = ("chameleon", "actor", "tolokers")
PAPER = "--preset paper"
PROPAGATE = "--propagate 2 --alpha 0.25"
PAPERS_NOISE = "with the paper's noise"


def data_file(graph):
    """The file of a graph, below the data folder."""
    if graph in HETEROPHILOUS:
        return f"heterophilous/{graph}.npz"
    if graph == "citation":
        return "citation.gvg"
    return f"facebook100/{graph}/{graph}_year.npz" if graph[0].isupper() else f"{graph}/{graph}.npz"


def line(graph, words, flags, repeats, relation, epsilon=None, **more):
    """One experiment: `words` (method and options) are its name in a table, `flags` what all of its table have in common."""
    method, _, options = words.partition(" ")
    target = f"-e {epsilon} " if epsilon is not None else ""
    command = f"graphveil train {words} {target}{flags} --data {data_file(graph)} --seed 1 --repeats {repeats}"
    return {"graph": graph, "method": method, "options": options, "relation": relation, "epsilon": epsilon, **more,
            "accounting": more.get("accounting", "tight" if epsilon is not None else "none"), "repeats": repeats,
            "command": " ".join(command.split())}


def gap_table(repeats):
    """GAP and its baselines, 75/10/15."""
    for words, relation, epsilon in (
        (f"mlp {PAPER}", "edge", None),
        (f"gap-inf --hops 4 {PAPER}", None, None),
        *((f"gap-edp --relation {r} {p}".strip(), r, e)
          for p in (PAPER, "") for e, r in ((4, "edge"), (1, "edge"), (4, "undirected-edge"))),
        *((f"{m} --relation record {p}".strip(), "record", 8) for p in (PAPER, "") for m in ("mlp-dp", "gap-ndp")),
        ("sage-inf --public val", None, None),
        ("sage-edp", "undirected-edge", 4),
        ("sage-ndp --relation record", "record", 8),
    ):
        for graph in FACEBOOK:
            yield line(graph, words, "", 10, relation, epsilon)


def edge_table(repeats):
    """Methods at edge level, 75/10/15; cora also for undirected edges, and with its own split of 140 labels."""
    kinds = [(graph, None, "edge", "", times) for graph, times in EDGE_GRAPHS.items()]
    kinds += [("cora", "`undirected-edge`", "undirected-edge", "", 10),
              ("cora", "`undirected-edge`, 140 labels", "undirected-edge", "--split file", 10)]
    for graph, setting, relation, flags, times in kinds:
        more = {"setting": setting} if setting else {}
        for words in EDGE_METHODS:
            for epsilon in (1,) if words == "mlp" else (1, 4):  # mlp reads no edge: it is the same at every epsilon
                yield line(graph, words, f"--relation {relation} {flags}", times, relation, epsilon, **more)


def node_table(repeats, methods, relation):
    """80/20, three budgets."""
    for graph, (degree, protect, largest) in {**SIX, **CHOSEN_ON}.items():
        delta = 1e-4 if graph in ("cora_ml", "cora") else 1e-5
        for words in methods:
            words = words.format(degree=degree, k=protect, largest=largest)
            more = {"predictions": "record"} if "--own-edges predict" in words and relation == "node" else {}
            covered = "record" if "--relation record" in words else relation
            for epsilon in (1, 4, 8):
                yield line(graph, words, f"-d {delta:.0e}".replace("e-0", "e-") + " --split 80/0/20", repeats, covered, epsilon,
                           delta=delta, **more)


def whole_node_table(repeats):
    """Relation node: a node with all its edges."""
    return node_table(repeats, ("mlp-dp", "gap-ndp --protect-degree {k}", "progap-ndp --protect-degree {k}",
                                "sage-ndp --protect-degree {largest}",
                                "lap --protect-degree {k}", "lap --protect-degree {k} --own-edges predict",
                                "auto --protect-degree {k} --mean-degree {degree}"), "node")


def record_table(repeats):
    """Relation record: a node's own record, which is less."""
    return node_table(repeats, tuple(f"{words} --relation record" for words in
                                     ("gap-ndp", "lap", "lap --own-edges none", "auto --mean-degree {degree}")), "record")


def parameters_table(repeats):
    """Predictions read neighbors in the clear and are the holder's."""
    return node_table(repeats, (f"mlp-dp {PROPAGATE}",
                                f"lap {PROPAGATE} --share 0.6 --prior 8 --relation record", "dpgnn --preset linear --relation record",
                                "dpar-gm", "dpar-gm --lists self",
                                "auto --coverage parameters --protect-degree {k} --mean-degree {degree}"), "node")


def citation_table(repeats):
    """dpgnn on a generated graph, beside the same runs with the noise of the paper's bound and wholly as published."""
    gcn = "dpgnn --preset linear --relation record --steps 100 --rate-over-noise false --lr 40 --own-share 0.5 --inference-own 0.33"
    flags = "--split 54/18/28"
    for words, note in (
        ("mlp-dp", "predictions covered too"),
        ("gnn-inf", "no privacy"),
        (gcn, None),
        ("dpgnn --preset linear --max-degree 1 --relation record --arch gin --steps 200 --rate-over-noise false --lr 6", None),
        ("dpgnn --preset linear --max-degree 1 --relation record --arch gat --heads 2 --steps 100 --optimizer adam --lr 0.02 --feature-rows as-is", None),
        (f"{gcn} --setting inductive", None),
        (f"{gcn} --setting inductive --layers 2", None),
    ):
        more = {"note": note} if note else {}
        free = words.startswith("gnn-inf")
        relation = None if free else "record" if "--relation record" in words else "node"
        yield line("citation", words, flags, 3, relation, None if free else 8, column="accuracy", **more)
        if words.startswith("dpgnn"):
            # At the epsilon that is proven for the noise of the paper's bound, which the next line states.
            yield line("citation", words, f"-e E {flags}", 3, relation, None, column=PAPERS_NOISE, accounting="tight")
            yield line("citation", words, f"{flags} --accounting published", 3, relation, 8, column="as published",
                       accounting="published")


def privgnn_table(repeats):
    """A private graph beside a public one."""
    halves = "--private-nodes 2500 --public-nodes 6000 --public-test 3000"
    for words in ("privgnn", "pate-m --teacher ridge", "oneshot"):
        for epsilon in (1, 4, 16):
            yield line("amazon_computers", words, f"-d 1e-4 {halves}", repeats, "node", epsilon, delta=1e-4)
    for words in ("b1", "b2", "b3", "b4"):
        yield line("amazon_computers", words, halves, repeats, None, column="no guarantee")


HALVES = {"cora": "--private-nodes 1354 --public-nodes 1354 --public-test 754",
          "citeseer": "--private-nodes 1663 --public-nodes 1664 --public-test 1064"}


def gpl_table(repeats):
    """Half of the nodes private, of the public half 600 queries and the rest to test on."""
    for graph, halves in HALVES.items():
        for words in ("dp-gpl", "dp-gpl --student prompt", "dp-gpl-w", "prompt-dpsgd"):
            for epsilon in (2, 8):
                yield line(graph, words, halves, repeats, "record" if words == "dp-gpl-w" else "node", epsilon)
        for words in ("prompt-lb", "prompt-ft", "prompt-inf", "prompt-ens", "prompt-ub"):
            yield line(graph, words, halves, repeats, None)


TABLES = {"node": whole_node_table, "record": record_table, "parameters": parameters_table, "edge": edge_table, "gap": gap_table,
          "privgnn": privgnn_table, "gpl": gpl_table, "citation": citation_table}


def in_percent(measured):
    return round(100 * measured["mean"], 1), round(100 * measured["std"], 1)


class Runner:
    def __init__(self, program, data, threads):
        self.program, self.data, self.threads = program, data, threads

    def call(self, words):
        command = [self.program, *words, "--quiet", "--threads", str(self.threads)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)}: {result.stderr.strip()}")
        return result.stdout

    def train(self, line):
        words = line["command"].split()[1:]
        place = words.index("--data") + 1
        words[place] = os.path.join(self.data, words[place])
        if line.get("column") == PAPERS_NOISE:
            published = [*words, "--accounting", "published"]
            published[words.index("-e") + 1] = "8"
            words[words.index("-e") + 1] = str(json.loads(self.call([*published, "--json"]))["epsilon"])
        return json.loads(self.call([*words, "--json"]))

    def measure(self, line):
        """The line with its test accuracy in percent; of two classes with the ROC AUC too."""
        result = self.train(line)
        if line["method"] == "auto":
            line["chosen"] = result["method"]
        line["mean"], line["std"] = in_percent(result["test_accuracy"])
        if "test_roc_auc" in result:
            line["auc"], line["auc_std"] = in_percent(result["test_roc_auc"])
        line["command"] = line.pop("command")  # last in its line, where it is easiest to read past
        return line


def same_experiment(line):
    return tuple(line.get(name) for name in ("graph", "setting", "method", "options", "relation", "epsilon", "column"))


def merged(old, new, order):
    """Old lines, those that were run anew replaced, in the order of the table."""
    lines = {same_experiment(line): line for line in old + new}
    known = [same_experiment(line) for line in order]
    return [lines[key] for key in known if key in lines] + [line for key, line in lines.items() if key not in set(known)]


def write(name, new, order):
    path = os.path.join(RESULTS, name + ".jsonl")
    old = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = [json.loads(text) for text in file]
    with open(path, "w", encoding="utf-8") as file:
        for line in merged(old, new, order):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default="build/release/graphveil")
    parser.add_argument("--tables", default=",".join(TABLES), help="comma-separated")
    parser.add_argument("--graphs", default="", help="comma-separated: only these")
    parser.add_argument("--repeats", type=int, default=5, help="of the tables that do not say how many")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="prints the commands and runs none")
    args = parser.parse_args()
    data = os.path.join(os.environ.get("GRAPHVEIL_DATA") or os.path.join(HERE, "../../../shared"), "data")
    graphs = [graph for graph in args.graphs.split(",") if graph]
    for name in args.tables.split(","):
        if name not in TABLES:
            parser.error(f"there is no table '{name}'; there are {', '.join(TABLES)}")
        order = list(TABLES[name](args.repeats))
        wanted = [line for line in order if not graphs or line["graph"] in graphs]
        if args.list:
            print("\n".join(line["command"] for line in wanted))
            continue
        if name != "citation" and not os.path.isdir(data):
            print(f"{name}: skipped: no {os.path.normpath(data)}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            run = Runner(args.ours, folder if name == "citation" else data, args.threads)
            if name == "citation":
                path = os.path.join(folder, data_file("citation"))
                run.call(["data", "generate", path, "--preset", "citation", "--seed", "2"])
            for line in wanted:
                run.measure(line)
                print(f"{line['mean']:5.1f} ± {line['std']:.1f}  {line['command']}", flush=True)
                write(name, [line], order)


if __name__ == "__main__":
    main()
