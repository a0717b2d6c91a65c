#!/usr/bin/env python3
"""tools/check_certificate.py: its formulas against known answers, and its verdicts on honest and forged certificates.

    check_certificate_test.py --program build/release/graphveil --tool tools/check_certificate.py

Golden values are read from GRAPHVEIL_DATA/golden (default: ../shared/golden beside the project) where they are there.
"""
import argparse
import copy
import hashlib
import importlib.util
import itertools
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--program", required=True)
OPTIONS.add_argument("--tool", required=True)
OPTIONS, REST = OPTIONS.parse_known_args()

SPEC = importlib.util.spec_from_file_location("check_certificate", OPTIONS.tool)
CHECK = importlib.util.module_from_spec(SPEC)
sys.dont_write_bytecode = True
SPEC.loader.exec_module(CHECK)

BESIDE = pathlib.Path(OPTIONS.tool).resolve().parents[2] / "shared"
GOLDEN = pathlib.Path(os.environ.get("GRAPHVEIL_DATA", BESIDE)) / "golden"


def line(kind, count=1, sampling=None, **parameters):
    return {"mechanism": dict(kind=kind, **parameters), "sampling": sampling or {"kind": "none"}, "count": count}


def gaussian(s, count=1, sampling=None):
    return line("gaussian", count, sampling, noise_multiplier=s)


def bounds(events, delta):
    """Upper and lower bound as sharp as they come: nothing is good enough beforehand."""
    upper, lower, _ = CHECK.ledger_bounds(events, delta, 0.0)
    return upper, lower


