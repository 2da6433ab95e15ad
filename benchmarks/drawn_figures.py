"""Figures with known data, drawn by Matplotlib, gnuplot, R and pgfplots, for `benchmarks.digitise`.

Run as a script with a Python that has numpy and Matplotlib: `drawn_figures.py SPEC.json OUT.pdf [cairo]` draws a figure with
Matplotlib. `spec(seed)` is the figure: panels with limits, curves with their data and names, and habits of style.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

Spec = dict[str, Any]
_WORDS = {
    "en": {
        "wl": "Wavelength (nm)", "um": "Wavelength (\u00b5m)", "T": "Transmission", "R": "Reflectance", "dB": "Transmission (dB)",
        "t": "Time (fs)", "E": "Energy (a.u.)", "k": "Wave vector", "f": "Frequency (c/a)", "x": "Position (m)", "F": "Field",
        "n": "Resolution", "err": "Error", "q": "Angle (deg)", "set": "sample {}",
    },
    "de": {
        "wl": "Wellenl\u00e4nge (nm)", "um": "Wellenl\u00e4nge (\u00b5m)", "T": "Transmission", "R": "Reflexionsgrad", "dB": "Transmission (dB)",
        "t": "Zeit (fs)", "E": "Energie (w. E.)", "k": "Wellenvektor", "f": "Frequenz (c/a)", "x": "Ort (m)", "F": "Feldst\u00e4rke",
        "n": "Aufl\u00f6sung", "err": "Fehler", "q": "Winkel (Grad)", "set": "Probe {}",
    },
    "fr": {
        "wl": "Longueur d'onde (nm)", "um": "Longueur d'onde (\u00b5m)", "T": "Transmission", "R": "R\u00e9flectance", "dB": "Transmission (dB)",
        "t": "Temps (fs)", "E": "\u00c9nergie (u. a.)", "k": "Vecteur d'onde", "f": "Fr\u00e9quence (c/a)", "x": "Position (m)", "F": "Champ",
        "n": "R\u00e9solution", "err": "Erreur", "q": "Angle (deg)", "set": "s\u00e9rie {}",
    },
}  # fmt: skip
_COLOURS = [["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f"],
            ["#000000", "#ff0000", "#0000ff", "#008000", "#ff00ff", "#00a0a0", "#808000", "#a05000"],
            ["#0072bd", "#d95319", "#edb120", "#7e2f8e", "#77ac30", "#4dbeee", "#a2142f", "#404040"]]  # fmt: skip
_GREYS = ["#000000", "#000000", "#000000", "#808080", "#808080", "#808080", "#b0b0b0", "#b0b0b0"]
_DASHES = ["-", "--", ":", "-."]
_MARKERS = ["o", "s", "^", "D", "v", "x", "+"]


def _curves(
    rng: np.random.Generator, kind: str, count: int
) -> tuple[list[tuple[Any, Any]], str, str, bool, bool]:
    """Data of one panel: curves as (x, y), words of both axes, which axes are logarithmic."""
    found: list[tuple[Any, Any]] = []
    dip = lambda x, c, w: 1 / (1 + ((x - c) / (w / 2)) ** 2)  # noqa: E731
    if kind == "spectrum":
        x = np.linspace(400, 800, int(rng.choice([81, 201, 401]))) + 100 * rng.integers(0, 12)
        for _ in range(count):
            y = sum(
                rng.uniform(0.1, 0.5) * dip(x, rng.uniform(x[0], x[-1]), rng.uniform(15, 120))
                for _ in range(3)
            )
            found.append((x, y if rng.random() < 0.5 else 1 - y / (y.max() * 1.1)))
        return found, "wl", "T" if rng.random() < 0.5 else "R", False, False
    if kind == "narrow":
        a = rng.uniform(1.3, 1.6)
        x = a + np.linspace(0, rng.choice([0.02, 0.1]), 301)
        for _ in range(count):
            found.append(
                (
                    x,
                    1
                    - rng.uniform(0.3, 1)
                    * dip(x, rng.uniform(x[20], x[-20]), (x[-1] - a) * rng.uniform(0.01, 0.3)),
                )
            )
        return found, "um", "T", False, False
    if kind == "db":
        x = np.linspace(1500, 1600, 401)
        for _ in range(count):
            y = 10 * np.log10(
                1 - 0.97 * np.maximum(0, np.cos(np.pi * (x - rng.uniform(0, 9)) / rng.uniform(8, 25))) ** 20
            )
            found.append((x, y - rng.uniform(0, 5)))
        return found, "wl", "dB", False, False
    if kind == "decay":
        x = np.linspace(0, float(rng.choice([50, 200, 1000])), 200)
        for _ in range(count):
            y = (
                rng.uniform(0.1, 5)
                * np.exp(-x / x[-1] * rng.uniform(2, 10))
                * (1 + 0.2 * np.sin(x / x[-1] * 30))
            )
            found.append((x, y))
        return found, "t", "E", False, bool(rng.random() < 0.8)
    if kind == "bands":
        x = np.linspace(0, 0.5, 61)
        for n in range(count):
            found.append(
                (
                    x,
                    0.1
                    + 0.13 * n
                    + 0.05 * np.sin(np.pi * x * (1 if n % 2 == 0 else -1) + 0.3 * n)
                    + 0.15 * x,
                )
            )
        return found, "k", "f", False, False
    if kind == "tiny":
        x = np.linspace(-2e-6, 2e-6, 301)
        for _ in range(count):
            y = (
                rng.uniform(1e-9, 9e-9)
                * np.exp(-((x / rng.uniform(4e-7, 1e-6)) ** 2))
                * np.cos(x * rng.uniform(2e6, 1e7))
            )
            found.append((x, y))
        return found, "x", "F", False, False
    if kind == "convergence":
        x = np.array([10, 20, 40, 80, 160, 320, 640][: int(rng.integers(5, 8))], float)
        for _ in range(count):
            found.append(
                (
                    x,
                    rng.uniform(0.1, 1)
                    * (x / 10) ** -rng.uniform(0.7, 2.2)
                    * rng.uniform(0.85, 1.15, len(x)),
                )
            )
        return found, "n", "err", True, True
    x = np.linspace(-90, 90, int(rng.choice([37, 91, 181])))
    for _ in range(count):
        found.append(
            (x, np.abs(np.sinc((x - rng.uniform(-40, 40)) / rng.uniform(15, 60))) * rng.uniform(0.3, 1))
        )
    return found, "q", "T", False, False


_KINDS = ("spectrum", "narrow", "db", "decay", "bands", "tiny", "convergence", "angle")


def spec(seed: int) -> Spec:
    """A figure as its data and style, without arrays: every number a float, every choice a string."""
    rng = np.random.default_rng(seed)
    language = str(rng.choice(["en", "en", "de", "fr"]))
    words = _WORDS[language]
    pick = lambda *options: options[int(rng.integers(len(options)))]  # noqa: E731
    grid = pick((1, 1), (1, 1), (1, 1), (1, 2), (2, 1), (2, 2))
    shared = bool(grid[0] > 1 and rng.random() < 0.4)
    kind = _KINDS[seed % len(_KINDS)]
    grey = bool(rng.random() < 0.15)
    palette = _GREYS if grey else pick(*_COLOURS)
    panels = []
    for place in range(grid[0] * grid[1]):
        own = kind if shared else (kind if place == 0 else pick(*_KINDS))
        count = int(rng.choice([1, 1, 2, 2, 3, 4, 5, 8])) if grid == (1, 1) else int(rng.integers(1, 4))
        if shared and place >= grid[1]:
            base = np.array(panels[0]["curves"][0]["x"])
            curves = [(base, np.abs(np.sin(base / base[-1] * rng.uniform(2, 9))) + 0.2) for _ in range(count)]
            x_word, y_word, x_log, y_log = panels[0]["x_word"], "T", panels[0]["x_log"], False
        else:
            curves, x_word, y_word, x_log, y_log = _curves(rng, own, count)
        marked = own == "convergence" or rng.random() < 0.2
        made = []
        for n, (x, y) in enumerate(curves):
            points = bool(rng.random() < 0.15) and not grey
            step = max(1, len(x) // 25) if points else 1
            x, y = x[::step], y[::step]
            if points:
                y = y * (1 + 0.02 * rng.standard_normal(len(y)))
            made.append({
                "x": [float(v) for v in x], "y": [float(v) for v in y], "colour": palette[n],
                "dash": "" if points else (_DASHES[n % 3] if grey else str(rng.choice(_DASHES, p=[0.7, 0.14, 0.08, 0.08]))),
                "marker": _MARKERS[n % 7] if points or (marked and len(x) < 100) else "",
                "width": round(float(rng.uniform(0.6, 2)), 2), "name": words["set"].format("ABCDEFGH"[n]),
            })  # fmt: skip
        xs, ys = np.concatenate([c["x"] for c in made]), np.concatenate([c["y"] for c in made])
        panels.append({
            "curves": made, "x_word": x_word, "xlabel": words[x_word], "ylabel": words[y_word], "x_log": x_log, "y_log": y_log,
            "xlim": _limits(xs, x_log, float(pick(0, 0, 0.04, -0.1))), "ylim": _limits(ys, y_log, float(pick(0.05, 0.05, 0.3, -0.1))),
            "x_reversed": bool(rng.random() < 0.08) and not shared, "legend": pick("inside", "outside", "none") if count > 1 else "none",
            "inset": bool(rng.random() < 0.1 and grid == (1, 1)), "twin": str(pick("coloured", "black") if rng.random() < 0.1 and count > 1 else ""),
        })  # fmt: skip
        if shared:
            panels[-1]["xlim"] = panels[0]["xlim"]
    return {
        "seed": seed, "language": language, "grid": grid, "shared": shared, "panels": panels, "comma": language != "en" and bool(rng.random() < 0.8),
        "lines": pick("none", "none", "major", "both"), "ticks": pick("in", "out", "out"), "minor": bool(rng.random() < 0.35),
        "mirror": bool(rng.random() < 0.3), "spines": pick("all", "all", "all", "two"), "size": float(pick(7, 8, 9, 10, 12)),
        "width": round(float(rng.uniform(3.2, 6)), 2), "height": round(float(rng.uniform(2.4, 4)), 2), "font": pick("sans", "serif"),
        "fonttype": int(pick(3, 42)), "math": bool(rng.random() < 0.5), "simplify": bool(rng.random() < 0.7), "pieces": bool(rng.random() < 0.06),
    }  # fmt: skip


def _limits(values: Any, log: bool, margin: float) -> tuple[float, float]:
    low, high = (np.log10(values.min()), np.log10(values.max())) if log else (values.min(), values.max())
    room = margin * (high - low) or 0.0
    low, high = float(low - room), float(high + room)
    return (10**low, 10**high) if log else (low, high)


def matplotlib_figure(figure: Spec, out: Path, backend: str = "") -> None:
    """Draw a figure with Matplotlib, by its own PDF writer or by cairo."""
    import matplotlib

    matplotlib.use("cairo" if backend == "cairo" else "Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection
    from matplotlib.ticker import FuncFormatter

    style = {
        "font.size": figure["size"], "xtick.direction": figure["ticks"], "ytick.direction": figure["ticks"],
        "font.family": "DejaVu Sans" if figure["font"] == "sans" else "DejaVu Serif", "pdf.fonttype": figure["fonttype"],
        "axes.formatter.use_mathtext": figure["math"], "xtick.minor.visible": figure["minor"], "ytick.minor.visible": figure["minor"],
        "path.simplify": figure["simplify"], "xtick.top": figure["mirror"], "ytick.right": figure["mirror"],
    }  # fmt: skip
    with plt.rc_context(style):
        rows, columns = figure["grid"]
        fig, axes = plt.subplots(rows, columns, figsize=(figure["width"] * (1 + 0.7 * (columns - 1)), figure["height"] * (1 + 0.7 * (rows - 1))),
                                 sharex="col" if figure["shared"] else "none", squeeze=False, constrained_layout=True)  # fmt: skip
        for ax, panel in zip(axes.ravel(), figure["panels"]):  # noqa: B905  runs with an older Python too
            other = ax.twinx() if panel["twin"] else None
            drawn = []
            for n, curve in enumerate(panel["curves"]):
                on, factor = (other, 37.0) if other is not None and n == 1 else (ax, 1.0)
                x, y = np.array(curve["x"]), np.array(curve["y"]) * factor
                if figure["pieces"] and curve["dash"] == "-" and not curve["marker"]:
                    parts = np.stack([np.c_[x[:-1], y[:-1]], np.c_[x[1:], y[1:]]], 1)
                    on.add_collection(
                        LineCollection(parts, colors=curve["colour"], lw=curve["width"], label=curve["name"])
                    )
                else:
                    drawn += on.plot(x, y, linestyle=curve["dash"] or "none", marker=curve["marker"] or "none", ms=4, color=curve["colour"],
                                     lw=curve["width"], label=curve["name"])  # fmt: skip
            ax.set_xscale("log" if panel["x_log"] else "linear")
            ax.set_yscale("log" if panel["y_log"] else "linear")
            ax.set_xlim(panel["xlim"][::-1] if panel["x_reversed"] else panel["xlim"])
            ax.set_ylim(panel["ylim"])
            if other is not None:
                other.set_yscale("log" if panel["y_log"] else "linear")
                other.set_ylim(
                    [37.0 * v * 1.3 for v in panel["ylim"]]
                    if not panel["y_log"]
                    else [20.0 * v for v in panel["ylim"]]
                )
                if panel["twin"] == "coloured":
                    ax.tick_params(axis="y", colors=panel["curves"][0]["colour"])
                    other.tick_params(axis="y", colors=panel["curves"][1]["colour"])
            if figure["lines"] != "none":
                ax.grid(True, which=figure["lines"], alpha=0.4 if figure["seed"] % 2 else 1.0)
            if figure["spines"] == "two" and other is None:
                ax.spines["top"].set_visible(False)
                ax.spines["right"].set_visible(False)
            if figure["comma"]:
                for axis, log in ((ax.xaxis, panel["x_log"]), (ax.yaxis, panel["y_log"])):
                    if not log:
                        axis.set_major_formatter(
                            FuncFormatter(lambda v, _: f"{v:.6g}".replace(".", ",").replace("-", "\u2212"))
                        )
            ax.set_ylabel(panel["ylabel"])
            if not figure["shared"] or ax in axes[-1]:
                ax.set_xlabel(panel["xlabel"])
            if panel["legend"] == "inside":
                ax.legend(frameon=figure["seed"] % 3 > 0)
            elif panel["legend"] == "outside":
                ax.legend(loc="upper left", bbox_to_anchor=(1.02 if other is None else 1.2, 1))
            if panel["inset"]:
                small = ax.inset_axes([0.6, 0.55, 0.36, 0.36])
                small.plot(
                    panel["curves"][0]["x"], panel["curves"][0]["y"], color=panel["curves"][0]["colour"], lw=1
                )
                small.set_xlim(panel["xlim"][0], panel["xlim"][0] + (panel["xlim"][1] - panel["xlim"][0]) / 4)
        fig.savefig(out, format="pdf")
        plt.close(fig)


if __name__ == "__main__":
    for name in sys.argv[2:]:
        matplotlib_figure(json.loads(Path(name).read_text()), Path(name).with_suffix(".pdf"), sys.argv[1])
