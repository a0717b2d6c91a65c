#!/usr/bin/env python3
"""Checks the arithmetic of a graphveil certificate, without graphveil.

    check_certificate.py certificate.json [--json]

The file needs Python 3.8 and its standard library, nothing else. It reads the ledger of a certificate, computes an upper and
a lower bound of every epsilon by its own means, and compares. From what it was written: sections 1 to 6, the prices, from
docs/guarantees.md (called "the law" below) and the papers it names, not from the program's accountant, with one exception:
the pair of a bounded range, whose formula the law has from there, and which is derived again here. Sections 7 and 8, what
fields, lines and statements mean and what samplers owe, follow docs/certificate.md and the law, which were written with the
program's sources at hand: a mistake in what a line is said to mean would be in both.

    agrees      our upper bound is at most 0.1% above the claim
    looser      our upper bound is further above, and our lower bound below: the claim may be right (exit code 0)
    disagrees   the claim is below a lower bound, or a field contradicts another (exit code 1)

Exit code 2 says that the input is no certificate. How to read the answers: docs/howto/check-a-certificate.md.

Sections: 1 normal distribution, 2 pairs of distributions, 3 lattices, 4 composition, 5 Renyi bounds, 6 ledgers,
7 lines and statements, 8 fields, 9 the program.
"""
import argparse
import cmath
import hashlib
import json
import math
import sys

INF = math.inf
AGREE = 1.001  # "agrees" means that our bound is at most this factor above the claim


class Unreadable(Exception):
    """The input is no certificate: exit code 2."""


class Unpriced(Exception):
    """We know no theorem for this event."""


# ---------------------------------------------------------------------------------------------------------------------
# 1. The normal distribution, and compositions of Gaussian mechanisms.


def normal_slices(cuts):
    """P(a < N(0,1) <= b) for neighboring cuts a < b, from tails on their own side of 0 so that far slices keep their digits."""
    tails = [0.5 * math.erfc(abs(cut) / math.sqrt(2)) for cut in cuts]
    return [ta - tb if a > 0 else tb - ta if b < 0 else 1 - ta - tb
            for a, b, ta, tb in zip(cuts, cuts[1:], tails, tails[1:])]


def gaussian_delta(mu, epsilon):
    """delta of N(0,1) against N(mu,1): Balle and Wang 2018, Theorem 8 (the analytic Gaussian mechanism).

    Releases of multipliers s_1, s_2, ... compose to mu^2 = sum 1/s_i^2, exactly (Dong, Roth, Su 2019, Corollary 3.3).
    """
    if mu == 0:
        return 0.0
    upper, lower = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
    tail = 0.5 * math.erfc(-lower / math.sqrt(2))
    return 0.5 * math.erfc(-upper / math.sqrt(2)) - (math.exp(epsilon + math.log(tail)) if tail > 0 else 0.0)


def smallest_epsilon(delta_at, delta, top):
    """The smallest epsilon in [0, top] with delta_at(epsilon) <= delta, rounded up; infinite where top is too small."""
    if delta_at(0.0) <= delta:
        return 0.0
    low, high = 0.0, 1.0
    while high < top and delta_at(high) > delta:
        low, high = high, 2 * high
    if high >= top:
        high = top
        if not delta_at(high) <= delta:
            return INF
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high


# ---------------------------------------------------------------------------------------------------------------------
# 2. Pairs of distributions.
#
# A ledger line stands for a pair (P, Q): what is released with the record there (P) and with the record blank (Q), in the
# worst case that the law's table names. The privacy loss of an outcome is L = ln(dP/dQ), and
#     delta(epsilon) = E_P[ max(0, 1 - e^(epsilon - L)) ]
# (the hockey-stick divergence). Every pair answers one question: how much mass do P and Q have between given bounds on L?
# masses([b_0 < ... < b_m]) gives two lists of m + 2 numbers: at most b_0, from b_0 to b_1, ..., above b_m.
# `low` and `high` bound L. Because the answer has P and Q, the same pair serves both directions (class Reversed).


class Gaussian:
    """N(1, s^2) against N(0, s^2): L = (2x - 1) / (2 s^2)."""

    low, high = -INF, INF

    def __init__(self, s):
        self.s = s

    def masses(self, bounds):
        cuts = [-INF] + [b * self.s + 0.5 / self.s for b in bounds] + [INF]  # x / s
        return normal_slices([c - 1 / self.s for c in cuts]), normal_slices(cuts)


class GaussianGroup:
    """sum_i Binom(i; a, p) N(i, s^2) against sum_j Binom(j; b, p) N(-j, s^2): Schuchardt et al. 2024, Theorem 3.8.

    L grows with x: every term of P leans to the right, every term of Q to the left. Where L crosses a bound is found by
    Newton's steps inside a bracket, to 1e-11 in L; compositions add that error to epsilon.
    """

    def __init__(self, s, rate, deletions, insertions):
        self.s, self.known = s, {}
        self.up, self.down = self.binomial(deletions, rate), self.binomial(insertions, rate)
        self.low = -INF if insertions else deletions * math.log1p(-rate) if rate < 1 else -INF
        self.high = INF if deletions else -insertions * math.log1p(-rate) if rate < 1 else INF

    @staticmethod
    def binomial(n, p):
        """(i, weight, ln weight). Weights below 1e-30 are left out: they cannot move a digit of any delta that we meet."""
        if p >= 1 or n == 0:
            return [(n, 1.0, 0.0)]
        logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * math.log(p)
                + (n - i) * math.log1p(-p) for i in range(n + 1)]
        return [(i, math.exp(w), w) for i, w in enumerate(logs) if w > -69]

    def loss(self, x):
        """L(x) and its derivative."""
        total = slope = 0.0
        for terms, sign in ((self.up, 1), (self.down, -1)):
            logs = [w + (2 * sign * i * x - i * i) / (2 * self.s * self.s) for i, _, w in terms]
            top = max(logs)
            parts = [math.exp(v - top) for v in logs]
            whole = sum(parts)
            total += sign * (top + math.log(whole))
            slope += sum(i * part for (i, _, _), part in zip(terms, parts)) / whole / (self.s * self.s)
        return total, slope

    def crossing(self, bound, guess):
        """The x at which L(x) = bound."""
        if bound <= self.low:
            return -INF
        if bound >= self.high:
            return INF
        if bound in self.known:
            return self.known[bound]
        low, high, x = -INF, INF, guess
        for _ in range(300):
            value, slope = self.loss(x)
            if abs(value - bound) < 1e-11:
                break
            low, high = (x, high) if value < bound else (low, x)
            step = (bound - value) / slope if slope > 0 else INF
            x = x + step if abs(step) < 4 * (1 + self.s * self.s) else x + math.copysign(4 * (1 + self.s * self.s), step)
            if not low < x < high:
                x = (low + high) / 2
        self.known[bound] = x
        return x

    def masses(self, bounds):
        cuts, guess = [-INF], 0.0
        for b in bounds:
            cuts.append(self.crossing(b, guess))
            guess = cuts[-1] if math.isfinite(cuts[-1]) else guess
        cuts.append(INF)
        return self.mixture(self.up, 1, cuts), self.mixture(self.down, -1, cuts)

    def mixture(self, terms, sign, cuts):
        total = [0.0] * (len(cuts) - 1)
        for i, weight, _ in terms:
            total = [t + weight * p for t, p in zip(total, normal_slices([(c - sign * i) / self.s for c in cuts]))]
        return total


class Laplace:
    """Laplace noise of scale s around 1 against around 0: L = (|x| - |x - 1|) / s (Dwork et al. 2006)."""

    def __init__(self, s):
        self.s, self.low, self.high = s, -1 / s, 1 / s

    def masses(self, bounds):
        s, p, q = self.s, [], []
        cuts = [-INF] + bounds + [INF]
        for a, b in zip(cuts, cuts[1:]):
            # All x below 0 have L = -1/s and all above 1 have L = 1/s; between them L = (2x - 1) / s.
            x, y = min(max((a * s + 1) / 2, 0.0), 1.0), min(max((b * s + 1) / 2, 0.0), 1.0)
            here_p = 0.5 * math.exp((y - 1) / s) * -math.expm1((x - y) / s)
            here_q = 0.5 * math.exp(-x / s) * -math.expm1((x - y) / s)
            for atom, to_p, to_q in ((self.low, math.exp(-1 / s) / 2, 0.5), (self.high, 0.5, math.exp(-1 / s) / 2)):
                if a < atom <= b:
                    here_p, here_q = here_p + to_p, here_q + to_q
            p.append(here_p)
            q.append(here_q)
        return p, q


