"""Passive Drude-Lorentz fits of optical constants by variable projection.

The strengths (eps_inf - 1, fp^2, sigma_j) enter linearly and are found by non-negative least squares; the pole
positions and dampings are found by bounded least squares around that (Golub and Pereyra, SIAM J. Numer. Anal.
10, 413 (1973); Jacobian after Kaufman, BIT 15, 49 (1975)). Non-negative strengths and dampings with
eps_inf >= 1 make every fit passive, causal and, in practice, stable at a Courant factor of 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from simkit.arrange.permittivity import LOSSLESS_TANGENT
from tasks.reproduce.materials.constants import (
    Band,
    ComplexArray,
    FloatArray,
    OpticalConstants,
    band_wavelengths,
    checked_band,
)
from tasks.reproduce.materials.drude_lorentz import MaterialFit, Pole, drude_lorentz
from tasks.reproduce.materials.errors import FitFailed, WavelengthOutOfRange
from tasks.reproduce.materials.projection import (
    WEAK_LOSS_TANGENT,
    Bounds,
    Problem,
    best_of_starts,
    from_start,
)

# Relative spread of n below which a lossless material is one number.
CONSTANT_INDEX_SPREAD = 1e-3
# Where the loss tangent exceeds LOSS_MATTERS somewhere, poles are added until the loss itself is followed too.
LOSS_MATTERS = 0.01
LOSS_AIM = 0.10
# A lossy pole outside the band with less damping rings in time without improving the fit (c/um, visible).
MIN_DAMPING = 0.05
# Narrow poles inside the band are tried only when broad ones miss the tolerance by this factor.
NARROW_WHEN_WORSE = 3.0
# Least damping of a narrow pole inside the band, as a fraction of the limit for broad ones.
NARROW_DAMPING = 0.04
# Poles cost memory and time at every grid point: among misses, the smallest model this close to the best is taken.
NOT_WORTH_A_POLE = 1.05
# A smooth lossless index is followed easily, so that more is asked of it.
LOSSLESS_AIM = 1e-3


def fit_material(
    constants: OpticalConstants,
    band_um: Sequence[float],
    *,
    tolerance: float = 0.01,
    max_lorentz: int = 5,
    drude: bool | None = None,
    im_weight: float = 0.3,
    seed: int = 0,
) -> MaterialFit:
    """Smallest passive Drude-Lorentz model whose rms relative error of eps meets the tolerance.

    Poles are also added while the median error of Im eps exceeds 10 %, where the loss tangent reaches 0.01. Where
    no model meets the tolerance, the smallest within 5 % of the best error is returned (`MaterialFit.met` False).

    Args:
        constants: the table.
        band_um: (low, high) vacuum wavelengths in um, inside the table's range.
        tolerance: aim for rms(delta eps) / rms(eps) over the band.
        max_lorentz: most Lorentz poles to try.
        drude: with a Drude pole; None: when Re eps < 0 at the long-wavelength end.
        im_weight: extra weight of the relative error of Im eps, so that weak loss counts.
        seed: of the starting points; the same call gives the same fit.

    Raises:
        WavelengthOutOfRange: the band is malformed or not covered by the table.
        FitFailed: arguments out of range, or no model could be found.
    """
    band = checked_band(band_um)
    if not 0 < tolerance < 1 or not 0 <= max_lorentz <= 10 or not im_weight >= 0:
        raise FitFailed(
            "the fit was asked for with values that make no sense",
            found=f"tolerance {tolerance!r}, max_lorentz {max_lorentz!r}, im_weight {im_weight!r}",
            allowed="0 < tolerance < 1 (0.01 is 1 %), 0 <= max_lorentz <= 10, im_weight >= 0",
            fix="start from the defaults",
        )
    if not constants.covers(band):
        low, high = constants.valid_um
        raise WavelengthOutOfRange(
            f"cannot fit {constants.page}: its table does not cover the band",
            found=f"{band[0]:g} to {band[1]:g} um",
            allowed=f"{low:g} to {high:g} um",
            fix="narrow the band, or choose a page that covers it (tasks.reproduce.materials.alternatives)",
        )
    wavelength_um = band_wavelengths(band)
    epsilon = constants.epsilon(wavelength_um)
    lossless = _lossless(epsilon)
    if lossless:
        epsilon = epsilon.real.astype(complex)
        n = np.sqrt(epsilon).real
        if np.ptp(n) < CONSTANT_INDEX_SPREAD * n.mean() and n.mean() >= 1:
            return _constant_index(constants, band, epsilon, float(n.mean()), tolerance)
    with_drude = bool(epsilon[-1].real < 0) if drude is None else drude
    aim = min(tolerance, LOSSLESS_AIM) if lossless else tolerance
    search = Search(constants, band, epsilon, lossless, with_drude, aim, max_lorentz)
    problem = Problem(1 / wavelength_um, epsilon, drude=with_drude, im_weight=0.0 if lossless else im_weight)
    fit = _grow(search, problem, np.random.default_rng(seed))
    if fit is None:
        raise FitFailed(
            f"no passive model of {constants.page} was found",
            found=f"{band[0]:g} to {band[1]:g} um, up to {max_lorentz} Lorentz poles, Drude pole: {with_drude}",
            allowed="a table that a sum of passive poles can follow",
            fix="allow more poles, narrow the band or choose another page",
        )
    return replace(fit, tolerance=tolerance)


def fit_like(
    constants: OpticalConstants, like: MaterialFit, *, tolerance: float = 0.02, im_weight: float = 0.3
) -> MaterialFit:
    """The model of another table of the same material moved until it follows this one: one local search, a second of CPU time.

    Tables of a material differ in strengths and dampings more than in where its transitions lie. A fit without loss or poles
    is no start, nor is one with loss for a table without; then it is searched for from nothing, with few poles. `met` says whether
    the tolerance (of eps, rms) is met.

    Raises WavelengthOutOfRange, FitFailed as `fit_material`.
    """
    band = like.band_um
    if not like.poles or any(pole.gamma <= 0 for pole in like.poles) or not constants.covers(band):
        return fit_material(constants, band, tolerance=tolerance, max_lorentz=2)
    wavelength_um = band_wavelengths(band)
    epsilon = constants.epsilon(wavelength_um)
    if _lossless(epsilon):
        return fit_material(constants, band, tolerance=tolerance, max_lorentz=2)
    drude = any(pole.kind == "drude" for pole in like.poles)
    problem = Problem(1 / wavelength_um, epsilon, drude=drude, im_weight=im_weight)
    broad = _broad(problem)
    layout = [
        Bounds(
            min(broad.f0_low, pole.f0),
            max(broad.f0_high, pole.f0),
            min(broad.gamma_low, pole.gamma),
            max(broad.gamma_high, pole.gamma),
        )
        for pole in like.poles
        if pole.kind == "lorentz"
    ]
    return measured(constants, band, epsilon, *from_start(problem, like.poles, layout), tolerance)


@dataclass(frozen=True)
class Search:
    """What one search for the number of poles needs besides the numerical problem."""

    constants: OpticalConstants
    band: Band
    epsilon: ComplexArray
    lossless: bool
    drude: bool
    aim: float
    max_lorentz: int


def _grow(search: Search, problem: Problem, rng: np.random.Generator) -> MaterialFit | None:
    """Add poles until the aim is met; broad poles first, narrow ones only where those are hopeless."""
    fits: list[MaterialFit] = []

    def met(layout: list[Bounds]) -> bool:
        eps_inf, poles = best_of_starts(problem, layout, rng, lossless=search.lossless)
        fits.append(measured(search.constants, search.band, search.epsilon, eps_inf, poles, search.aim))
        return fits[-1].met and (problem.loss_tangent < LOSS_MATTERS or _loss_error(fits[-1]) <= LOSS_AIM)

    counts = range(0 if search.drude else 1, search.max_lorentz + 1)
    for count in counts:
        for layout in _layouts(count, problem, search.lossless):
            if met(layout):
                return fits[-1]
    if not search.lossless and min((fit.rms_relative_error for fit in fits), default=np.inf) > (
        NARROW_WHEN_WORSE * search.aim
    ):
        for count in counts:
            if count and met(_narrow_layout(count, problem)):
                return fits[-1]
    fits = [fit for fit in fits if fit.poles]
    if close := [fit for fit in fits if fit.met]:
        return min(close, key=_loss_error)
    best = min((fit.rms_relative_error for fit in fits), default=np.inf)
    near_best = [fit for fit in fits if fit.rms_relative_error <= NOT_WORTH_A_POLE * best]
    return min(near_best, key=lambda fit: len(fit.poles), default=None)


def _lossless(epsilon: ComplexArray) -> bool:
    return float(np.max(np.abs(epsilon.imag) / np.abs(epsilon))) < LOSSLESS_TANGENT


def _loss_error(fit: MaterialFit) -> float:
    return fit.median_im_relative_error or 0.0


def _damping_floor(frequency: FloatArray) -> float:
    return MIN_DAMPING * min(1.0, float(frequency.max()))


def _layouts(count: int, problem: Problem, lossless: bool) -> list[list[Bounds]]:
    """Where `count` poles may lie: anywhere near the band when lossy, off the band when lossless."""
    low, high = float(problem.frequency.min()), float(problem.frequency.max())
    above = Bounds(1.15 * high, 6 * high, 0.0, 0.0)
    below = Bounds(0.1 * low, 0.6 * low, 0.0, 0.0)
    if lossless:
        return [[above] * count] + ([[above] * (count - 1) + [below]] if count > 1 else [])
    broad = [_broad(problem)] * count
    # Far above the band a pole cannot ring; there it may be as loss-free as a transparent material demands.
    far = Bounds(1.5 * high, 8 * high, 1e-9, 3 * high)
    weak = problem.loss_tangent < WEAK_LOSS_TANGENT and not problem.drude and count
    return ([[far] + broad[1:]] if weak else []) + [broad]


def _broad(problem: Problem) -> Bounds:
    low, high = float(problem.frequency.min()), float(problem.frequency.max())
    return Bounds(
        (0.7 if problem.drude else 0.3) * low, 2.5 * high, _damping_floor(problem.frequency), 3 * high
    )


def _narrow_layout(count: int, problem: Problem) -> list[Bounds]:
    low, high = float(problem.frequency.min()), float(problem.frequency.max())
    spacing = (high - low) / problem.frequency.size
    narrow = Bounds(low, high, max(spacing, NARROW_DAMPING * _damping_floor(problem.frequency)), high)
    return [narrow] + [_broad(problem)] * (count - 1)


def _constant_index(
    constants: OpticalConstants, band: Band, epsilon: ComplexArray, index: float, tolerance: float
) -> MaterialFit:
    return measured(constants, band, epsilon, index**2, (), tolerance, index=index)


def measured(
    constants: OpticalConstants,
    band: Band,
    epsilon: ComplexArray,
    eps_inf: float,
    poles: tuple[Pole, ...],
    tolerance: float,
    index: float | None = None,
) -> MaterialFit:
    """A model with its errors against `epsilon`, given on `band_wavelengths(band)`."""
    model = drude_lorentz(1 / band_wavelengths(band, epsilon.size), eps_inf, poles)
    relative = np.abs(model - epsilon) / np.abs(epsilon)
    delta_index = np.sqrt(model) - np.sqrt(epsilon)
    lossy = epsilon.imag > LOSSLESS_TANGENT * np.abs(epsilon)
    median = (
        float(np.median(np.abs((model - epsilon).imag)[lossy] / epsilon.imag[lossy])) if lossy.any() else None
    )
    return MaterialFit(
        page=constants.page,
        valid_um=constants.valid_um,
        band_um=band,
        eps_inf=float(eps_inf),
        poles=poles,
        rms_relative_error=_rms(np.abs(model - epsilon)) / _rms(np.abs(epsilon)),
        max_relative_error=float(relative.max()),
        rms_n=_rms(delta_index.real),
        rms_k=_rms(delta_index.imag),
        median_im_relative_error=median,
        tolerance=tolerance,
        index=index,
    )


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))
