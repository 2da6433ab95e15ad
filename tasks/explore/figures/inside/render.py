"""Runs in the sandbox: draws a checked drawing. No code of a model is near. Usage: render.py drawing.json name"""

import json
import math
import sys
import textwrap
from typing import Any, Literal

import matplotlib

matplotlib.use("Agg")
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter  # noqa: E402

MARKERS = set("o s ^ v D d < > p * h H + x | _ . , P X 1 2 3 4 8".split())
SUPERSCRIPT = str.maketrans(
    "-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
)
STYLES = {"-", "--", "-.", ":"}
matplotlib.rcParams.update(
    {
        "font.size": 10,  # families by name: a letter that one lacks (a raised digit) is taken from the next
        "font.family": ["TeX Gyre Termes", "Nimbus Roman", "Liberation Serif", "DejaVu Serif"],
        "mathtext.fontset": "stix",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.alpha": 0.25,
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "pdf.fonttype": 42,
        "text.parse_math": False,
        "svg.hashsalt": "reprolab",
    }
)


def power(value: float, _place: int | None) -> str:
    """A tick of a logarithmic axis without mathematics, which texts must not be read as."""
    exponent = math.floor(math.log10(value) + 1e-9) if value > 0 else 0
    if value <= 0:
        return ""
    if -3 <= exponent <= 3:
        return f"{value:g}"
    times = f"{value / 10.0**exponent:g}"
    return ("" if times == "1" else times + "\u00d7") + "10" + str(exponent).translate(SUPERSCRIPT)


def few_powers(low: float, high: float) -> list[float]:
    """Ticks of a logarithmic axis on which fewer than three powers of ten stand: 1, 2, 5, or round steps where it is narrow."""
    low, high = sorted((low, high))
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)):
        found = [step * 10.0**exponent for exponent in range(first, last + 1) for step in steps]
        found = [value for value in found if low <= value * (1 + 1e-9) and value <= high * (1 + 1e-9)]
        if len(found) >= 3:
            return found
    return [
        value for value in MaxNLocator(4, steps=(1, 2, 5, 10)).tick_values(low, high) if low <= value <= high
    ]


def tick_marks(axes: Axes, which: Literal["x", "y"], axis: dict[str, Any], categories: Any) -> None:
    getattr(axes, f"set_{which}label")(axis["label"])
    if axis["scale"] == "log" and not categories:
        getattr(axes, f"set_{which}scale")("log")
        marked = getattr(axes, f"{which}axis")
        marked.set_major_formatter(power)
        marked.set_minor_formatter(NullFormatter())
        low, high = getattr(axes, f"get_{which}lim")()
        if min(low, high) > 0 and abs(math.log10(high / low)) < 4:
            marked.set_major_locator(FixedLocator(few_powers(low, high)))
    if categories and axis["tick_labels"]:
        getattr(axes, f"set_{which}ticks")(axis["ticks"])
        labels, turned = beside_each_other(axis["tick_labels"]) if which == "x" else (axis["tick_labels"], {})
        getattr(axes, f"set_{which}ticklabels")(labels, **turned)
        axes.grid(False, axis=which)
    if axis["inverted"]:
        getattr(axes, f"invert_{which}axis")()


def beside_each_other(labels: list[str], room: int = 48, lines: int = 3) -> tuple[list[str], dict[str, Any]]:
    """Labels of ticks and how they are turned: too wide ones are broken into lines, or turned where that does not do."""
    width = room // max(len(labels), 1)
    broken = [textwrap.wrap(label, width, break_long_words=False) for label in labels]
    if all(len(parts) <= lines and all(len(part) <= width for part in parts) for parts in broken):
        return ["\n".join(parts) for parts in broken], {}
    return labels, {"rotation": 25, "ha": "right"}


def draw(axes: Axes, found: dict[str, Any]) -> None:
    for bar in found["bars"]:
        axes.bar(
            bar["x"],
            bar["height"],
            width=bar["width"],
            bottom=bar["y"],
            align="edge",
            color=bar["color"],
            hatch=bar["hatch"][:6] or None,
            edgecolor="#222222",
            linewidth=0.7,
            label=bar["label"] or "_nolegend_",
        )
    for line in found["lines"]:
        shown = {
            "color": line["color"],
            "label": line["label"] or "_nolegend_",
            "linewidth": min(max(line["width"], 0.4), 4.0),
            "linestyle": line["style"] if line["style"] in STYLES else "None",
        }
        if line["kind"] == "across":
            axes.axhline(line["y"][0], **shown)
        elif line["kind"] == "upright":
            axes.axvline(line["x"][0], **shown)
        else:
            axes.plot(
                line["x"],
                line["y"],
                marker=line["marker"] if line["marker"] in MARKERS else "None",
                markersize=min(max(line["size"], 2.0), 12.0),
                **shown,
            )
    for part in found["segments"]:
        for x0, y0, x1, y1 in zip(part["x0"], part["y0"], part["x1"], part["y1"], strict=True):
            axes.plot([x0, x1], [y0, y1], color=part["color"], linewidth=1.2, solid_capstyle="butt")
    tick_marks(axes, "x", found["x_axis"], found["x_categories"])
    tick_marks(axes, "y", found["y_axis"], found["y_categories"])
    named = axes.get_legend_handles_labels()[1] if found["legend"] else []
    if named:  # above the plot, where no datum is
        columns = max(1, min(len(named), 54 // (6 + max(map(len, named)))))
        axes.legend(
            fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, borderaxespad=0.3
        )


def main(drawing: str, name: str) -> None:
    with open(drawing, encoding="utf-8") as file:
        found = json.load(file)
    figure = Figure(figsize=(4.6, 2.9), layout="constrained")
    boxes = found["axes"]
    columns = sorted({round(one["box"][0], 2) for one in boxes})
    rows = sorted({round(one["box"][1], 2) for one in boxes}, reverse=True)
    grid = figure.add_gridspec(len(rows), len(columns))
    for one in boxes:
        draw(
            figure.add_subplot(
                grid[rows.index(round(one["box"][1], 2)), columns.index(round(one["box"][0], 2))]
            ),
            one,
        )
    figure.savefig(name + ".png", dpi=240, metadata={"Software": None})
    figure.savefig(name + ".pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})


if __name__ == "__main__":
    main(*sys.argv[1:3])
