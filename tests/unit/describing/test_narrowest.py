"""What the coarsest grid must resolve: the narrowest body, gap and wall, wherever they lie."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.arrange import needs
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem

pytestmark = pytest.mark.unit
AIR, GLASS, METAL = (
    {"kind": "medium", "index": 1.0},
    {"kind": "medium", "index": 1.5},
    {"kind": "perfect_conductor"},
)
LOSSY = {  # Meep averages nothing of it where E crosses its faces, so that it is resolved however thin it is
    "kind": "medium",
    "epsilon": 2.25,
    "poles": [{"kind": "lorentz", "frequency": 1.0, "damping": 0.1, "strength": 1e-6}],
}
FAR = {"type": "line", "wavelength": 1e3}  # so far that only the bodies ask for a grid
OF = {"cross_section": {"process": "scattering"}, "effective_index": {"mode": 1}}
SHIFT = st.floats(-3, 3)
SIZE = st.floats(0.05, 0.4)


def wanted(kind: str, quantity: str, **scene: Any) -> float:
    """Pixels per unit length of a scene's coarsest grid."""
    made = Problem.model_validate(
        {
            "scenes": [{"id": "s", "type": kind, **scene}],
            "quantities": [{"scene": "s", "id": "q", "type": quantity, **OF.get(quantity, {})}],
        },
        context=RESOLVED,
    )
    return needs(made.scenes[0], {}).resolution


def cell(
    pattern: list[dict[str, Any]],
    medium: dict[str, Any] = AIR,
    period: tuple[float, ...] = (1.0,),
    more: tuple[dict[str, Any], ...] = (),
) -> float:
    film = {"type": "film", "medium": medium, "thickness": 1.0, "pattern": pattern}
    return wanted(
        "unit_cell",
        "transmittance",
        below=AIR,
        above=AIR,
        light_from="above",
        polarization="x",
        band=FAR,
        period=list(period),
        layers=[film, *more],
    )


def bar(medium: dict[str, Any], low: float, high: float) -> dict[str, Any]:
    return {"type": "bar", "medium": medium, "x": [low, high]}


def bodies(*found: dict[str, Any], band: dict[str, Any] = FAR) -> float:
    """Of a scatterer in two dimensions."""
    return wanted(
        "scatterer",
        "cross_section",
        dimensions="2D",
        background=AIR,
        direction="+x",
        polarization="y",
        band=band,
        bodies=[
            body if body["type"] == "repeat" else {"id": f"b{n}", "medium": LOSSY, **body}
            for n, body in enumerate(found)
        ],
    )


def disk(x: float, y: float, radius: float, **more: Any) -> dict[str, Any]:
    return {"type": "cylinder", "center": [x, y, 0.0], "radius": radius, **more}


def block(x: tuple[float, float], y: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"type": "block", "x": list(x), "y": list(y), **more}


@settings(max_examples=40)
@given(start=SIZE, widths=st.tuples(SIZE, SIZE), between=SIZE, shift=SHIFT, metal=st.booleans())
def test_bars_ask_for_the_same_grid_wherever_they_lie_in_the_period(
    start: float, widths: tuple[float, float], between: float, shift: float, metal: bool
) -> None:
    """Distances to the cell's edge were seen, not gaps: a slit in the middle had three pixels, a bar near the edge fifty."""
    used = sum(widths) + between
    rest = 2.0 - used
    film, drawn = (METAL, AIR) if metal else (AIR, GLASS)

    def at(by: float) -> float:
        turned = math.remainder(start + by, 2.0)
        bars = [
            bar(drawn, turned, turned + widths[0]),
            bar(drawn, turned + widths[0] + between, turned + used),
        ]
        return cell(bars, film, (2.0,))

    assert at(0.0) == pytest.approx(max(6 / min(widths), 4 / min(between, rest, 1.0)), rel=1e-6)
    assert at(shift) == pytest.approx(at(0.0), rel=1e-6)


@settings(max_examples=20)
@given(
    shares=st.tuples(st.floats(0.2, 1), st.floats(0.2, 1)),
    apart=st.tuples(st.floats(0.2, 0.5), st.floats(-0.5, 0.5)),
    shift=st.tuples(SHIFT, SHIFT),
    hole=st.booleans(),
)
def test_posts_and_holes_ask_for_the_same_grid_wherever_they_lie(
    shares: tuple[float, float], apart: tuple[float, float], shift: tuple[float, float], hole: bool
) -> None:
    period = (1.0, 1.2)
    distances = [
        math.hypot(apart[0] + i * period[0], apart[1] + j * period[1]) for i in (-1, 0, 1) for j in (-1, 0, 1)
    ]
    radii = [0.45 * share * min(distances) for share in shares]
    gaps = [min(distances) - sum(radii), *(p - 2 * r for p in period for r in radii)]

    def at(x: float, y: float) -> float:
        places = [
            [math.remainder(c, p) for c, p in zip(place, period, strict=True)]
            for place in ((x, y), (x + apart[0], y + apart[1]))
        ]
        drawn = [
            {"type": "disk", "medium": AIR if hole else GLASS, "center": place, "radius": r}
            for place, r in zip(places, radii, strict=True)
        ]
        return cell(drawn, GLASS if hole else AIR, period)

    expected = 4 / min(*gaps, *(2 * r for r in radii), 1.0)
    assert at(0.0, 0.0) == pytest.approx(expected, rel=1e-6) and at(*shift) == pytest.approx(
        expected, rel=1e-6
    )


