"""How often intervals hold the truth: `python -m benchmarks.intervals --write` (docs/measured/intervals.md)."""

from __future__ import annotations

import argparse
import itertools
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from tasks.study.statistics import Effect, NotTestable, Plan, Tested, independent, intervals, repeated
from tasks.study.statistics.analysis import tested

PAGE = Path(__file__).resolve().parents[1] / "docs" / "measured" / "intervals.md"
HEAD = """# Intervals

Written by `make bench-intervals`: data are drawn from a population whose effect is known and go through the tests of `reprolab study`; how
often does the 95 % interval that is printed hold it? Each of {times} draws by numpy's generator; of intervals by resampling {fewer}, with
{resamples} resamples instead of 2000. By chance alone 95 of 100 come out between {low:.0f} and {high:.0f} ({fewer} draws: {low2:.0f} and
{high2:.0f}). Withheld: no interval was printed (where that happens, the text says why), or the rules chose another test. What is asked is
the interval that a user gets, behind the checks of assumptions.

| effect | of | truth | held, of 100 | withheld, of 100 |
|---|---|---|---|---|
"""
TIMES, FEWER, RESAMPLES = 300, 60, 400


@dataclass(frozen=True)
class Case:
    """An effect of which the truth is known. one: of a generator, the effects that a test printed, each with its truth."""

    of: str
    one: Callable[[np.random.Generator], Iterator[tuple[Effect | None, str, float]]]
    slow: bool = False


def _test(outcome: str, predictors: tuple[str, ...], kinds: tuple[str, ...], frame: pd.DataFrame, relation: str = "difference",
          **more: Any) -> Tested | None:  # fmt: skip
    named = dict(zip((outcome, *predictors), kinds, strict=True))
    plan = Plan("h", relation, outcome, predictors, named, **more)  # type: ignore[arg-type]
    try:
        if relation == "difference" and len(predictors) == 1:  # without the pairs that follow
            return (repeated if plan.within else independent).tested(plan, frame, 1)
        return tested(plan, frame)
    except NotTestable:
        return None


def _groups(*values: np.ndarray) -> pd.DataFrame:
    return pd.concat([pd.DataFrame({"group": f"g{place}", "y": item}) for place, item in enumerate(values)])


def _only(found: Tested | None, name: str, truth: float) -> Iterator[tuple[Effect | None, str, float]]:
    effect = found.effect if found is not None else None
    yield (effect if effect is not None and effect.name == name else None), name, truth


def two_groups(draw: np.random.Generator) -> Any:
    return _only(
        _test(
            "y", ("group",), ("interval", "nominal"), _groups(draw.normal(0.5, 1, 20), draw.normal(0, 1, 20))
        ),
        "d",
        0.5,
    )


def two_ranked(draw: np.random.Generator) -> Any:
    truth = 2 * float(stats.norm.cdf(0.5 / np.sqrt(2))) - 1
    return _only(
        _test(
            "y", ("group",), ("ordinal", "nominal"), _groups(draw.normal(0.5, 1, 20), draw.normal(0, 1, 20))
        ),
        "r_rb",
        truth,
    )


def three_groups(draw: np.random.Generator) -> Any:
    frame = _groups(*[draw.normal(mean, 1, 15) for mean in (0, 0.5, 1)])
    return _only(_test("y", ("group",), ("interval", "nominal"), frame), "eta2", (0.5 / 3) / (0.5 / 3 + 1))


def _repeated(cells: np.ndarray) -> pd.DataFrame:
    n, k = cells.shape
    return pd.DataFrame(
        {"who": np.repeat(np.arange(n), k), "time": [f"t{each}" for each in range(k)] * n, "y": cells.ravel()}
    )


def pairs(draw: np.random.Generator) -> Any:
    cells = draw.normal(0, 1, (20, 1)) + draw.normal(0, np.sqrt(0.5), (20, 2)) + np.array([0.5, 0])
    return _only(
        _test("y", ("time",), ("interval", "nominal"), _repeated(cells), within=True, participant="who"),
        "dz",
        0.5,
    )