class Formulas(unittest.TestCase):
    def brackets(self, events, delta, epsilon, within=1.001, below=0.9):
        upper, lower = bounds(events, delta)
        self.assertGreaterEqual(upper, epsilon * (1 - 1e-6), events)
        self.assertLessEqual(upper, epsilon * within, events)
        self.assertLessEqual(lower, epsilon * (1 + 1e-6), events)
        self.assertGreaterEqual(lower, epsilon * below, events)

    def test_golden_values(self):
        if not (GOLDEN / "accounting.json").exists():
            self.skipTest("skipped: no golden values at %s" % GOLDEN)
        seen = 0
        for name in ("accounting.json", "accounting_ends.json"):
            for case in json.loads((GOLDEN / name).read_text()):
                if sum(e["count"] for e in case["events"]) > 2000 or case["epsilon"] > 80:
                    continue  # these take long
                upper, lower, _ = CHECK.ledger_bounds(case["events"], case["delta"], case["epsilon"] * 1.0009)
                self.assertGreaterEqual(upper, case["epsilon"] * (1 - 1e-6), case)
                self.assertLessEqual(upper, case["epsilon"] * 1.001 + 1e-9, case)
                self.assertLessEqual(lower, case["epsilon"] * (1 + 1e-6), case)
                seen += 1
        self.assertGreater(seen, 15)

    def test_gaussians_by_their_closed_form(self):
        # delta = Phi(mu/2 - e/mu) - e^e Phi(-mu/2 - e/mu), with Phi by a sum of its own.
        def phi(x):
            steps = 40000
            return math.fsum(math.exp(-((x - 40 * (i + 0.5) / steps) ** 2) / 2) for i in range(steps)) * 40 / steps \
                / math.sqrt(2 * math.pi)
        mu = math.sqrt(3 / 2.5 ** 2 + 1 / 4.0 ** 2)
        upper, lower = bounds([gaussian(2.5, 3), gaussian(4.0)], 1e-4)
        delta = phi(mu / 2 - upper / mu) - math.exp(upper) * phi(-mu / 2 - upper / mu)
        self.assertAlmostEqual(delta, 1e-4, delta=1e-10)
        self.assertAlmostEqual(upper, lower, delta=1e-5)

    def test_a_mixed_ledger_against_enumeration(self):
        # Three kinds of answers, all outcomes by hand.
        kinds = [(1.3, 4, 3), (0.7, 2, 4)]
        outcomes = [(1.0, 1.0)]
        for log_odds, classes, count in kinds:
            a = math.exp(log_odds) / (math.exp(log_odds) + classes - 1)
            b = (1 - a) / (classes - 1)
            one = [(a, b), (b, a)] + [(b, b)] * (classes - 2)
            for _ in range(count):
                outcomes = [(p * x, q * y) for p, q in outcomes for x, y in one]
        events = [line("randomized-response", count, log_odds=l, classes=c) for l, c, count in kinds]
        for delta in (1e-2, 1e-5):
            upper, lower = bounds(events, delta)
            for epsilon, sign in ((upper, 1), (lower, -1)):
                exact = math.fsum(max(0.0, p - math.exp(epsilon) * q) for p, q in outcomes)
                self.assertGreaterEqual(sign * (delta - exact), -1e-9 * delta)
            self.assertLess(upper - lower, 1e-5 * upper)
        self.assertAlmostEqual(bounds(events, 0)[0], 3 * 1.3 + 4 * 0.7, delta=1e-9)

    def test_lattices_against_enumeration(self):
        # 60 runs of randomized response on samples, each with three losses: counts of each, by multinomial weights.
        odds, rate, runs, delta = 1.5, 0.2, 60, 1e-5
        a = math.exp(odds) / (1 + math.exp(odds))
        pairs = [(rate * a + (1 - rate) * (1 - a), 1 - a), (rate * (1 - a) + (1 - rate) * a, a)]

        def exact(p, q):
            def delta_at(e):
                return math.fsum(math.comb(runs, i) * max(0.0, p[0] ** i * p[1] ** (runs - i)
                                 - math.exp(e) * q[0] ** i * q[1] ** (runs - i)) for i in range(runs + 1))
            return CHECK.smallest_epsilon(delta_at, delta, 100)
        p, q = zip(*pairs)
        truth = max(exact(p, q), exact(q, p))
        pair = CHECK.Sampled(CHECK.randomized_response(odds, 2), rate)  # by lattices, not by atoms
        found = [CHECK.direction_bounds([(side, runs)], delta, 0.0, 1 << 13) for side in (pair, CHECK.Reversed(pair))]
        self.assertTrue(truth <= max(u for u, _ in found) <= truth * 1.001, (truth, found))
        self.assertTrue(truth * 0.97 <= max(low for _, low in found) <= truth, (truth, found))

    def test_ways_to_say_the_same(self):
        poisson = {"kind": "poisson", "rate": 0.1}
        group = {"kind": "poisson-group", "rate": 0.1, "deletions": 1, "insertions": 0}
        once = bounds([gaussian(1.5, 1, poisson)], 1e-5)[0]
        for same in (gaussian(1.5, 1, group), {"sampled": {"rate": 0.1, "event": gaussian(1.5)}}):
            self.assertAlmostEqual(bounds([same], 1e-5)[0] / once, 1, delta=1e-5)
        many = bounds([gaussian(1.5, 40, poisson)], 1e-5)
        self.assertAlmostEqual(bounds([gaussian(1.5, 40, group)], 1e-5)[0] / many[0], 1, delta=1e-3)
        self.assertLess(many[1], many[0])
        # A sample of everybody is no sample; a group at rate 1 is one shift by deletions + insertions.
        everybody = {"kind": "poisson-group", "rate": 1, "deletions": 2, "insertions": 1}
        self.assertAlmostEqual(bounds([gaussian(6, 4, everybody)], 1e-5)[0] / bounds([gaussian(2, 4)], 1e-5)[0], 1, delta=1e-3)

    def test_exponential_moments_against_a_search(self):
        for width, theta in itertools.product((0.1, 1.0, 6.0), (0.5, 3.0, 40.0)):
            best = 0.0
            for k in range(4001):
                t = width * k / 4000
                u = (math.exp(width) - math.exp(t)) / (math.exp(width) - 1)
                best = max(best, math.log(u * math.exp(theta * t) + (1 - u) * math.exp(theta * (t - width))))
            moment = CHECK.renyi_exponential(width)[0](theta, False)
            self.assertGreaterEqual(moment, best - 1e-9)
            self.assertAlmostEqual(moment, best, delta=1e-3 * best + 1e-9)

    def test_bounded_ranges_against_a_search(self):
        # delta of two losses t and t - R, P having (e^R - e^t) / (e^R - 1) at t, for the worst t.
        for width, part in itertools.product((0.01, 1.0, 6.0), (-0.6, 0.0, 0.3, 0.9)):
            epsilon, best = width * part, 0.0
            for k in range(20001):
                t = width * k / 20000
                p = (math.exp(width) - math.exp(t)) / (math.exp(width) - 1)
                best = max(best, sum(max(0.0, m * -math.expm1(epsilon - loss)) for m, loss in ((p, t), (1 - p, t - width))))
            exact = CHECK.single_delta(CHECK.BoundedRange(width), epsilon)
            self.assertGreaterEqual(exact, best * (1 - 1e-9))
            self.assertAlmostEqual(exact, best, delta=1e-6 * best)

    def test_what_samplers_cost(self):
        trials = {"kind": "negative-binomial", "shape": 1, "stop": 0.25}
        for events, per_event in (([gaussian(2, 7), line("laplace", 2, noise_multiplier=1.0)], 9),
                                  ([line("discrete-laplace", 5, noise_multiplier=1.0), line("exponential", range=1.0)], 0),
                                  ([{"sampled": {"rate": 0.1, "event": {"composed": [gaussian(2, 3)]}}, "count": 2}], 6),
                                  ([{"tuned": {"trials": trials, "event": gaussian(2, 3)}}], 27),
                                  ([{"tuned": {"trials": {"kind": "positive-poisson", "rate": 3.0}, "event": gaussian(2)}}], 4)):
            self.assertEqual(CHECK.owed_to_samplers(events), 3 * per_event * 2.0 ** -49)

    def test_searches_by_hand(self):
        # Pure trials: (2 + eta) epsilon for negative binomials, at delta = 0 in the limit of large orders.
        trial = line("discrete-laplace", noise_multiplier=2.0)
        tuned = {"tuned": {"trials": {"kind": "negative-binomial", "shape": 1, "stop": 0.1}, "event": trial}}
        upper = CHECK.ledger_bounds([tuned], 1e-9, 0.0)[0]
        self.assertGreater(upper, 0.5)
        self.assertLess(upper, 3 * 0.5 + 0.01)
        # One trial for certain costs what one trial costs.
        sure = {"tuned": {"trials": {"kind": "negative-binomial", "shape": 1, "stop": 1}, "event": gaussian(2)}}
        alone = CHECK.renyi_upper(CHECK.renyi_of(gaussian(2)), 1e-5, CHECK.BOTH)
        self.assertAlmostEqual(CHECK.ledger_bounds([sure], 1e-5, 0.0)[0], alone, delta=1e-9)
        # Poisson: D + mu d + ln E[K] / (order - 1), converted; the minimum over a fine grid of orders.
        rate, mu = 3.0, 0.4
        mean = rate / -math.expm1(-rate)
        by_hand = min(CHECK.renyi_epsilon(t, t * (t + 1) * mu * mu / 2 + math.log(mean)
                                          + t * rate * CHECK.gaussian_delta(mu, math.log1p(1 / t)), 1e-4)
                      for t in (1.005 ** k for k in range(-400, 1200)))
        tuned = {"tuned": {"trials": {"kind": "positive-poisson", "rate": rate}, "event": gaussian(1 / mu)}}
        self.assertAlmostEqual(CHECK.ledger_bounds([tuned], 1e-4, 0.0)[0] / by_hand, 1, delta=0.01)

    def test_lower_is_below_upper_whatever_the_ledger(self):
        draw = random.Random(7)
        for _ in range(12):
            events = []
            for _ in range(draw.choice((1, 2))):
                sampling = draw.choice(({"kind": "none"}, {"kind": "poisson", "rate": draw.uniform(0.01, 0.9)}))
                kind = draw.choice(("gaussian", "laplace", "discrete-laplace", "discrete-gaussian", "exponential"))
                size = {"range": draw.uniform(0.1, 2)} if kind == "exponential" else {"noise_multiplier": draw.uniform(0.8, 6)}
                events.append(line(kind, draw.choice((1, 3, 20)), sampling, **size))
            upper, lower, _ = CHECK.ledger_bounds(events, 10 ** draw.uniform(-8, -3), 1e9)
            self.assertTrue(0 <= lower <= upper < math.inf, (lower, upper, events))

    def test_zero_noise_and_unknown_events_have_no_theorem(self):
        for bad in (gaussian(0), line("exponential", range=1e9), line("randomized-response", log_odds=701), line("magic"),
                    line("laplace", 1, {"kind": "poisson-group", "rate": 0.1, "deletions": 1, "insertions": 1},
                         noise_multiplier=1.0)):
            with self.assertRaises(CHECK.Unpriced):
                CHECK.ledger_bounds([bad], 1e-5, 1.0)