@settings(max_examples=40)
@given(
    gaps=st.tuples(st.floats(0.01, 2), st.floats(0.01, 2)),
    place=st.tuples(SHIFT, SHIFT),
    turn=st.floats(0, 3),
)
def test_a_narrower_gap_never_gives_a_coarser_grid(
    gaps: tuple[float, float], place: tuple[float, float], turn: float
) -> None:
    (x, y), radius = place, 0.3
    square = [(-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4)]
    corners = [
        (u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)) for u, v in square
    ]
    reach = max(u for u, _ in corners)
    found = []
    for gap in sorted(gaps):
        prism = {"type": "prism", "vertices": [[x + u, y + v] for u, v in corners]}
        pair = bodies(
            prism,
            disk(
                x + reach + gap + radius, y + corners[max(range(4), key=lambda i: corners[i][0])][1], radius
            ),
        )
        assert pair == pytest.approx(max(6 / 0.6, 4 / gap), rel=1e-6)
        found.append(pair)
    assert found[0] >= found[1]


@pytest.mark.parametrize(
    ("found", "narrowest"),
    [
        ([block((0, 1), (0, 1)), block((1.1, 2), (0, 1))], 0.1),
        ([block((0, 1), (0, 1)), block((1.1, 2), (0.5, 2))], 0.1),
        ([block((0, 1), (0, 1)), block((1.06, 2), (1.08, 2))], 0.1),  # corner to corner
        ([block((0, 1), (0, 1)), block((1, 2), (0, 1))], 4 / 6),  # they touch
        ([block((0, 1), (0, 1)), block((1.1, 2), (0, 1), medium=AIR)], 0.6),  # it draws nothing
        ([block((0, 2), (0, 2)), block((0.1, 1), (0.5, 1.5), medium=AIR)], 0.1),  # a wall
        ([block((0, 2), (0, 2)), block((0.1, 1), (0.5, 1.5))], 0.6),  # one in another of its medium
        ([disk(0, 0, 1), disk(0.3, 0, 0.6, medium=AIR)], 0.1),
        (
            [
                disk(0, 0, 1),
                {"type": "ring", "center": [3, 0, 0], "inner": 0.9, "outer": 1.0, "filling": AIR},
            ],
            0.1,
        ),
        (
            [block((0, 2), (0, 2)), disk(1, 1, 0.4, medium=AIR), disk(1.75, 1.85, 0.35, medium=METAL)],
            math.hypot(0.75, 0.85) - 0.75,
        ),
        (
            [
                {
                    "type": "repeat",
                    "body": {"id": "r", "medium": GLASS, **disk(0, 0, 0.5)},
                    "count": 9,
                    "step": [1.1, 0, 0],
                }
            ],
            0.1,
        ),
        (
            [
                {
                    "type": "prism",
                    "vertices": [[0, 0], [2, 0], [2, 1], [1.1, 1], [1.1, 0.5], [1.0, 0.5], [1.0, 1], [0, 1]],
                }
            ],
            0.1,
        ),
    ],
)
def test_what_lies_between_bodies_has_four_pixels(found: list[dict[str, Any]], narrowest: float) -> None:
    assert bodies(*found) == pytest.approx(max(4 / narrowest, 6 / 1.0), rel=0.51 if narrowest > 0.5 else 1e-6)


@pytest.mark.parametrize(
    ("medium", "thin", "most"),
    [(GLASS, 0.001, 3 * 12 * 1.5), (LOSSY, 0.01, 600), (METAL, 0.01, 600), (GLASS, 0.5, 12 * 1.5)],
)
def test_what_meep_averages_is_resolved_no_finer_than_thrice_what_waves_ask_for(
    medium: dict[str, Any], thin: float, most: float
) -> None:
    """A coating swept from nothing asked for 2100 pixels."""
    plate = {"id": "plate", "type": "block", "medium": medium, "x": [0, thin], "y": [0, 1.0]}
    asked = wanted(
        "scatterer",
        "cross_section",
        dimensions="2D",
        background=AIR,
        direction="+x",
        polarization="y",
        band={"type": "line", "wavelength": 1.0},
        bodies=[plate],
    )
    assert asked == pytest.approx(most, rel=0.01)


