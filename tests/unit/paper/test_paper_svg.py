"""Diagrams of a model: no script, no address, no entity, no number."""

from __future__ import annotations

import pytest

from tasks.explore.figures.svg import svg_faults

pytestmark = pytest.mark.unit
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="8" viewBox="0 0 9 9"><text x="2" y="30">{}</text>{}</svg>'


def test_a_plain_diagram_may_stand() -> None:
    assert (
        svg_faults(SVG.format("measure", '<path d="M 0 0 L 10 10" stroke="#000000" marker-end="url(#tip)"/>'))
        == []
    )


@pytest.mark.attack("answers", "no diagram is drawn")
@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("x", "<script>alert()</script>"),
        ("x", '<image href="file:///etc/passwd"/>'),
        ("x", '<rect onclick="x()"/>'),
        ("x", '<rect style="fill:url(http://a)"/>'),
        ("x", '<rect fill="url(http://a/b)"/>'),
        ("x", "<foreignObject/>"),
        ("x", '<rect xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="http://a"/>'),
        ("x", "<!ENTITY a 'b'>"),
        ("x", "<g>"),
        ("3.2 times faster", ""),
        ("40 %", ""),
        ("twice as fast", ""),
        ("<tspan>3</tspan><tspan>7</tspan>", ""),
        ("x", "<rect/>" * 700),
    ],
)
def test_what_reaches_out_or_states_a_number_is_refused(text: str, more: str) -> None:
    assert svg_faults(SVG.format(text, more))


def test_an_entity_bomb_is_refused_before_it_is_read() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]>' + SVG.format("&z;", "")
    assert "document types" in svg_faults(bomb)[0]