class Program:
    """Trains quickly on a tiny graph, every method and relation once."""

    folder = None
    certificates = {}

    @classmethod
    def run(cls, *arguments):
        return subprocess.run([OPTIONS.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    @classmethod
    def start(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.graph = os.path.join(cls.folder.name, "tiny.gvg")
        made = cls.run("data", "generate", cls.graph, "--preset", "tiny", "-q", "--seed", "1")
        if made.returncode:
            raise RuntimeError(made.stderr)

    @classmethod
    def methods(cls):
        """[(method, relation)] of the table that `methods --markdown` prints."""
        rows = re.findall(r"^\| `([^`]+)` \|[^|]*\|([^|]*)\|", cls.run("methods", "--markdown").stdout, re.M)
        return [(name, relation) for name, relations in rows for relation in re.findall(r"`([^`]+)`", relations)]

    @classmethod
    def train(cls, method, *options):
        key = (method,) + options
        if key not in cls.certificates:
            if cls.folder is None:
                cls.start()
            text = cls.run("train", method, "--help-all").stdout
            quick = [("--epochs", "3"), ("--encoder-epochs", "3"), ("--steps", "3"), ("--hidden-dim", "8"),
                     ("--teacher-epochs", "2"), ("--backbone-epochs", "2"), ("--private-nodes", "120"),
                     ("--public-nodes", "150"), ("--public-test", "60")]
            public = "--public-pool" in text or method in CHECK.PUBLIC_GRAPH
            out = os.path.join(cls.folder.name, "run%d" % len(cls.certificates))
            words = [w for name, value in quick if re.search(r"%s\b" % name, text) and name not in options
                     and (public or "-nodes" not in name and name != "--public-test") for w in (name, value)]
            done = cls.run("train", method, "--data", cls.graph, "-q", "--out", out, *words, *options)
            if done.returncode:
                raise RuntimeError("%s: %s" % (" ".join(key), done.stderr))
            found = [os.path.join(out, part, "certificate.json") for part in ("release", "draft", "holder")]
            cls.certificates[key] = next(path for path in found if os.path.exists(path))
        return cls.certificates[key]


class Certificates(unittest.TestCase):
    def test_every_method_and_relation(self):
        pairs = Program.methods()
        self.assertGreater(len(pairs), 40)
        for method, relation in pairs:
            with self.subTest(method=method, relation=relation):
                result = CHECK.report(CHECK.read_document(Program.train(method, "--relation", relation)))
                self.assertEqual(result["contradictions"], [])
                self.assertEqual(result["verdict"], "agrees", [c for c in result["claims"] if c["verdict"] != "agrees"])

    def test_options_that_change_the_ledger(self):
        cases = [("agrees", "mlp-dp", "--batch-size", "20"), ("agrees", "lap", "--own-edges", "predict"),
                 ("agrees", "dpgnn", "--relation", "record", "--batch-size", "20", "--layers", "2"),
                 ("agrees", "dpar-gm", "--node-rate", "0.3"), ("agrees", "pate-m", "--noise", "discrete-laplace"),
                 ("agrees", "dpar-em0", "--node-rate", "0.3", "--column-cap", "1"),
                 ("agrees", "dpgnn", "--relation", "node", "--max-degree", "60", "--layers", "2"),
                 ("agrees", "lap", "--relation", "edge", "--edge-noise", "gaussian"),
                 ("agrees", "dp-gpl", "--confident", "true"), ("agrees", "pate-m", "--noise", "rr"),
                 ("looser", "mlp-dp", "--tune", "4"), ("looser", "gap-ndp", "--tune", "30")]
        for verdict, *words in cases:
            with self.subTest(words=words):
                result = CHECK.report(CHECK.read_document(Program.train(*words)))
                self.assertEqual(result["contradictions"], [])
                self.assertIn(result["verdict"], ("agrees", verdict), result["claims"])
                self.assertLess(result["factor"], 1.12)

    @staticmethod
    def digest(document):
        """By the standard library's own printer, which writes the numbers of these certificates as the program does."""
        rest = {key: value for key, value in document.items() if key != "digest"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def forged(self, document, edit, digest=True):
        """A forger makes the digest anew: it guards against accidents only."""
        edited = copy.deepcopy(document)
        edit(edited)
        if digest:
            edited["digest"] = self.digest(edited)
        path = os.path.join(Program.folder.name, "forged.json")
        with open(path, "w") as file:
            json.dump(edited, file)
        return self.tool(path)

    def tool(self, path, *options):
        done = subprocess.run([sys.executable, OPTIONS.tool, path, *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def test_forgeries(self):
        def everywhere(factor):
            def edit(d):
                for claim in [d] + d["epsilon_at"] + d["statements"]:
                    claim["epsilon"] *= factor
            return edit

        def statement(d, degree):
            return next(s for s in d["statements"] if s["degree"] == degree)

        def clipped_to(d, part):
            line = d["lines"][1]
            line.update(sensitivity=line["sensitivity"] * part, noise_scale=line["noise_scale"] * part)

        def less_noise(d):
            for event in [d["lines"][0]["event"], d["events"][0]]:
                event["mechanism"]["noise_multiplier"] *= 0.99

        def no_noise(d):
            for event in [d["lines"][0]["event"], d["events"][0]]:
                event["mechanism"]["noise_multiplier"] = 0
            d["lines"][0]["noise_scale"] = 0
        common = {
            "epsilon lowered by 2%": everywhere(0.98),
            "epsilon lowered at one delta": lambda d: d["epsilon_at"][2].update(epsilon=d["epsilon_at"][2]["epsilon"] * 0.9),
            "noise raised in words": lambda d: d["lines"][0].update(noise_scale=d["lines"][0]["noise_scale"] * 2),
            "sensitivity raised in words": lambda d: d["lines"][0].update(sensitivity=d["lines"][0]["sensitivity"] * 2),
            "a count dropped from a line": lambda d: d["lines"][0]["event"].update(count=1),
            "a line dropped from the events": lambda d: d["events"].pop(),
            "no noise": no_noise,
            "a smaller delta": lambda d: d.update(delta=d["delta"] / 100),
            "delta above 1/n": lambda d: d.update(delta=0.1),
            "a sample that was not drawn": lambda d: d.update(record_rate=0.5),
            "a seed that can be guessed": lambda d: d.update(seed="reproducible"),
            "not valid, but releasable": lambda d: d.update(reasons=["because"]),
            "public predictions": lambda d: [s.update(audience="public") for s in d["statements"]],
            "a hash of predictions": lambda d: d.update(predictions_sha256="00"),
            "samplers for nothing": lambda d: d.update(sampler_epsilon=0.0),
            "samplers that cost more": lambda d: d.update(sampler_epsilon=d["sampler_epsilon"] * 2),
            "reasons against what is releasable": lambda d: d.update(not_releasable=["because"]),
            "not releasable for no reason": lambda d: d.update(releasable=False),
            "another norm": lambda d: d["lines"][0].update(norm="L1"),
            "other noise": lambda d: [e["mechanism"].update(kind="laplace") for e in (d["lines"][0]["event"], d["events"][0])],
            "a search on a sample": lambda d: d.update(record_rate=0.5, trials={"kind": "positive-poisson", "rate": 2.0}),
        }
        lap = {
            "less noise in the ledger": less_noise,
            "epsilon lowered by 0.05%": everywhere(0.9995),  # within our tolerance, and still below a lower bound
            "a larger degree": lambda d: statement(d, 100).update(degree=400),
            "every degree": lambda d: statement(d, 100).update(degree=None),
            "a smaller protected degree": lambda d: d.update(protect_degree=10),
            "what a line reads": lambda d: d["lines"][0].update(reads="own-records"),
            "what a line releases": lambda d: d["lines"][0].update(releases={"kind": "score"}, reads="own-records"),
            "fewer messages": lambda d: d["lines"][0]["releases"].update(messages=25),
            "a shorter clip norm": lambda d: clipped_to(d, 0.5),
            "a longer reach": lambda d: d["lines"][1]["releases"].update(reach="one-hop"),
            "more samples": lambda d: d["lines"][1]["releases"].update(deletions=2, insertions=1),
            "a friendship for nothing": lambda d: d["statements"][-1].update(epsilon=0.0),
            "a weaker run's stronger words": lambda d: d.update(relation="record"),
        }
        few = {name: common[name] for name in ("epsilon lowered by 2%", "epsilon lowered at one delta", "a smaller delta")}
        votes = {
            "a lighter class": lambda d: d["statements"][2].update(epsilon=d["statements"][2]["epsilon"] * 0.98),
            "a weight for nobody": lambda d: d["lines"][0]["releases"].update(weight=2.4),
            "fewer queries": lambda d: d["lines"][0]["releases"].update(queries=10),
            "teachers who read nothing": lambda d: d["lines"][0]["releases"].update(teachers="own-records"),
        }
        for words, forgeries in ((("lap", "--relation", "node"), {**common, **lap}), (("mlp-dp", "--batch-size", "20"), few),
                                 (("dp-gpl-w",), votes)):
            with open(Program.train(*words)) as file:
                document = json.load(file)
            self.assertEqual(self.digest(document), document["digest"])
            self.assertEqual(self.forged(document, lambda d: None).returncode, 0)
            self.assertEqual(self.forged(document, lambda d: d.update(created="yesterday")).returncode, 0)
            self.assertEqual(self.forged(document, lambda d: d.update(created="yesterday"), digest=False).returncode, 1)
            for name, edit in forgeries.items():
                with self.subTest(words=words, forgery=name):
                    done = self.forged(document, edit)
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_what_it_prints(self):
        path = Program.train("lap", "--relation", "node")
        result = json.loads(self.tool(path, "--json").stdout)
        self.assertEqual((result["verdict"], result["method"]), ("agrees", "lap"))
        self.assertTrue(0.999 < result["factor"] < 1.001)
        self.assertEqual(self.tool(path).stdout.splitlines()[-1], "agrees")

    def test_unreadable_input_is_exit_code_2(self):
        good = pathlib.Path(Program.train("lap", "--relation", "node")).read_text()
        bad = {"empty": "", "cut": good[:len(good) // 2], "text": "hello", "list": "[]", "number": "1", "nested": "[" * 100000,
               "format": good.replace("certificate/3", "certificate/9"), "unknown": good.replace("{", '{"more": 1,', 1),
               "unheard-of kind": good.replace('"kind": "neighbor-sum"', '"kind": "magic"'),
               "a number too many": good.replace('"messages": 100', '"messages": 100, "weight": 1.0'),
               "unheard-of reach": good.replace('"own-sample"', '"own-part"'), "twice": good.replace("{", '{"delta": 1,', 1),
               "count": good.replace('"count": 2', '"count": -2'), "nan": good.replace('"delta": 0.001', '"delta": NaN'),
               "huge": good.replace('"delta": 0.001', '"delta": 1e999'), "kind": good.replace('"lines": [', '"lines": [3,'),
               "text for a number": good.replace('"delta": 0.001', '"delta": "0"'), "bytes": "\udcff\udcfe"}
        for name, text in bad.items():
            with self.subTest(name):
                path = os.path.join(Program.folder.name, "bad.json")
                with open(path, "w", errors="surrogateescape") as file:
                    file.write(text)
                self.assertNotEqual(text, good)
                self.assertEqual(self.tool(path).returncode, 2)
        for path in (Program.folder.name, os.path.join(Program.folder.name, "nothing")):
            self.assertEqual(self.tool(path).returncode, 2)

    def test_any_field_gone_or_of_another_kind_is_told(self):
        with open(Program.train("lap", "--relation", "node")) as file:
            good = json.load(file)
        for key in ("lines", "events", "statements", "epsilon_at", "public", "delta", "epsilon", "relation", "record_rate"):
            for junk in ("junk", 3.5, [], {}, [{}], True, None):
                if junk is None and key == "epsilon" or junk == [] and key in ("statements", "epsilon_at"):
                    continue
                edited = dict(good, **{key: junk})
                with self.subTest(key=key, junk=junk):
                    path = os.path.join(Program.folder.name, "junk.json")
                    with open(path, "w") as file:
                        json.dump(edited, file)
                    try:
                        verdict = CHECK.report(CHECK.read_document(path))["verdict"]
                    except (CHECK.Unreadable, KeyError, TypeError, AttributeError, ValueError):
                        verdict = "unreadable"
                    self.assertIn(verdict, ("unreadable", "disagrees"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + REST)
