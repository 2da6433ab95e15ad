"""A linear mixed model by restricted maximum likelihood, with Satterthwaite's degrees of freedom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, optimize, sparse, stats

from .model import NotTestable

ZERO = 1e-4  # of a standard deviation over that of the residuals: none was found
ROUNDING = 1e-11  # of the deviance
FLAT = 1e-5  # of the deviance: no digit that is printed
MOST_EFFECTS = 1500  # levels of all random effects: each step inverts a matrix of so many
Interval = tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Term:
    """A random effect. codes: (rows,) the level, from 0. slope: (rows,) what the level's slope is of; then intercept and slope of
    a level correlate. who: whose."""

    who: str
    codes: np.ndarray
    slope: np.ndarray | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Of its parameters: the factor of intercepts; of slopes what goes with intercepts, and the rest."""
        return (
            (f"intercepts of {self.who}",)
            if self.slope is None
            else (
                f"intercepts of {self.who}",
                f"slopes of {self.who} that go with intercepts",
                f"slopes of {self.who}",
            )
        )


class Mixed:
    """y = X b + Z u + e, fitted as lme4 does: the profiled deviance of Bates, Maechler, Bolker and Walker (2015, Journal of
    Statistical Software 67(1), eq. 39-42), over the factors of the random effects' covariance by the residual deviation.

    Degrees of freedom by Satterthwaite's method, from the curvature of the deviance in these factors and the residual deviation
    (Kuznetsova, Brockhoff and Christensen, 2017, Journal of Statistical Software 82(13)). A factor of zero is kept there and has no
    curvature (`zero` names them: the fit is singular). y: (rows,); x: (rows, coefficients). Raises NotTestable where no minimum
    is found.
    """

    def __init__(self, y: np.ndarray, x: np.ndarray, terms: Sequence[Term]) -> None:
        self.shift, self.scale = float(y.mean()), float(y.std()) or 1.0
        self.y, self.x, self.terms = (y - self.shift) / self.scale, x, tuple(terms)
        self.n, self.p = x.shape
        parts = []
        for term in terms:
            shape = self.n, int(term.codes.max()) + 1
            for values in (np.ones(self.n), *([] if term.slope is None else [term.slope])):
                parts.append(sparse.csr_array((values, (np.arange(self.n), term.codes)), shape=shape))
        self.z = sparse.hstack(parts, format="csr")
        if self.z.shape[1] > MOST_EFFECTS:
            raise NotTestable(f"a mixed model of at most {MOST_EFFECTS} random effects is fitted here")
        self.zz, self.zx, self.zy = (self.z.T @ self.z).toarray(), self.z.T @ x, self.z.T @ self.y
        self.xx, self.xy, self.yy = x.T @ x, x.T @ self.y, float(self.y @ self.y)
        self.names = [name for term in terms for name in term.names]
        self.theta = self._fitted()
        self.sigma = float(np.sqrt(self._solved(self.theta)[3] / (self.n - self.p)))
        self.zero = [name for name, value in zip(self.names, self.theta, strict=True) if value == 0.0]
        if float(np.linalg.eigvalsh(self._curved).min()) <= 0:
            raise NotTestable(
                "the mixed model did not converge: its deviance has no minimum where the search ended"
            )

    @property
    def _lowest(self) -> list[float | None]:
        return [None if "that go with" in name else 0.0 for name in self.names]

    def _fitted(self) -> np.ndarray:
        squared = np.array([low is not None for low in self._lowest])

        def factors(values: np.ndarray) -> np.ndarray:
            return np.where(squared, np.sqrt(np.maximum(values, 0)), values)

        # over squares: at a factor of zero the deviance is level in the factor itself, and a search would stay there
        for start in (1.0, 0.1):
            found = optimize.minimize(
                lambda values: self._profiled(factors(values)),
                np.where(squared, start, 0.0),
                method="L-BFGS-B",
                bounds=[(low, None) for low in self._lowest],
                options={"ftol": 1e-11, "gtol": 1e-5},
            )
            if found.success and np.isfinite(found.fun):
                return self._polished(self._without_zeros(factors(found.x)))
        raise NotTestable("the mixed model did not converge; fewer random effects or more rows may help")

    def _without_zeros(self, theta: np.ndarray) -> np.ndarray:
        """Zero where a factor is none, or the deviance is as low without it: near zero it is flat, and the search ends anywhere."""
        found = np.where(np.abs(theta) < ZERO, 0.0, theta)
        for place in np.argsort(np.abs(found)):
            tried = found.copy()
            tried[place] = 0.0
            if self._profiled(tried) <= self._profiled(found) + FLAT:
                found = tried
        return found

    def _polished(self, theta: np.ndarray) -> np.ndarray:
        """Newton's steps in what is not zero: a gradient of differences ends some digits early. At the end the deviance is level to its
        rounding, and which step lowers it is the computer's: there a step counts that does not raise it by more than that."""
        free = np.flatnonzero(theta)

        def at(values: np.ndarray) -> float:
            whole = theta.copy()
            whole[free] = values
            return self._profiled(whole)

        best = theta[free]
        for _ in range(4 if len(free) else 0):
            step = 1e-3 * np.maximum(np.abs(best), 0.05)
            e = np.diag(step)
            gradient = np.array([(at(best + one) - at(best - one)) for one in e]) / (2 * step)
            try:
                moved = best - np.linalg.solve(_second(at, best, step), gradient)
            except np.linalg.LinAlgError:
                break
            if not at(moved) <= at(best) + ROUNDING * (1 + abs(at(best))):
                break
            best = moved
        found = theta.copy()
        found[free] = best
        return found

    def _profiled(self, theta: np.ndarray) -> float:
        logs, _, _, squares = self._solved(theta)
        df = self.n - self.p
        return float(logs + df * (1 + np.log(2 * np.pi * squares / df)))

    def _solved(self, theta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray, float]:
        """Logarithms of both determinants, coefficients, the inverse of what their covariance is over the residual variance, and
        the penalised sum of squares."""
        turned = self._turned(theta)
        inner = turned(turned(self.zz).T)
        inner += np.eye(len(inner))
        low = linalg.cholesky(inner, lower=True)
        zx, zy = (
            linalg.solve_triangular(low, turned(part), lower=True) for part in (self.zx, self.zy[:, None])
        )
        left = self.xx - zx.T @ zx
        b = np.linalg.solve(left, self.xy - (zx.T @ zy)[:, 0])
        squares = self.yy - float((zy**2).sum()) - float(b @ left @ b)
        logs = 2 * float(np.log(np.diag(low)).sum()) + float(np.linalg.slogdet(left)[1])
        return logs, b, left, max(squares, 1e-300)

    def _turned(self, theta: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        """What multiplies the rows of a matrix by the transposed factor of the random effects."""
        sizes = [int(term.codes.max()) + 1 for term in self.terms]

        def turned(matrix: np.ndarray) -> np.ndarray:
            found, row, place = np.empty_like(matrix), 0, 0
            for term, size in zip(self.terms, sizes, strict=True):
                first = matrix[row : row + size]
                if term.slope is None:
                    found[row : row + size] = theta[place] * first
                    row, place = row + size, place + 1
                    continue
                second = matrix[row + size : row + 2 * size]
                found[row : row + size] = theta[place] * first + theta[place + 1] * second
                found[row + size : row + 2 * size] = theta[place + 2] * second
                row, place = row + 2 * size, place + 3
            return found

        return turned

    @cached_property
    def b(self) -> np.ndarray:
        """Coefficients in the outcome's units, without the shift: a column of x spans the intercept."""
        ones = np.linalg.lstsq(self.x, np.ones(self.n), rcond=None)[0]
        found: np.ndarray = self._solved(self.theta)[1] * self.scale + ones * self.shift
        return found

    @cached_property
    def covariance(self) -> np.ndarray:
        """Of the coefficients."""
        return self._covariance(self.theta, self.sigma) * self.scale**2

    def _covariance(self, theta: np.ndarray, sigma: float) -> np.ndarray:
        found: np.ndarray = np.linalg.inv(self._solved(theta)[2]) * sigma**2
        return found

    @cached_property
    def _free(self) -> list[int]:
        return [place for place, value in enumerate(self.theta) if value != 0.0]

    def _at(self, free: np.ndarray) -> tuple[np.ndarray, float]:
        theta = self.theta.copy()
        theta[self._free] = free[:-1]
        return theta, float(free[-1])

    @cached_property
    def _best(self) -> np.ndarray:
        return np.array([*self.theta[self._free], self.sigma])

    @cached_property
    def _curved(self) -> np.ndarray:
        """Second derivatives of the deviance in the factors that are not zero and the residual deviation."""

        def deviance(free: np.ndarray) -> float:
            theta, sigma = self._at(free)
            logs, _, _, squares = self._solved(theta)
            return float(logs + (self.n - self.p) * np.log(2 * np.pi * sigma**2) + squares / sigma**2)

        best = self._best
        step = 1e-3 * np.maximum(np.abs(best), 0.05)
        found: np.ndarray = (
            4 * _second(deviance, best, step / 2) - _second(deviance, best, step)
        ) / 3  # Richardson
        return found

    @cached_property
    def _gradient(self) -> np.ndarray:
        """(parameters, coefficients, coefficients): how the coefficients' covariance changes."""
        best = self._best
        step = 1e-3 * np.maximum(np.abs(best), 0.05)
        found = []
        for i in range(len(best)):
            estimates = []
            for h in (1.0, 0.5):
                e = np.eye(len(best))[i] * step[i] * h
                up, down = self._covariance(*self._at(best + e)), self._covariance(*self._at(best - e))
                estimates.append((up - down) / (2 * step[i] * h))
            found.append((4 * estimates[1] - estimates[0]) / 3)
        return np.array(found)

    def df(self, weights: np.ndarray) -> float:
        """Satterthwaite's degrees of freedom of a sum of coefficients."""
        variance = float(weights @ self._covariance(self.theta, self.sigma) @ weights)
        gradient = np.einsum("i,pij,j->p", weights, self._gradient, weights)
        return float(2 * variance**2 / (gradient @ np.linalg.solve(self._curved / 2, gradient)))

    def estimate(self, weights: np.ndarray, level: float = 0.95) -> tuple[Interval, float]:
        """Estimate, standard error, interval and two-sided p of a sum of coefficients; its degrees of freedom."""
        value, error = float(weights @ self.b), float(np.sqrt(weights @ self.covariance @ weights))
        df = self.df(weights)
        wide = float(stats.t.ppf((1 + level) / 2, df)) * error
        return (value, error, value - wide, value + wide, float(2 * stats.t.sf(abs(value / error), df))), df

    def together(self, contrast: np.ndarray) -> tuple[float, float, float, float]:
        """F, both degrees of freedom and p of several contrasts (r, coefficients), as lmerTest joins them."""
        values, vectors = np.linalg.eigh(contrast @ self.covariance @ contrast.T)
        turned = vectors.T @ contrast
        r = len(contrast)
        f = float(((turned @ self.b) ** 2 / values).sum() / r)
        dfs = np.array([self.df(row) for row in turned])
        kept = dfs[dfs > 2]
        total = float((kept / (kept - 2)).sum())
        df = (
            float(dfs.mean())
            if np.ptp(dfs) < 1e-6 * dfs.mean()
            else (2 * total / (total - r) if total > r else 2.0)
        )
        return f, float(r), df, float(stats.f.sf(f, r, df))

    def _own(self, u: np.ndarray) -> np.ndarray:
        """The random effects of what is standard normal: the factor, whose transpose `_turned` multiplies by, times it."""
        columns = self._turned(self.theta)(np.eye(len(u)))
        found: np.ndarray = columns.T @ u
        return found

    @property
    def residuals(self) -> np.ndarray:
        """What neither coefficients nor random effects say, over the residual deviation."""
        turned = self._turned(self.theta)
        inner = turned(turned(self.zz).T) + np.eye(len(self.zz))
        b = self._solved(self.theta)[1]
        u = np.linalg.solve(inner, turned((self.zy - self.zx @ b)[:, None]))[:, 0]
        said = self.z @ self._own(u)
        found: np.ndarray = (self.y - self.x @ b - said) / self.sigma
        return found

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviations of the random effects and the residuals."""
        found, place, size = dict[str, float](), 0, self.sigma * self.scale
        for term in self.terms:
            found[f"intercepts of {term.who}"] = float(self.theta[place]) * size
            if term.slope is not None:
                found[f"slopes of {term.who}"] = float(np.hypot(*self.theta[place + 1 : place + 3])) * size
            place += len(term.names)
        return {**found, "residuals": size}

    @property
    def criterion(self) -> float:
        """The restricted deviance at its minimum, as lme4 prints it."""
        return float(self._profiled(self.theta) + 2 * (self.n - self.p) * np.log(self.scale))


def _second(of: Callable[[np.ndarray], float], best: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Second derivatives by central differences."""
    k, e = len(best), np.diag(step)
    found = np.empty((k, k))
    for i in range(k):
        for j in range(i, k):
            up = of(best + e[i] + e[j]) - of(best + e[i] - e[j])
            down = of(best - e[i] + e[j]) - of(best - e[i] - e[j])
            found[i, j] = found[j, i] = (up - down) / (4 * step[i] * step[j])
    return found
