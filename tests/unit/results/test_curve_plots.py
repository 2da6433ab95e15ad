"""Curves of two runs over each other: the finest of each, their difference where both reach, whatever stands in a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flows.results.curve_plots import HEIGHT, WIDTH, CurvesOver, curves_over

pytestmark = pytest.mark.unit
PICTURE = "stage/plots/R.png"


def two(folder: Path, one: str, other: str) -> CurvesOver | None:
    """The curves of two runs whose tables hold these texts."""
    sides = folder / "one", folder / "other"
    for side, text in zip(sides, (one, other), strict=True):
        (side / "stage/plots").mkdir(parents=True, exist_ok=True)
        (side / "stage/plots/R.csv").write_text(text)
    return curves_over("R", sides, (PICTURE, PICTURE))


@pytest.mark.parametrize(
    "origin", ["paper", "exact theory", "paper's numbers", "digitised from the paper", "computed"]
)
def test_the_reference_is_found_by_whatever_name_it_has(tmp_path: Path, origin: str) -> None:
    text = f"x,simulation_x0.5,simulation_x1,{origin}\n1,9,10,11\n2,9,20,21\n"
    found = two(tmp_path, text, "x,simulation_x1\n1,10\n2,20\n")
    assert found is not None and [whose for whose, _ in found.lines] == ["reference", "first", "second"]
    assert found.y == ("10", "21")


def test_the_finest_curves_are_drawn_and_what_is_between_them(tmp_path: Path) -> None:
    one = "x,simulation_x0.5,simulation_x1,paper\n1,9,10,10\n2,,,15\n3,9,20,20\n"
    other = "x,simulation_x1\n1,10\n2,16\n3,20\n5,40\n"
    found = two(tmp_path, one, other)
    assert found is not None and [whose for whose, _ in found.lines] == ["reference", "first", "second"]
    assert found.x == ("1", "5") and found.y == ("10", "40")
    assert [len(points.split()) for _, points in found.lines] == [3, 2, 4]
    assert found.largest == "0 (0 % of the first's largest value)"
    # where the second has no sample it is read off the line between its neighbours
    moved = two(tmp_path, "x,simulation_x1\n1,10\n2,16\n3,20\n", "x,simulation_x1\n1,10\n3,20\n")
    assert moved is not None and moved.largest == "1 (5 % of the first's largest value)"
    assert moved.difference == ("-1", "1") and len(moved.apart.split()) == 3
    apart = two(tmp_path, "x,simulation_x1\n1,10\n2,16\n", "x,simulation_x1\n5,1\n6,2\n")
    assert apart is not None and apart.apart == apart.largest == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x,paper\n1,2\n2,3\n",
        "x,y,simulation\n1,1,1\n2,2,2\n",
        "x,simulation_x1\n1,2\n",
        "\0",
        '"' * 99,
    ],
)
def test_what_is_no_curve_is_not_drawn(tmp_path: Path, text: str) -> None:
    assert two(tmp_path, text, "x,simulation_x1\n1,10\n2,16\n") is None
    assert curves_over("R", (tmp_path, tmp_path), ("", PICTURE)) is None
    assert curves_over("R", (tmp_path, tmp_path), ("../R.png", "/etc/R.png")) is None


@settings(max_examples=200, deadline=None)
@example([(1e308, 1.0), (-1e308, 1e308)])
@example([(1.0, 1e20), (2.0, 1e20)])
@given(st.lists(st.tuples(st.floats(), st.floats() | st.text(max_size=4)), max_size=6))
def test_whatever_a_table_holds_points_are_numbers(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, object]]
) -> None:
    text = "x,simulation_x1\n" + "\n".join(f"{x},{y}" for x, y in rows)
    found = two(tmp_path_factory.mktemp("curves"), text, "x,simulation_x1\n1,10\n2,16\n")
    if found is None:
        return
    for _, points in (*found.lines, ("", found.apart)):
        for point in points.split():
            assert re.fullmatch(r"-?[\d.]+,-?[\d.]+", point), point
            x, y = (float(part) for part in point.split(","))
            assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT
