"""Handed-in patterns solved: the numbers of the plain bodies that they draw, by both solvers, in cells and in devices; GDSII."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gdstk
import numpy as np
import pytest

from schemas.errors import InputError
from schemas.reproduce.handed_pattern import PatternFile
from tasks.reproduce.patterns.pattern_files import read_pattern
from tasks.reproduce.patterns.tracing import drawing_of
from tasks.reproduce.second.plain_cells import job_of
from tasks.reproduce.second.program import solved
from tests.sim.solving.described_kit import problem, values

pytestmark = pytest.mark.sim
FAR, EDGE = 1e20, 1e-7  # the block overlaps the guides as patterns do
PASSED = {"type": "port_transmittance", "id": "T", "port": "out", "mode": 1}


def pattern(solid: Any, medium: float, *pixel: float, **more: Any) -> dict[str, Any]:
    return {
        "type": "pattern",
        "id": "p",
        "medium": {"kind": "medium", "index": medium},
        "name": "p",
        "pixel": pixel,
        "bounds": (-FAR, FAR),
        "drawing": drawing_of(np.array(solid, bool)),
        **more,
    }


def cell(*bodies: dict[str, Any]) -> dict[str, Any]:
    glass, air = ({"kind": "medium", "index": n} for n in (1.5, 1.0))
    return {
        "type": "unit_cell",
        "below": glass,
        "above": air,
        "period": (0.4, 0.3),
        "light_from": "below",
        "polarization": "x",
        "band": {"type": "line", "wavelength": 0.9},
        "layers": [{"type": "film", "medium": air, "thickness": 0.2, "pattern": bodies}],
    }


POST = np.zeros((8, 6), int)
POST[2:5, 1:4] = 1  # 0.15 x 0.15 um off the middle, of pixels of 50 nm
RECTANGLE = {
    "type": "rectangle",
    "medium": {"kind": "medium", "index": 2.5},
    "center": (-0.025, -0.025),
    "size": (0.15, 0.15),
}


def test_a_post_of_pixels_is_the_rectangle_by_both_solvers(tmp_path: Path) -> None:
    asked = ({"type": "reflectance", "id": "R"}, {"type": "transmittance", "id": "T"})
    ours, theirs = (problem(cell(body), *asked) for body in (pattern(POST, 2.5, 0.05), RECTANGLE))
    modal = [
        solved(job_of(made.scenes[0], [1 / 0.9], {}, 9.0))["lines"][0]["transmitted"]
        for made in (ours, theirs)
    ]
    assert modal[0] == pytest.approx(modal[1], abs=1e-12)
    meep = [values(tmp_path, made, resolution=20) for made in (ours, theirs)]
    for name in ("R", "T"):
        ((one, other),) = [[found[name].y[0] for found in meep]]
        assert one == pytest.approx(other, abs=1e-5)
    assert meep[0]["T"].y[0] == pytest.approx(sum(modal[0]), abs=0.02)  # on one coarse grid


def test_a_hole_in_a_pattern_is_open(tmp_path: Path) -> None:
    """A frame of pixels, which is cut where it has a hole, and the rectangle with a rectangle of air in it."""
    frame = np.zeros((8, 6), int)
    frame[1:7, 1:5], frame[3:5, 2:4] = 1, 0
    air = {"kind": "medium", "index": 1.0}
    plain = [
        RECTANGLE | {"center": (0, 0), "size": (0.3, 0.2)},
        RECTANGLE | {"medium": air, "center": (0, 0), "size": (0.1, 0.1)},
    ]
    asked = {"type": "transmittance", "id": "T"}
    ours, theirs = problem(cell(pattern(frame, 2.5, 0.05)), asked), problem(cell(*plain), asked)
    modal = [
        solved(job_of(made.scenes[0], [1 / 0.9], {}, 9.0))["lines"][0]["transmitted"]
        for made in (ours, theirs)
    ]
    assert modal[0] == pytest.approx(modal[1], abs=1e-12)
    one, other = (values(tmp_path, made, resolution=20)["T"].y[0] for made in (ours, theirs))
    assert abs(one - other) < abs(
        other - sum(modal[1])
    )  # where pieces meet at an edge Meep takes no mean: less than the grid's error


def device(*bodies: dict[str, Any]) -> dict[str, Any]:
    guides = [
        {
            "type": "block",
            "id": name,
            "medium": {"kind": "medium", "index": 2.0},
            "x": x,
            "y": (-0.25, 0.25),
            "z": (-FAR, FAR),
        }
        for name, x in (("left", (-FAR, -0.6)), ("right", (0.6, FAR)))
    ]
    return {
        "type": "device",
        "dimensions": "2D",
        "bodies": [*guides, *bodies],
        "background": {"kind": "medium", "index": 1.0},
        "polarization": "Ez",
        "ports": [{"id": "in", "side": "-x"}, {"id": "out", "side": "+x"}],
        "source": "in",
        "band": {"type": "line", "wavelength": 1.5},
    }


def test_a_pattern_between_guides_is_the_block_that_it_draws(tmp_path: Path) -> None:
    """24 x 20 pixels of 50 nm, of which the guide's height is 1; and the same moved by its centre."""
    solid = np.zeros((24, 20), int)
    solid[:, 5:15] = 1
    block = {
        "type": "block",
        "id": "b",
        "medium": {"kind": "medium", "index": 1.4},
        "x": (-0.6 - EDGE, 0.6 + EDGE),
        "y": (-0.25, 0.25),
        "z": (-FAR, FAR),
    }
    asked = (PASSED, {"type": "port_reflectance", "id": "R", "mode": 1})
    beside = np.pad(solid, ((0, 0), (6, 0)))
    scenes = [
        device(b) for b in (block, pattern(solid, 1.4, 0.05), pattern(beside, 1.4, 0.05, center=(0.0, -0.15)))
    ]
    plain, ours, moved = (
        {k: v.value for k, v in values(tmp_path, problem(s, *asked), resolution=20).items()} for s in scenes
    )
    assert 0.005 < plain["R"] < 0.2
    for found in (ours, moved):
        assert found == {name: pytest.approx(value, abs=1e-3) for name, value in plain.items()}