class Atoms:
    """A pair with finitely many values of L, given as (ln p, ln q)."""

    def __init__(self, atoms):
        self.logs = atoms
        self.atoms = sorted((a - b, math.exp(a), math.exp(b)) for a, b in atoms)
        self.low, self.high = self.atoms[0][0], self.atoms[-1][0]

    def masses(self, bounds):
        p, q, at = [0.0] * (len(bounds) + 1), [0.0] * (len(bounds) + 1), 0
        for loss, to_p, to_q in self.atoms:
            while at < len(bounds) and loss > bounds[at]:
                at += 1
            p[at] += to_p
            q[at] += to_q
        return p, q


def randomized_response(log_odds, classes):
    """The own class with probability a, each other with b, ln(a/b) = log_odds (Kairouz, Oh, Viswanath 2015, 2016)."""
    b = -math.log(math.exp(-log_odds) * (classes - 1) + 1) - log_odds
    rest = [(b + math.log(classes - 2), b + math.log(classes - 2))] if classes > 2 else []
    return Atoms([(b + log_odds, b), (b, b + log_odds)] + rest)


def discrete_gaussian(s):
    """Whole numbers k with weight e^(-k^2 / 2s^2), around 1 against around 0: an example of the line, for lower bounds."""
    reach = int(12 * s + 12)
    whole = math.log(math.fsum(math.exp(-k * k / (2 * s * s)) for k in range(-reach, reach + 1)))
    return Atoms([(-(k - 1) ** 2 / (2 * s * s) - whole, -k * k / (2 * s * s) - whole) for k in range(-reach, reach + 2)])


class BoundedRange:
    """An exponential mechanism has its loss in [t - R, t] for some t (Durfee, Rogers 2019). The worst such pair has the two ends
    only, so delta(e) is at most the largest of (1 - e^(t-R)) (1 - e^(e-t)) / (1 - e^-R), which is (1 - e^((e-R)/2))^2 / (1 - e^-R)
    at t = (e + R)/2 (Dong, Durfee, Rogers 2020). That is convex in e^e, and so the curve of a pair (Zhu, Dong, Wang 2022), with
    P(L > z) = (1 - e^((z-R)/2)) / (1 - e^-R) and Q(L > z) = P(L < -z)."""

    def __init__(self, width):
        self.low, self.high = -width, width

    def masses(self, bounds):
        r, cuts = self.high, [-self.high] + [min(max(b, self.low), self.high) for b in bounds] + [self.high]
        parts = [(a, b, math.expm1((a - b) / 2) / math.expm1(-r)) for a, b in zip(cuts, cuts[1:])]
        return [w * math.exp((b - r) / 2) for _, b, w in parts], [w * math.exp(-(a + r) / 2) for a, _, w in parts]


class Sampled:
    """((1-q)Q + qP, Q): the record takes part with probability q, in secret (Zhu, Dong, Wang 2022, Theorem 11)."""

    def __init__(self, inner, rate):
        self.inner, self.rate = inner, rate
        self.low, self.high = self.loss(inner.low), self.loss(inner.high)

    def loss(self, inner):
        """ln(1 - q + q e^inner)."""
        if inner == -INF:
            return math.log1p(-self.rate) if self.rate < 1 else -INF
        if inner > 500:
            return inner + math.log(self.rate)
        return math.log1p(self.rate * math.expm1(inner))

    def inner_bound(self, bound):
        """The inverse of loss()."""
        if bound > 500:
            return bound - math.log(self.rate)
        x = math.expm1(bound) / self.rate
        return math.log1p(x) if x > -1 else -INF

    def masses(self, bounds):
        p, q = self.inner.masses([self.inner_bound(b) for b in bounds])
        return [(1 - self.rate) * b + self.rate * a for a, b in zip(p, q)], q


class Reversed:
    """(Q, P) for the pair (P, Q): the record is blank in the first graph and there in the second."""

    def __init__(self, pair):
        self.pair, self.low, self.high = pair, -pair.high, -pair.low

    def masses(self, bounds):
        p, q = self.pair.masses([-b for b in reversed(bounds)])
        return q[::-1], p[::-1]


def other_direction(pair):
    """Gaussian and Laplace noise and bounded ranges look the same from both sides."""
    if isinstance(pair, Atoms):
        return Atoms([(b, a) for a, b in pair.logs])
    return pair if isinstance(pair, (Gaussian, Laplace, BoundedRange)) else Reversed(pair)


def on_sample(pair, q):
    """The pair on a Poisson sample of rate q."""
    if not isinstance(pair, Atoms):
        return Sampled(pair, q)
    return Atoms([(log_sum([math.log(q) + a, math.log1p(-q) + b]) if q < 1 else a, b) for a, b in pair.logs])


def single_delta(pair, epsilon):
    """delta of one release, exactly: P(L > epsilon) - e^epsilon Q(L > epsilon)."""
    p, q = pair.masses([epsilon])
    return max(0.0, p[1] - (math.exp(epsilon + math.log(q[1])) if q[1] > 0 else 0.0))


# ---------------------------------------------------------------------------------------------------------------------
# 3. Lattices: pairs whose losses are whole multiples of a step h, at least (or at most) as easy to tell apart.


def connect_the_dots(pair, bounds):
    """Doroshenko et al. 2022: what lies between two bounds goes to both of them, such that its mass under P and under Q
    stays the same. That interpolates the convex curve delta(e^epsilon) by its chords, so the new pair is at least as easy to
    tell apart, alone and in compositions. Gives masses of P at the bounds, and the mass above, whose loss is infinite."""
    p, q = pair.masses(bounds)
    masses = [0.0] * len(bounds)
    masses[0] = p[0]
    for i in range(1, len(bounds)):
        if p[i] > 0:
            from_q = math.exp(min(math.log(q[i]) + bounds[i - 1], 0.0)) if q[i] > 0 else 0.0
            to_upper = (p[i] - from_q) / -math.expm1(bounds[i - 1] - bounds[i])
            to_upper = min(max(to_upper, 0.0) + 1e-10 * p[i], p[i])  # 1e-10 is more than the rounding of this formula
            masses[i] += to_upper
            masses[i - 1] += p[i] - to_upper
    return masses, p[-1]


class Lattice:
    """Masses of P at losses first*h, (first+1)*h, ..., last*h.

    Upper: dots connected; `infinite` is the mass above. Lower: all outcomes whose loss rounds to the same point become one,
    which is post-processing, so the pair is at most as easy to tell apart. The merged outcome has loss ln(P/Q), off the
    lattice by some e, whose mean, variance and largest deviation are kept; mass beyond the ends is left out."""

    def __init__(self, pair, h, first, last, upper):
        self.h, self.first, self.infinite = h, first, 0.0
        if upper:
            self.masses, self.infinite = connect_the_dots(pair, [i * h for i in range(first, last + 1)])
            return
        p, q = pair.masses([(i - 0.5) * h for i in range(first, last + 2)])
        self.masses = [a if a > 1e-300 and b > 1e-300 else 0.0 for a, b in zip(p[1:-1], q[1:-1])]
        errors = [(a, math.log(a) - math.log(b) - (first + i) * h)
                  for i, (a, b) in enumerate(zip(self.masses, q[1:-1])) if a > 0]
        self.mean = math.fsum(a * e for a, e in errors)
        self.variance = math.fsum(a * (e - self.mean) ** 2 for a, e in errors) + (p[0] + p[-1]) * self.mean ** 2
        self.deviation = max([abs(e - self.mean) for _, e in errors] + [abs(self.mean)])

    def log_moment(self, theta):
        """ln E_P[e^(theta L)] of the finite part."""
        return log_sum([math.log(p) + theta * self.h * i for i, p in enumerate(self.masses, self.first) if p > 0])


