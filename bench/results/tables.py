"""The tables of docs/results.md: trains every method on real graphs and prints mean test accuracies as Markdown.

    python bench/results/tables.py [--ours build/release/graphveil] [--tables gap,node] [--repeats 5] [--write docs/results.md]

Data below $GRAPHVEIL_DATA/data or ../shared/data; without it the script prints "skipped" (the citation table generates its
graph). --write puts them between the marks of that page. Everything runs with fixed seeds, so the same program gives the same tables. Python's standard library is all it needs.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

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
EPSILONS = ("1", "4", "8")
PAPER = "--preset paper"
PROPAGATE = "--propagate 2 --alpha 0.25"


def graph_path(root, name):
    if name in HETEROPHILOUS:
        return os.path.join(root, "data", "heterophilous", name + ".npz")
    folder = f"facebook100/{name}/{name}_year" if name[0].isupper() else f"{name}/{name}"
    return os.path.join(root, "data", folder + ".npz")


def accuracy(result):
    """In percent; of two classes the ROC AUC too."""
    text = f"{100 * result['test_accuracy']['mean']:.1f} ± {100 * result['test_accuracy']['std']:.1f}"
    if "test_roc_auc" in result:
        text += f"; AUC {100 * result['test_roc_auc']['mean']:.1f} ± {100 * result['test_roc_auc']['std']:.1f}"
    return text


class Runner:
    def __init__(self, program, root, repeats, threads, graphs):
        self.program, self.root, self.repeats, self.threads, self.graphs = program, root, repeats, threads, graphs

    def call(self, *words):
        command = [self.program, *words, "--quiet", "--threads", str(self.threads)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)}: {result.stderr.strip()}")
        return result.stdout

    def train(self, path, words, repeats=None):
        repeats = str(repeats or self.repeats)
        return json.loads(self.call("train", *words.split(), "--data", path, "--seed", "1", "--json", "--repeats", repeats))

    def cell(self, graph, words, repeats=None):
        """mean +- deviation of the test accuracy in percent."""
        return accuracy(self.train(graph_path(self.root, graph), words, repeats))

    def row(self, title, cells, columns=None):
        say(f"| {title} |", end="")
        for graph, words, repeats in cells:
            say(f" {self.cell(graph, words, repeats)} |", end="")
        say(" |" * ((columns or len(cells)) - len(cells)))


PRINTED = []  # the table under way


def say(text, end="\n"):
    print(text, end=end, flush=True)
    PRINTED.append(text + end)


def put(page, name, table):
    """The table between its marks."""
    with open(page) as file:
        text = file.read()
    begin, end = f"<!-- table: {name} -->\n", "<!-- end -->"
    start = text.index(begin) + len(begin)
    with open(page, "w") as file:
        file.write(text[:start] + table.strip("\n") + "\n" + text[text.index(end, start):])


def header(*titles):
    say("\n| " + " | ".join(titles) + " |")
    say("|" + " --- |" * len(titles))


def gap_table(run):
    """GAP and its baselines, 75/10/15, 10 repeats."""
    header("method", *FACEBOOK)
    for words in (
        f"mlp {PAPER}",
        f"gap-inf --hops 4 {PAPER}",
        *(f"gap-edp -e {e} --relation {r} {p}".strip()
          for p in (PAPER, "") for e, r in (("4", "edge"), ("1", "edge"), ("4", "undirected-edge"))),
        *(f"{m} -e 8 --relation record {p}".strip() for p in (PAPER, "") for m in ("mlp-dp", "gap-ndp")),
        "sage-inf --public val",
        "sage-edp -e 4",
        "sage-ndp -e 8 --relation record",
    ):
        run.row(f"`{words}`", [(graph, words, 10) for graph in FACEBOOK])


def edge_table(run):
    """Methods at edge level, 75/10/15; cora also for undirected edges, and with its own split of 140 labels."""
    header("graph", "method", "ε = 1", "ε = 4")
    kinds = [(graph, graph, "--relation edge", repeats) for graph, repeats in EDGE_GRAPHS.items()]
    kinds += [("cora, `undirected-edge`", "cora", "--relation undirected-edge", 10),
              ("cora, `undirected-edge`, 140 labels", "cora", "--relation undirected-edge --split file", 10)]
    for title, graph, how, repeats in kinds:
        if run.graphs and graph not in run.graphs:
            continue
        for words in EDGE_METHODS:
            epsilons = ("1",) if words == "mlp" else ("1", "4")  # mlp reads no edge: the same at every epsilon
            run.row(f"{title} | `{words}`", [(graph, f"{words} -e {e} {how}", repeats) for e in epsilons], 2)


def node_words(graph, words, epsilon):
    delta = "1e-4" if graph in ("cora_ml", "cora") else "1e-5"
    return f"{words} -e {epsilon} -d {delta} --split 80/0/20"


def node_table(run, methods):
    """80/20, five seeds, three budgets."""
    header("graph", "method", *(f"ε = {e}" for e in EPSILONS))
    for graph, (degree, protect, largest) in {**SIX, **CHOSEN_ON}.items():
        if run.graphs and graph not in run.graphs:
            continue
        for words in methods:
            words = words.format(degree=degree, k=protect, largest=largest)
            run.row(f"{graph} | `{words}`", [(graph, node_words(graph, words, e), None) for e in EPSILONS])


def whole_node_table(run):
    """Relation node: a node with all its edges."""
    node_table(run, ("mlp-dp", "gap-ndp --protect-degree {k}", "progap-ndp --protect-degree {k}",
                     "sage-ndp --protect-degree {largest}",
                     "lap --protect-degree {k}", "lap --protect-degree {k} --own-edges predict",
                     "auto --protect-degree {k} --mean-degree {degree}"))


def record_table(run):
    """Relation record: a node's own record, which is less."""
    node_table(run, tuple(f"{words} --relation record" for words in
                          ("gap-ndp", "lap", "lap --own-edges none", "auto --mean-degree {degree}")))