def pairs_ranked(draw: np.random.Generator) -> Any:
    cells = draw.normal(0, 1, (25, 1)) + draw.normal(0, np.sqrt(0.5), (25, 2)) + np.array([0.5, 0])
    n, one, two = (
        25,
        2 * stats.norm.cdf(0.5) - 1,
        2 * stats.norm.cdf(0.5 * np.sqrt(2)) - 1,
    )  # of single values, of Walsh's means
    truth = float((n * one + n * (n - 1) / 2 * two) / (n * (n + 1) / 2))
    return _only(
        _test("y", ("time",), ("ordinal", "nominal"), _repeated(cells), within=True, participant="who"),
        "r_rb",
        truth,
    )


def three_times(draw: np.random.Generator) -> Any:
    cells = draw.normal(0, 1, (20, 1)) + draw.normal(0, 1, (20, 3)) + np.array([0, 0.3, 0.6])
    found = _test("y", ("time",), ("interval", "nominal"), _repeated(cells), within=True, participant="who")
    return _only(found, "eta2_p", 0.18 / (0.18 + 2))


def mixed(draw: np.random.Generator) -> Any:
    mean = np.array([[0, 0.3, 0.6], [0.6, 0.7, 1.7]])
    frames = []
    for group in range(2):
        cells = draw.normal(0, 1, (15, 1)) + draw.normal(0, 1, (15, 3)) + mean[group]
        frames.append(
            _repeated(cells).assign(
                group=f"g{group}", who=lambda table, group=group: table["who"] + 100 * group
            )
        )
    found = _test("y", ("group", "time"), ("interval", "nominal", "nominal"), pd.concat(frames), claim="interaction", participant="who",
                  other_within=True)  # fmt: skip
    rows, columns, n = mean.mean(1) - mean.mean(), mean.mean(0) - mean.mean(), 15
    both = mean - mean.mean(1, keepdims=True) - mean.mean(0) + mean.mean()
    for place, size, total in (
        (0, 3 * n * (rows**2).sum() / (1 + 3), 30),
        (1, 2 * n * (columns**2).sum(), 60),
        (2, n * (both**2).sum(), 60),
    ):
        effect = found.effects[place].effect if found is not None else None
        yield (
            effect,
            ("eta2_p between", "eta2_p within", "eta2_p of both")[place],
            float(size / (size + total)),
        )


def two_factors(draw: np.random.Generator) -> Any:
    mean = np.array([[0, 0.5, 1], [0.5, 0.5, 0.2]])
    frame = pd.DataFrame(
        [
            {"a": f"a{a}", "b": f"b{b}", "y": value}
            for a, b in itertools.product(range(2), range(3))
            for value in draw.normal(mean[a, b], 1, 12)
        ]
    )
    found = _test("y", ("a", "b"), ("interval", "nominal", "nominal"), frame, claim="interaction")
    both = mean - mean.mean(1, keepdims=True) - mean.mean(0) + mean.mean()
    size = 12 * float((both**2).sum())
    item = found.effects[2] if found is not None else None
    for name, effect in (("eta2_p of both", item and item.effect), ("omega2_p of both", item and item.omega)):
        yield effect, name, size / (size + 72)


def ranks_of_groups(draw: np.random.Generator) -> Any:
    frame = _groups(*[draw.normal(mean, 1, 20) for mean in (0, 0.5, 1)])
    return _only(_test("y", ("group",), ("ordinal", "nominal"), frame), "epsilon2", _large("epsilon2"))


def ranks_of_times(draw: np.random.Generator) -> Any:
    cells = draw.normal(0, 1, (20, 1)) + draw.normal(0, 1, (20, 3)) + np.array([0, 0.5, 1])
    return _only(
        _test("y", ("time",), ("ordinal", "nominal"), _repeated(cells), within=True, participant="who"),
        "W",
        _large("W"),
    )


def _large(name: str) -> float:
    """The effect in a sample so large that it is the population's."""
    draw = np.random.default_rng(7)
    if name == "epsilon2":
        values = [draw.normal(mean, 1, 200_000) for mean in (0, 0.5, 1)]
        return float(stats.kruskal(*values).statistic / (600_000 - 1))
    cells = draw.normal(0, 1, (200_000, 3)) + np.array([0, 0.5, 1])
    return float(stats.friedmanchisquare(*cells.T).statistic / (len(cells) * 2))