@pytest.mark.parametrize("resolution", [20, pytest.param(40, marks=pytest.mark.long)])
def test_a_taper_whose_ends_lie_on_nodes_passes_what_its_neighbours_do(
    tmp_path: Path, resolution: int
) -> None:
    """On 20 pixels to a um: 4.35 um end between two whole pixels, where rounding once made a gap of the seam."""
    core = {"id": "b", "medium": {"kind": "medium", "index": 2.0}}

    def passed(length: float) -> float:
        half = length / 2
        block = {"type": "block", **core, "z": (-FAR, FAR)}
        corners = [(-half, 0.5), (half, 1.5), (half, -1.5), (-half, -0.5)]
        bodies = (
            {**block, "x": (-FAR, -half), "y": (-0.5, 0.5)},
            {**block, "x": (half, FAR), "y": (-1.5, 1.5)},
            {"type": "prism", **core, "vertices": corners, "bounds": (-FAR, FAR)},
        )
        found = values(tmp_path, problem({**device(*bodies), "polarization": "Hz"}, PASSED), resolution)["T"]
        assert not isinstance(found, str)
        return float(found.value)

    before, at, after = map(passed, (4.3, 4.35, 4.4))
    # A gap of the seam costs 6e-3; between neighbours lie 2e-4, of which the coarser grid may take half.
    assert at == pytest.approx((before + after) / 2, abs=3e-4) and before < at
    assert at < after or resolution == 20


def area(piece: Any) -> float:
    following = (*piece[1:], piece[0])
    return sum(x * v - u * y for (x, y), (u, v) in zip(piece, following, strict=True)) / 2


def layout(folder: Path, *cells: gdstk.Cell) -> bytes:
    library = gdstk.Library()
    library.add(*cells)
    library.write_gds(str(folder / "layout.gds"))
    return (folder / "layout.gds").read_bytes()


def test_a_layer_of_gdsii_is_its_outlines_without_holes(tmp_path: Path) -> None:
    """A ring, a reference moved and turned, a path; other layers are left out. Areas in um^2, whatever the file's unit."""
    part = gdstk.Cell("PART").add(gdstk.rectangle((0, 0), (1, 2), layer=3))
    ring = gdstk.boolean(
        gdstk.rectangle((-4, -4), (-1, -1)), gdstk.rectangle((-3, -3), (-2, -2)), "not", layer=3
    )
    top = gdstk.Cell("TOP").add(
        *ring,
        gdstk.Reference(part, (5, 0), rotation=np.pi / 2),
        gdstk.FlexPath([(0, 6), (4, 6)], 0.5, layer=3),
        gdstk.rectangle((-9, -9), (9, 9), layer=4),
    )
    content = layout(tmp_path, top, part)
    found = read_pattern("a", PatternFile(file="a.gds", layer=3), content)
    assert sum(map(area, found.drawing.pieces)) == pytest.approx(8 + 2 + 2, abs=1e-6)
    assert all(area(piece) > 0 and len(set(piece)) == len(piece) for piece in found.drawing.pieces)
    assert found.drawing.low == pytest.approx((-4, -4)) and found.drawing.high == pytest.approx((5, 6.25))
    assert found.drawing.narrowest == pytest.approx(0.5, abs=0.05)
    for entry, words in (
        (PatternFile(file="a.gds", layer=7), "draws nothing in layer 7/0 of TOP; layers: 3/0, 4/0"),
        (PatternFile(file="a.gds", cell="NO"), "has no cell 'NO': name one of TOP"),
    ):
        with pytest.raises(InputError, match=words):
            read_pattern("a", entry, content)


def test_references_without_end_cost_the_sandbox_and_not_us(tmp_path: Path) -> None:
    """A few hundred bytes that draw 10^20 squares, and cells that hold each other."""
    cells = [gdstk.Cell("A0").add(gdstk.rectangle((0, 0), (1, 1)))]
    for number in range(1, 6):
        cells.append(
            gdstk.Cell(f"A{number}").add(gdstk.Reference(cells[-1], columns=100, rows=100, spacing=(2, 2)))
        )
    one, other = gdstk.Cell("ONE").add(gdstk.rectangle((0, 0), (1, 1))), gdstk.Cell("OTHER")
    one.add(gdstk.Reference(other))
    other.add(gdstk.Reference(one))
    for content, name in ((layout(tmp_path, *cells), ""), (layout(tmp_path, one, other), "ONE")):
        with pytest.raises(InputError, match="was not read|cannot be read"):
            read_pattern("a", PatternFile(file="a.gds", cell=name), content)
