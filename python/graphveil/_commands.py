"""The program's commands as functions. They run the program's own code in this process and give what --json prints."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from typing import Any, Iterator, Optional, Sequence, Union

from . import _core, _program
from ._cards import answer_card, comparison_card
from ._certificate import Certificate
from ._estimators import Estimator
from ._events import ledger_of
from ._graph import Graph, Path
from ._options import text_of
from ._progress import Progress, listener


# Run in this process; all others, which start processes of their own, by the program beside the package.
_HERE = {"account", "attack", "audit", "budget", "calibrate", "data", "verify"}


_WITH_CURVES = {"membership", "lira", "links"}


class Answer(dict[str, Any]):
    """What a command says, by name; `ok` is False where the answer is no (exit code 1)."""

    def __init__(self, command: str, ok: bool, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.command = command
        self.ok = ok

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{self.command} says nothing of '{name}': {', '.join(self)}") from None

    def __reduce__(self) -> Any:
        return (Answer, (self.command, self.ok, dict(self)))

    def _repr_html_(self) -> str:
        return answer_card(self.command, self)


class _Files:
    """Paths for what lives in memory: private files that are there while a command runs."""

    def __init__(self) -> None:
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._count = 0

    def place(self, ending: str) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="graphveil-")
        self._count += 1
        return os.path.join(self._folder.name, f"{self._count}{ending}")

    def graph(self, graph: Graph) -> str:
        if graph._path is not None:
            return graph._path
        path = self.place(".gvg")
        graph._handle.write(path)
        return path

    def events(self, events: Any) -> str:
        path = self.place(".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(ledger_of(events), file)
        return path

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()


@contextlib.contextmanager
def _files() -> Iterator[_Files]:
    files = _Files()
    try:
        yield files
    finally:
        files.close()


def _argument(value: Any, files: _Files) -> str:
    if isinstance(value, Graph):
        return files.graph(value)
    if isinstance(value, Estimator):
        return value._folder()
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    return text_of(value)


def _options(options: dict[str, Any], files: _Files) -> list[str]:
    out: list[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(flag)
        elif isinstance(value, (list, tuple)):
            out += [flag, *(_argument(v, files) for v in value)]
        else:
            # With = no value is taken for an option, whatever it begins with.
            out.append(f"{flag}={_argument(value, files)}")
    return out


def command(*words: Any, threads: int = 0, progress: Progress = None, **options: Any) -> Answer:
    """Any command by its words and options: command("data", "info", graph), command("audit", "lap", epsilon=4)."""
    with _files() as files:
        name, *rest = words
        arguments = [str(name), *(_argument(w, files) for w in rest), *_options(options, files)]
        if name in _HERE:
            code, text = _core.command(arguments, threads, listener(progress))
            values = json.loads(text) if text else {}
        else:
            code, values = _program.answer(arguments)
    return Answer(" ".join(str(w) for w in words[:2] if isinstance(w, str)), code == 0, values)


def _subject(events: Any, files: _Files) -> str:
    if isinstance(events, Estimator):
        return events._folder()
    if isinstance(events, Certificate):
        return events.path
    if isinstance(events, (str, os.PathLike)):
        return os.fspath(events)
    return files.events(events)


def account(
    events: Any = None,
    *more: Any,
    delta: Optional[float] = None,
    noise_multiplier: Optional[float] = None,
    sampling_rate: Optional[float] = None,
    steps: Optional[int] = None,
    accountant: str = "pld",
) -> Answer:
    """What events cost: epsilon at delta, a proven upper bound.

    events: a list of ledger lines, a dp_accounting DpEvent, a fitted estimator, a certificate, or the path of one or of
    a run folder; several compose. Or noise_multiplier, sampling_rate and steps of one Gaussian on Poisson batches.
    """
    with _files() as files:
        words = [_subject(e, files) for e in (events, *more) if e is not None]
        return command(
            "account",
            *words,
            delta=delta,
            noise_multiplier=noise_multiplier,
            sampling_rate=sampling_rate,
            steps=steps,
            accountant=accountant,
        )


def calibrate(what: Any, *, epsilon: float, delta: Optional[float] = None, **options: Any) -> Answer:
    """The least noise for this epsilon: of a method by name (nodes=, train_nodes=, ... are public facts), an unfitted
    estimator, or events, all of whose noise is then scaled by one factor."""
    if isinstance(what, Estimator):
        chosen = {name: value for name, value in what._given() if name not in ("epsilon", "delta")}
        options = {**{n.replace("-", "_"): v for n, v in chosen.items()}, **options}
        what = what._method
    if isinstance(what, str) and what in _method_names():
        return command("calibrate", what, epsilon=epsilon, delta=delta, **options)
    with _files() as files:
        return command("calibrate", _subject(what, files), epsilon=epsilon, delta=delta, **options)


def _method_names() -> list[str]:
    from ._estimators import methods

    return methods()


def verify(run: Union[Path, Estimator, Certificate], *, key: Optional[Path] = None, budget: Optional[Path] = None) -> Answer:
    """Makes the plan of a run anew and prices it again: `ok`, valid, releasable, epsilon, reasons."""
    path = run.path if isinstance(run, Certificate) else run
    return command("verify", path, key=key, budget=budget)


def audit(method: str, *, epsilon: float, progress: Progress = None, threads: int = 0, **options: Any) -> Answer:
    """Tries to prove a claimed epsilon wrong; `ok` is False when it did. method: a name, "mechanisms" or "claims"."""
    return command("audit", method, threads=threads, progress=progress, epsilon=epsilon, **options)


def attack(name: str, *subjects: Any, progress: Progress = None, threads: int = 0, **options: Any) -> Answer:
    """Attacks a method (attack("membership", "mlp", data=graph)) or a run (attack("forge", folder)).

    Attacks that order people by a score give their curves too, which plot_roc() draws.
    """
    if name not in _WITH_CURVES or options.get("out") is not None:
        return command("attack", name, *subjects, threads=threads, progress=progress, **options)
    with _files() as files:
        path = files.place(".json")
        answer = command("attack", name, *subjects, threads=threads, progress=progress, **{**options, "out": path})
        with open(path, encoding="utf-8") as file:
            return Answer(answer.command, answer.ok, json.load(file))


def compare(
    methods: Union[str, Sequence[Any]],
    data: Any,
    *,
    epsilon: Union[float, Sequence[float]] = (1.0, 4.0),
    repeats: int = 5,
    out: Path,
    **options: Any,
) -> "Comparison":
    """Methods at several budgets on the same splits, seed by seed: `graphveil compare`. What is in `out` is gone on with.

    methods: names, or estimators with the options that were chosen for them. The accuracies are the holder's.
    """
    listed = [methods] if isinstance(methods, str) else methods
    budgets = [epsilon] if isinstance(epsilon, (int, float)) else epsilon
    graphs = data if isinstance(data, (list, tuple)) else [data]
    with _files() as files:
        answer = command(
            "compare",
            ",".join(_method_words(m) for m in listed),
            data=",".join(_argument(g, files) for g in graphs),
            epsilon=",".join(text_of(e) for e in budgets),
            repeats=repeats,
            out=out,
            **options,
        )
    return Comparison(answer.command, answer.ok, dict(answer))


def _method_words(method: Any) -> str:
    if not isinstance(method, Estimator):
        return str(method)
    given = [f"--{name} {value}" for name, value in method._given() if name not in ("epsilon", "seed")]
    return " ".join([method._method, *given])


class Comparison(Answer):
    """What compare() found: `cells`, one for each method and budget; plot_accuracy_vs_epsilon() draws it."""

    def __reduce__(self) -> Any:
        return (Comparison, (self.command, self.ok, dict(self)))

    def _repr_html_(self) -> str:
        return comparison_card(self)


def advise(**facts: Any) -> Answer:
    """Which method, relation and noise, from public numbers alone: `graphveil advise`."""
    return command("advise", **facts)


def report(*folders: Any, **options: Any) -> Answer:
    """One self-contained page for sweeps, runs, budget books, attacks and audits: `graphveil report`."""
    return command("report", *folders, **options)


class Budget:
    """The durable book of all that is released about some people (`graphveil budget`).

    Budget.open(path, data=graph, epsilon=8, delta=1e-6) begins one; Budget(path) is one that is there. fit(budget=path)
    and predict(budget=path) reserve in it, never beyond it.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self.show()

    @classmethod
    def open(cls, path: Path, *, data: Any, epsilon: float, delta: float, **options: Any) -> "Budget":
        command("budget", "open", os.fspath(path), data=data, epsilon=epsilon, delta=delta, **options)
        return cls(path)

    def __fspath__(self) -> str:
        return self.path

    def show(self) -> Answer:
        return command("budget", "show", self.path)

    def history(self) -> Answer:
        return command("budget", "history", self.path)

    def check(self, *runs: Any) -> Answer:
        return command("budget", "check", self.path, *runs)

    def enter(self, *runs: Any, **options: Any) -> Answer:
        return command("budget", "enter", self.path, *runs, **options)

    def admit(self, graph: Any, *, disjoint: bool = False) -> Answer:
        return command("budget", "admit", self.path, data=graph, disjoint=disjoint)

    def release(self, number: int) -> Answer:
        return command("budget", "release", self.path, number)

    def __repr__(self) -> str:
        return f"Budget({self.path!r})"

    def _repr_html_(self) -> str:
        return answer_card(f"budget book {self.path}", self.show())


def budget(path: Path) -> Budget:
    """The budget book at this path."""
    return Budget(path)
