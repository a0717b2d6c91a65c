"""Cards for notebooks: plain HTML that a page with any background can show."""

from __future__ import annotations

import html
from typing import Any, Iterable

_BOX = (
    "font-family:system-ui,sans-serif;border:1px solid #8884;border-radius:8px;padding:.8em 1em;max-width:44em;"
    "line-height:1.45"
)
_HEAD = "font-weight:600;font-size:1.05em;margin-bottom:.3em"
_GOOD, _BAD = "#2a7d46", "#b3261e"


def table(rows: Iterable[tuple[str, Any]]) -> str:
    body = "".join(
        f'<tr><td style="text-align:left;padding:.1em 1em .1em 0;opacity:.75">{html.escape(name)}</td>'
        f'<td style="text-align:left">{html.escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f'<table style="border-collapse:collapse">{body}</table>'


def card(title: str, rows: Iterable[tuple[str, Any]], mark: str = "", good: bool = True, below: str = "") -> str:
    badge = ""
    if mark:
        color = _GOOD if good else _BAD
        badge = f' <span style="color:{color};font-weight:600">{html.escape(mark)}</span>'
    foot = f'<div style="opacity:.75;margin-top:.4em">{html.escape(below)}</div>' if below else ""
    return f'<div style="{_BOX}"><div style="{_HEAD}">{html.escape(title)}{badge}</div>{table(rows)}{foot}</div>'


def _number(value: Any) -> str:
    return "none" if value is None else f"{value:.4g}"


def certificate_rows(certificate: Any) -> list[tuple[str, Any]]:
    rows = [
        ("epsilon", f"{_number(certificate.epsilon)} at delta {certificate.delta:.3g}"),
        ("protects", certificate["neighbors"]),
        ("relation", certificate.relation),
    ]
    for statement in certificate["statements"]:
        degree = statement.get("degree")
        where = statement["relation"] if degree is None else f"{statement['relation']}, at most {degree} outgoing edges"
        rows.append((f"{statement['what']} ({statement['audience']})", f"epsilon {_number(statement['epsilon'])}: {where}"))
    rows += [("not to be released", reason) for reason in certificate["not_releasable"]]
    rows += [("assumed", line) for line in certificate["assumptions"]]
    return rows


def certificate_card(certificate: Any) -> str:
    mark = "may be released" if certificate.releasable else "not to be released"
    return card(f"{certificate.method}: certificate", certificate_rows(certificate), mark, certificate.releasable)


def estimator_card(estimator: Any) -> str:
    certificate = getattr(estimator, "certificate_", None)
    if certificate is None:
        return card(repr(estimator), [("", "not fitted")])
    rows = certificate_rows(certificate)[:3]
    report = getattr(estimator, "report_", None)
    if report and report.get("test_accuracy"):
        rows.append(("test accuracy (holder's)", f"{100 * report['test_accuracy']['mean']:.1f}%"))
    rows.append(("run folder", estimator.run_folder_))
    mark = "may be released" if certificate.releasable else "not to be released"
    below = "Accuracy reads private labels: it is yours to know and no epsilon covers it."
    return card(repr(estimator), rows, mark, certificate.releasable, below)


def comparison_card(comparison: Any) -> str:
    """A table: a row for each method, a column for each budget; what is within the noise of the best is bold."""
    cells = comparison["cells"]
    graphs = sorted({c["graph"] for c in cells})
    out = []
    for graph in graphs:
        here = [c for c in cells if c["graph"] == graph]
        budgets = sorted({c["epsilon"] for c in here if c["epsilon"] is not None})
        columns = [*budgets, *([None] if any(c["epsilon"] is None for c in here) else [])]
        style = "padding:.1em .8em;text-align:right"
        head = "".join(f'<th style="{style}">{"no privacy" if b is None else f"epsilon {b:g}"}</th>' for b in columns)
        rows = ""
        for label in dict.fromkeys(c["label"] for c in here):
            rows += f'<tr><td style="text-align:left">{html.escape(str(label))}</td>'
            for b in columns:
                found = [c for c in here if c["label"] == label and c["epsilon"] == b]
                text = "" if not found or found[0]["mean"] is None else f"{100 * found[0]['mean']:.1f}"
                if found and found[0]["best_within_noise"]:
                    text = f"<b>{text}</b>"
                rows += f'<td style="{style}">{text}</td>'
            rows += "</tr>"
        out.append(f'<div style="{_HEAD}">{html.escape(str(graph))}</div><table><tr><th></th>{head}</tr>{rows}</table>')
    below = "Test accuracy in %, the holder's. Bold: within the noise of the best."
    return f'<div style="{_BOX}">{"".join(out)}<div style="opacity:.75">{below}</div></div>'


def answer_card(title: str, answer: Any) -> str:
    rows = [(str(k), v if not isinstance(v, (dict, list)) else f"{len(v)} entries") for k, v in answer.items()]
    return card(title, rows)
