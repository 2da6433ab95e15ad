"""Overlay plots: reference against simulation, residual, thresholds; one PNG for a target."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Target
from tasks.files.figures import save_figure
from tasks.reproduce.curves.curve import Curve, normaliser
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.overlay_map import draw_maps
from tasks.reproduce.evidence.rung import Value
from tasks.reproduce.judging.limits import shape_measure
from tasks.reproduce.references.paper_value import ReferenceValue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PAPER, _SIMULATION, _BAND = "#444444", "#0b62a4", "#d9d9d9"
_COLOURS = {"SUCCESS": "#1a7f37", "PARTIAL": "#9a6700", "FAILURE": "#b42318"}
_SIGNS = {"relative_percent": " %", "absolute_percentage_points": " pp", "absolute": ""}
_WIDTH_IN = 9.0
_FEW_POINTS = 60


def draw_target(
    target: Target,
    evidence: TargetEvidence,
    rungs: Sequence[tuple[float, Value]],
    reference: ReferenceValue | None,
    origin: str,
    folder: Path,
) -> Path:
    """Write folder/<target_id>.png (990 px wide, atomically) and return its path; arguments as of `target_figure`."""
    figure = target_figure(target, evidence, rungs, reference, origin)
    return save_figure(figure, folder / f"{target.target_id}.png")


def target_figure(
    target: Target,
    evidence: TargetEvidence,
    rungs: Sequence[tuple[float, Value]],
    reference: ReferenceValue | None,
    origin: str,
) -> Figure:
    """Simulation over reference, residual and thresholds of one target.

    rungs: (resolution scale, value in the target's units), ascending, an extrapolated one at inf; may be empty, and `reference` None: the
    plot then shows what there is and says what is missing. origin: where the reference comes from, as `origin_words` has it.
    """
    from matplotlib.figure import Figure

    curve = target.kind == "curve"
    figure = Figure(
        figsize=(_WIDTH_IN, {"curve": 6.0, "map": 3.8}.get(target.kind, 2.9)), layout="constrained"
    )
    if curve:
        grid = figure.add_gridspec(2, 1, height_ratios=(3, 1))
        top = figure.add_subplot(grid[0])
        _draw_curves(top, figure.add_subplot(grid[1], sharex=top), target, evidence, rungs, reference, origin)
    elif target.kind == "map":
        maps = [value for _, value in rungs if isinstance(value, Map)]
        paper = reference.value if reference is not None and isinstance(reference.value, Map) else None
        draw_maps(
            figure,
            target,
            maps[-1] if maps else None,
            paper,
            origin,
            1.0 if evidence.scale is None else evidence.scale,
        )
    else:
        _draw_scalar(figure.add_subplot(), target, evidence, origin)
    _title(
        figure,
        f"{target.figure_id}, {target.target_id}",
        _summary(target, evidence),
    )
    return figure


def _draw_curves(
    top: Axes,
    low: Axes,
    target: Target,
    evidence: TargetEvidence,
    rungs: Sequence[tuple[float, Value]],
    reference: ReferenceValue | None,
    origin: str,
) -> None:
    paper = reference.value if reference is not None and isinstance(reference.value, Curve) else None
    curves = [(scale, value) for scale, value in rungs if isinstance(value, Curve)]
    for place, (scale, curve) in enumerate(curves):
        last = place == len(curves) - 1
        top.plot(
            curve.x,
            curve.y,
            color=_SIMULATION,
            lw=1.8 if last else 1.0,
            ls="-" if last else (0, (4, 2)),
            alpha=1.0 if last else 0.35 + 0.3 * place / len(curves),
            zorder=3,
            marker="o" if curve.x.size <= 25 else None,
            ms=4,
            label=_name(scale, last),
        )
    if paper is not None:
        few = paper.x.size <= _FEW_POINTS
        assert reference is not None
        if reference.error_percent:
            error = reference.error_percent / 100 * np.abs(paper.y)
            top.fill_between(
                paper.x,
                paper.y - error,
                paper.y + error,
                color=_BAND,
                zorder=1,
                label=f"{origin}: uncertainty {reference.error_percent:g} %",
            )
        top.plot(
            paper.x,
            paper.y,
            color=_PAPER,
            lw=0 if few else 1.4,
            ls="none" if few else "-",
            marker="o" if few else None,
            ms=4,
            mfc="white",
            label=origin,
            zorder=2,
        )
        for feature in evidence.features:
            missing = feature.x_simulated is None
            top.axvline(
                feature.x_reference, color="#b42318" if missing else "#999999", lw=0.8, ls=":", zorder=0
            )
    if not curves or paper is None:
        absent = "no simulated curve" if not curves else "no reference curve"
        top.text(0.5, 0.5, absent, transform=top.transAxes, ha="center", color="#b42318", fontsize=14)
    if paper is not None and target.x_range is None:
        top.set_xlim(float(paper.x[0]), float(paper.x[-1]))
    elif target.x_range is not None:
        top.set_xlim(*target.x_range)
    if curves and paper is not None:
        _residual(low, curves[-1][1], paper, target, evidence)
    low.set_xlabel(_axis_label(_x_quantity(target), target.x_unit))
    top.set_ylabel(_axis_label(target.description, target.unit))
    top.tick_params(labelbottom=False)
    if top.get_legend_handles_labels()[1]:
        top.legend(fontsize=8.5, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    for axes in (top, low):
        axes.grid(color="#eeeeee", lw=0.6)


def _name(scale: float, last: bool) -> str:
    if math.isinf(scale):
        return "simulation, extrapolated to no pixel"
    return "simulation" if last else f"simulation, {scale:.2g} of the grid"


def _residual(axes: Axes, curve: Curve, paper: Curve, target: Target, evidence: TargetEvidence) -> None:
    x = np.union1d(curve.x, paper.x)
    difference = curve.at(x) - paper.at(x)
    inside = np.isfinite(difference)
    scale, label = 1.0, "difference"
    if shape_measure(target):
        scale, label = (
            100 / normaliser(paper.within(*(target.x_range or (x[0], x[-1]))) or paper),
            "difference\n(% of range)",
        )
        if evidence.acceptable is not None:
            axes.axhspan(-evidence.acceptable, evidence.acceptable, color="#e6f2e6", zorder=0)
    axes.plot(x[inside], scale * difference[inside], color=_SIMULATION, lw=1.2)
    if evidence.shift:
        moved = curve.at(x + evidence.shift) - paper.at(x)
        inside = np.isfinite(moved)
        axes.plot(x[inside], scale * moved[inside], color=_PAPER, lw=1.0, ls="--", label="after the shift")
        axes.legend(fontsize=8, frameon=False, loc="upper right")
    axes.axhline(0, color=_PAPER, lw=0.8)
    axes.set_ylabel(label)


def _draw_scalar(axes: Axes, target: Target, evidence: TargetEvidence, origin: str) -> None:
    """Deviation from the reference in units of the acceptable error, with error bar, over the threshold bands."""
    bounds = evidence.acceptable, evidence.investigate
    if bounds[0] is not None and bounds[1] is not None:
        for width, colour in ((bounds[1] / bounds[0], "#fbf0d4"), (1.0, "#dcefdc")):
            axes.barh(0, 2 * width, left=-width, height=0.62, color=colour, zorder=0)
    if evidence.error is None or evidence.simulated is None or evidence.reference is None or not bounds[0]:
        axes.text(0, 0, "no value", ha="center", va="center", color="#b42318")
    else:
        error = float(np.copysign(evidence.error, evidence.simulated - evidence.reference)) / bounds[0]
        bar = evidence.uncertainty / bounds[0] if evidence.uncertainty is not None else None
        shown = float(np.clip(error, -3, 3))
        axes.errorbar(
            shown,
            0,
            xerr=None if bar is None else min(bar, 6.0),
            fmt="o" if shown == error else "x",
            color=_COLOURS[evidence.classification],
            capsize=5,
            ms=8,
            lw=2,
            zorder=3,
        )
    axes.axvline(0, color=_PAPER, lw=1.2)
    axes.set_xlim(-3.2, 3.2)
    axes.set_ylim(0.5, -0.5)
    axes.set_yticks([0], [f"{target.target_id}\n{_numbers(evidence, origin)}"], fontsize=9)
    axes.set_xlabel(
        "deviation from the reference / acceptable error  (green: acceptable, yellow: investigate)"
    )


def _numbers(evidence: TargetEvidence, origin: str) -> str:
    unit = "" if evidence.unit in ("", "1") else f" {evidence.unit}"
    if evidence.simulated is None or evidence.reference is None:
        return "no value"
    return f"{evidence.simulated:.5g} / {origin} {evidence.reference_words(5)}{unit}"


def _summary(target: Target, evidence: TargetEvidence) -> str:
    if evidence.acceptable is None:
        return _shorten(evidence.reasons[0], 110) if evidence.reasons else ""
    sign = " %" if shape_measure(target) else _SIGNS.get(evidence.measure, "")
    parts = [f"error {evidence.error:.3g}{sign}" if evidence.error is not None else "no error"]
    if evidence.uncertainty is not None:
        parts[0] += f" ± {evidence.uncertainty:.2g} numerical"
    if evidence.shift:
        parts.append(
            f"shift {evidence.shift:+.4g} {target.x_unit}, then {evidence.nrms_aligned_percent or 0:.3g} %"
        )
    if evidence.pearson is not None:
        parts.append(f"r = {evidence.pearson:.3f}")
    parts.append(
        f"thresholds {evidence.excellent:.3g} / {evidence.acceptable:.3g} / {evidence.investigate:.3g}{sign}"
    )
    return "   ".join(parts)


def _title(figure: Figure, head: str, detail: str) -> None:
    # No verdict: what the paper's words leave open is looked at after the picture is drawn.
    # $ would start mathematical text: whatever an agent wrote stays literal.
    text = (head + ("\n" + detail if detail else "")).replace("$", r"\$")
    figure.suptitle(text, fontsize=10.5, x=0.01, ha="left")


def _x_quantity(target: Target) -> str:
    """The abscissa's quantity: the data column's name without its unit, or what the unit allows."""
    named = re.sub(
        r"_?(nm|um|mm|m|thz|ghz|hz|ev|deg|rad|c_a|c_um)$",
        "",
        target.reference.x_column or "",
        flags=re.IGNORECASE,
    )
    if len(named) > 1:
        return named.replace("_", " ")
    lengths, frequencies = ("nm", "um", "µm", "m", "mm"), ("THz", "GHz", "Hz", "c/a", "c/um")
    return (
        "wavelength or length"
        if target.x_unit in lengths
        else "frequency"
        if target.x_unit in frequencies
        else named or "x"
    )


def _axis_label(quantity: str, unit: str) -> str:
    """Quantity and unit, whole: long names go on several lines. `$` would start mathematical text."""
    shown = f"{quantity} ({unit})" if unit not in ("", "1") else quantity
    return textwrap.fill(" ".join(shown.split()), 42).replace("$", r"\$")


def _shorten(text: str, length: int) -> str:
    text = " ".join(text.replace("$", "").split())
    return text if len(text) <= length else text[: length - 1] + "…"
