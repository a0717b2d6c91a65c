"""Rows of results/reproduce/ say what they must, and scripts/reproduce and scripts/pages treat them as documented."""
import importlib.machinery
import importlib.util
import os
import shlex
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.dont_write_bytecode = True


def script(name):
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(ROOT, "scripts", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


reproduce, pages = script("reproduce"), script("pages")
FIELDS = {"paper", "row", "measures", "percent", "paper_mean", "paper_std", "graph", "stands_in_for", "generate", "published", "sound",
          "why", "explained", "ablation", "each"}
SIDE_FIELDS = {"command", "minus", "measures", "relation", "epsilon", "delta", "mean", "std", "repeats", "commit", "note", "each", "cpu_seconds"}


def row_of(**changes):
    return {"paper": "gap", "row": "Table 2", "measures": "test_accuracy", "paper_mean": 76.3, "paper_std": 0.2, "graph": "cora",
            "stands_in_for": None, "published": {"command": "graphveil train mlp --data cora/cora.npz -r 5", "mean": 75.0, "std": 1.0,
                                                 "repeats": 5}, "sound": None, "why": "", "explained": "", **changes}


class Rows(unittest.TestCase):
    def test_every_row_has_its_fields(self):
        names = sorted(os.listdir(os.path.join(ROOT, "results/reproduce")))
        self.assertEqual(names, sorted(paper + ".jsonl" for paper in reproduce.PAPERS))
        for paper in reproduce.PAPERS:
            rows = reproduce.read_rows(ROOT, paper)
            titles = [(row["row"], row["graph"]) for row in rows]
            self.assertEqual(len(titles), len(set(titles)), [title for title in titles if titles.count(title) > 1])
            for row in rows:
                with self.subTest(paper=paper, row=row["row"]):
                    self.assertEqual(row["paper"], paper)
                    self.assertLessEqual(set(row), FIELDS)
                    self.assertLessEqual(FIELDS - {"percent", "generate", "ablation", "each"}, set(row))
                    self.assertIsInstance(row.get("generate", []), list)
                    for side in reproduce.sides(row):
                        self.assertLessEqual(set(side), SIDE_FIELDS)
                        self.assertTrue(side["command"].startswith("graphveil "))
                        self.assertEqual("${each}" in side["command"], "each" in row)
                        # What a run would take is said of what was not run.
                        self.assertFalse(side.get("cpu_seconds") and side["mean"] is not None)
                        self.assertEqual(len(side.get("each", row.get("each", []))), len(row.get("each", [])))
                    if row["sound"]:
                        self.assertLessEqual({"relation", "epsilon", "delta"}, set(row["sound"]))
                        self.assertNotIn("published", shlex.split(row["sound"]["command"]))

    def test_links_to_experiments_lead_to_a_heading(self):
        for paper in reproduce.PAPERS:
            for row in reproduce.read_rows(ROOT, paper):
                if not row["explained"]:
                    continue
                page, _, anchor = row["explained"].partition("#")
                with open(os.path.join(ROOT, "docs", page), encoding="utf-8") as file:
                    headings = [line.lstrip("# ").strip() for line in file if line.startswith("#")]
                anchors = {"".join(c for c in heading.lower().replace(" ", "-") if c.isalnum() or c in "-_") for heading in headings}
                self.assertIn(anchor, anchors, row["explained"])


class QuickForm(unittest.TestCase):
    def test_small_graph_few_repeats(self):
        self.assertEqual(reproduce.quick_form("graphveil train gap-edp --data cora/cora.npz -e 4 -r 5"),
                         "graphveil train gap-edp --data small.gvg -e 4 -r 1 --quick".split())

    def test_public_part_and_generated_graph(self):
        self.assertEqual(reproduce.quick_form("graphveil train privgnn --data a.gvg --private-nodes 2500"),
                         "graphveil train privgnn --data a.gvg --private-nodes 120 --quick".split())
        self.assertEqual(reproduce.quick_form("graphveil data generate a.gvg --preset citation --nodes 60000"),
                         "graphveil data generate a.gvg --preset citation --nodes 400".split())
        self.assertEqual(reproduce.quick_form("graphveil pretrain b.gvb --data c.npz --epochs 300"),
                         "graphveil pretrain b.gvb --data small.gvg --epochs 2".split())


    def test_a_split_of_its_own_has_a_graph_with_one(self):
        self.assertEqual(reproduce.quick_form("graphveil train dpar-em0 --split file --data clusters/cora_ml-4.npz -s 1"),
                         "graphveil train dpar-em0 --split file --data split.npz -s 1 --quick".split())

    def test_every_value_of_a_row_is_a_command(self):
        row = row_of(each=["a", "b"], published={"command": "graphveil train mlp --data ${each}/${each}.npz", "minus": "graphveil ${each}"})
        self.assertEqual(reproduce.commands_of(row), ["graphveil train mlp --data a/a.npz", "graphveil a",
                                                      "graphveil train mlp --data b/b.npz", "graphveil b"])


class Clusters(unittest.TestCase):
    def test_another_split_and_all_else(self):
        clusters = script("clusters")
        with tempfile.TemporaryDirectory() as folder:
            source, stem = os.path.join(folder, "g.npz"), os.path.join(folder, "c")
            with zipfile.ZipFile(source, "w") as file:
                file.writestr("labels.npy", b"labels")
                file.writestr("idx_train.npy", b"old")
            clusters.write_clusters(source, [0, 1, 2, 3, 4, 5, 6, 7, 8, 8], stem)
            with zipfile.ZipFile(stem + "-8.npz") as file:
                self.assertEqual(sorted(file.namelist()), ["idx_test.npy", "idx_train.npy", "labels.npy"])
                self.assertEqual(file.read("labels.npy"), b"labels")
                for part, ids in (("train", [1, 2, 3, 4, 5, 6, 7]), ("test", [8, 9])):
                    array = file.read(f"idx_{part}.npy")
                    head = 10 + struct.unpack("<H", array[8:10])[0]
                    self.assertEqual(head % 64, 0)
                    self.assertIn(f"'shape': ({len(ids)},)".encode(), array[:head])
                    self.assertEqual(struct.unpack(f"<{len(ids)}q", array[head:]), tuple(ids))

    def test_kept_clusters_are_of_like_size(self):
        for graph, nodes in (("cora_ml", 2995), ("coauthor_cs", 18333), ("coauthor_physics", 34493)):
            with open(os.path.join(ROOT, "results/clusters", graph + ".txt"), encoding="utf-8") as file:
                digits = "".join(file.read().split())
            self.assertEqual(len(digits), nodes)
            sizes = [digits.count(str(k)) for k in range(9)]
            self.assertEqual(sum(sizes), nodes)
            self.assertLess(max(sizes), 1.04 * nodes / 9)


class Agreement(unittest.TestCase):
    def test_three_points_or_two_deviations(self):
        self.assertTrue(pages.agrees(row_of(paper_mean=78.0)))
        self.assertFalse(pages.agrees(row_of(paper_mean=78.1)))
        self.assertTrue(pages.agrees(row_of(paper_mean=79.0, paper_std=2.0)))
        self.assertIsNone(pages.agrees(row_of(published={"command": "graphveil", "mean": None, "std": None, "repeats": None})))

    def test_numbers_that_are_no_percentages(self):
        ours = {"command": "graphveil", "mean": 8.7, "std": None, "repeats": 1}
        self.assertTrue(pages.agrees(row_of(measures="epsilon", paper_mean=8.54, paper_std=None, published=ours)))
        self.assertFalse(pages.agrees(row_of(measures="epsilon", paper_mean=8.3, paper_std=None, published=ours)))

    def test_a_difference_wants_a_sentence(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "results/reproduce"))
            for why, said in (("", "no sentence says why"), ("Another graph.", None)):
                reproduce.write_rows(os.path.join(root, "results/reproduce"), "gap", [row_of(paper_mean=90.0, why=why)])
                if said:
                    with self.assertRaisesRegex(pages.Wrong, said):
                        pages.reproduce_table(root)
                else:
                    self.assertIn("Another graph.", pages.reproduce_table(root))

    def test_counts_tell_explained_from_unexplained(self):
        not_run = {"command": "graphveil", "mean": None, "std": None, "repeats": None}
        rows = [row_of(), row_of(paper_mean=90.0, why="Another graph."), row_of(paper_mean=90.0, why="Noise.", explained="gap.md#noise"),
                row_of(published=not_run), row_of(paper_mean=90.0, why="No row of the paper.", ablation=True)]
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "results/reproduce"))
            reproduce.write_rows(os.path.join(root, "results/reproduce"), "gap", rows)
            self.assertIn("| GAP | 4 | 1 | 0 | 1 | 1 | 1 |", pages.reproduce_counts(root))

    def test_rows_of_several_graphs(self):
        parts = [{"mean": 76.0, "std": 1.0, "repeats": 5}, {"mean": 64.0, "std": 1.0, "repeats": 5}]
        rows = [row_of(each=["a", "b"], stands_in_for="c", published={"command": "graphveil train mlp --data ${each}.npz", "mean": 70.0,
                                                                    "std": 6.4, "repeats": 10, "each": parts})]
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "results/reproduce"))
            reproduce.write_rows(os.path.join(root, "results/reproduce"), "gap", rows)
            counts = pages.reproduce_counts(root)
            self.assertIn("| GAP | 1 | 1 | 1 | 0 | 0 | 0 |", counts)
            self.assertIn("GAP has 2 rows, of which 1 agree and 1 differ.", counts)
            self.assertIn("| Table 2 | 76.3 ± 0.2 | 76.0 ± 1.0 | 64.0 ± 1.0 | 70.0 ± 6.4 |", pages.reproduce_each(root, "gap"))
            self.assertIn("for each in a b; do graphveil train mlp --data ${each}.npz; done", pages.reproduce_commands(root, "gap"))


