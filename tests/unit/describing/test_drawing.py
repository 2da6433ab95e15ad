"""A drawing says every dimension of a scene with the parameter it comes from, for every kind of scene."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text
from PIL import Image

from simkit.describe import (
    Bar,
    Block,
    Crystal,
    Cylinder,
    EffectiveIndex,
    Emitter,
    Film,
    Frequencies,
    Gap,
    Line,
    Material,
    Medium,
    OrderEfficiency,
    PerfectConductor,
    Prism,
    Problem,
    PurcellFactor,
    Rectangle,
    Repeat,
    ResonanceFrequency,
    Resonator,
    Ring,
    Square,
    Transmittance,
    UnitCell,
    Waveguide,
    inf,
    vacuum,
)
from simkit.describe.document import check, resolved
from simkit.describe.parameters import Parameters, parameters_from
from tasks.reproduce.drawing import draw_scenes
from tasks.reproduce.drawing.bodies import figure_of_bodies
from tasks.reproduce.drawing.dimension_labels import Node, Words
from tasks.reproduce.drawing.stack import figure_of_cell

LINE = {"shortest": (0.1, "c/um"), "longest": (0.2, "c/um")}


def _parameters(**given: tuple[float, str]) -> Parameters:
    return parameters_from(
        [
            {"id": name, "value": value, "unit": unit, "origin": "paper", "quotation": "as stated"}
            for name, (value, unit) in given.items()
        ]
    )


def _said(parameters: Parameters, describe: Callable[[Any], Problem], folder: Path) -> str:
    problem = describe(parameters)
    parametric = check(problem, parameters)
    plain = resolved(parametric, parameters.values())
    for path in draw_scenes(parametric, plain, parameters, folder).values():
        with Image.open(path) as picture:
            assert picture.width > 300 and picture.height > 150
    node = Node(parametric["scenes"][0], plain.scenes[0].model_dump(mode="json"))
    words = Words(parameters.items(), parameters.scale)
    figure = (
        figure_of_cell(node, words) if plain.scenes[0].type == "unit_cell" else figure_of_bodies(node, words)
    )
    return " | ".join(found.get_text() for found in figure.findobj(Text))


def test_a_grating_shows_period_thickness_duty_and_light(tmp_path: Path) -> None:
    def describe(p: Any) -> Problem:
        ridge = Bar(medium=Medium(index=p.n), x=(-p.duty * p.period / 2, p.duty * p.period / 2))
        cell = UnitCell(
            id="g",
            below=Medium(index=p.n),
            layers=(Film(medium=vacuum(), thickness=p.h, pattern=(ridge,)),),
            above=Material("$\\frac{gold}"),
            period=(p.period,),
            light_from="below",
            polarization="y",
            angle=p.tilt,
            band=Line(wavelength=p.wavelength),
        )
        return Problem(
            scenes=(cell,), quantities=(OrderEfficiency(id="e", scene="g", side="transmitted", order=(1,)),)
        )

    said = _said(
        _parameters(
            n=(1.5, "1"),
            duty=(0.5, "1"),
            period=(10, "um"),
            h=(500, "nm"),
            tilt=(20, "deg"),
            wavelength=(500, "nm"),
        ),
        describe,
        tmp_path,
    )
    for words in (
        "period = 10 um",
        "h = 500 nm",
        "-2.5 um to 2.5 um",
        "index n = 1.5",
        "angle 20 deg",
        "$\\frac{gold}",
    ):
        assert words in said


def test_a_periodic_guide_shows_its_period_and_its_supercell(tmp_path: Path) -> None:
    def describe(p: Any) -> Problem:
        post = Block(
            id="post", medium=Medium(index=p.n), x=(-p.long / 2, p.long / 2), y=(-p.width / 2, p.width / 2)
        )
        guide = Waveguide(
            id="guide",
            dimensions="2D",
            bodies=(post,),
            background=vacuum(),
            wavelength=p.wavelength,
            polarization="Hz",
            period=p.pitch,
            supercell=p.cell,
        )
        return Problem(scenes=(guide,), quantities=(EffectiveIndex(id="n", scene="guide"),))

    given = _parameters(
        n=(2.85, "1"),
        long=(160, "nm"),
        width=(600, "nm"),
        pitch=(320, "nm"),
        cell=(2, "um"),
        wavelength=(1550, "nm"),
    )
    said = _said(given, describe, tmp_path)
    for words in ("period pitch = 320 nm", "supercell cell = 2 um", "light travels along x", "600 nm"):
        assert words in said


def test_posts_are_shown_from_above_with_their_sides(tmp_path: Path) -> None:
    def describe(p: Any) -> Problem:
        post = Rectangle(medium=Medium(index=p.n), size=(p.a, p.b), rotation=p.turn)
        layer = Film(medium=vacuum(), thickness=p.h, pattern=(post,))
        cell = UnitCell(
            id="fin",
            below=vacuum(),
            layers=(layer,),
            above=vacuum(),
            period=(p.pitch, p.pitch),
            light_from="below",
            polarization="x",
            band=Line(wavelength=p.wavelength),
        )
        return Problem(scenes=(cell,), quantities=(Transmittance(id="T", scene="fin"),))

    said = _said(
        _parameters(
            n=(2.4, "1"),
            a=(95, "nm"),
            b=(250, "nm"),
            turn=(30, "deg"),
            h=(600, "nm"),
            pitch=(325, "nm"),
            wavelength=(532, "nm"),
        ),
        describe,
        tmp_path,
    )
    for words in ("a = 95 nm", "b = 250 nm", "pitch = 325 nm", "patterned"):
        assert words in said


def test_a_ring_shows_both_radii_as_the_description_makes_them(tmp_path: Path) -> None:
    def describe(p: Any) -> Problem:
        ring = Ring(id="ring", medium=Medium(index=p.n), inner=p.r, outer=p.r + p.w, filling=vacuum())
        scene = Resonator(
            id="s",
            dimensions="2D",
            bodies=(ring,),
            background=vacuum(),
            field="Ez",
            search=Frequencies(lowest=p.shortest, highest=p.longest),
        )
        return Problem(scenes=(scene,), quantities=(ResonanceFrequency(id="f", scene="s"),))

    said = _said(_parameters(n=(3.4, "1"), r=(1, "um"), w=(1, "um"), **LINE), describe, tmp_path)
    assert "inner r = 1 um" in said and "outer r + w = 2 um" in said


def test_crystals_guides_emitters_and_rows_are_drawn(tmp_path: Path) -> None:
    def crystal(p: Any) -> Problem:
        rod = Cylinder(id="rod", medium=Medium(epsilon=p.eps), radius=p.r)
        scene = Crystal(
            id="c", lattice=Square(period=p.a), bodies=(rod,), background=vacuum(), polarization="tm"
        )
        return Problem(scenes=(scene,), quantities=(Gap(id="g", scene="c", above=1, what="ratio"),))

    def guide(p: Any) -> Problem:
        core = Block(id="core", medium=Medium(index=p.n), y=(-p.w / 2, p.w / 2))
        scene = Waveguide(
            id="w",
            dimensions="2D",
            bodies=(core,),
            background=vacuum(),
            wavelength=p.wavelength,
            polarization="Ez",
        )
        return Problem(scenes=(scene,), quantities=(EffectiveIndex(id="n_eff", scene="w"),))

    def emitter(p: Any) -> Problem:
        mirror = Block(id="mirror", medium=PerfectConductor(), z=(-inf, 0))
        scene = Emitter(
            id="e",
            dimensions="3D",
            bodies=(mirror,),
            background=vacuum(),
            position=(0, 0, p.h),
            orientation="z",
            band=Line(wavelength=p.wavelength),
        )
        return Problem(scenes=(scene,), quantities=(PurcellFactor(id="g", scene="e"),))

    def row(p: Any) -> Problem:
        corner = Prism(
            id="wedge", medium=Medium(index=p.n), vertices=((0, 0), (p.w, 0), (0, p.w)), rotation=p.turn
        )
        hole = Cylinder(id="hole", medium=vacuum(), radius=p.w / 2)
        scene = Resonator(
            id="row",
            dimensions="2D",
            bodies=(corner, Repeat(body=hole, count=5, step=(2 * p.w, 0, 0))),
            background=vacuum(),
            field="Hz",
            search=Frequencies(lowest=p.shortest, highest=p.longest),
        )
        return Problem(scenes=(scene,), quantities=(ResonanceFrequency(id="f", scene="row"),))

    free = _parameters(a=(1, "a"), r=(0.2, "a"), eps=(8.9, "1"))
    metric = _parameters(
        n=(2, "1"), w=(0.4, "um"), h=(50, "nm"), wavelength=(500, "nm"), turn=(45, "deg"), **LINE
    )
    assert "radius r = 0.2 a" in _said(free, crystal, tmp_path)
    assert "w / 2 = 200 nm" in _said(metric, guide, tmp_path)
    assert "dipole along z at 0, h = 50 nm" in _said(metric, emitter, tmp_path)
    assert "hole, 5 of them" in _said(metric, row, tmp_path)


@pytest.mark.parametrize("count", [1, 24, 90])
def test_many_bodies_leave_the_drawing_its_room(count: int, tmp_path: Path) -> None:
    def cluster(p: Any) -> Problem:
        rods, x = [], 0 * p.w
        for number in range(count):
            rods.append(
                Cylinder(id=f"rod{number}", medium=Medium(index=p.n), radius=p.w / 2, center=(x, 0, 0))
            )
            x = x + 2 * p.w
        scene = Resonator(
            id="cluster",
            dimensions="2D",
            bodies=tuple(rods),
            background=vacuum(),
            field="Ez",
            search=Frequencies(lowest=p.shortest, highest=p.longest),
        )
        return Problem(scenes=(scene,), quantities=(ResonanceFrequency(id="f", scene="cluster"),))

    with warnings.catch_warnings():
        warnings.simplefilter(
            "error"
        )  # "constrained_layout not applied because axes sizes collapsed to zero"
        assert (
            "24  cylinder rod23" in _said(_parameters(n=(2, "1"), w=(0.4, "um"), **LINE), cluster, tmp_path)
            or count != 24
        )
