"""A solved curve for people: a plot with its uncertainty, and its numbers over wavelength where its axis is frequency."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from flows.reproduce.computing.told import curve_rows
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.files.figures import save_figure
from tasks.files.store import atomic_write

Row = tuple[float, float, float]


def over_wavelength(rows: list[list[float]], size: float) -> list[Row]:
    """(wavelength, value, uncertainty), the shortest first, of rows over frequency in c/length. size: of that length in the
    unit wanted. A frequency of 0 has none."""
    return sorted((size / x, y, doubt) for x, y, doubt in rows if x > 0)


def draw_curve(found: QuantityResult, unit: str, scale: str, folder: Path, *, nm: bool) -> list[Path]:
    """Write NAME.png beside the curve's CSV, and NAME_over_wavelength.csv where it is over frequency; none for a map.

    unit: of the value. scale: the description's length (um, or a). nm: wavelengths in nm in place of um. Raises InputError where
    the CSV is not as it was written.
    """
    if found.curve is None or found.axis == "point":
        return []
    rows = curve_rows(folder, found.curve)
    name, made = Path(found.curve.path).stem, []
    label, x_unit = found.axis or "x", ""
    shown: list[Row] = [(row[0], row[-2], row[-1]) for row in rows]
    if found.axis == "frequency":
        size, x_unit = (1000.0, "nm") if nm and scale == "um" else (1.0, scale)
        label, shown = "wavelength", over_wavelength(rows, size)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow((f"wavelength_{x_unit}", found.id, "uncertainty"))
        writer.writerows([f"{cell:.12g}" if math.isfinite(cell) else "" for cell in row] for row in shown)
        made.append(atomic_write(folder / f"{name}_over_wavelength.csv", text.getvalue()))
    return [*made, _drawn(found, shown, (label, x_unit), unit, folder / f"{name}.png")]


def _drawn(found: QuantityResult, rows: list[Row], axis: tuple[str, str], unit: str, path: Path) -> Path:
    from matplotlib.figure import Figure

    x, y, doubt = zip(*rows, strict=True) if rows else ((), (), ())
    figure = Figure(figsize=(7.0, 4.2), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(x, y, color="#0b62a4", marker="o" if len(x) <= 25 else None, ms=4)
    if all(math.isfinite(each) for each in doubt):
        low, high = ([a + sign * b for a, b in zip(y, doubt, strict=True)] for sign in (-1, 1))
        axes.fill_between(x, low, high, color="#d9d9d9", zorder=0, label="stated uncertainty")
        axes.legend(frameon=False, fontsize=8.5)
    axes.set_xlabel(" ".join(part for part in (axis[0], f"({axis[1]})" if axis[1] else "") if part))
    axes.set_ylabel(f"{found.id} ({unit})".removesuffix(" (1)").replace("$", r"\$"))
    axes.set_title(f"{found.id}: {found.status}".replace("$", r"\$"), fontsize=10.5)
    axes.grid(color="#eeeeee", lw=0.6)
    return save_figure(figure, path)