class Runs(unittest.TestCase):
    """Against a program whose `sweep` finds the accuracies that the methods' names ask for."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name
        os.makedirs(os.path.join(self.root, "results/reproduce"))
        self.program = os.path.join(self.root, "program")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(f"""#!{sys.executable}
import json, os, sys
assert sys.argv[1] == "sweep", sys.argv
out = sys.argv[sys.argv.index("--out") + 1]
os.makedirs(out, exist_ok=True)
path = os.path.join(out, "results.jsonl")
lines = open(path).read().splitlines() if os.path.exists(path) else []
done = {{json.loads(line)["command"] for line in lines if json.loads(line)["status"] == "done"}}
for row in map(json.loads, open(os.path.join(os.path.dirname(sys.argv[2]), "rows.jsonl"))):
    for command in [row["published"]["command"], row["published"].get("minus")]:
        if not command: continue
        words = command.split()[1:]
        if " ".join(words) in done: continue
        line = {{"command": " ".join(words), "status": "failed", "error": "cannot"}}
        if words[1] != "broken":
            open("{self.root}/counted", "a").write("x")
            values = [float(word) for word in words[1].split(",")]
            line = {{"command": " ".join(words), "status": "done", "figures": {{
                "test_accuracy": {{"mean": sum(values) / len(values), "std": 0.01, "values": values}},
                "epsilon": {{"mean": 4.56789, "std": None, "values": [4.56789]}}}}}}
        lines.append(json.dumps(line))