def parameters_table(run):
    """Predictions read neighbors in the clear and are the holder's."""
    node_table(run, (f"mlp-dp {PROPAGATE}",
                     f"lap {PROPAGATE} --share 0.6 --prior 8 --relation record", "dpgnn --relation record", "dpar-gm",
                     "auto --coverage parameters --protect-degree {k} --mean-degree {degree}"))


CITATION = "-e 8 --split 54/18/28"
GCN = "dpgnn --relation record --steps 100 --rate-over-noise false --lr 40 --own-share 0.5 --inference-own 0.33"


def citation_table(run):
    """dpgnn on a generated graph, beside the same runs with the noise of the paper's bound and wholly as published."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "citation.gvg")
        run.call("data", "generate", path, "--preset", "citation", "--seed", "2")
        header("method", "accuracy", "with the paper's noise", "as published")
        for words in (
            "mlp-dp",
            "gnn-inf",
            "gnn-inf --layers 2",
            "gnn-inf --layers 2 --linear true --encoder-layers 0 --decoder-layers 0 --own-share 0.33",
            GCN,
            "dpgnn --relation record --arch gin --steps 200 --rate-over-noise false --lr 6",
            "dpgnn --relation record --arch gat --heads 2 --steps 100 --optimizer adam --lr 0.02 --feature-rows as-is",
            f"{GCN} --setting inductive",
            f"{GCN} --setting inductive --layers 2",
        ):
            cells = [accuracy(run.train(path, f"{words} {CITATION}", 3))]
            if words.startswith("dpgnn"):
                published = run.train(path, f"{words} {CITATION} --accounting published", 3)
                same_noise = f"{words} {CITATION}".replace("-e 8", f"-e {published['epsilon']}")
                cells += [accuracy(run.train(path, same_noise, 3)), accuracy(published)]
            say(f"| `{words}` | " + " | ".join(cells + [""] * (3 - len(cells))) + " |")


TWO_GRAPHS = "-d 1e-4 --private-nodes 2500 --public-nodes 6000 --public-test 3000"


def privgnn_table(run):
    """A private graph beside a public one."""
    header("method", "ε = 1", "ε = 4", "ε = 16")
    for words in ("privgnn", "pate-m --teacher ridge", "oneshot"):
        run.row(f"`{words}`", [("amazon_computers", f"{words} -e {e} {TWO_GRAPHS}", None) for e in ("1", "4", "16")])
    for words in ("b1", "b2", "b3", "b4"):
        run.row(f"`{words}`", [("amazon_computers", f"{words} {TWO_GRAPHS}".replace("-d 1e-4 ", ""), None)])


HALVES = {"cora": "--private-nodes 1354 --public-nodes 1354 --public-test 754",
          "citeseer": "--private-nodes 1663 --public-nodes 1664 --public-test 1064"}


def gpl_table(run):
    """Half of the nodes private, of the public half 600 queries and the rest to test on."""
    header("graph", "method", "ε = 2", "ε = 8", "without noise")
    for graph, halves in HALVES.items():
        if run.graphs and graph not in run.graphs:
            continue
        for words in ("dp-gpl", "dp-gpl --student prompt", "dp-gpl-w", "prompt-dpsgd"):
            run.row(f"{graph} | `{words}`", [(graph, f"{words} -e {e} {halves}", None) for e in ("2", "8")], 3)
        for words in ("prompt-lb", "prompt-ft", "prompt-inf", "prompt-ens", "prompt-ub"):
            say(f"| {graph} | `{words}` | | | {run.cell(graph, f'{words} {halves}')} |")


TABLES = {"privgnn": privgnn_table, "gpl": gpl_table, "gap": gap_table, "edge": edge_table, "node": whole_node_table, "record": record_table, "parameters": parameters_table,
          "citation": citation_table}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default="build/release/graphveil")
    parser.add_argument("--tables", default=",".join(TABLES), help="comma-separated")
    parser.add_argument("--repeats", type=int, default=5, help="of the tables that do not say 10")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--graphs", default="", help="comma-separated: of the node-level tables only these")
    parser.add_argument("--write", help="page with marks <!-- table: NAME --> and <!-- end --> around each table")
    args = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.normpath(os.environ.get("GRAPHVEIL_DATA") or os.path.join(here, "../../../shared"))
    run = Runner(args.ours, root, args.repeats, args.threads, [g for g in args.graphs.split(",") if g])
    for name in args.tables.split(","):
        if name not in TABLES:
            parser.error(f"there is no table '{name}'; there are {', '.join(TABLES)}")
        print(f"\n## {name}")
        PRINTED.clear()
        if name != "citation" and not os.path.isdir(os.path.join(root, "data")):
            print(f"skipped: no {root}/data")
            continue
        TABLES[name](run)
        if args.write:
            put(args.write, name, "".join(PRINTED))


if __name__ == "__main__":
    main()
