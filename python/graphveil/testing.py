"""Checks for methods of one's own."""

from __future__ import annotations

from typing import Any, Optional, Union

from . import _core
from ._estimators import estimator
from ._options import text_of
from .method import Method


class NeighborFindings(AssertionError):
    """A method told neighbors apart in a way that its plan does not pay for."""

    def __init__(self, method: str, findings: list[str]) -> None:
        super().__init__(f"{method}: {len(findings)} findings; the first: {findings[0]}")
        self.findings = findings


def neighbor_findings(
    method: Union[str, type[Method]], *, relation: Optional[str] = None, noise: float = 2.0, graphs: int = 4, **options: Any
) -> list[str]:
    """What the neighbor harness finds, in words; empty: nothing. relation: one, or all that the method names.

    A run on a small graph is recorded and replayed on every neighbor of it: given the same releases, the model and the
    predictions of everybody but the node concerned must be the same to the bit; and what goes into each release, before
    its noise, may differ by its stated sensitivity at most.
    """
    name = method if isinstance(method, str) else method.name
    relations = [relation] if relation is not None else list(estimator(name)._about["relations"])
    chosen = [(option.replace("_", "-"), text_of(value)) for option, value in options.items()]
    found: list[str] = []
    for each in relations:
        found += [f"{each}: {line}" for line in _core.neighbor_findings(name, chosen, each, noise, graphs)]
    return found


def check_neighbors(method: Union[str, type[Method]], **how: Any) -> None:
    """Raises NeighborFindings when neighbor_findings() finds anything."""
    found = neighbor_findings(method, **how)
    if found:
        raise NeighborFindings(method if isinstance(method, str) else method.name, found)