def correlations(draw: np.random.Generator) -> Any:
    x = draw.normal(0, 1, 40)
    frame = pd.DataFrame({"x": x, "y": 0.4 * x + np.sqrt(1 - 0.16) * draw.normal(0, 1, 40)})
    yield from _only(_test("y", ("x",), ("interval", "interval"), frame, "association"), "r", 0.4)
    truth = 6 / np.pi * float(np.arcsin(0.2))
    yield from _only(_test("y", ("x",), ("ordinal", "ordinal"), frame, "association"), "rs", truth)


def tables(draw: np.random.Generator) -> Any:
    p = np.array([[0.15, 0.2, 0.15], [0.25, 0.15, 0.1]])
    counts = draw.multinomial(150, p.ravel()).reshape(2, 3)
    frame = pd.DataFrame(
        [{"a": f"a{a}", "b": f"b{b}"} for a in range(2) for b in range(3) for _ in range(counts[a, b])]
    )
    expected = p.sum(1, keepdims=True) * p.sum(0)
    truth = float(np.sqrt(((p - expected) ** 2 / expected).sum()))
    yield from _only(_test("a", ("b",), ("nominal", "nominal"), frame, "association"), "V", truth)
    four = draw.multinomial(60, [0.3, 0.2, 0.15, 0.35]).reshape(2, 2)
    yield intervals.odds_ratio(four), "OR", 0.3 * 0.35 / (0.2 * 0.15)
    changed = draw.multinomial(60, [0.3, 0.3, 0.1, 0.3])
    a, b = np.repeat([1, 1, 0, 0], changed), np.repeat([1, 0, 1, 0], changed)
    if (a != b).any():
        yield repeated.mcnemar(a, b)["effect"], "OR of pairs", 3.0


def regression(draw: np.random.Generator) -> Any:
    one, two = draw.normal(0, 1, 60), draw.normal(0, 1, 60)
    frame = pd.DataFrame({"one": one, "two": two, "y": 0.5 * one + draw.normal(0, 1, 60)})
    found = _test("y", ("one", "two"), ("interval",) * 3, frame, "prediction")
    yield from _only(found, "R2", 0.2)
    if found is not None:
        estimate, _, low, high, _ = found.coefficients["one"]
        yield Effect("b", estimate, low, high), "b", 0.5


def adjusted_groups(draw: np.random.Generator) -> Any:
    frame = _groups(draw.normal(0.6, 1, 25), draw.normal(0, 1, 25)).assign(held=draw.normal(0, 1, 50))
    frame["y"] += 0.7 * frame["held"]
    named = {"y": "interval", "group": "nominal", "held": "interval"}
    found = tested(Plan("h", "difference", "y", ("group",), named, covariates=("held",)), frame)  # type: ignore[arg-type]
    yield found.effect, "eta2_p", 0.09 / (0.09 + 1)
    estimate, _, low, high, _ = found.coefficients["g0 less g1"]
    yield Effect("adjusted", estimate, low, high), "adjusted difference", 0.6
    one, at = (
        found.groups[0]["adjusted"],
        0.7 * float(frame["held"].mean()),
    )  # it is the mean at these rows' covariate
    yield Effect("adjusted", one["value"] - at, one["low"] - at, one["high"] - at), "adjusted mean", 0.6


def partial(draw: np.random.Generator) -> Any:
    held, x, y = draw.normal(0, 1, (3, 40))
    frame = pd.DataFrame({"x": x + held, "y": 0.4 * x + np.sqrt(0.84) * y + held, "held": held})
    plan = Plan(
        "h", "association", "y", ("x",), dict.fromkeys(("x", "y", "held"), "interval"), covariates=("held",)
    )
    effect = tested(plan, frame).effect
    yield (effect if effect and effect.name == "r" else None), "partial r", 0.4


