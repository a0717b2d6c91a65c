"""Ledger lines, and trees of dp_accounting's DpEvents in their place.

The classes of dp_accounting are known by name, so that the package need not be installed to read its events.
"""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional, Sequence

from ._errors import InvalidArgument, Unsupported


def _line(mechanism: dict[str, Any], label: str, count: int = 1) -> dict[str, Any]:
    return {"label": label, "mechanism": mechanism, "sampling": {"kind": "none"}, "count": count}


def from_dp_event(event: Any, label: str = "event") -> Optional[dict[str, Any]]:
    """A ledger line of a DpEvent tree; None for NoOpDpEvent. What has no line here is refused, never guessed."""
    kind = type(event).__name__
    if kind == "NoOpDpEvent":
        return None
    if kind == "GaussianDpEvent":
        return _line({"kind": "gaussian", "noise_multiplier": float(event.noise_multiplier)}, label)
    if kind == "LaplaceDpEvent":
        return _line({"kind": "laplace", "noise_multiplier": float(event.noise_multiplier)}, label)
    if kind == "DiscreteLaplaceDpEvent":
        # Its noise_parameter is epsilon of sensitivity 1; ours is scale over sensitivity.
        scale = 1 / (float(event.noise_parameter) * int(event.sensitivity))
        return _line({"kind": "discrete-laplace", "noise_multiplier": scale}, label)
    if kind == "RandomizedResponseDpEvent":
        # With probability p a uniform one of all k: the truth has odds (1 - p + p/k) / (p/k).
        p, k = float(event.noise_parameter), int(event.num_buckets)
        if not 0 < p <= 1:
            raise InvalidArgument(f"{kind}: noise_parameter is {p}, want more than 0 and at most 1")
        odds = (1 - p) * k / p
        return _line({"kind": "randomized-response", "log_odds": math.log1p(odds), "classes": k}, label)
    if kind == "PoissonSampledDpEvent":
        inner = from_dp_event(event.event, label)
        if inner is None:
            return None
        rate = float(event.sampling_probability)
        if inner.get("mechanism", {}).get("kind") == "gaussian" and inner["count"] == 1 and inner["sampling"]["kind"] == "none":
            return {**inner, "sampling": {"kind": "poisson", "rate": rate}}
        return {"label": label, "sampled": {"rate": rate, "event": inner}, "count": 1}
    if kind == "SelfComposedDpEvent":
        inner = from_dp_event(event.event, label)
        if inner is None or int(event.count) == 0:
            return None
        return {**inner, "count": inner["count"] * int(event.count)}
    if kind == "ComposedDpEvent":
        kept = [e for e in event.events if from_dp_event(e) is not None]
        lines = [from_dp_event(e, f"{label} {i + 1}") for i, e in enumerate(kept)]
        if not lines:
            return None
        return lines[0] if len(lines) == 1 else {"label": label, "composed": lines, "count": 1}
    raise Unsupported(f"{kind} has no ledger line: known are Gaussian, Laplace, DiscreteLaplace, RandomizedResponse, "
                      "PoissonSampled, SelfComposed, Composed and NoOp")


def _is_line(value: Any) -> bool:
    return isinstance(value, Mapping) and any(k in value for k in ("mechanism", "sampled", "composed", "tuned"))


def ledger_of(events: Any) -> list[dict[str, Any]]:
    """A list of ledger lines from lines, DpEvents, or a mixture of them."""
    if isinstance(events, Mapping) and "events" in events:
        return [dict(line) for line in events["events"]]
    if _is_line(events):
        return [dict(events)]
    if isinstance(events, Sequence) and not isinstance(events, (str, bytes)):
        out: list[dict[str, Any]] = []
        for event in events:
            out += ledger_of(event)
        return out
    if type(events).__name__ == "ComposedDpEvent":
        kept = [e for e in events.events if from_dp_event(e) is not None]
        lines = [from_dp_event(e, f"event {i + 1}") for i, e in enumerate(kept)]
        return [line for line in lines if line is not None]
    line = from_dp_event(events)
    return [] if line is None else [line]


def to_dp_event(ledger: Any, module: Any = None) -> Any:
    """A ledger as a DpEvent of dp_accounting, or of another module with classes of these names.

    What dp_accounting has no event for (groups of samples, the exponential mechanism, tuned searches, discrete Gaussian
    noise) is refused.
    """
    if module is None:
        import importlib

        module = importlib.import_module("dp_accounting.dp_event")
    lines = ledger_of(ledger)
    made = [_dp_event(line, module) for line in lines]
    return made[0] if len(made) == 1 else module.ComposedDpEvent(made)


def _dp_event(line: Mapping[str, Any], m: Any) -> Any:
    count = int(line.get("count", 1))
    if "composed" in line:
        event = m.ComposedDpEvent([_dp_event(e, m) for e in line["composed"]])
    elif "sampled" in line:
        event = m.PoissonSampledDpEvent(line["sampled"]["rate"], _dp_event(line["sampled"]["event"], m))
    elif "mechanism" in line:
        event = _dp_mechanism(line["mechanism"], m)
        sampling = line.get("sampling", {"kind": "none"})
        if sampling["kind"] == "poisson":
            event = m.PoissonSampledDpEvent(sampling["rate"], event)
        elif sampling["kind"] != "none":
            raise Unsupported(f"dp_accounting has no event for sampling '{sampling['kind']}'")
    else:
        raise Unsupported(f"dp_accounting has no event for a line with {', '.join(line)}")
    return event if count == 1 else m.SelfComposedDpEvent(event, count)


def _dp_mechanism(mechanism: Mapping[str, Any], m: Any) -> Any:
    kind = mechanism["kind"]
    if kind == "gaussian":
        return m.GaussianDpEvent(mechanism["noise_multiplier"])
    if kind == "laplace":
        return m.LaplaceDpEvent(mechanism["noise_multiplier"])
    if kind == "discrete-laplace":
        return m.DiscreteLaplaceDpEvent(1 / mechanism["noise_multiplier"], 1)
    if kind == "randomized-response":
        k = int(mechanism.get("classes", 2))
        return m.RandomizedResponseDpEvent(k / (k + math.expm1(mechanism["log_odds"])), k)
    raise Unsupported(f"dp_accounting has no event for mechanism '{kind}'")
