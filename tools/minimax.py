#!/usr/bin/python3
"""Prints the polynomial coefficients of autograd/kernels/vector_math.h.

Each polynomial P minimises max |weight(x) (P(x) - target(x))| over an interval, which is the
relative error of the function that it serves. Remez exchange finds it in 50 digits; the
coefficients are then rounded to float, and the error that this leaves is printed too.

    python3 tools/minimax.py        (needs mpmath)
"""
from struct import pack, unpack

from mpmath import erf, erfc, expm1, linspace, log, log1p, lu_solve, matrix, mp, mpf, pi, polyval
from mpmath import sqrt, tanh

mp.dps = 50


def to_float(x):
    return mpf(unpack("f", pack("f", float(x)))[0])


def remez(target, weight, low, high, degree):
    """The best weighted polynomial on [low, high]: coefficients, lowest first, and its error."""
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(pi * k / 400) for k in range(401)]
    grid = [(x, target(x), weight(x)) for x in grid]
    points = [grid[round(k * 400 / (degree + 1))] for k in range(degree + 2)]
    for _ in range(30):
        # On the chosen points the weighted error is +e, -e, +e, ...: as many equations as unknowns.
        rows = [
            [x**i for i in range(degree + 1)] + [(-1) ** k / w]
            for k, (x, _, w) in enumerate(points)
        ]
        solution = list(lu_solve(matrix(rows), matrix([t for _, t, _ in points])))
        levelled, coefficients = abs(solution.pop()), solution
        errors = [w * (polyval(coefficients[::-1], x) - t) for x, t, w in grid]
        # Exchange: the new points are the extrema, one for each run of errors of one sign.
        runs = []
        for k, error in enumerate(errors):
            if runs and (errors[runs[-1]] > 0) == (error > 0):
                runs[-1] = max(runs[-1], k, key=lambda i: abs(errors[i]))
            else:
                runs.append(k)
        while len(runs) > degree + 2:
            runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
        worst = max(map(abs, errors))
        if worst < levelled * 1.0001 or len(runs) < degree + 2:
            break
        points = [grid[k] for k in runs]
    return coefficients, worst


def fit(name, target, weight, low, high, degree):
    coefficients, error = remez(target, weight, mpf(low), mpf(high), degree)
    rounded = [to_float(c) for c in coefficients]
    left = max(
        abs(weight(x) * (polyval(rounded[::-1], x) - target(x))) for x in linspace(low, high, 2000)
    )
    print(f"{name}: degree {degree} on [{float(low):.4f}, {float(high):.4f}]")
    print(f"  error {float(error):.1e} with exact coefficients, {float(left):.1e} with floats")
    print("  " + ", ".join(f"{float(c):.9g}f" for c in rounded))


if __name__ == "__main__":
    tiny = mpf("1e-15")  # targets are 0/0 at zero: grids miss it by this much
    half_ln2 = log(2) / 2
    fit(
        "exp(r) = 1 + (r + r^2 P(r))",
        lambda r: (expm1(r) - r) / r**2,
        lambda r: r**2 / abs(expm1(r)),  # so that e^r - 1 has this relative error too
        -half_ln2 * 1.001 + tiny,  # a little wider: the reduction to r rounds
        half_ln2 * 1.001,
        degree=4,
    )
    fit(
        "log(1 + f) = f - f^2/2 + f^3 P(f)",
        lambda f: (log1p(f) - f + f * f / 2) / f**3,
        lambda f: abs(f**3 / log1p(f)),
        sqrt(0.5) - 1,
        sqrt(2) - 1 + tiny,
        degree=7,
    )
    fit(
        "tanh(x) = x + x^3 P(x^2)",
        lambda s: (tanh(sqrt(s)) / sqrt(s) - 1) / s,
        lambda s: s * sqrt(s) / tanh(sqrt(s)),
        tiny,
        mpf("0.36"),
        degree=4,
    )
    fit(
        "erf(x) = x + x P(x^2)",
        lambda s: erf(sqrt(s)) / sqrt(s) - 1,
        lambda s: sqrt(s) / erf(sqrt(s)),
        tiny,
        1,
        degree=6,
    )
    fit(
        "erf(x) = 1 - 2^-P(x)",
        lambda x: -log(erfc(x), 2),
        lambda x: log(2) * erfc(x) / erf(x),  # the effect of an error of P on erf
        1,
        4,
        degree=5,
    )