def log_sum(logs):
    top = max(logs)
    return top + math.log(math.fsum(math.exp(v - top) for v in logs)) if top < INF else INF


# ---------------------------------------------------------------------------------------------------------------------
# 4. Composition: the losses of all lines add up, so their lattices are convolved.

TWIDDLES = {}


def fourier(x):
    """The discrete Fourier transform of a list whose length is a power of two (Cooley, Tukey 1965)."""
    n = len(x)
    if n == 1:
        return x
    if n not in TWIDDLES:
        TWIDDLES[n] = [cmath.exp(-2j * cmath.pi * k / n) for k in range(n // 2)]
    even, odd = fourier(x[0::2]), [w * v for w, v in zip(TWIDDLES[n], fourier(x[1::2]))]
    return [a + b for a, b in zip(even, odd)] + [a - b for a, b in zip(even, odd)]


class Composed:
    """The sum of the losses of (lattice, count), as a bound on delta(epsilon): upper or lower, as the lattices are.

    Masses are tilted by e^(theta L) first, so that the transform's rounding is small against delta and not against 1.
    Sums that leave the window of n lattice points come back at its other end. Only losses above epsilon count, so the window
    begins a bit below epsilon; Chernoff's bound limits what leaves it at the top."""

    def __init__(self, lattices, h, theta, start, n):
        self.h, self.theta, self.start, self.n = h, theta, start, n
        product, self.log_total = [1.0] * n, 0.0
        for lattice, count in lattices:
            moment = lattice.log_moment(theta)
            self.log_total += count * moment
            wrapped = [0.0] * n
            for i, p in enumerate(lattice.masses, lattice.first):
                if p > 0:
                    wrapped[i % n] += math.exp(math.log(p) + theta * h * i - moment)
            product = [a * b ** count for a, b in zip(product, fourier(wrapped))]
        back = fourier([v.conjugate() for v in product])
        # From each point up, the sums of c e^(-theta L) and of c e^(-(theta+1) L), in units of their value at `middle`.
        self.middle, self.tails, a, b = (start + n // 2) * h, [(0.0, 0.0)], 0.0, 0.0
        for i in reversed(range(start, start + n)):
            mass, offset = back[i % n].real / n, i * h - self.middle
            a += mass * math.exp(min(-theta * offset, 600.0))
            b += mass * math.exp(min(-(theta + 1) * offset, 600.0))
            self.tails.append((a, b))
        self.tails.reverse()
        # A frequency of a line errs by 8 u per level of its transform, its power `count` times as much; a sum over the points
        # above epsilon, weighted by e^(-theta (L - epsilon)), is worth 1 / (theta h) points.
        total = sum(count for _, count in lattices)
        self.rounding = total * 1.2e-16 * (16 * math.log2(n) + 16) * (1 + 1 / (theta * h))
        # The tilted mass above the window is at most E e^(t (L - end)) for every t > 0.
        self.infinite, self.end = sum(count * lattice.infinite for lattice, count in lattices), (start + n) * h
        self.above = math.exp(min(0.0, min(
            sum(count * lattice.log_moment(theta + t) for lattice, count in lattices) - self.log_total - t * self.end
            for t in (max(theta, 0.1) * 2.0 ** k for k in range(-7, 5)))))

    def delta(self, epsilon, upper):
        if upper and epsilon < self.start * self.h:
            return 1.0  # sums below the window are not seen
        if upper:
            epsilon = min(epsilon, self.end)  # delta falls, so its value at the window's end bounds it beyond
        a, b = self.tails[min(max(math.floor(epsilon / self.h) + 1 - self.start, 0), self.n)]
        inside = math.exp(min(self.log_total - self.theta * self.middle, 600.0)) * (
            a - math.exp(min(epsilon - self.middle, 600.0)) * b)
        unit = math.exp(min(self.log_total - self.theta * epsilon, 600.0))  # what tilted mass 1 at epsilon is worth
        if upper:
            lost = math.exp(min(self.log_total - self.theta * self.end, 0.0)) * self.above
            return inside + unit * self.rounding + lost + self.infinite
        # What comes back from below the window is worth at most e^(-theta * width).
        return inside - unit * (self.rounding + self.above) - 2 * math.exp(-self.theta * self.n * self.h)


def enumerated(lines, most=6000):
    """All sums of losses of lines of atoms, [(loss, mass)], or None where they are too many. Sums that agree to 1e-9 are one."""
    sums = {0: (0.0, 1.0)}
    for pair, count in lines:
        if not isinstance(pair, Atoms) or count > 400:
            return None
        for _ in range(count):
            grown = {}
            for loss, mass in sums.values():
                for step, p, _ in pair.atoms:
                    key = round((loss + step) * 1e9)
                    grown[key] = (loss + step, grown.get(key, (0, 0.0))[1] + mass * p)
            if len(grown) > most:
                return None
            sums = grown
    return list(sums.values())


def quantile(pair, mass, upper):
    """A loss above (or below) which P has at most this mass, not much further out than need be."""
    at, sign = 1e-6, 1 if upper else -1
    while at < 1e5 and pair.masses([sign * at])[0][1 if upper else 0] > mass:
        at *= 1.4
    return min(at, pair.high) if upper else max(-at, pair.low)


def coarse(pair, low, high, points=400):
    """(ln mass of P, loss) at up to twice so many points, dots connected: finer near 0. And the mass above `high`."""
    reach = max(-low, high, 1e-9)
    grid = [reach * math.sinh(10 * k / points) / math.sinh(10) for k in range(-points, points + 1)]
    inner = [b for b in grid if low < b < high]
    bounds = [low - 1e-12] + inner + [high + 1e-12]
    masses, beyond = connect_the_dots(pair, bounds)
    return [(math.log(p), b) for p, b in zip(masses, bounds) if p > 0], beyond


def direction_bounds(lines, delta, wanted, most=1 << 15):
    """Upper and lower bound of epsilon for the composition of (pair, count) in one direction.

    The lattice is made finer until the upper bound is below `wanted`, the lower one above it, the two are 0.05% apart, or
    `most` points are reached."""
    total = sum(count for _, count in lines)
    best, floor = sum(count * pair.high for pair, count in lines), 0.0  # the sum of the largest losses is always enough
    if total == 1:
        exact = smallest_epsilon(lambda e: single_delta(lines[0][0], e), delta, min(best, 1e6))
        return exact * (1 + 1e-9), exact * (1 - 1e-6)
    sums = enumerated(lines)
    if sums is not None:
        exact = smallest_epsilon(
            lambda e: math.fsum(mass * -math.expm1(e - loss) for loss, mass in sums if loss > e), delta, best)
        return min(exact * (1 + 1e-9) + 1e-8, best), exact * (1 - 1e-6) - 1e-8
    if sum(count * single_delta(pair, 0.0) for pair, count in lines) <= delta:
        return 0.0, 0.0  # total variation distances add up
    # A rough idea of the moments chooses tilt and window. Nothing rests on it.
    ranges = [(quantile(pair, 1e-13, False), min(quantile(pair, 1e-4 * delta / total, True), 600.0)) for pair, _ in lines]
    points = [(coarse(pair, *ends, points=100)[0], count) for (pair, count), ends in zip(lines, ranges)]

    def moment(theta):
        return sum(count * log_sum([p + theta * loss for p, loss in some]) for some, count in points)
    theta = min((math.exp(k / 8) for k in range(-32, 72)), key=lambda t: renyi_epsilon(t, moment(t), delta))
    rough = renyi_epsilon(theta, moment(theta), delta)
    low_end = 0.8 * rough
    high_end = min((moment(theta + t) - moment(theta) + 14) / t
                   for t in (max(theta, 0.05) * 2.0 ** (k / 2) for k in range(-12, 12)))
    high_end = max(high_end, low_end + (10 - math.log(delta)) / theta)
    n, slack = 1 << 10, total * 1e-10  # the slack is for crossings of GaussianGroup
    while n <= most:
        width = max([high_end - low_end] + [(high - low) / 4 for low, high in ranges])
        h = 2.0 ** math.ceil(math.log2(width / n))  # powers of two, so that crossings found once serve again
        start = math.floor(low_end / h) - 1

        def composed(upper):
            lattices = [(Lattice(pair, h, math.floor(low / h) - 1, math.ceil(high / h) + 1, upper), count)
                        for (pair, count), (low, high) in zip(lines, ranges)]
            return lattices, Composed(lattices, h, theta, start, n)
        above = composed(True)[1]
        found = smallest_epsilon(lambda e: above.delta(e, True), delta, 2 * rough + 1)
        if found <= start * h + 1e-6 * rough and low_end > 0.01 * rough:
            low_end /= 2  # epsilon lies below the window
            continue
        best = min(best, found + slack)
        if best <= wanted:
            break
        # From below. But for a chance of delta/1000 the rounding errors e of all runs sum to at least `moved`, by Bernstein's
        # inequality, so delta(epsilon) is at least that of the lattices at epsilon - moved, less delta/1000 (the argument of
        # Gopi, Lee, Wutschitz 2021).
        lattices, below = composed(False)
        chance = math.log(1000 / delta)
        third = max(lattice.deviation for lattice, _ in lattices) * chance / 3
        variance = sum(count * lattice.variance for lattice, count in lattices)
        moved = sum(count * lattice.mean for lattice, count in lattices) - third - math.sqrt(
            third * third + 2 * variance * chance) - slack
        for guess in (best * (1 - 1e-5 * 1.4 ** k) for k in range(33)):  # each guess that passes is a proof
            if below.delta(guess, False) > delta * 1.001:
                floor = max(floor, guess + moved)
                break
        if best <= floor * 1.0005 or floor > wanted:
            break
        n *= 2
    return best, floor


# ---------------------------------------------------------------------------------------------------------------------
# 5. Renyi bounds, for events whose worst pair is not known. K(theta) = ln E_P[e^(theta L)] is theta times the Renyi
# divergence of order theta + 1. An event is here (moment, infinite): moment(theta, reverse) is K in that direction, and
# `infinite` is mass that counts as lost.

ORDERS = sorted({float(k) for k in range(1, 17)} | {0.1 * 1.08 ** k for k in range(150)})  # values of theta


def renyi_epsilon(theta, log_moment, delta):
    """Canonne, Kamath, Steinke 2020, Proposition 12: the best epsilon that K(theta) alone proves at delta."""
    return (log_moment - math.log(delta) + theta * math.log(theta) - (1 + theta) * math.log1p(theta)) / theta


def renyi_upper(event, delta, reverse):
    """The smallest epsilon that moments prove, for the directions asked for."""
    moment, infinite = event
    if infinite >= delta:
        return INF
    return max(0.0, max(min(renyi_epsilon(t, moment(t, side), delta - infinite) for t in ORDERS) for side in reverse))


def renyi_sum(events):
    """[(event, count)], one after the other: K adds up, whatever was released before (Mironov 2017, Proposition 1)."""
    return (lambda theta, reverse: sum(n * moment(theta, reverse) for (moment, _), n in events),
            sum(n * infinite for (_, infinite), n in events))


def renyi_pair(pair):
    """A known pair, on a grid that leaves out a mass of 1e-60."""
    if ("renyi", pair) in PAIRS:
        return PAIRS["renyi", pair]
    both = [coarse(side, quantile(side, 1e-60, False), quantile(side, 1e-60, True)) for side in (pair, other_direction(pair))]
    known = {}

    def moment(theta, reverse):
        if (theta, reverse) not in known:
            known[theta, reverse] = max(0.0, log_sum([p + theta * loss for p, loss in both[reverse][0]]))
        return known[theta, reverse]
    PAIRS["renyi", pair] = moment, max(beyond for _, beyond in both)
    return PAIRS["renyi", pair]


def renyi_exponential(width):
    """The exponential mechanism of range R has its loss in an interval [t - R, t] for some t (Durfee, Rogers 2019).

    E_P[e^-L] is 1 and z^-theta is convex in z = e^-L, so the worst law has the two ends of the interval only. With y = e^t
    its moment is y^theta (A - B y) / (e^R - 1), A = e^R - e^(-theta R), B = 1 - e^(-theta R), largest at
    y = theta / (1 + theta) * A / B (Dong, Durfee, Rogers 2020 have the same family)."""
    def moment(theta, _):
        log_a = width + math.log1p(-math.exp(-(theta + 1) * width))
        log_b = math.log(-math.expm1(-theta * width))
        t = min(max(math.log(theta / (1 + theta)) + log_a - log_b, 0.0), width)
        rest = math.log(max(-math.expm1(min(log_b + t - log_a, 0.0)), 1e-300))
        return max(0.0, theta * t + log_a + rest - width - math.log(-math.expm1(-width)))
    return (moment if width > 0 else lambda theta, _: 0.0), 0.0


def renyi_sampled(event, q):
    """On a Poisson sample of rate q. For whole orders E_Q[((1-q) + q P/Q)^n] is a binomial sum of the moments of P against Q
    (as in Mironov, Talwar, Zhang 2019); divergences grow with their order, so others are rounded up. In the other direction
    E_Q[((1-q) + q P/Q)^-theta] is at most 1-q + q E_Q[(Q/P)^theta], by convexity, and at most (1-q)^-theta."""
    inner, infinite = event

    def moment(theta, reverse):
        n = math.ceil(theta) + 1
        if q >= 1 or (n > 300 and not reverse):
            return inner(theta, reverse)
        if reverse:
            return min(-theta * math.log1p(-q), log_sum([math.log1p(-q), math.log(q) + inner(theta, True)]))
        terms = [math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) + (n - j) * math.log1p(-q)
                 + j * math.log(q) + (inner(j - 1.0, False) if j > 1 else 0.0) for j in range(n + 1)]
        return max(0.0, log_sum(terms)) * theta / (n - 1)
    return moment, infinite


def renyi_tuned(event, trials, mu):
    """The best of K trials, K random and secret: Papernot, Steinke 2022, Theorems 2 and 6, in the law's form. mu: what a
    trial's releases compose to, where all of them are Gaussian."""
    inner, infinite = event
    if trials.get("kind") == "positive-poisson":
        rate = number(trials, "rate", 0)
        log_mean = math.log(rate / -math.expm1(-rate))

        def trial_delta(c, side):
            return min(math.exp(min(0.0, inner(t, side) + t * (math.log(t) - c) - (1 + t) * math.log1p(t))) for t in ORDERS)

        def extra(theta):  # one trial is (c, d)-DP with e^c = order / (order - 1)
            c = math.log1p(1 / theta)
            return rate * (gaussian_delta(mu, c) if mu is not None else max(trial_delta(c, side) for side in BOTH))
    elif trials.get("kind") == "negative-binomial":
        shape, stop = number(trials, "shape", -1), number(trials, "stop", 0, 1)
        if stop == 1:
            return event
        log_mean = math.log(shape * (1 - stop) / (stop * (1 - stop ** shape)) if shape else (1 / stop - 1) / -math.log(stop))
        # kappa = t + 1; (1 - 1/kappa) D_kappa is K(t) / kappa.
        best = (1 + shape) * min((max(inner(t, side) for side in BOTH) - math.log(stop)) / (t + 1) for t in ORDERS)

        def extra(_):
            return best
    else:
        raise Unpriced("trials of kind %s" % json.dumps(trials.get("kind")))
    return (lambda theta, reverse: inner(theta, reverse) + theta * extra(theta) + log_mean), 2 * infinite * math.exp(log_mean)


# ---------------------------------------------------------------------------------------------------------------------
# 6. Ledgers: lists of events, as they stand in the certificate.

BOTH = (False, True)  # directions: the record is there in the first graph, or (reverse) in the second
PAIRS = {}  # pairs that were made already, by their parameters


def field(record, key, kind):
    if not isinstance(record, dict) or not isinstance(record.get(key), kind):
        raise Unreadable("field %r is missing or of the wrong kind" % key)
    return record[key]


def number(record, key, above, most=INF):
    """A finite number record[key] in (above, most]."""
    value = field(record, key, (int, float))
    if isinstance(value, bool) or not math.isfinite(value) or not above < value <= most:
        raise Unreadable("field %r is %s, but must be a number above %g and at most %g" % (key, value, above, most))
    return value


def whole(record, key, least):
    if number(record, key, least - 1) != int(record[key]):
        raise Unreadable("field %r is %s, but must be a whole number" % (key, record[key]))
    return int(record[key])


def count_of(event):
    return whole(event, "count", 1) if "count" in event else 1


def simple_pair(mechanism, sampling, lower):
    """The pair of an event without nesting, and whether it is the law's worst case. If not, the pair is a bound from above
    (None where we know none), or for `lower` one example of what the line allows, which bounds from below."""
    name = json.dumps([mechanism, sampling, lower], sort_keys=True)
    if name in PAIRS:
        return PAIRS[name]
    kind, how, exact = mechanism.get("kind"), sampling.get("kind"), True
    if kind in ("gaussian", "laplace", "discrete-laplace", "discrete-gaussian"):
        s = number(mechanism, "noise_multiplier", -1)
        if s <= 0:
            raise Unpriced("noise of multiplier %g" % s)
        if kind == "discrete-gaussian":
            pair, exact = (discrete_gaussian(s) if lower else None), False
        elif kind == "discrete-laplace":  # Ghosh et al. 2009: a count that moves by 1 has L = 1/s or -1/s
            pair = randomized_response(1 / s, 2)
        else:
            pair = Gaussian(s) if kind == "gaussian" else Laplace(s)
    elif kind == "randomized-response" and number(mechanism, "log_odds", -1) <= 700:
        pair = randomized_response(mechanism["log_odds"], whole(mechanism, "classes", 2) if "classes" in mechanism else 2)
    elif kind == "exponential" and number(mechanism, "range", -1) <= 700:
        # From below two outcomes whose scores change places, with L = R/2 or -R/2.
        width = mechanism["range"]
        pair, exact = (randomized_response(width / 2, 2) if lower or width == 0 else BoundedRange(width)), False
    else:
        raise Unpriced("mechanism %s" % json.dumps(mechanism))
    if how == "poisson":
        rate = number(sampling, "rate", 0, 1)
        pair = pair and on_sample(pair, rate)
    elif how == "poisson-group" and kind == "gaussian":
        pair = GaussianGroup(s, number(sampling, "rate", 0, 1), whole(sampling, "deletions", 0), whole(sampling, "insertions", 0))
    elif how != "none":
        raise Unpriced("sampling %s of %s" % (json.dumps(how), kind))
    PAIRS[name] = (pair, exact)
    return PAIRS[name]


def pairs_of(event, lower=False):
    """[(pair, count)], and whether they are the worst case; (None, False) where we know no pair."""
    count = count_of(event)
    if "composed" in event:
        parts = [pairs_of(e, lower) for e in field(event, "composed", list)]
        if any(lines is None for lines, _ in parts):
            return None, False
        return [(pair, n * count) for lines, _ in parts for pair, n in lines], all(exact for _, exact in parts)
    if "sampled" in event:
        lines, exact = pairs_of(field(event["sampled"], "event", dict), lower)
        rate = number(event["sampled"], "rate", 0, 1)
        if lines is None or len(lines) != 1 or lines[0][1] != 1:
            return None, False
        name = (id(lines[0][0]), rate)
        PAIRS.setdefault(name, on_sample(lines[0][0], rate))
        return [(PAIRS[name], count)], exact
    if "tuned" in event:
        return None, False
    pair, exact = simple_pair(field(event, "mechanism", dict), event.get("sampling", {"kind": "none"}), lower)
    return (None, False) if pair is None else ([(pair, count)], exact)


def renyi_of(event):
    """(moment, infinite) of an event of any kind."""
    lines, exact = pairs_of(event)
    if lines is not None and exact:
        return renyi_sum([(renyi_zcdp(pair.s) if isinstance(pair, Gaussian) else renyi_pair(pair), n) for pair, n in lines])
    if "composed" in event:
        one = renyi_sum([(renyi_of(e), 1) for e in event["composed"]])
    elif "sampled" in event:
        one = renyi_sampled(renyi_of(event["sampled"]["event"]), event["sampled"]["rate"])
    elif "tuned" in event:
        inner = field(event["tuned"], "event", dict)
        lines, _ = pairs_of(inner)
        one = renyi_tuned(renyi_of(inner), field(event["tuned"], "trials", dict), gaussian_mu(lines) if lines else None)
    else:
        mechanism, sampling = event["mechanism"], event.get("sampling", {"kind": "none"})
        one = (renyi_exponential(mechanism["range"]) if mechanism["kind"] == "exponential"
               else renyi_zcdp(mechanism["noise_multiplier"]))
        one = renyi_sampled(one, sampling["rate"]) if sampling["kind"] == "poisson" else one
    return renyi_sum([(one, count_of(event))])


def renyi_zcdp(s):
    """Gaussian noise, continuous or discrete, is 1/(2s^2)-zCDP (Canonne, Kamath, Steinke 2020, Theorem 4)."""
    return (lambda theta, _: theta * (theta + 1) / (2 * s * s)), 0.0


def gaussian_mu(lines):
    """sqrt(sum count/s^2) where every line is Gaussian without sampling, else None."""
    if not all(isinstance(pair, Gaussian) for pair, _ in lines):
        return None
    return math.sqrt(sum(count / pair.s ** 2 for pair, count in lines))


def pair_bounds(lines, delta, wanted, reverse, most=1 << 15):
    """Upper and lower bound for known pairs, the larger of the directions asked for."""
    if not lines:
        return 0.0, 0.0
    mu = gaussian_mu(lines)
    if mu is not None and delta > 0:
        exact = smallest_epsilon(lambda e: gaussian_delta(mu, e), delta, 1e7)
        return exact * (1 + 1e-9), exact * (1 - 1e-7)
    # Equal lines become one, and Gaussian ones without sampling become one release (Dong, Roth, Su 2019, Corollary 3.3).
    plain = [(pair, n) for pair, n in lines if isinstance(pair, Gaussian)]
    counts = {}
    for pair, n in lines:
        if not isinstance(pair, Gaussian):
            counts[pair] = counts.get(pair, 0) + n
    lines = list(counts.items()) + ([(Gaussian(1 / gaussian_mu(plain)), 1)] if plain else [])
    sides = [[(other_direction(pair) if back else pair, n) for pair, n in lines] for back in reverse]
    sides = sides[:1] if sides[0] == sides[-1] else sides
    if delta == 0:  # every loss is possible, so the largest sum of losses is needed, and enough
        pure = max(sum(n * pair.high for pair, n in side) for side in sides)
        return pure * (1 + 1e-12), pure * (1 - 1e-9)
    found = [direction_bounds(side, delta, wanted, most) for side in sides]
    return max(upper for upper, _ in found), max(lower for _, lower in found)


def sampled_bounds(events, rate, delta, wanted, reverse):
    """One event on a Poisson sample: ((1-q)Q + qP, Q) for the pair (P, Q) of everything inside. With a = e^epsilon,
    delta(a) = q delta_in(1 + (a-1)/q), and in the other direction (1 - a(1-q)) delta_in'(aq / (1 - a(1-q))), which is 0 for
    a >= 1/(1-q) (Balle, Barthe, Gaboardi 2018, Theorem 2). Both are identities."""
    upper, lower, how = 0.0, 0.0, "exact"
    edge = -math.log1p(-rate) if rate < 1 else INF
    if False in reverse:
        inner = math.log1p(math.expm1(min(wanted, 500.0)) / rate)
        high, low, how = ledger_bounds(events, min(delta / rate, 1.0), inner, (False,))
        upper, lower = [math.log1p(rate * math.expm1(e)) if e < 500 else e + math.log(rate) for e in (high, low)]
    if True in reverse and upper < edge:
        # Is the other direction's epsilon below this one's (or, alone, below `wanted`)? If not, `edge` is always enough.
        target = upper if False in reverse else wanted
        kept = 1 - math.exp(min(target, 500.0)) * (1 - rate)
        back = target + math.log(rate / kept) if kept > 0 else INF
        if kept > 0 and ledger_bounds(events, min(delta / kept, 1.0), back, (True,))[0] > back:
            return edge, lower, how
        upper = max(upper, min(target, edge))
    return upper, lower, how


def ledger_bounds(events, delta, wanted, reverse=BOTH):
    """(upper, lower, how) for epsilon of a list of events at delta. `wanted`: more digits are of no use where the upper bound
    is below it. how: "exact" where the pair of every line is the law's worst case, "Renyi" where the bound is looser."""
    if delta >= 1:
        return 0.0, 0.0, "exact"
    if len(events) == 1 and count_of(events[0]) == 1 and "sampled" in events[0]:
        body = field(events[0], "sampled", dict)
        return sampled_bounds([field(body, "event", dict)], number(body, "rate", 0, 1), delta, wanted, reverse)
    if len(events) == 1 and count_of(events[0]) == 1 and "composed" in events[0]:
        return ledger_bounds(field(events[0], "composed", list), delta, wanted, reverse)
    lines, exact = pairs_of({"composed": events})
    if lines is not None and exact:
        return pair_bounds(lines, delta, wanted, reverse) + ("exact",)
    upper = pair_bounds(lines, delta, wanted, reverse, 1 << 12)[0] if lines is not None else INF
    if delta > 0 and upper > wanted:
        upper = min(upper, renyi_upper(renyi_of({"composed": events}), delta, reverse))
    examples, _ = pairs_of({"composed": events}, lower=True)
    lower = pair_bounds(examples, delta, wanted, reverse, 1 << 12)[1] if examples is not None and upper > wanted else 0.0
    return upper, min(lower, upper), "Renyi"


# ---------------------------------------------------------------------------------------------------------------------
# 7. Lines and statements: what a line releases, and what the same noise says about other degrees and about one friendship
# (docs/certificate.md, "What a line releases"; the law, "Several statements from one ledger").

EDGE_RELATIONS = ("edge", "undirected-edge")
RELATIONS = EDGE_RELATIONS + ("node", "record")
PUBLIC_GRAPH = ("oneshot", "privgnn", "pate-m", "pate-g", "dp-gpl", "dp-gpl-w", "prompt-dpsgd")
GAUSSIAN = {"gaussian": "L2"}
SUMS, TAUGHT = "neighbor-sum", ("votes", "vote-maxima", "labels")
# kind: its numbers, the mechanisms that may release it with their norms, and what it reads (None: its numbers tell).
RELEASES = {
    "neighbor-sum": ("messages", GAUSSIAN, SUMS),
    "neighbor-counts": ("cells", {"discrete-laplace": "L1", "discrete-gaussian": "L2", "gaussian": "L2"}, SUMS),
    "class-sums": ("classes", GAUSSIAN, "own-records"),
    "gradients": ("reach deletions insertions", GAUSSIAN, None),
    "votes": ("queries weight teachers", {"gaussian": "L2", "discrete-laplace": "L1"}, None),
    "vote-maxima": ("queries weight teachers", GAUSSIAN, None),
    "labels": ("teachers", {"randomized-response": "Hamming"}, None),
    "pagerank-rows": ("rows", GAUSSIAN, "clipped-rows"),
    "pagerank-picks": ("", {"exponential": "LInf"}, "clipped-rows"),
    "pagerank-values": ("", {"laplace": "LInf"}, "clipped-rows"),
    "edge-count": ("", {"discrete-laplace": "L1"}, "edges"),
    "edge-cells": ("", {"randomized-response": "Hamming"}, "edges"),
    "score": ("", GAUSSIAN, "own-records"),
}
READS = {"reach": {"own-sample": "own-records", "released-lists": "own-records", "one-hop": "one-hop", "many-hops": "many-hops"},
         "teachers": {"own-records": "own-records", "own-part": "clipped-rows", "many-hops": "many-hops"}}
ROUNDING = 1 + 2.0 ** -10 + 2.0 ** -14  # what float sums of gradients may lengthen one sample by


def check_releases(releases):
    """Refuses what we do not know."""
    kind = field(releases, "kind", str)
    names = RELEASES[kind][0].split() if kind in RELEASES else ()
    if kind not in RELEASES or set(releases) != {"kind", *names}:
        raise Unreadable("a line releases %s, which we do not know" % json.dumps(releases))
    for name in names:
        if name not in READS:
            number(releases, name, -1 if name == "insertions" else 0)
        elif releases[name] not in READS[name]:
            raise Unreadable("%s is %s, which we do not know" % (name, json.dumps(releases[name])))


def reads_of(releases):
    """What a line depends on, told by what it releases."""
    word = "reach" if "reach" in releases else "teachers"
    return RELEASES[releases["kind"]][2] or READS[word][releases[word]]


def mechanism_of(event):
    """A line's one mechanism, alone or within a `sampled` of its own."""
    return event["mechanism"] if "mechanism" in event else event["sampled"]["event"]["mechanism"]


def sampling_of(event):
    return event.get("sampling", {"kind": "none"})


def stated_sensitivity(line, clip):
    """The sensitivity of what the line releases; None where it turns on a length that the certificate does not say."""
    r, l1 = line["releases"], line["norm"] == "L1"
    kind = r["kind"]
    if kind == "neighbor-counts":
        return r["cells"] if l1 else math.sqrt(r["cells"])
    if kind == "class-sums":
        return math.sqrt(1 - 1 / r["classes"])
    if kind == "votes":  # in each query one count falls by the weight and one rises by it
        return r["weight"] * (2 * r["queries"] if l1 else math.sqrt(2 * r["queries"]))
    if kind == "vote-maxima":
        return r["weight"] * math.sqrt(r["queries"])
    if kind == "gradients":
        touched = r["deletions"] + r["insertions"] if sampling_of(line["event"])["kind"] == "none" else 1
        return None if clip is None else touched * clip * ROUNDING
    return 1 if kind in ("labels", "edge-count", "edge-cells", "score") else None


def line_problems(document, line):
    """What does not fit within one line, in words."""
    r, event, relation, k = line["releases"], line["event"], document["relation"], document["protect_degree"]
    kind, mechanism, sampling = r["kind"], mechanism_of(event), sampling_of(event)
    found, reads = [], reads_of(r)

    def check(holds, words):
        if not holds:
            found.append(words)
    check(RELEASES[kind][1].get(mechanism["kind"]) == line["norm"],
          "%s noise in %s for %s" % (mechanism["kind"], line["norm"], kind))
    check(line["reads"] == reads, "reads %s, but %s reads %s" % (line["reads"], kind, reads))
    scale = {"exponential": lambda: 2 * line["sensitivity"] / mechanism["range"] if mechanism["range"] else 0,
             "randomized-response": lambda: mechanism["log_odds"]}.get(
                 mechanism["kind"], lambda: mechanism["noise_multiplier"] * line["sensitivity"])()
    check(math.isclose(number(line, "noise_scale", -1), scale), "noise_scale is %g, not %g" % (line["noise_scale"], scale))
    clip = option(document, "max-grad-norm")
    stated = stated_sensitivity(line, float(clip) if clip and document["valid"] else None)
    check(stated is None or math.isclose(line["sensitivity"], stated),
          "sensitivity is %g, but that of %s is %g" % (line["sensitivity"], kind, stated or 0))
    moved = {"edge": 1, "undirected-edge": 2, "node": k}.get(relation)  # messages; under record options tell
    if reads == SUMS and moved is not None:
        check(r.get("messages", r.get("cells")) == moved, "one change under %s moves %d messages" % (relation, moved))
    check(kind != "neighbor-counts" and reads != "edges" or relation in EDGE_RELATIONS, "%s under %s" % (kind, relation))
    check(reads in (SUMS, "edges") or relation not in EDGE_RELATIONS, "%s under %s" % (kind, relation))
    if kind == "gradients":
        gone, come = r["deletions"], r["insertions"]
        check(gone == come + 1, "of %d samples one goes, so %d change" % (gone, gone - 1))
        check(r["reach"] != "own-sample" or gone == 1, "a record is in %d samples of its own" % gone)
        if relation == "node" and reads in ("one-hop", "many-hops"):
            d, shells = quoted_degree(document), [1]
            while sum(shells) < gone and d and (reads == "many-hops" or len(shells) < 2):
                shells.append(shells[-1] * d)
            check(sum(shells) == gone, "a node of %s edges is not in %d samples" % (d, gone))
        if sampling["kind"] != "none":
            want = ("poisson", 1, 0) if gone == 1 else ("poisson-group", gone, come)
            check((sampling["kind"], sampling.get("deletions", 1), sampling.get("insertions", 0)) == want,
                  "samples are drawn for others than a record touches")
    else:
        check(sampling["kind"] == "none", "%s on a sample of samples" % kind)
    check("sampled" not in event or kind == "labels", "%s on a sample of its own" % kind)
    for classes in (r.get("classes"), mechanism.get("classes") if kind == "labels" else None):
        check(classes in (None, document["public"]["classes"]), "there are %s classes" % document["public"]["classes"])
    return found


def quoted_degree(document):
    """The degree that the lines were made for: dpgnn declares its own (docs/methods/dpgnn.md), others have k."""
    own = [s["degree"] for s in document["statements"] if s["what"] == "parameters" and s["relation"] == "node"]
    many = any(line["releases"].get("reach") == "many-hops" for line in document["lines"])
    return own[0] if many and own else document["protect_degree"]


def rescaled(event, factor):
    """The event with its multiplier times the factor, for somebody who moves 1/factor of its sensitivity."""
    if not 0 < factor < INF or "noise_multiplier" not in event.get("mechanism", {}):
        return None
    return dict(event, mechanism=dict(event["mechanism"],
                                      noise_multiplier=event["mechanism"]["noise_multiplier"] * factor))


def for_messages(line, sent):
    """A line of messages for somebody who sends so many: L2 norms go with the root of their number, L1 norms with it."""
    if sent == 0:
        return []
    ratio = line["releases"].get("messages", line["releases"].get("cells")) / sent
    return [rescaled(line["event"], ratio if line["norm"] == "L1" else math.sqrt(ratio))]


def for_samples(line, deletions, insertions):
    """Clipped samples for somebody who touches others; with full batches all of them are one sensitivity."""
    event, made_for = line["event"], line["releases"]["deletions"] + line["releases"]["insertions"]
    if sampling_of(event)["kind"] == "none":
        return [rescaled(event, made_for / (deletions + insertions))]
    group = {"kind": "poisson-group", "rate": event["sampling"]["rate"], "deletions": deletions, "insertions": insertions}
    return [dict(event, sampling=group)]


def at_degree(line, d):
    """What a line costs a node of d outgoing edges: a list of events; [None] where nothing is known."""
    reads = reads_of(line["releases"])
    if reads == SUMS:
        return for_messages(line, d)
    if reads == "one-hop":  # its own sample goes, and those of the d nodes it points to change
        return for_samples(line, 1 + d, d)
    return [line["event"]] if reads in ("own-records", "clipped-rows") else [None]


def of_friendship(line, relation):
    """What a line costs one undirected edge: two messages, or two samples that change."""
    reads = reads_of(line["releases"])
    if reads == "own-records":
        return []  # no edge is read
    if reads == SUMS:
        return for_messages(line, 2)
    if reads == "one-hop":
        return for_samples(line, 2, 2)
    return [line["event"]] if reads == "clipped-rows" or relation == "undirected-edge" else [None]


def as_run(document, events):
    """All events on one sample of the records, or in every trial of a search: both at once have no proof."""
    rate, trials = number(document, "record_rate", 0, 1), "trials" in document
    if None in events or (rate < 1 and trials):
        return None
    if not events or (rate == 1 and not trials):
        return events
    inside = {"label": "all lines", "composed": events, "count": 1}
    if trials:
        return [{"label": "the best of several trials", "count": 1,
                 "tuned": {"trials": field(document, "trials", dict), "event": inside}}]
    return [{"label": "on a sample of the records", "count": 1, "sampled": {"rate": rate, "event": inside}}]


def option(document, name):
    return next((field(entry, "value", str) for entry in field(document, "config", list) if entry.get("name") == name), None)


def ledger_of(document, statement):
    """The ledger that a statement must be priced by; None where nothing is proven."""
    lines, made_for, k = document["lines"], document["relation"], quoted_degree(document)
    relation, degree, what = statement["relation"], statement["degree"], statement["what"]
    events = [line["event"] for line in lines]
    if what.startswith("parameters, records") and relation == made_for == "record" and document["method"] == "dp-gpl-w":
        # A record pays for the weight of its class of degrees; the lines are made for the heaviest.
        classes = [s for s in document["statements"] if s["what"].startswith("parameters, records")]
        low, high = [float(option(document, name)) for name in ("weight-low", "weight-high")]
        weight = low + (high - low) * (classes.index(statement) / max(len(classes) - 1, 1))
        heaviest = all(line["releases"].get("weight") == high for line in lines)
        return as_run(document, [rescaled(e, high / weight) for e in events]) if heaviest else None
    if what not in ("parameters", "predictions"):
        return None
    if relation == made_for == "node" and degree is None:  # every degree: no line may turn on it
        same = all(reads_of(x["releases"]) in ("own-records", "clipped-rows") or x["releases"]["kind"] in TAUGHT for x in lines)
        return as_run(document, events) if same else None
    if relation == made_for and (relation != "node" or degree == k):
        return as_run(document, events)
    if relation == made_for == "node":
        return as_run(document, [e for line in lines for e in at_degree(line, degree)])
    if relation == "undirected-edge" and made_for in ("edge", "node") and degree is None:
        return as_run(document, [e for line in lines for e in of_friendship(line, made_for)])
    if relation == "record" and made_for == "node" and what == "predictions" and degree == k:
        return as_run(document, events)  # lap: own lists for predictions only (the law: "For whom")
    return None


def owed_to_samplers(events):
    """3 kappa: noise is drawn with its ideal probabilities up to a factor 1 +- 2^-49 an event (the law: "How exact"); pure
    noise owes nothing. In a search the best of K trials is off by 1 + (1 + shape)/stop, or 1 + rate, times as much."""
    def off_by(event):
        if "composed" in event:
            one = sum(off_by(e) for e in event["composed"])
        elif "sampled" in event:
            one = off_by(event["sampled"]["event"])
        elif "tuned" in event:
            t = event["tuned"]["trials"]
            one = off_by(event["tuned"]["event"]) * (1 + (t["rate"] if "rate" in t else (1 + t["shape"]) / t["stop"]))
        else:
            one = 2.0 ** -49 if event["mechanism"]["kind"] in ("gaussian", "laplace", "discrete-gaussian") else 0.0
        return one * count_of(event)
    return 3 * sum(off_by(event) for event in events)


# ---------------------------------------------------------------------------------------------------------------------
# 8. Fields that must fit each other (docs/certificate.md has all of them).

FIELDS = {str: "format program version created method relation neighbors accounting seed schema_sha256 config_sha256 "
               "model_sha256 predictions_sha256 data_fingerprint digest",
          bool: "valid releasable", dict: "public",
          list: "reasons not_releasable epsilon_at statements lines events assumptions remarks found_in_data class_names "
                "feature_names config",
          (int, float): "protect_degree delta sampler_epsilon record_rate noise"}
MAY_BE_NULL_OR_MISSING = {"epsilon", "published_epsilon", "trials", "budget"}


class Real(float):
    """A number with a point or an exponent, and how it is written."""

    def __new__(cls, text):
        self = float.__new__(cls, text)
        self.text = text
        return self


def canonical(value):
    """JSON without spaces, keys sorted, numbers as they stand in the file."""
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (canonical(key), canonical(value[key])) for key in sorted(value))
    if isinstance(value, list):
        return "[%s]" % ",".join(map(canonical, value))
    return value.text if isinstance(value, Real) else json.dumps(value, ensure_ascii=False)


def no_duplicates(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        raise Unreadable("a field stands twice in one object")
    return dict(pairs)


def read_document(path):
    """The certificate, with every field that is used below of the right kind."""
    try:
        with open(path, "rb") as file:
            document = json.loads(file.read(64 << 20).decode("utf-8"), object_pairs_hook=no_duplicates, parse_float=Real)
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(str(error))
    if not isinstance(document, dict) or document.get("format") != "graphveil-certificate/3":
        raise Unreadable("this is no certificate of format graphveil-certificate/3")
    for kind, keys in FIELDS.items():
        for key in keys.split():
            field(document, key, kind)
    unknown = set(document) - set(" ".join(FIELDS.values()).split()) - MAY_BE_NULL_OR_MISSING
    if unknown:
        raise Unreadable("unknown fields: %s" % ", ".join(sorted(unknown)))
    whole(document, "protect_degree", 0)
    for key in ("nodes", "train_nodes", "classes"):
        whole(document["public"], key, 0)
    for line in document["lines"]:
        number(line, "sensitivity", 0)
        for key, kind in (("reads", str), ("norm", str), ("event", dict), ("releases", dict)):
            field(line, key, kind)
        count_of(line["event"])
        check_releases(line["releases"])
    for claim in [document] + document["epsilon_at"] + document["statements"]:
        number(claim, "delta", -1e-300, 1)
        if claim.get("epsilon", "missing") is not None:
            number(claim, "epsilon", -1e-300)
    for statement in document["statements"]:
        for key in ("audience", "what", "relation"):
            field(statement, key, str)
        if statement.get("degree", "missing") is not None:
            whole(statement, "degree", 0)
    return document


def contradictions(document):
    """Fields that cannot both be true, in words."""
    found = []

    def check(holds, words):
        if not holds:
            found.append(words)

    relation, method, delta, k = document["relation"], document["method"], document["delta"], quoted_degree(document)
    rest = canonical({key: value for key, value in document.items() if key != "digest"})
    check(hashlib.sha256(rest.encode()).hexdigest() == document["digest"], "`digest` is that of another text")
    check(relation in RELATIONS, "relation %r is none of the law's" % relation)
    ledger = as_run(document, [line["event"] for line in document["lines"]])
    check(ledger is not None, "a search on a sample of the records has no proof")
    check(document["events"] == ledger, "`events` are not the events of `lines`")
    for line in document["lines"]:
        found.extend("line %s: %s" % (line["event"].get("label", "?"), words) for words in line_problems(document, line))
    owed = owed_to_samplers(ledger or []) if delta > 0 else 0.0
    check(owed <= document["sampler_epsilon"] <= owed * 1.000001, "sampler_epsilon is not 3 kappa = %g" % owed)
    # Valid and releasable (the law: "Certificate").
    check(document["valid"] == (document["epsilon"] is not None and not document["reasons"]
                                and document["accounting"] == "tight"), "`valid` does not follow from the other fields")
    check(document["releasable"] == (document["valid"] and not document["not_releasable"]),
          "`releasable` does not follow from the other fields")
    if document["releasable"]:
        people = max(document["public"]["nodes"], document["public"]["train_nodes"])
        check(document["seed"] == "secret", "releasable, but the seed can be guessed")
        check(delta * people <= 1, "releasable, but delta %g is above one in %d people" % (delta, people))
    # The main claim is said three times.
    again = [at["epsilon"] for at in document["epsilon_at"] if at["delta"] == delta]
    again += [s["epsilon"] for s in document["statements"] if s["relation"] == relation and s["degree"] in (None, k)
              and s["what"] in ("parameters", "predictions")]
    check(all(e == document["epsilon"] for e in again), "epsilon is not the same wherever it stands")
    # Audiences (the law: "For whom").
    for s in document["statements"]:
        check(s["delta"] == delta, "a statement has another delta")
        check(s["audience"] in ("public", "owner"), "a statement for %r" % s["audience"])
        if s["what"] == "predictions" and s["audience"] == "public":
            check(relation in EDGE_RELATIONS or method in PUBLIC_GRAPH,
                  "predictions of %s under %s are not public" % (method, relation))
    if document["predictions_sha256"]:
        check(any(s["what"] == "predictions" and s["audience"] == "public" for s in document["statements"]),
              "predictions have a public hash, but no statement makes them public")
    return found


# ---------------------------------------------------------------------------------------------------------------------
# 9. The program.


def drawn_bounds(events, delta, claimed):
    """The ledger's bounds for noise as it is drawn: priced at delta (1 - 3 kappa), with 3 kappa more."""
    owed = owed_to_samplers(events) if delta > 0 else 0.0
    if owed > 2.0 ** -10:
        return INF, 0.0, "samplers are too coarse"
    upper, lower, how = ledger_bounds(events, delta * (1 - owed), claimed * 1.0009 + 1e-12)
    return upper + owed, max(lower * (1 - owed) - owed, 0.0), how


def examine(document):
    """One record for every claim."""
    rows, known = [], {}

    def claim(words, epsilon, delta, events):
        claimed, name = INF if epsilon is None else epsilon, json.dumps([events, delta, epsilon])
        if name not in known:
            try:
                known[name] = (INF, INF, "nothing is proven here") if events is None else drawn_bounds(events, delta, claimed)
            except Unpriced as why:
                known[name] = INF, INF, "no theorem for %s" % why  # the law: such a line is refused
        upper, lower, how = known[name]
        verdict = ("disagrees" if claimed < lower else "agrees" if upper <= claimed * AGREE + 1e-9 or claimed == INF
                   else "looser")  # no promise is never a lie
        rows.append({"what": words, "claimed": epsilon, "lower": lower if lower < INF else None,
                     "upper": upper if upper < INF else None, "how": how, "verdict": verdict})

    ledger, delta = as_run(document, [line["event"] for line in document["lines"]]), document["delta"]
    claim("the ledger", document["epsilon"], delta, ledger)
    for at in document["epsilon_at"]:
        claim("the ledger at delta %g" % at["delta"], at["epsilon"], at["delta"], ledger)
    for s in document["statements"]:
        words = "%s, %s%s, for %s" % (s["what"], s["relation"],
                                      "" if s["degree"] is None else " of degree %d" % s["degree"], s["audience"])
        claim(words, s["epsilon"], s["delta"], ledger_of(document, s))
    if document["releasable"] and document["epsilon"] is not None and delta > 0:
        claim("at delta/100 at most 4 epsilon + 4", 4 * document["epsilon"] + 4, delta / 100, ledger)
    return rows


def report(document):
    found, rows = contradictions(document), examine(document)
    verdicts = [row["verdict"] for row in rows]
    factor = max([row["upper"] / row["claimed"] for row in rows
                  if (row["claimed"] or 0) > 1e-9 and row["upper"] is not None] + [0.0])
    verdict = "disagrees" if found or "disagrees" in verdicts else "looser" if "looser" in verdicts else "agrees"
    return {"verdict": verdict, "factor": factor, "method": document["method"], "relation": document["relation"],
            "valid": document["valid"], "releasable": document["releasable"], "contradictions": found, "claims": rows}


def show(result):
    def digits(value):
        return "none" if value is None else "%.6g" % value
    print("%s, relation %s" % (result["method"], result["relation"]))
    for c in result["claims"]:
        print("  %-52s claimed %-10s ours %s to %s (%s): %s" % (c["what"], digits(c["claimed"]), digits(c["lower"]),
                                                                digits(c["upper"]), c["how"], c["verdict"]))
    for words in result["contradictions"]:
        print("  contradiction: %s" % words)
    if not result["valid"]:
        print("  The certificate itself says that it is not valid.")
    print({"agrees": "agrees", "disagrees": "DISAGREES",
           "looser": "looser: our bound is up to %.4g times the claim" % result["factor"]}[result["verdict"]])


def main():
    parser = argparse.ArgumentParser(description="Checks the arithmetic of a graphveil certificate, without graphveil.")
    parser.add_argument("certificate")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    try:
        result = report(read_document(options.certificate))
    except Unreadable as error:
        print("%s: %s" % (options.certificate, error), file=sys.stderr)
        return 2
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, ZeroDivisionError, RecursionError) as error:
        print("%s: not a certificate that we can read (%s)" % (options.certificate, error), file=sys.stderr)
        return 2
    print(json.dumps(result, indent=2)) if options.json else show(result)
    return 1 if result["verdict"] == "disagrees" else 0


if __name__ == "__main__":
    sys.exit(main())
