"""Pictures by matplotlib, which is imported when one is drawn."""

from __future__ import annotations

import math
from typing import Any, Iterable, Mapping, Optional, Sequence


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(6, 4)).add_subplot()


def _rows(results: Any) -> list[Mapping[str, Any]]:
    if isinstance(results, Mapping):
        for name in ("cells", "rows", "results"):
            if name in results:
                return list(results[name])
        return [results]
    if hasattr(results, "report_"):
        return [results.report_]
    return [getattr(r, "report_", r) for r in results]


def _mean(accuracy: Any) -> tuple[float, Optional[tuple[float, float]]]:
    if isinstance(accuracy, Mapping):
        interval = accuracy.get("ci95")
        return float(accuracy["mean"]), None if not interval else (float(interval[0]), float(interval[1]))
    return float(accuracy), None


def plot_accuracy_vs_epsilon(results: Any, ax: Any = None) -> Any:
    """One line for each method: test accuracy (the holder's) over epsilon, with 95% intervals where there are repeats.

    results: fitted estimators, their report_, or rows with method, epsilon and test_accuracy, as compare() gives them.
    """
    ax = _axes(ax)
    lines: dict[str, list[tuple[float, float, Optional[tuple[float, float]]]]] = {}
    for row in _rows(results):
        # A cell of compare() is {label, epsilon, mean, ci95}; a report of a training has {method, epsilon, test_accuracy}.
        epsilon, accuracy = row.get("epsilon"), row if row.get("mean") is not None else row.get("test_accuracy")
        if accuracy is None:
            continue
        mean, interval = _mean(accuracy)
        name = str(row["label"] if "label" in row else row["method"])
        if epsilon is None:
            ax.axhline(mean, linestyle="--", linewidth=1, color="gray")
            ax.annotate(name, (0.01, mean), xycoords=("axes fraction", "data"), fontsize=8, va="bottom")
            continue
        lines.setdefault(name, []).append((float(epsilon), mean, interval))
    for name, points in lines.items():
        points.sort(key=lambda point: point[0])
        (line,) = ax.plot([p[0] for p in points], [p[1] for p in points], marker="o", label=name)
        for epsilon, _, interval in points:
            if interval is not None:
                ax.vlines(epsilon, *interval, color=line.get_color(), alpha=0.6)
    ax.set_xscale("log")
    ax.set_xlabel("epsilon")
    ax.set_ylabel("test accuracy (holder's)")
    if lines:
        ax.legend()
    return ax


def plot_budget(book: Any, ax: Any = None) -> Any:
    """What is spent of a budget book's cap, and what is left. book: a Budget, its path, or what its show() says."""
    from ._commands import Answer, Budget

    ax = _axes(ax)
    shown = book if isinstance(book, Answer) else (book if isinstance(book, Budget) else Budget(book)).show()
    cap, spent = float(shown["epsilon"]), shown["spent"]
    used = cap if spent is None else min(float(spent), cap)
    ax.barh([0], [used], color="tab:orange", label="spent or reserved")
    ax.barh([0], [cap - used], left=[used], color="tab:green", alpha=0.5, label="left")
    ax.set_yticks([])
    ax.set_xlabel("epsilon")
    ax.legend()
    return ax


def plot_roc(result: Any, ax: Any = None) -> Any:
    """Receiver operating curves of an attack: what attack("membership", ...) says, one line for each repeat.

    Or pairs (false, true positive rate). Where the guarantee speaks of the attack, the most that it allows is drawn too.
    """
    ax = _axes(ax)
    for name, false, true in _curves(result):
        ax.plot(false, true, label=name)
    if isinstance(result, Mapping) and "allowed" in result:
        grid = [i / 200 for i in range(201)]
        ax.plot(grid, [_allowed(x, result["epsilon"], result["delta"]) for x in grid], color="black", linewidth=1,
                label="allowed by epsilon")
    ax.plot([0, 1], [0, 1], linestyle="--", color="gray", linewidth=1)
    ax.set_xlabel("false positive rate")
    ax.set_ylabel("true positive rate")
    ax.legend()
    return ax


def _allowed(false: float, epsilon: float, delta: float) -> float:
    """The largest true positive rate that (epsilon, delta) allows at this false positive rate (Kairouz et al. 2015)."""
    return min(1.0, math.exp(epsilon) * false + delta, 1 - math.exp(-epsilon) * (1 - delta - false))


def _curves(result: Any) -> Iterable[tuple[str, Sequence[float], Sequence[float]]]:
    if not isinstance(result, Mapping):
        points = list(result)
        yield "attack", [p[0] for p in points], [p[1] for p in points]
        return
    for name, value in result.items():
        for i, curve in enumerate(value.get("roc", ()) if isinstance(value, Mapping) else ()):
            yield f"{name}, repeat {i + 1}", curve["fpr"], curve["tpr"]