def equivalent(draw: np.random.Generator) -> Any:
    frame = _groups(draw.normal(0.5, 1, 20), draw.normal(0, 2, 30))
    plan = Plan("h", "difference", "y", ("group",), {"y": "interval", "group": "nominal"}, bound=1.0)
    effect = tested(plan, frame).effect
    yield effect, "difference, of 90 %", 0.5


def several_rows(draw: np.random.Generator) -> Any:
    who, item = (part.ravel() for part in np.indices((14, 10)))
    way = (who + item) % 2
    own = [draw.normal(0, size, count) for size, count in ((0.7, 14), (0.3, 14), (0.5, 10), (0.3, 10))]
    y = own[0][who] + own[2][item] + (0.5 + own[1][who] + own[3][item]) * (0.5 - way) + draw.normal(0, 1, 140)
    frame = pd.DataFrame({"who": who, "item": item, "way": np.where(way, "b", "a"), "y": y})
    named = {"y": "interval", "way": "nominal", "item": "nominal"}
    plan = Plan("h", "difference", "y", ("way",), named, within=True, participant="who", items="item")  # type: ignore[arg-type]
    try:
        yield tested(plan, frame).effect, "difference", 0.5
    except NotTestable:
        yield None, "difference", 0.5


CASES = (
    Case("two groups of 20, normal", two_groups),
    Case("three groups of 15, normal", three_groups),
    Case("20 pairs, normal", pairs),
    Case("three times, 20 participants, normal", three_times),
    Case("two groups of 15, three times, normal", mixed),
    Case("2 x 3 cells of 12, normal", two_factors),
    Case("40 rows, normal", correlations),
    Case("150 rows in 2 x 3 cells; 60 in 2 x 2; 60 pairs", tables),
    Case("60 rows, two predictors drawn anew", regression),
    Case("two groups of 25, a covariate drawn anew", adjusted_groups),
    Case("40 rows, one covariate", partial),
    Case("groups of 20 and 30, equivalence", equivalent),
    Case("14 participants by 10 items, both at random", several_rows),
    Case("two groups of 20, ranks", two_ranked, True),
    Case("25 pairs, ranks", pairs_ranked, True),
    Case("three groups of 20, ranks", ranks_of_groups, True),
    Case("three times, 20 participants, ranks", ranks_of_times, True),
)


def counted(case: Case, seed: int = 1) -> list[str]:
    """Rows of the table."""
    draw, times = np.random.default_rng(seed), FEWER if case.slow else TIMES
    held: dict[str, list[int]] = {}
    truths: dict[str, float] = {}
    for _ in range(times):
        for effect, name, truth in case.one(draw):
            truths[name] = truth
            printed = effect is not None and effect.low is not None and effect.high is not None
            inside = printed and effect.low <= truth <= effect.high  # type: ignore[union-attr, operator]
            found = held.setdefault(name, [0, 0, 0])
            found[0] += 1
            found[1] += printed
            found[2] += inside
    return [
        f"| {name} | {case.of} | {truths[name]:.3f} | {100 * inside / printed:.1f} | {100 * (1 - printed / drawn):.1f} |"
        if printed
        else f"| {name} | {case.of} | {truths[name]:.3f} | | 100.0 |"
        for name, (drawn, printed, inside) in held.items()
    ]


def page() -> str:
    """The table as Markdown."""
    ends = [100 * stats.binom.ppf(tail, n, 0.95) / n for n in (TIMES, FEWER) for tail in (0.01, 0.99)]
    head = HEAD.format(
        times=TIMES, fewer=FEWER, resamples=RESAMPLES, low=ends[0], high=ends[1], low2=ends[2], high2=ends[3]
    )
    with ProcessPoolExecutor(2, initializer=_prepared) as pool:
        return head + "\n".join(line for lines in pool.map(counted, CASES) for line in lines) + "\n"


def _prepared() -> None:
    intervals.RESAMPLES = RESAMPLES
    warnings.simplefilter("ignore")  # of tests that meet a constant sample


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.intervals", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write docs/measured/{PAGE.name}")
    given = parser.parse_args()
    text = page()
    print(text)
    if given.write:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
