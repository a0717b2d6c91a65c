"""scripts/pages finds what it is there to find: mistakes are planted in a copy of the pages, one at a time."""
import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("results", os.path.join(ROOT, "scripts/results"))
results = importlib.util.module_from_spec(importlib.util.spec_from_loader("results", loader))
loader.exec_module(results)


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name
        for name in ("docs", "results", "plans"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(self.root, name))
        shutil.copy(os.path.join(ROOT, "README.md"), self.root)

    def tearDown(self):
        self.folder.cleanup()

    def text(self, page):
        with open(os.path.join(self.root, page), encoding="utf-8") as file:
            return file.read()

    def replace(self, page, old, new):
        text = self.text(page)
        self.assertIn(old, text)
        with open(os.path.join(self.root, page), "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))

    def run_script(self, *options):
        return subprocess.run([sys.executable, os.path.join(ROOT, "scripts/pages"), "--root", self.root, *options],
                              capture_output=True, text=True)

    def assert_refused(self, *said):
        checked = self.run_script("--check")
        self.assertEqual(checked.returncode, 1, checked.stderr)
        for words in said:
            self.assertIn(words, checked.stderr)

    def test_the_pages_as_they_are_pass(self):
        checked = self.run_script("--check")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_a_figure_changed_in_a_table(self):
        self.replace("README.md", "62.1 / 78.0 / 80.4", "62.1 / 78.0 / 80.5")
        self.assert_refused("README.md is stale", "62.1 / 78.0 / 80.4")
        self.assertEqual(self.run_script().returncode, 0)
        self.assertIn("62.1 / 78.0 / 80.4", self.text("README.md"))

    def test_a_figure_changed_in_prose(self):
        self.replace("docs/howto/tune.md", "-->66.4<!--", "-->66.5<!--")
        self.assert_refused("docs/howto/tune.md is stale")

    def test_a_result_changed(self):
        lines = self.text("results/node.jsonl").splitlines(keepends=True)
        line = json.loads(lines[0])
        line["mean"] += 1
        self.replace("results/node.jsonl", lines[0], json.dumps(line, ensure_ascii=False) + "\n")
        self.assert_refused("README.md is stale", "docs/results.md is stale")

    def test_a_measured_time_changed(self):
        text = self.text("results/performance.jsonl")
        row = next(line for line in text.splitlines() if '"peer"' in line)
        changed = {**json.loads(row), "ratio": 123.4}
        self.replace("results/performance.jsonl", row, json.dumps(changed, ensure_ascii=False))
        self.assert_refused("docs/performance.md is stale", "123.4")
        self.replace("docs/performance.md", "performance: kernels", "performance: kernel")
        self.assert_refused("'performance: kernel' is none of")

    def test_a_mean_of_several_lines_follows_them(self):
        text = self.text("results/node.jsonl")
        self.assertEqual(text.count('"mean": 91.5, "std": 0.7'), 1)  # gap-ndp on amazon_photo
        self.replace("results/node.jsonl", '"mean": 91.5, "std": 0.7', '"mean": 81.5, "std": 0.7')
        self.assert_refused("docs/methods/gap.md is stale", "-->68.9<!--/r-->, that of")

    def test_a_figure_written_by_hand(self):
        for page in ("README.md", "docs/methods/mlp.md", "docs/results.md", "docs/howto/audit.md"):
            self.replace(page, "\n\n", "\n\nOn our graphs it reaches 87.3 percent.\n\n")
        self.assert_refused(*(f'{page}, "' for page in ("README.md", "docs/methods/mlp.md", "docs/results.md",
                                                        "docs/howto/audit.md")), "87.3")

    def test_a_figure_in_a_table_by_hand(self):
        self.replace("docs/methods/mlp.md", "| `mlp` | edges", "| 71.2 ± 0.3 | edges")
        self.assert_refused("docs/methods/mlp.md", "71.2")

    def test_a_figure_of_the_list_that_changed_or_went(self):
        self.replace("docs/methods/lap.md", "| 74.2 | 80.0 | yes |", "| 74.2 | 80.9 | yes |")
        self.assert_refused("docs/methods/lap.md, \"Under `node`\"")
        self.replace("docs/methods/lap.md", "| 74.2 | 80.9 | yes |", "| | | yes |")
        self.assert_refused("docs/methods/lap.md, \"Under `node`\"")

    def test_what_is_no_accuracy_is_let_through(self):
        self.replace("README.md", "\n\n", "\n\nVersion 10.20.30 took 0.85 s, 1,023.4 KB and 104.5 ms at 12.34.\n\n")
        self.assertEqual(self.run_script("--check").returncode, 0)

    def test_a_page_that_the_readme_does_not_link(self):
        shutil.copy(os.path.join(self.root, "docs/methods/mlp.md"), os.path.join(self.root, "docs/methods/trial.md"))
        self.assert_refused("README.md is stale")
        self.assertEqual(self.run_script().returncode, 0)
        self.assertIn("[trial](docs/methods/trial.md)", self.text("README.md"))

    def test_marks_that_cannot_be_filled(self):
        for old, new, said in (("r:tune/cora/mlp-dp@2", "r:tune/cora/mlp-dp@3", "0 lines of results/tune.jsonl"),
                               ("r:tune/cora/mlp-dp@2", "r:tune/mlp-dp@2", "is not of the form"),
                               ("r:tune/cora/mlp-dp@2", "r:nothing/cora/mlp-dp@2", "there is no results/nothing.jsonl"),
                               ("66.4<!--/r-->", "66.4", "a mark has no end"),
                               ("r:tune/cora/mlp-dp tune 5@2", "r:tune/cora/mlp-dp --tune 5@2", "has dashes"),
                               ("with `--tune 5`", "\n<!--r:tune/cora/mlp-dp@2-->66.4<!--/r--> with `--tune 5`", "a line begins")):
            before = self.text("docs/howto/tune.md")
            self.replace("docs/howto/tune.md", old, new)
            self.assert_refused("docs/howto/tune.md", said)
            with open(os.path.join(self.root, "docs/howto/tune.md"), "w", encoding="utf-8") as file:
                file.write(before)
        self.replace("docs/results.md", "<!-- results: record -->", "<!-- results: record graph=nowhere -->")
        self.assert_refused("docs/results.md: no line of results/record.jsonl")

    def test_two_lines_for_one_cell(self):
        line = self.text("results/record.jsonl").splitlines(keepends=True)[0]
        self.replace("results/record.jsonl", line, line + line)
        self.assert_refused("two figures for one cell")


class Files(unittest.TestCase):
    def lines(self, name):
        with open(os.path.join(ROOT, "results", name + ".jsonl"), encoding="utf-8") as file:
            return [json.loads(text) for text in file]

    def test_every_line_says_what_it_is(self):
        for name in sorted(os.listdir(os.path.join(ROOT, "results"))):
            if not name.endswith(".jsonl") or name in ("by_hand.jsonl", "performance.jsonl"):
                continue
            for line in self.lines(name[:-6]):
                for field in ("graph", "method", "options", "relation", "epsilon", "accounting", "repeats"):
                    self.assertIn(field, line, name)
                self.assertTrue("command" in line or "origin" in line, f"{name}: {line}")
                self.assertIn(line["accounting"], ("tight", "published", "none"))

    def test_measured_times_are_of_one_run_and_fit_together(self):
        lines = self.lines("performance")
        self.assertEqual([line["kind"] for line in lines].count("run"), 1)
        for field in ("rounds", "threads", "others", "stolen", "load", "versions"):
            self.assertIn(field, lines[0])
        rows = [line for line in lines if line["kind"] == "row"]
        self.assertGreater(len(rows), 10)
        for line in rows:
            self.assertGreater(line["ours"], 0)
            if "peer" in line:
                self.assertAlmostEqual(line["ratio"], line["theirs"] / line["ours"], delta=0.01 * line["ratio"] + 0.01)
                self.assertTrue(line["least"] <= line["most"], line)

    def test_one_experiment_is_known_by_any_order_of_its_options(self):
        a = "graphveil train lap --hops 2 -e 4 -d 1e-4 --balanced --data x.npz --seed 1 --repeats 5"
        b = "train lap --data x.npz --epsilon 4.0 --hops 2 --repeats 5 --balanced --delta 0.0001 -s 1"
        self.assertEqual(results.experiment(a), results.experiment(b))
        self.assertNotEqual(results.experiment(a), results.experiment(b.replace("--hops 2", "--hops 3")))

    def test_lines_that_were_run_replace_theirs(self):
        order = [f"graphveil train lap --hops {hops} -e 4 --data cora/cora.npz --seed 1 --repeats 2" for hops in (1, 2, 3)]

        def result(command, mean):
            return {"command": command[10:], "row": "lap " + " ".join(command.split()[3:5]), "graph": "cora", "method": "lap",
                    "relation": "node", "epsilon": 4, "accounting": "tight",
                    "outcome": {"test_accuracy": {"mean": mean / 100, "std": 0.01, "values": [0, 0]}}}

        old = [{"command": order[2], "mean": 1.0}, {"command": order[0], "mean": 2.0, "note": "kept", "epsilon": 4}]
        merged = results.merged(old, [result(order[0], 3), result(order[1], 4)], order)
        self.assertEqual([line["mean"] for line in merged], [3.0, 4.0, 1.0])
        self.assertEqual(merged[0]["note"], "kept")
        self.assertEqual((merged[1]["options"], merged[1]["repeats"], merged[1]["std"]), ("--hops 2", 2, 1.0))

if __name__ == "__main__":
    unittest.main()
