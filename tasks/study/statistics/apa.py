"""Results in words, as the American Psychological Association writes them (Publication Manual, 7th edition)."""

from __future__ import annotations

import math
from typing import Literal

from .intervals import ADDED
from .model import Effect, FactorEffect, Pair, Tested

Framework = Literal["frequentist", "bayesian", "both"]
# never above 1, so no zero before the point
_BOUNDED = {
    "r",
    "rs",
    "eta2",
    "eta2_p",
    "eta2_Q",
    "omega2_p",
    "epsilon2",
    "W",
    "V",
    "r_rb",
    "R2",
    "R2_McFadden",
}
_NAMES = {
    "d": "*d*",
    "dz": "*d*z",
    "r": "*r*",
    "rs": "*r*s",
    "eta2": "η²",
    "eta2_p": "partial η²",
    "eta2_Q": "η²Q",
    "omega2_p": "partial ω²",
    "epsilon2": "ε²",
    "W": "*W*",
    "V": "Cramér's *V*",
    "OR": "OR",
    "OR_paired": "OR",
    "r_rb": "*r*rb",
    "adjusted_mean": "adjusted *M*",
    "adjusted_difference": "adjusted difference",
    "difference": "mean difference",
    "slope": "*b*",
    "R2": "*R*²",
    "R2_McFadden": "McFadden's *R*²",
}


def number(value: float, decimals: int = 2, *, bounded: bool = False) -> str:
    """A number with its decimals, a true minus sign, no -0.00, and no zero before the point where it cannot exceed 1."""
    if not math.isfinite(value):
        return "not finite"
    if abs(value) >= 1e15:
        mantissa, _, power = f"{value:.{decimals}e}".partition("e")
        return f"{mantissa} × 10^{int(power)}".replace("-", "−")
    if abs(value) >= 1e6:
        return f"{value:,.0f}".replace("-", "−")
    text = f"{abs(value):.{decimals}f}"
    sign = "−" if value < 0 and float(text) != 0 else ""
    return sign + (text[1:] if bounded and text.startswith("0.") else text)


def p_value(p: float) -> str:
    """p = .012, p < .001."""
    if p < 0.001:
        return "*p* < .001"
    return f"*p* = {number(p, 3, bounded=True)}" if p < 0.9995 else "*p* > .999"


def adjusted_p(p: float, how: str) -> str:
    """A corrected p is never printed as a plain one."""
    return f"adjusted {p_value(p)}" + (f" ({how})" if how else "")


def effect_text(effect: Effect) -> str:
    """Name, value and interval, or why there is none."""
    bounded = effect.name in _BOUNDED
    in_units = (
        effect.name in ("difference", "slope", "adjusted_mean", "adjusted_difference")
        and effect.low is not None
    )
    decimals = _decimals((effect.high or 0.0) - (effect.low or 0.0)) if in_units else 2
    text = f"{_NAMES.get(effect.name, effect.name)} = {number(effect.value, decimals, bounded=bounded)}"
    if ADDED in effect.method:
        text += f" ({ADDED})"
    if effect.low is None or effect.high is None:
        return text + (f", {effect.method}" if effect.method.startswith("no interval") else "")
    return text + (
        f", {effect.level:.0%} CI "
        f"[{number(effect.low, decimals, bounded=bounded)}, {number(effect.high, decimals, bounded=bounded)}]"
    )


def statistic_text(tested: Tested | FactorEffect) -> str:
    """The statistic with its degrees of freedom."""
    if tested.statistic is None:
        return tested.test if isinstance(tested, Tested) else ""
    df = [number(item, 0 if float(item).is_integer() else 2) for item in tested.df]
    value = number(tested.statistic, bounded=tested.statistic_name in _BOUNDED)
    name = {"chi2": "χ²", "rs": "*r*s"}.get(tested.statistic_name, f"*{tested.statistic_name}*")
    if name == "χ²" and isinstance(tested, Tested):
        return f"{name}({df[0]}, *N* = {tested.n}) = {value}"
    return f"{name}({', '.join(df)}) = {value}" if df else f"{name} = {value}"


