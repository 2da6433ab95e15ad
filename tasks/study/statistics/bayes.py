"""Bayes factors where a documented one exists; elsewhere an honest "not available"."""

from __future__ import annotations

import numpy as np
from scipy import integrate, special, stats

from .model import Alternative, Bayes

SCALE = 1 / np.sqrt(
    2
)  # of the Cauchy prior on the standardised effect ("medium", the default of R's BayesFactor)


def unavailable(test: str) -> Bayes:
    """No number is better than one without a source."""
    return Bayes(None, f"not available for {test}: no closed or documented form is used here")


def jzs_t(
    t: float, n1: int, n2: int = 0, alternative: Alternative = "two-sided", scale: float = SCALE
) -> Bayes:
    """JZS Bayes factor of a t test; one sample or pairs where n2 is 0.

    Source: Rouder et al. (2009), Psychonomic Bulletin & Review 16, 225, eq. 1 (general scale). One-sided: Morey and
    Wagenmakers (2014), Statistics & Probability Letters 92, 121: the two-sided factor times the posterior mass there, twice.
    """
    n = n1 * n2 / (n1 + n2) if n2 else float(n1)
    df = float(n1 + n2 - 2 if n2 else n1 - 1)

    def marginal(g: float) -> float:
        log = (
            -0.5 * np.log1p(n * g * scale**2)
            - (df + 1) / 2 * np.log1p(t**2 / ((1 + n * g * scale**2) * df))
            - 1.5 * np.log(g)
            - 1 / (2 * g)
            - 0.5 * np.log(2 * np.pi)
        )
        return float(np.exp(log + (df + 1) / 2 * np.log1p(t**2 / df)))

    with np.errstate(over="ignore"):
        bf10 = (
            integrate.quad(marginal, 0, 1, limit=200)[0] + integrate.quad(marginal, 1, np.inf, limit=200)[0]
        )
    if not np.isfinite(bf10):
        return Bayes(None, "not available: the evidence is beyond the range of numbers")
    prior = f"Cauchy(0, {scale:.3f}) on the standardised effect"
    if alternative == "two-sided":
        return Bayes(float(bf10), "JZS (Rouder et al., 2009)", prior)

    def posterior(delta: float) -> float:
        return float(stats.nct.pdf(t, df, delta * np.sqrt(n)) * stats.cauchy.pdf(delta, 0, scale))

    centre = t / np.sqrt(n)
    wide = 12 / np.sqrt(n)
    above = integrate.quad(posterior, 0, max(centre, 0) + wide, limit=200, points=[max(centre, 1e-9)])[0]
    below = integrate.quad(posterior, min(centre, 0) - wide, 0, limit=200, points=[min(centre, -1e-9)])[0]
    share = above / (above + below)
    share = share if alternative == "greater" else 1 - share
    return Bayes(
        float(2 * bf10 * share), "JZS, one-sided (Rouder et al., 2009; Morey and Wagenmakers, 2014)", prior
    )


def jzs_correlation(r: float, n: int) -> Bayes:
    """JZS Bayes factor of a correlation (Wetzels and Wagenmakers, 2012, Psychonomic Bulletin & Review 19, 1057, eq. 13)."""

    def marginal(g: float) -> float:
        return float(
            np.exp(
                (n - 2) / 2 * np.log1p(g)
                - (n - 1) / 2 * np.log1p((1 - r**2) * g)
                - 1.5 * np.log(g)
                - n / (2 * g)
            )
        )

    found = integrate.quad(marginal, 0, n, limit=200)[0] + integrate.quad(marginal, n, np.inf, limit=200)[0]
    return Bayes(
        float(np.sqrt(n / 2) / special.gamma(0.5) * found),
        "JZS (Wetzels and Wagenmakers, 2012)",
        "JZS on the regression slope",
    )


def bic_factor(delta: float, what: str) -> Bayes:
    """exp((BIC0 - BIC1) / 2), with delta = BIC0 - BIC1: unit-information prior (Wagenmakers, 2007, PB&R 14, 779)."""
    return Bayes(
        float(np.exp(np.clip(delta / 2, -700, 700))),
        f"BIC approximation (Wagenmakers, 2007), {what}",
        "unit information",
    )


def bic_anova(f: float, df1: float, df2: float, n: int) -> Bayes:
    """BIC approximation of an analysis of variance with n independent observations."""
    return bic_factor(n * np.log1p(f * df1 / df2) - df1 * np.log(n), "analysis of variance")


def bic_chi2(g: float, df: int, n: int) -> Bayes:
    """BIC approximation of a table of counts from the likelihood-ratio statistic G."""
    return bic_factor(g - df * np.log(n), "likelihood ratio of the table")