open(path, "w").write("\\n".join(lines) + "\\n")
""")
        os.chmod(self.program, 0o755)

    def tearDown(self):
        self.folder.cleanup()

    def side(self, values, **more):
        return {"command": f"graphveil train {values}", "mean": None, "std": None, "repeats": None, **more}

    def run_script(self, rows, *options):
        reproduce.write_rows(os.path.join(self.root, "results/reproduce"), "gap", rows)
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts/reproduce"), "gap", "--root", self.root, "--program",
                               self.program, "--data", self.root, *options], capture_output=True, text=True)
        return done, reproduce.read_rows(self.root, "gap")

    def test_figures_differences_and_failures(self):
        rows = [row_of(row="a", published=self.side("0.7,0.8")),
                row_of(row="b", published=self.side("0.7,0.8", minus="graphveil train 0.6,0.5")),
                row_of(row="c", measures="epsilon", published=self.side("0.7")),
                row_of(row="d", published=self.side("broken")),
                row_of(row="e", published=self.side("0.1", mean=50.0))]
        done, found = self.run_script(rows, "--jobs", "2")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("cannot", done.stderr)
        self.assertEqual([row["published"]["mean"] for row in found], [75.0, 20.0, 4.568, None, 50.0])
        self.assertEqual(found[1]["published"]["std"], 14.1)
        self.assertEqual(found[0]["published"]["repeats"], 2)
        _, found = self.run_script(found, "--only", "e", "--again")
        self.assertEqual([row["published"]["mean"] for row in found], [75.0, 20.0, 4.568, None, 10.0])

    def test_a_row_of_several_graphs_is_their_mean(self):
        rows = [row_of(row="a", each=["0.5,0.6", "0.8"], published=self.side("${each}", minus="graphveil train ${each}")),
                row_of(row="b", each=["0.5,0.6", "0.8"], published=self.side("${each}"))]
        done, found = self.run_script(rows)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(found[0]["published"]["mean"], 0.0)
        side = found[1]["published"]
        self.assertEqual((side["mean"], side["std"], side["repeats"]), (63.3, 15.3, 3))
        self.assertEqual([(one["mean"], one["std"], one["repeats"]) for one in side["each"]], [(55.0, 7.1, 2), (80.0, None, 1)])

    def test_a_kept_command_runs_once_for_each_program(self):
        counted = os.path.join(self.root, "counted")
        kept = os.path.join(self.root, "kept")
        rows = [row_of(row="a", published=self.side("0.7")), row_of(row="b", published=self.side("broken"))]
        for again in range(2):
            _, found = self.run_script(rows, "--keep", kept)
            self.assertEqual([row["published"]["mean"] for row in found], [70.0, None])
            self.assertEqual(os.path.getsize(counted), 1)
        with open(self.program, "a", encoding="utf-8") as file:
            file.write("# another program\n")
        self.run_script(rows, "--keep", kept)
        self.assertEqual(os.path.getsize(counted), 2)


if __name__ == "__main__":
    unittest.main()