def bayes_text(tested: Tested) -> str:
    """The Bayes factor, or why there is none."""
    if tested.bayes is None or tested.bayes.bf10 is None:
        return "BF₁₀ not available"
    bf = tested.bayes.bf10
    return f"BF₁₀ = {number(bf)}" if 0.01 <= bf < 1000 else f"BF₁₀ {'> 1000' if bf >= 1000 else '< 0.01'}"


def sentence(tested: Tested, framework: Framework = "frequentist") -> str:
    """One test as text: test, statistic, p, adjusted p, Bayes factor, effect and interval."""
    parts = [statistic_text(tested)]
    if framework != "bayesian":
        parts.append(
            p_value(tested.p) + (f", one-sided (tested: {tested.direction})" if tested.direction else "")
        )
        if tested.p_adjusted is not None and tested.adjustment:
            parts.append(adjusted_p(tested.p_adjusted, tested.adjustment))
        if tested.p_family is not None:
            parts.append(adjusted_p(tested.p_family, tested.adjustment))
    if framework != "frequentist":
        parts.append(bayes_text(tested))
    parts += [effect_text(item) for item in (tested.difference, tested.effect) if item is not None]
    name = (
        tested.test[0].upper()
        + tested.test[1:]
        + (f" of equivalence, bound {tested.bound}" if tested.bound else "")
    )
    return (
        f"{name}, {tested.claim}: ".replace("_", " ") + ", ".join(parts)
        if tested.claim
        else f"{name}: " + ", ".join(parts)
    )


def factor_text(found: FactorEffect, framework: Framework = "frequentist") -> str:
    """A main effect, interaction or simple effect of two factors."""
    if found.p is None:
        return f"{found.name.replace('_', ' ')}: {found.cannot}"
    parts = [statistic_text(found)]
    if framework != "bayesian":
        parts.append(p_value(found.p))
        if found.p_adjusted is not None:
            parts.append(adjusted_p(found.p_adjusted, "Holm"))
    return f"{found.name.replace('_', ' ')}: " + ", ".join(
        [*parts, *(effect_text(item) for item in (found.effect, found.omega) if item is not None)]
    )


def pair_text(pair: Pair, framework: Framework = "frequentist") -> str:
    """One comparison of two levels, or why there is none."""
    between = f"{pair.first} and {pair.second}: "
    if pair.p is None or pair.p_adjusted is None or pair.statistic is None:
        return between + pair.cannot
    df = ", ".join(number(item, 0 if float(item).is_integer() else 2) for item in pair.df)
    parts = [f"*{pair.statistic_name}*" + (f"({df})" if df else "") + f" = {number(pair.statistic)}"]
    if framework != "bayesian":
        parts += [p_value(pair.p), adjusted_p(pair.p_adjusted, "Holm")]
    return between + ", ".join([*parts, *([effect_text(pair.effect)] if pair.effect else [])])


def _decimals(error: float) -> int:
    """As many as show two digits of an error or width, at least two, at most six."""
    return 2 if error <= 0 or not math.isfinite(error) else min(6, max(2, 1 - math.floor(math.log10(error))))


def coefficient_text(estimate: float, error: float, low: float, high: float, p: float) -> str:
    """A coefficient with as many decimals as show two digits of its error, at least two, at most six."""
    digits = _decimals(error)
    b, se, start, end = (number(item, digits) for item in (estimate, error, low, high))
    return f"*b* = {b}, *SE* = {se}, 95% CI [{start}, {end}], {p_value(p)}"


def plain(text: str) -> str:
    """Without the marks of emphasis, for a terminal."""
    return text.replace("*", "")


def group_text(group: dict[str, object]) -> str:
    """*M* = 4.20, *SD* = 1.10, *n* = 20; or the counts."""
    if "counts" in group:
        counts = group["counts"]
        assert isinstance(counts, dict)
        return f"*n* = {group['n']}: " + ", ".join(f"{name} {count}" for name, count in counts.items())
    text = f"*M* = {number(float(group['mean']))}, *SD* = {number(float(group['sd']))}, *n* = {group['n']}"  # type: ignore[arg-type]
    adjusted = group.get("adjusted")
    if isinstance(adjusted, dict):
        adjusted = Effect(**adjusted)
    return f"{text}, {effect_text(adjusted)}" if adjusted is not None else text  # type: ignore[arg-type]
