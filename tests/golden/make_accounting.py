#!/usr/bin/env python3
"""Makes accounting.json: known answers from programs that share no code with ours.

    PYTHON_WITH_DP_ACCOUNTING_AND_MPMATH tests/golden/make_accounting.py > tests/golden/accounting.json

Each case says where its epsilon comes from and how far ours may lie above and below it (relative).
"""
import json

import dp_accounting
import mpmath as mp
from dp_accounting import pld

mp.mp.dps = 40


def line(mechanism, sampling, count):
    return {"mechanism": mechanism, "sampling": sampling, "count": count}


def gaussian(s):
    return {"kind": "gaussian", "noise_multiplier": s}


def laplace(b):
    return {"kind": "laplace", "noise_multiplier": b}


def poisson(rate):
    return {"kind": "poisson", "rate": rate}


NONE = {"kind": "none"}


def solve(delta_of, delta, high):
    """The epsilon with delta_of(epsilon) = delta, for a decreasing function."""
    low, high = mp.mpf(0), mp.mpf(high)
    if delta_of(low) <= delta:
        return mp.mpf(0)
    for _ in range(90):
        middle = (low + high) / 2
        if delta_of(middle) > delta:
            low = middle
        else:
            high = middle
    return high


def crossing(log_ratio, low, high):
    for _ in range(140):
        middle = (low + high) / 2
        if log_ratio(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def mixture_case(s, rate, deletions, insertions, delta, sampling):
    """One step: both mixtures have a ratio that rises with x, so delta(e) is a difference of two tails at one point."""
    s, p = mp.mpf(s), mp.mpf(rate)
    up = [(mp.binomial(deletions, i) * p**i * (1 - p) ** (deletions - i), mp.mpf(i)) for i in range(deletions + 1)]
    down = [(mp.binomial(insertions, i) * p**i * (1 - p) ** (insertions - i), -mp.mpf(i)) for i in range(insertions + 1)]
    density = lambda mix, x: mp.fsum(w * mp.exp(-((x - c) ** 2) / (2 * s * s)) for w, c in mix)
    above = lambda mix, x: mp.fsum(w * mp.erfc((x - c) / (s * mp.sqrt(2))) / 2 for w, c in mix)
    below = lambda mix, x: mp.fsum(w * mp.erfc((c - x) / (s * mp.sqrt(2))) / 2 for w, c in mix)
    reach = 60 * s + deletions + insertions

    def forward(e):
        x = crossing(lambda y: mp.log(density(up, y) / density(down, y)) - e, -reach, reach)
        return above(up, x) - mp.exp(e) * above(down, x)

    def backward(e):
        x = crossing(lambda y: mp.log(density(up, y) / density(down, y)) + e, -reach, reach)
        return below(down, x) - mp.exp(e) * below(up, x)

    d = mp.mpf(delta)
    epsilon = max(solve(forward, d, 400), solve(backward, d, 400))
    return {"events": [line(gaussian(float(s)), sampling, 1)], "delta": delta, "epsilon": float(epsilon),
            "origin": "mpmath, 40 digits: one step, tails of both mixtures at the point where their ratio is e^epsilon",
            "above": 3e-4, "below": 1e-7}


def laplace_case(b, rate, delta):
    """(1-q) Lap(0) + q Lap(1) against Lap(0), one step, by integration between kinks."""
    b, q, d = mp.mpf(b), mp.mpf(rate), mp.mpf(delta)
    blank = lambda x: mp.exp(-abs(x) / b) / (2 * b)
    present = lambda x: (1 - q) * blank(x) + q * blank(x - 1)

    def hockey(f, g, e):
        # The ratio is constant outside [0, 1] and monotone inside, so the sign changes at most once there.
        difference = lambda x: f(x) - mp.exp(e) * g(x)
        inside = [mp.mpf(0), mp.mpf(1)]
        if difference(mp.mpf(0)) * difference(mp.mpf(1)) < 0:
            inside.insert(1, mp.findroot(difference, (0, 1), solver="anderson", tol=1e-60))
        total = max(difference(mp.mpf(1)), 0) * b + max(difference(mp.mpf(0)), 0) * b
        for left, right in zip(inside, inside[1:]):
            if difference((left + right) / 2) > 0:
                total += mp.quad(difference, [left, right])
        return total

    epsilon = max(solve(lambda e: hockey(present, blank, e), d, 50), solve(lambda e: hockey(blank, present, e), d, 50))
    return {"events": [line(laplace(float(b)), poisson(rate), 1)], "delta": delta, "epsilon": float(epsilon),
            "origin": "mpmath, 40 digits: integral of the hockey stick, one step", "above": 3e-4, "below": 1e-7}


def gdp_case(s, count, delta):
    mu = mp.sqrt(count) / mp.mpf(s)
    curve = lambda e: mp.ncdf(-e / mu + mu / 2) - mp.exp(e) * mp.ncdf(-e / mu - mu / 2)
    epsilon = solve(curve, mp.mpf(delta), mu * mu / 2 + 60 * mu + 1)
    return {"events": [line(gaussian(s), NONE, count)], "delta": delta, "epsilon": float(epsilon),
            "origin": "mpmath, 40 digits: the privacy curve of the Gaussian mechanism", "above": 1e-9, "below": 1e-12}


def response_case(log_odds, classes, rate, count, delta):
    """All outcomes of a small trinomial, in 40 digits."""
    odds, g = mp.exp(mp.mpf(log_odds)), mp.mpf(rate)
    total = odds + classes - 1
    blank = [1 / total, odds / total, (classes - 2) / total]
    present = [(1 - g) * blank[0] + g * odds / total, (1 - g) * blank[1] + g / total, blank[2]]

    def curve(p, q):
        outcomes = []
        for i in range(count + 1):
            for j in range(count + 1 - i):
                k = count - i - j
                ways = mp.binomial(count, i) * mp.binomial(count - i, j)
                outcomes.append((ways * p[0]**i * p[1]**j * p[2]**k, ways * q[0]**i * q[1]**j * q[2]**k))
        return lambda e: mp.fsum(max(a - mp.exp(e) * b, 0) for a, b in outcomes)

    d = mp.mpf(delta)
    epsilon = max(solve(curve(present, blank), d, 60), solve(curve(blank, present), d, 60))
    return {"events": [line({"kind": "randomized-response", "log_odds": log_odds, "classes": classes}, poisson(rate), count)],
            "delta": delta, "epsilon": float(epsilon),
            "origin": "mpmath, 40 digits: every outcome of the trinomial", "above": 1e-6, "below": 1e-9}


def google_case(events, delta, interval):
    accountant = pld.PLDAccountant(value_discretization_interval=interval)
    for event in events:
        kind = dp_accounting.GaussianDpEvent if event["mechanism"]["kind"] == "gaussian" else dp_accounting.LaplaceDpEvent
        one = kind(event["mechanism"]["noise_multiplier"])
        if event["sampling"]["kind"] == "poisson":
            one = dp_accounting.PoissonSampledDpEvent(event["sampling"]["rate"], one)
        accountant.compose(dp_accounting.SelfComposedDpEvent(one, event["count"]))
    return {"events": events, "delta": delta, "epsilon": accountant.get_epsilon(delta),
            "origin": f"Google dp_accounting, PLD, connect the dots, interval {interval:g}", "above": 5e-4, "below": 2e-4}


def main():
    group = lambda rate, d, i: {"kind": "poisson-group", "rate": rate, "deletions": d, "insertions": i}
    cases = [
        gdp_case(1.0, 1, 1e-12), gdp_case(1000.0, 10, 1e-6), gdp_case(0.05, 1, 1e-9), gdp_case(30.0, 1000000, 1e-12),
        mixture_case(1.0, 0.01, 1, 0, 1e-5, poisson(0.01)), mixture_case(0.7, 0.2, 1, 0, 1e-12, poisson(0.2)),
        mixture_case(4.0, 0.1, 8, 7, 1e-6, group(0.1, 8, 7)), mixture_case(2.0, 0.05, 1, 1, 1e-8, group(0.05, 1, 1)),
        mixture_case(3.0, 0.3, 0, 4, 1e-5, group(0.3, 0, 4)), mixture_case(25.0, 0.2, 40, 39, 1e-6, group(0.2, 40, 39)),
        laplace_case(1.0, 0.2, 1e-3), laplace_case(0.5, 0.01, 1e-4),
        response_case(1.5, 4, 0.2, 12, 1e-4), response_case(0.7, 2, 0.5, 25, 1e-6), response_case(3.0, 10, 0.02, 20, 1e-3),
        google_case([line(gaussian(1.3), poisson(0.004), 20000)], 1e-10, 2e-5),
        google_case([line(gaussian(0.6), poisson(0.001), 3000)], 1e-5, 1e-5),
        google_case([line(gaussian(12.0), poisson(0.5), 400)], 1e-8, 2e-5),
        google_case([line(laplace(4.0), poisson(0.05), 2000)], 1e-6, 1e-5),
        google_case([line(laplace(20.0), NONE, 300), line(gaussian(6.0), NONE, 3)], 1e-9, 1e-4),
        google_case([line(gaussian(2.0), poisson(0.02), 1000), line(laplace(8.0), poisson(0.1), 50),
                     line(gaussian(3.0), NONE, 2)], 1e-7, 3e-5),
    ]
    print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")


if __name__ == "__main__":
    main()