def test_a_turned_or_slanted_body_is_as_wide_as_it_is_not_as_the_box_around_it() -> None:
    thin = {
        "type": "prism",
        "vertices": [[-1, -0.05], [1, -0.05], [1, 0.05], [-1, 0.05]],
        "rotation": math.pi / 4,
    }
    assert bodies(thin) == pytest.approx(60)
    circle = [[math.cos(2 * math.pi * n / 64), math.sin(2 * math.pi * n / 64)] for n in range(64)]
    assert bodies({"type": "prism", "vertices": circle}) == pytest.approx(3, rel=0.05)


def test_layers_that_touch_are_seen_together_and_stairs_are_not_gaps() -> None:
    upper = {"type": "film", "medium": AIR, "thickness": 1.0, "pattern": [bar(GLASS, 0.02, 0.3)]}
    assert cell([bar(GLASS, -0.3, 0.0)], more=(upper,)) == pytest.approx(4 / 0.02)
    stairs = {**upper, "pattern": [bar(GLASS, -0.28, 0.28)]}
    assert cell([bar(GLASS, -0.3, 0.3)], more=(stairs,)) == pytest.approx(6 / 0.56)


def test_a_triangle_of_fifty_slices_is_measured_in_a_moment() -> None:
    """It took a hundred CPU seconds, every pair of layers beside all others, and was refused; slanted sides need no slices."""
    slices = [bar(GLASS, -(k + 1) / 100, (k + 1) / 100) for k in range(50)]
    more = tuple({"type": "film", "medium": AIR, "thickness": 0.02, "pattern": [one]} for one in slices[1:])
    assert cell([slices[0]], more=more) == pytest.approx(6 / 0.02)
    assert cell([{**bar(GLASS, -0.5, 0.5), "top": (0.0, 0.0)}]) == pytest.approx(6 / 0.5)


def test_guides_devices_and_crystals_see_their_gaps() -> None:
    guides = [
        {"id": name, "medium": GLASS, "type": "block", "y": y}
        for name, y in (("a", [-0.52, -0.02]), ("b", [0.02, 0.52]))
    ]
    port = {"id": "in", "side": "-x", "center": -0.27}
    device = wanted(
        "device",
        "loss",
        dimensions="2D",
        background=AIR,
        band={**FAR, "wavelength": 0.5},
        polarization="Ez",
        source="in",
        ports=[port, {**port, "id": "out", "side": "+x"}],
        bodies=guides,
    )
    assert device == pytest.approx(2 / 0.04)
    guide = {"dimensions": "2D", "background": AIR, "wavelength": 1.0, "polarization": "Ez", "bodies": guides}
    assert wanted("waveguide", "effective_index", **guide) == pytest.approx(4 / 0.04)


@given(steps=st.integers(4, 30), radius=st.floats(0.5, 3), sliced=st.booleans())
@settings(max_examples=15)
def test_a_graded_index_asks_for_the_same_grid_in_however_many_steps(
    steps: int, radius: float, sliced: bool
) -> None:
    """Sixteen shells of 63 nm asked for thrice the pixels of their waves: each step is faint."""

    def graded(n: int) -> list[dict[str, Any]]:
        shares = [number / n for number in range(n, 0, -1)]
        of = [{"medium": {"kind": "medium", "epsilon": 2 - share**2}} for share in shares]
        if not sliced:
            return [disk(0, 0, radius * share, **more) for share, more in zip(shares, of, strict=True)]
        ends = [(radius * (share - 1 / n), radius * share) for share in shares]
        return [
            block((min(side * low, side * high), max(side * low, side * high)), (-radius, radius), **more)
            for (low, high), more in zip(ends, of, strict=True)
            for side in (-1, 1)
        ]

    light = {"type": "line", "wavelength": radius / 2}
    waves = 12 / light["wavelength"] * math.sqrt(2)
    assert bodies(*graded(steps), band=light) <= waves * (1 + 1e-6)


@pytest.mark.parametrize("strong", [METAL, LOSSY])
def test_a_strong_film_between_faint_ones_is_resolved(strong: dict[str, Any]) -> None:
    faint = {"kind": "medium", "epsilon": 1.01}
    layers = [block((0.1 * n, 0.1 * n + 0.1), (-2, 2), medium=strong if n == 3 else faint) for n in range(7)]
    assert bodies(*layers) == pytest.approx(6 / 0.1)
    assert bodies(*layers[:3], *layers[4:]) < 6  # a gap of a tenth, between what is hardly there
