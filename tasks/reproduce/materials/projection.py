"""Variable projection for the Drude-Lorentz model: inner non-negative strengths, outer bounded poles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.reproduce.materials.constants import ComplexArray, FloatArray
from tasks.reproduce.materials.drude_lorentz import Pole, drude_lorentz

DRUDE_DAMPING = (1e-3, 0.5)  # c/um
SCOUT_STARTS = 24
SCOUT_EVALUATIONS = 25
POLISHED = 4
POLISH_EVALUATIONS = 300
# Im eps is weighted by 1 / (Im eps + this fraction of |eps|), so that points without loss do not dominate;
# the fraction shrinks with the loss of a weakly absorbing material, whose little loss is all there is.
IM_FLOOR = 0.02
WEAK_LOSS_TANGENT = 0.1
# A model is stated with these significant digits. Far more than a fit is worth, and few enough that the rounding of a
# processor or of a linear algebra library, which a minimum found to NEWTON_STEP magnifies, reaches none of them.
OUTER_DIGITS, STRENGTH_DIGITS = 5, 6
NEWTON_STEPS, NEWTON_STEP, NEWTON_TRUST = 100, 1e-11, 0.1
_DIFFERENCE, FLAT = 1e-5, 1e-8
PLACES, ENOUGH = 7, 1e-9
# A lossy model this close (rms) to a table is not sought any closer: in what is left many models are as good.
CLOSE = 1e-4
DAMPING_AT_START, LEAST_DAMPING = 1e-2, 1e-7
# A column that adds less than this fraction of the data is not there: NNLS leaves rounding in its place, and the search
# would move a pole without strength by that, differently on each computer.
NO_STRENGTH = 1e-9
# A pole that adds less than this fraction of |eps| anywhere is none.
NO_POLE = 1e-6


@dataclass(frozen=True)
class Bounds:
    """Limits of one Lorentz pole in c/um; equal damping limits fix the damping (0: lossless)."""

    f0_low: float
    f0_high: float
    gamma_low: float
    gamma_high: float


@dataclass(frozen=True, eq=False)
class Problem:
    """Permittivity to be fitted: frequency shape (points,) in c/um, epsilon shape (points,)."""

    frequency: FloatArray
    epsilon: ComplexArray
    drude: bool
    im_weight: float

    @cached_property
    def loss_tangent(self) -> float:
        """Largest |Im eps| / |eps| of the data, dimensionless."""
        return float(np.max(np.abs(self.epsilon.imag) / np.abs(self.epsilon)))

    def rows(self, values: NDArray[Any]) -> FloatArray:
        """Weighted real residual rows of complex values of shape (..., points): relative error, and Im eps."""
        return (
            np.concatenate([values.real, *[values.imag] * (2 if self.im_weight else 1)], axis=-1)
            * self.weights
        )

    @cached_property
    def weights(self) -> FloatArray:
        """Of the rows, shape (rows,): one over |eps| for both parts, and more for Im eps where its loss counts."""
        size = np.abs(self.epsilon)
        parts = [1 / size, 1 / size]
        if self.im_weight:
            floor = IM_FLOOR * min(1.0, self.loss_tangent / WEAK_LOSS_TANGENT)
            parts.append(self.im_weight / (np.abs(self.epsilon.imag) + floor * size))
        return np.concatenate(parts)

    @cached_property
    def target(self) -> FloatArray:
        """Rows of eps - 1: the column of eps_inf holds only what exceeds vacuum."""
        return self.rows(self.epsilon - 1)

    @cached_property
    def constant(self) -> FloatArray:
        """Rows of the column of eps_inf - 1."""
        return self.rows(np.ones(self.frequency.shape, complex))


class _Evaluation:
    """Columns, strengths, residual and Jacobian (by [f0, log gamma]*count, log gamma_D) at one set of places and dampings."""

    def __init__(self, problem: Problem, f0: FloatArray, gamma: FloatArray, lossless: bool) -> None:
        from scipy.optimize import nnls

        self._problem, self._f0, self._gamma, self._lossless = problem, f0, gamma, lossless
        f = problem.frequency
        self._square = f0[:, None] ** 2
        self._below = self._square - f**2 - 1j * f * gamma[: f0.size, None]
        columns = [problem.constant[None], problem.rows(self._square / self._below)]
        if problem.drude:
            columns.append(problem.rows(-1 / (f**2 + 1j * f * gamma[-1]))[None])
        matrix = np.concatenate(columns).T
        # Columns of one length keep NNLS well conditioned.
        length = np.sqrt(np.sum(matrix * matrix, axis=0))
        try:
            scaled = nnls(matrix / length, problem.target)[0]
        except RuntimeError:  # NNLS did not converge: a bad point, left to the outer search
            scaled = np.zeros(matrix.shape[1])
        scaled[scaled < NO_STRENGTH * np.linalg.norm(problem.target)] = 0.0
        self.strengths = scaled / length
        self.residual = matrix @ self.strengths - problem.target
        self._active = matrix[:, self.strengths > 0] / length[self.strengths > 0]

    @cached_property
    def jacobian(self) -> FloatArray:
        """Of the residual, shape (rows, parameters): a step that is refused needs none."""
        problem, f0, square, d, f = (
            self._problem,
            self._f0,
            self._square,
            self._below,
            self._problem.frequency,
        )
        # Of a column c = f0^2/d: dc/df0 = 2 f0 (d - f0^2)/d^2, dc/dlog g = i f g f0^2/d^2.
        kinds = [2 * f0[:, None] * (d - square) / d**2]
        if not self._lossless:
            kinds.append(1j * f * self._gamma[: f0.size, None] * square / d**2)
        by_pole = problem.rows(np.array(kinds)) * self.strengths[1 : 1 + f0.size, None]
        slope = by_pole.transpose(1, 0, 2).reshape(-1, problem.target.size)
        if problem.drude:
            by_gamma = problem.rows(1j * f * self._gamma[-1] / (f**2 + 1j * f * self._gamma[-1]) ** 2)
            slope = np.concatenate([slope, self.strengths[-1] * by_gamma[None]])
        slope = slope.T
        if self._active.size and slope.size:
            basis = np.linalg.qr(self._active)[0]
            slope = slope - basis @ (basis.T @ slope)
        return np.asarray(slope)


def unpack(outer: FloatArray, drude: bool, lossless: bool) -> tuple[FloatArray, FloatArray]:
    """f0 of the Lorentz poles and all dampings (Lorentz, then Drude) in c/um from the outer parameters."""
    lorentz = outer[: len(outer) - drude]
    if lossless:
        f0, gamma = lorentz, np.zeros(lorentz.size)
    else:
        f0, gamma = lorentz[0::2], np.exp(lorentz[1::2])
    return f0, np.concatenate([gamma, np.exp(outer[len(outer) - drude :])])


def best_of_starts(
    problem: Problem, layout: list[Bounds], rng: np.random.Generator, *, lossless: bool
) -> tuple[float, tuple[Pole, ...]]:
    """Best model with one Lorentz pole per entry of `layout` (and a Drude pole if the problem has one).

    Returns:
        eps_inf and the poles with a strength above zero; frequencies in c/um.
    """
    lower, upper = _limits(layout, problem.drude, lossless)
    scouts = SCOUT_STARTS if layout else 1
    results = [
        _solve(problem, start, lower, upper, SCOUT_EVALUATIONS, lossless)
        for start in _starts(problem, layout, rng, lossless, scouts)
    ]
    results.sort(key=lambda result: result[0])
    if lower.size:
        results = [
            _solve(problem, place, lower, upper, POLISH_EVALUATIONS, lossless)
            for _, place in results[:POLISHED]
        ]
        results.sort(key=lambda result: result[0])
    return _stated(problem, results[0][1], lower, upper, lossless)


def from_start(
    problem: Problem, start: Sequence[Pole], layout: list[Bounds]
) -> tuple[float, tuple[Pole, ...]]:
    """The best lossy model near `start`, by one local search: what `best_of_starts` gives, of the same number of poles."""
    lower, upper = _limits(layout, problem.drude, False)
    outer = [
        value
        for pole in start
        if pole.kind == "lorentz"
        for value in (pole.f0, np.log(max(pole.gamma, 1e-9)))
    ]
    outer += [np.log(pole.gamma) for pole in start if pole.kind == "drude"]
    _, place = _solve(problem, np.array(outer), lower, upper, POLISH_EVALUATIONS, False)
    return _stated(problem, place, lower, upper, False)


def _stated(
    problem: Problem, outer: FloatArray, lower: FloatArray, upper: FloatArray, lossless: bool
) -> tuple[float, tuple[Pole, ...]]:
    """eps_inf and the poles with a strength above zero: the minimum near `outer`, in the digits that every computer finds.

    Places and dampings are rounded first and the strengths found for them, so that rounding costs the fit nothing.
    """
    f0, gamma = unpack(_minimum(problem, outer, lower, upper, lossless), problem.drude, lossless)
    f0, gamma = _rounded(f0, OUTER_DIGITS), _rounded(gamma, OUTER_DIGITS)
    strengths = _rounded(_Evaluation(problem, f0, gamma, lossless).strengths, STRENGTH_DIGITS)
    poles = [Pole("lorentz", float(f0[j]), float(gamma[j]), float(strengths[1 + j])) for j in np.argsort(f0)]
    if problem.drude:
        poles.insert(0, Pole("drude", 1.0, float(gamma[-1]), float(strengths[-1])))
    size = np.abs(problem.epsilon)
    parts = [np.abs(drude_lorentz(problem.frequency, 0.0, (pole,))) / size for pole in poles]
    return float(_rounded(1.0 + strengths[:1], STRENGTH_DIGITS)[0]), tuple(
        pole for pole, part in zip(poles, parts, strict=True) if part.max() > NO_POLE
    )


def _rounded(values: FloatArray, digits: int) -> FloatArray:
    return np.array([float(f"{value:.{digits - 1}e}") for value in values])


def _minimum(
    problem: Problem, outer: FloatArray, lower: FloatArray, upper: FloatArray, lossless: bool
) -> FloatArray:
    """Newton's steps from where the search stopped, until they are rounding; parameters at a limit stay there.

    The search stops where the sum of squares hardly changes, which in a flat valley is anywhere along it.
    """
    if not outer.size:
        return outer
    span = np.where(upper > lower, upper - lower, 1.0)
    near = 1e-6 * span

    def at(place: FloatArray) -> tuple[float, FloatArray]:
        found = _Evaluation(problem, *unpack(place, problem.drude, lossless), lossless)
        return float(found.residual @ found.residual), (found.jacobian.T @ found.residual) * span

    outer = np.where(outer - lower < near, lower, np.where(upper - outer < near, upper, outer))
    cost, slope = at(outer)
    trust = NEWTON_TRUST
    if _close(cost, problem.target, lossless):
        return outer
    for _ in range(NEWTON_STEPS):
        free = np.flatnonzero(
            (upper > lower) & ~((outer <= lower) & (slope > 0)) & ~((outer >= upper) & (slope < 0))
        )
        columns = []
        for n in free:
            aside = np.zeros(outer.size)
            aside[n] = _DIFFERENCE * span[n]
            columns.append((at(outer + aside)[1] - at(outer - aside)[1])[free] / (2 * _DIFFERENCE))
        if not columns or not np.isfinite(columns).all():
            return outer
        curvature = np.array(columns)
        sizes, axes = np.linalg.eigh((curvature + curvature.T) / 2)
        flat = (
            np.abs(sizes) <= FLAT * np.abs(sizes).max()
        )  # along these nothing but rounding would tell where to stop
        along = -np.where(flat, 0.0, axes.T @ slope[free]) / np.where(flat, 1.0, np.abs(sizes))
        while True:
            whole = axes @ along
            moved = outer.copy()
            moved[free] += span[free] * whole * min(1.0, trust / max(float(np.abs(whole).max()), 1e-300))
            moved = np.clip(moved, lower, upper)
            step = float(np.max(np.abs(moved - outer) / span))
            new_cost, new_slope = at(moved)
            if new_cost <= cost * (1 + 1e-13):
                trust = min(NEWTON_TRUST, 2 * trust)
                break
            trust = step / 4
            if trust < NEWTON_STEP:
                return outer
        outer, cost, slope = moved, new_cost, new_slope
        if step < NEWTON_STEP:
            break
    return outer


def _close(cost: float, rows: FloatArray, lossless: bool) -> bool:
    return not lossless and cost < CLOSE**2 * rows.size


def _limits(layout: list[Bounds], drude: bool, lossless: bool) -> tuple[FloatArray, FloatArray]:
    lower: list[float] = []
    upper: list[float] = []
    for bounds in layout:
        lower.append(bounds.f0_low)
        upper.append(bounds.f0_high)
        if not lossless:
            lower.append(np.log(bounds.gamma_low))
            upper.append(np.log(bounds.gamma_high))
    if drude:
        lower.append(np.log(DRUDE_DAMPING[0]))
        upper.append(np.log(DRUDE_DAMPING[1]))
    return np.array(lower), np.array(upper)


def _starts(
    problem: Problem, layout: list[Bounds], rng: np.random.Generator, lossless: bool, count: int
) -> list[FloatArray]:
    low, high = float(problem.frequency.min()), float(problem.frequency.max())
    starts = []
    for _ in range(count):
        start: list[float] = []
        for bounds in layout:
            if lossless:
                start.append(rng.uniform(bounds.f0_low, bounds.f0_high))
            else:
                start.append(rng.uniform(max(bounds.f0_low, 0.8 * low), min(bounds.f0_high, 1.5 * high)))
                gamma = low * 10 ** rng.uniform(-1.3, 0.2)
                start.append(np.log(np.clip(gamma, bounds.gamma_low, bounds.gamma_high)))
        if problem.drude:
            start.append(np.log(0.03))
        starts.append(np.array(start))
    return starts


def _solve(
    problem: Problem,
    start: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    evaluations: int,
    lossless: bool,
) -> tuple[float, FloatArray]:
    """Sum of squares and place of the minimum that Levenberg's damped steps reach within the bounds (Marquardt, SIAM J. Appl.
    Math. 11, 431 (1963)).

    Every place lies on a grid of PLACES of its range, and the damping is never small: of two computers whose last digits
    differ, neither takes another way. A step that ends where it began ends the search.
    """
    span = np.where(upper > lower, upper - lower, 1.0)

    def at(place: FloatArray) -> tuple[float, _Evaluation]:
        found = _Evaluation(problem, *unpack(lower + span * place, problem.drude, lossless), lossless)
        return float(found.residual @ found.residual), found

    place = np.round(np.clip((start - lower) / span, 0.0, 1.0), PLACES)
    cost, found = at(place)
    damping = DAMPING_AT_START
    for _ in range(evaluations if start.size else 0):
        jacobian = found.jacobian * span
        slope = jacobian.T @ found.residual
        free = (upper > lower) & ~((place <= 0) & (slope > 0)) & ~((place >= 1) & (slope < 0))
        square = jacobian[:, free].T @ jacobian[:, free]
        size = float(np.trace(square))
        if not free.any() or not size > 0:
            break
        moved = place.copy()
        moved[free] -= np.linalg.solve(square + damping * size * np.eye(len(square)), slope[free])
        moved = np.round(np.clip(moved, 0.0, 1.0), PLACES)
        if (moved == place).all():
            break
        new = at(moved)
        if new[0] < cost:
            done = cost - new[0] < ENOUGH * cost or _close(new[0], found.residual, lossless)
            place, (cost, found) = moved, new
            damping = max(LEAST_DAMPING, damping / 4)
            if done:
                break
        else:
            damping *= 3
    return cost, lower + span * place
