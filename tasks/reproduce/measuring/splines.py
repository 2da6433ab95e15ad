"""Cubic splines (SciPy's), loaded when the first is made: most processes measure nothing, and half a second is a lot there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline, RectBivariateSpline


def cubic(x: ArrayLike, y: Any) -> CubicSpline:
    """Through y at ascending x, both (n,); callable at points, with the order of a derivative as second argument."""
    from scipy.interpolate import CubicSpline

    return CubicSpline(x, y)


def bicubic(u: ArrayLike, v: ArrayLike, values: ArrayLike) -> RectBivariateSpline:
    """Through values (nu, nv) at ascending u (nu,) and v (nv,); callable on a grid."""
    from scipy.interpolate import RectBivariateSpline

    return RectBivariateSpline(u, v, values)
