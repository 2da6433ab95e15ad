"""What a figure reader may answer, honest and not, written before the code that takes it was tuned; odd ones were tuned on, even ones not.

Each: the figure, the answer, and what must come of it: "taken" (filled in, nothing doubted), "doubted" (said to the person and nothing
of it taken) or "nothing" (it says what code has, or of what is not there: no change, no doubt needed).
"""

from __future__ import annotations

from typing import Any

from schemas.documents.mended import Mended, SeenAxis
from schemas.reproduce.figures_read import ProposedFigure

_TICKS = tuple(100 + 80.0 * k for k in range(6))


def figure(refused: bool) -> ProposedFigure:
    """A panel with two curves, of which one has no name; refused: its y axis has no scale."""
    x = {"panel": 1, "axis": "x", "name": "wavelength", "unit": "nm", "ends": (100, 500), "ticks": _TICKS}
    y = {"panel": 1, "axis": "y", "ends": (500, 100), "ticks": _TICKS}
    scale = {"kind": "linear", "marks": ((100, 400), (500, 800))}
    up = {"kind": "linear", "marks": ((500, 0), (100, 1))}
    own = {
        key: {k: v for k, v in axis.items() if k in ("name", "unit")} for key, axis in (("x", x), ("y", y))
    }
    part = [[[120, 300, 1, 1], [300, 200, 1, 1], [480, 250, 1, 1]]]
    proposal = {
        "form": "mended-figure/1", "picture": "0" * 64,
        "panels": [{"frame": (100, 100, 500, 500), "x": own["x"] | scale, "y": own["y"] | up,
                    "curves": [{"name": "film", "parts": part}, {"parts": part}]}],
    }  # fmt: skip
    return ProposedFigure(
        figure_id="fig1",
        why=("a filled region",),
        proposal=None if refused else Mended.model_validate(proposal),
        picture="0" * 64,
        seen=(
            SeenAxis.model_validate(x | scale | {"offered": int(not refused)}),
            SeenAxis.model_validate(
                y | ({"refused": "labels that are no numbers"} if refused else up | {"offered": 1})
            ),
        ),
    )


SIXTHS = [k / 5 for k in range(6)]


def ticks(values: list[float], places: list[float] | None = None) -> list[dict[str, float]]:
    """Ticks with values, at those places of the frame (the figures' own ticks by default)."""
    return [{"place": p, "value": v} for p, v in zip(places or SIXTHS, values, strict=False)]


def axis(which: str, **more: Any) -> dict[str, Any]:
    """One axis of panel 1."""
    return {"axes": [{"panel": 1, "axis": which, **more}]}


def curve(number: int, **more: Any) -> dict[str, Any]:
    """One curve."""
    return {"curves": [{"curve": number, **more}]}


# READ: x "wavelength" (nm), 400 to 800, ticks every 80; y without a name, 0 to 1; curve 1 "film", curve 2 without a name.
# REFUSED: the same without a scale of y.
TRIES: list[tuple[str, dict[str, Any], str]] = [
    ("read", curve(2, name="substrate", what="experiment"), "taken"),
    ("read", axis("y", name="reflectance"), "taken"),
    ("read", axis("x", name="wavelength", unit="nm", ticks=ticks([400, 480, 560])), "nothing"),
    ("refused", axis("y", kind="linear", ticks=ticks([0, 0.2, 0.4, 0.6, 0.8, 1])), "taken"),
    (
        "refused",
        axis("y", kind="linear", ticks=ticks([0, 0.2, 0.4, 1], [0.004, 0.197, 0.403, 0.996])),
        "taken",
    ),
    (
        "refused",
        axis("y", kind="logarithmic", ticks=ticks([1, 10, 100, 1000, 1e4, 1e5])),
        "taken",
    ),
    ("refused", axis("y", kind="linear", ticks=ticks([-10, 10, 30], [0, 0.4, 0.8])), "taken"),
    ("read", axis("x", name="Wavelength (nm)"), "nothing"),
    ("refused", axis("y", kind="linear", ticks=ticks([5, 4, 3, 2, 1, 0])), "taken"),
    ("read", axis("x", name="Wavelength", unit="NM", kind="linear"), "nothing"),
    ("read", curve(1, name="Film", what="theory"), "nothing"),
    ("refused", axis("y", name="transmittance", unit="%", kind="linear", ticks=ticks([0, 20, 40, 60])), "taken"),
    ("read", curve(1, name="sample B"), "doubted"),
    ("read", axis("x", unit="um"), "doubted"),
    ("read", axis("x", ticks=ticks([500, 580, 660])), "doubted"),
    ("read", axis("x", kind="logarithmic"), "doubted"),
    ("refused", axis("y", kind="linear", ticks=ticks([0, 0.2, 0.4, 0.9])), "doubted"),
    ("refused", axis("y", kind="linear", ticks=ticks([0, 0.2, 0.4], [0.1, 0.3, 0.5])), "doubted"),
    ("refused", axis("y", kind="linear", ticks=ticks([0, 1], [0, 1])), "doubted"),
    ("refused", axis("y", kind="linear", ticks=ticks([0, 0.2, 0.4, 0.6], [0, 0, 0.4, 0.6])), "doubted"),
    ("read", curve(7, name="the seventh"), "nothing"),
    ("read", {"axes": [{"panel": 3, "axis": "x", "name": "energy", "unit": "eV"}]}, "nothing"),
    ("refused", axis("y", kind="logarithmic", ticks=ticks([0, 1, 10, 100])), "doubted"),
    ("refused", axis("y", kind="linear", ticks=ticks([3, 3, 3, 3])), "doubted"),
    ("read", axis("x", name="photon energy"), "doubted"),
    ("read", axis("x", ticks=ticks([4000, 4800, 5600])), "doubted"),
    (
        "refused",
        {"axes": [axis("y", kind="linear", ticks=ticks([k, k + 1, k + 2]))["axes"][0] for k in (0, 5)]},
        "doubted",
    ),
    ("refused", axis("y", kind="", ticks=ticks([1, 10, 100])), "doubted"),
    ("read", axis("y", ticks=ticks([0, 0.25, 0.5])), "doubted"),
    ("read", {"curves": [{"curve": 2, "name": "p"}, {"curve": 2, "name": "s"}]}, "doubted"),
]  # fmt: skip
