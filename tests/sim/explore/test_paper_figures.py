"""Figures: the data in them are those of the files; typed, scaled, swapped and computed numbers are refused."""

from __future__ import annotations

import pytest

from tasks.documents.typesetting import rsvg_convert
from tasks.explore.figures.plotting import draw_plot
from tasks.explore.figures.svg import draw_svg
from tests.unit.paper.paper_fixture import science_data, with_parameters

pytestmark = pytest.mark.sim
GOOD = """
nodes = data.nodes
found = [data[n.numbers["time"]] for n in nodes]
axes = figure.subplots()
axes.bar(range(len(nodes)), [d.value for d in found], yerr=[d.uncertainty for d in found], capsize=3, color="#4477aa")
axes.set_xticks(range(len(nodes)), [n.node + " " + n.label for n in nodes])
axes.set_ylabel("time (ms)")
axes.set_xlabel("configuration")
"""


def test_a_figure_of_the_data_is_drawn_and_names_them() -> None:
    made = draw_plot(GOOD, science_data())
    assert made.faults == ()
    assert made.names == ("n001.time", "n002.time", "n003.time")
    assert made.png.startswith(b"\x89PNG") and made.pdf.startswith(b"%PDF-")


@pytest.mark.attack("answers", "no picture is drawn of numbers that are not the data")
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[d.value for d in found]", "[12.1, 16.2, 20.3]", "typed coordinates"),
        ("[d.value for d in found]", "[1.2 * d.value for d in found]", "no data"),
        pytest.param(
            "[d.value for d in found]", "[d.value + 1 for d in found]", "no data", marks=pytest.mark.long
        ),
        ("[d.value for d in found]", "[d.value for d in reversed(found)]", "stands at"),
        pytest.param(
            "[d.uncertainty for d in found]",
            "[0.1 * d.uncertainty for d in found]",
            "no data",
            marks=pytest.mark.long,
        ),
        ("(ms)", "(s)", "lacks the unit"),
        ('n.node + " " + n.label', '"way " + n.label', "nothing says which node"),
        pytest.param('n.node + " " + n.label', 'n.node + " 12.3 ms"', "typed number", marks=pytest.mark.long),
        pytest.param("axes.bar(", "axes.text(0, 1, 'ten times'); axes.bar(", "Text", marks=pytest.mark.long),
        pytest.param("axes.bar(", "axes.axhline(15.0); axes.bar(", "no datum", marks=pytest.mark.long),
        ("axes.bar(", "import os; print(open('/etc/shadow').read()); axes.bar(", "ended with an error"),
        pytest.param("figure.subplots()", "figure.subplots(", "ended with an error", marks=pytest.mark.long),
    ],
)
def test_a_figure_whose_numbers_are_not_the_data_is_refused(old: str, new: str, words: str) -> None:
    made = draw_plot(GOOD.replace(old, new), science_data())
    assert made.png == b"" and any(words in fault for fault in made.faults), made.faults


@pytest.mark.attack("answers", "no picture shows what a node set itself as if it were measured")
def test_what_a_node_set_itself_stands_on_one_axis_beside_what_was_measured() -> None:
    own = 'data[n.node + ".param.speedup"].value'
    bars = (
        GOOD.replace("[d.value for d in found]", f"[{own} for n in nodes]")
        .replace("yerr=[d.uncertainty for d in found], capsize=3, ", "")
        .replace("time (ms)", "speedup")
    )
    assert any("nobody measured" in fault for fault in draw_plot(bars, with_parameters()).faults)
    points = (
        f"nodes = data.nodes\naxes = figure.subplots()\n"
        f"axes.plot([{own} for n in nodes], [data[n.numbers['time']].value for n in nodes], 'o')\n"
        "axes.set_xlabel('setting')\naxes.set_ylabel('time (ms)')\n"
    )
    assert draw_plot(points, with_parameters()).faults == ()


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80" viewBox="0 0 300 80"><rect x="5" y="5" width="90" '
    'height="40" fill="#eeeeee" stroke="black"/><text x="20" y="30" font-size="14">measure</text>{}</svg>'
)


@pytest.mark.skipif(rsvg_convert() is None, reason="rsvg-convert is not installed")
def test_a_diagram_is_drawn() -> None:
    made = draw_svg(SVG.format(""))
    assert made.faults == () and made.png.startswith(b"\x89PNG") and made.pdf.startswith(b"%PDF-")
