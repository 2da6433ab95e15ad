"""Equal parts are counted: a number that nothing declares is an error, and the report says how many there are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.declared import declared as inputs_of
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.simulations import axes
from schemas.reproduce.simulations.numerics import Finding
from schemas.reproduce.words.bound import InputWords
from simkit.describe.__main__ import described
from simkit.describe.document import check, document
from simkit.describe.errors import DescriptionError
from tasks.reproduce.describing.equal_parts import count_findings, counted
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.inputs_used import altered, sizes_of
from tasks.reproduce.describing.vocabulary import swept
from tasks.reproduce.papers import BUNDLED, data_columns, load_paper, recorded_ids
from tasks.reproduce.solving.whole_study import chosen_words
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
SLICE = {"id": "slice", "unit": "nm", "origin": "derived", "expression": "t / 2 / 2 / 2 / 2 / 2 / 2"}
PAIRS = {"id": "pairs", "value": 7, "origin": "paper", "quotation": "seven pairs"}
LAYER = "Film(medium=Medium(index=p.n), thickness=p.t)"
OTHER = "Film(medium=vacuum(), thickness=p.t)"


def made(layers: str, *more: dict[str, Any], code: str = CODE) -> Description:
    text = code.replace(f"({LAYER},)", layers)
    text = text.replace("above=", "period=(2 * p.t, 2 * p.t), above=") if "Disk" in layers else text
    assert layers in text
    entries = [*FILM, *more]
    return from_document(document(described(text, entries)), declared(entries), text)


def errors(found: Description) -> list[Finding]:
    return list(count_findings(found))


@pytest.mark.parametrize(
    "layers",
    [
        f"[{LAYER.replace('p.t)', 'p.slice)')}] * 75",
        f"[{LAYER.replace('p.t)', 'p.slice)')}] * 64 + [{LAYER.replace('p.t)', 'p.slice * 2')})] * 5",
        f"[{LAYER.replace('p.t)', 'p.slice * 2')}), {LAYER.replace('p.t)', 'p.slice')})] * 25",
        f"[{LAYER}, {LAYER.replace('p.t)', 'p.t / 2 / 2')})]",  # a factor of 5/4 in two films
        f"[{LAYER.replace('p.t)', 'p.t / 2')})] * 3",
        f"[{LAYER}, {OTHER}] * 5",
        f"[{LAYER.replace('p.t)', 'p.slice, pattern=[Disk(medium=vacuum(), radius=p.t)])')}] * 75",
        f"[{LAYER.replace('p.t)', 'p.t / 2')})] * p.count('pairs')",  # a declared number excuses no slices of a length
    ],
)
def test_a_number_of_equal_parts_that_nothing_declares_is_an_error(layers: str) -> None:
    more = [SLICE] if "slice" in layers else [PAIRS] if "pairs" in layers else []
    (error, *_) = errors(made(layers, *more))
    assert error.level == "error" and " x " in error.text and "um in all" in error.text


CAVITY = """from simkit.describe import *

def describe(p):
    steps, rods = range(-p.count("rings"), p.count("rings") + 1), []
    for i in steps:
        for j in steps:
            if i or j:
                rods.append(Cylinder(id=f"rod{len(rods)}", medium=Medium(index=p.n), radius=p.t, center=(LINE)))
    block = Scatterer(id="block", dimensions="2D", bodies=tuple(rods)[:MOST], background=vacuum(), polarization="z",
                      band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=(block,), quantities=(CrossSection(id="C", scene="block", process="scattering"),))
"""
RINGS = {"id": "rings", "value": 2, "origin": "paper", "quotation": "two rings"}


@pytest.mark.parametrize(("most", "fine"), [(None, True), (23, False), (21, False)])
def test_rods_on_a_lattice_come_from_the_rings_that_are_declared(most: int | None, fine: bool) -> None:
    """(2 N + 1)^2 - 1 of them: the commonest cavity there is. Layers have no such excuse."""
    code = CAVITY.replace("LINE", "i * p.t, j * p.t, 0").replace("[:MOST]", f"[:{most}]" if most else "")
    entries = [*FILM, RINGS]
    found = from_document(document(described(code, entries)), declared(entries), code)
    assert [e.level for e in errors(found)] == ([] if fine else ["error"])
    assert fine or "(2n+1)^2" in errors(found)[0].text
    assert errors(made(f"[{LAYER}] * 24", {**RINGS, "quotation": "two layers"}))


@settings(deadline=None, max_examples=30)
@given(rings=st.integers(1, 9), index=st.integers(-40, 40))
def test_the_index_of_a_loop_over_a_count_may_multiply(rings: int, index: int) -> None:
    """It was refused from 3 on: a lattice of more than 5 x 5 had to be added up."""
    code = CAVITY.replace("LINE", f"{index} * p.t, 0, 0").replace("[:MOST]", "")
    entries = [*FILM, {**RINGS, "value": rings}]
    if abs(index) > max(2 * rings + 1, 2) and index not in (4, 8):
        with pytest.raises(DescriptionError, match=f"undeclared number {index}"):
            described(code, entries)
        return
    found = from_document(document(described(code, entries)), declared(entries), code)
    for thickness in (0.1, 0.3):
        (scene,) = found.resolved({"t": thickness}).scenes
        assert float(scene.bodies[0].center[0]) == pytest.approx(index * thickness)
    with pytest.raises(DescriptionError, match="undeclared number"):  # nothing of it is left for the next
        described(CODE.replace("thickness=p.t", "thickness=3 * p.t"), FILM)


RULES = {
    "(i - 1 / 2) / n": lambda i, n: (i - 0.5) / n,
    "(2 * i - 1) / (2 * n)": lambda i, n: (2 * i - 1) / (2 * n),
    "i / n": lambda i, n: i / n,
    "((i - 1 / 2) / n) ** 2": lambda i, n: ((i - 0.5) / n) ** 2,
    "sqrt(i / n)": lambda i, n: (i / n) ** 0.5,
    "1 - i / (n + 1)": lambda i, n: 1 - i / (n + 1),
    "n + (i - (n - 1) / 2)": lambda i, n: n + (i - (n - 1) / 2),
    "1 + abs(i - n / 2) / n": lambda i, n: 1 + abs(i - n / 2) / n,
    "(i if i < n / 2 else n - i) + 1 / 2": lambda i, n: (i if i < n / 2 else n - i) + 0.5,
}


@settings(deadline=None, max_examples=40)
@given(rule=st.sampled_from(sorted(RULES)), rings=st.integers(1, 40), data=st.data())
def test_a_rule_of_a_loop_over_a_count_may_be_written_as_the_paper_has_it(
    rule: str, rings: int, data: Any
) -> None:
    """eps_i = 2 - ((i - 1/2) / N)^2 could not be written: of a loop only products with a declared number could."""
    index = data.draw(st.integers(1, rings))
    code = CODE.replace("    film =", f'    n, i = p.count("rings"), {index}\n    film =').replace(
        "thickness=p.t", f"thickness=p.t * ({rule})"
    )
    entries = [*FILM, {**RINGS, "value": rings}]
    found = from_document(document(described(code, entries)), declared(entries), code)
    (scene,) = found.resolved({"t": 0.3}).scenes
    assert float(scene.layers[0].thickness) == pytest.approx(0.3 * RULES[rule](index, rings), rel=1e-12)
    for typed in ("1.25", "(i - 1 / 2) / 2.3", "1.45", f"{2 * rings + 1}.75"):
        with pytest.raises(DescriptionError, match="undeclared number"):
            described(code.replace(f"({rule})", typed), entries)


@pytest.mark.parametrize(
    ("layers", "more", "words"),
    [
        (
            f"[{LAYER}, {OTHER}] * p.count('pairs')",
            PAIRS,
            "film.layers: 7 x (index 1.5, index 1), 1.4 um in all",
        ),
        (f"[{LAYER}] * p.count('pairs')", PAIRS, "film.layers: 7 x Film (index 1.5), 0.7 um in all"),
        (f"[{LAYER}, {OTHER}, {LAYER}]", None, ""),
    ],
)
def test_declared_numbers_pass_and_are_told(layers: str, more: dict[str, Any] | None, words: str) -> None:
    found = made(layers, *([more] if more else []))
    assert errors(found) == [] and [part.words() for part in counted(found)] == ([words] if words else [])
    if words:
        assert "7 x (" in chosen_words(found)[0] or ", ..." in chosen_words(found)[0]


def test_sheets_in_parallel_are_counted() -> None:
    sheet = {
        "id": "ohms",
        "value": 376,
        "unit": "ohm",
        "origin": "paper",
        "quotation": "a resistance of 376 ohm",
    }
    assert errors(made("[Sheet(resistance=p.ohms)] * 3", sheet))
    assert not errors(made("[Sheet(resistance=p.ohms)]", sheet))


@settings(max_examples=30)
@given(number=st.integers(2, 200), halves=st.integers(1, 7))
def test_no_number_of_slices_scales_a_thickness_unseen(number: int, halves: int) -> None:
    slices = {"id": "slice", "unit": "nm", "origin": "derived", "expression": "t" + " / 2" * halves}
    found = made(f"[{LAYER.replace('p.t)', 'p.slice)')}] * {number}", slices)
    assert [error for error in errors(found) if f"{number} x Film (index 1.5)" in error.text]


def test_a_sweep_is_a_spectrum_only_where_it_moves_the_light_alone() -> None:
    line = CODE.replace("Wavelengths(shortest=p.shortest, longest=p.longest)", "Line(wavelength=p.line)")
    light = {"id": "line", "value": 600, "unit": "nm", "origin": "paper", "quotation": "at 600 nm"}
    assert swept(made(f"({LAYER},)", light, code=line), "line") == "spectral"
    assert swept(made(f"({LAYER},)", light, code=line), "t") == "parameter"
    called = [{**entry, "id": "wavelength"} if entry["id"] == "t" else entry for entry in FILM]
    text = CODE.replace("p.t)", "p.wavelength)")
    renamed = from_document(document(described(text, called)), declared(called), text)
    assert swept(renamed, "wavelength") == "parameter"
    both = made(f"({LAYER.replace('p.t)', 'p.line / 2)')},)", light, code=line)
    assert swept(both, "line") == "parameter"


LEAKY = """from simkit.describe import *

def describe(p):
    core = Block(id="core", medium=Medium(index=p.n), y=(-p.t / 2, p.t / 2))
    mode = Resonator(id="mode", dimensions="2D", bodies=(core,), background=vacuum(), field="Ez",
                     periodic=(Periodic(axis="x", k=p.n / p.line),),
                     search=Wavelengths(shortest=p.line * (1 - p.share), longest=p.line * (1 + p.share)))
    return Problem(scenes=(mode,), quantities=(QualityFactor(id="Q", scene="mode", choose="nearest"),))
"""


def test_light_and_the_wave_vector_that_follows_it_are_one_axis() -> None:
    """The spectrum of a leaky mode, looked for at each wavelength with its wave vector, ran along "a parameter"."""
    given_ = [
        {"id": name, "value": value, "unit": unit, "origin": "assumption", "assumption_id": name}
        for name, value, unit in (
            ("n", 1.4, "1"),
            ("t", 300, "nm"),
            ("line", 800, "nm"),
            ("share", 0.02, "1"),
        )
    ]
    found = from_document(document(described(LEAKY, given_)), declared(given_), LEAKY)
    assert swept(found, "line") == "spectral" and swept(found, "t") == "parameter"
    assert swept(found, "n") == "parameter"


@pytest.mark.parametrize("paper", recorded_ids())
def test_every_recorded_description_declares_its_numbers_and_sweeps_what_its_paper_varies(paper: str) -> None:
    """The last description of each stage of a bundled recording, without solving it."""
    entries = [json.loads(line) for line in (BUNDLED / paper / "transcript.jsonl").read_text().splitlines()]
    plan = PlannerAnswer.model_validate(list(_with_key(entries, "extracted_parameters"))[-1])
    designs = {
        d["stage_id"]: d
        for d in _with_key(entries, "code")
        if d.get("form") == "description" and "stage_id" in d
    }
    assert designs
    about = load_paper(BUNDLED / paper)[0]
    columns = data_columns(about, BUNDLED / paper)
    drawn = {figure.figure_id: {columns[data.file][0] for data in figure.data} for figure in about.figures}
    targets = {target.target_id: target for _, target in plan.plan.targets()}
    given = [p.model_dump(mode="json") for p in inputs_of(plan.extracted_parameters).parameters]
    for design in designs.values():
        parameters = [*given, *design["parameters"]]
        found = from_document(
            document(described(design["code"], parameters)), declared(parameters), design["code"]
        )
        assert errors(found) == []
        for sweep in found.problem.sweeps:
            for name in sweep.answers:
                asked = axes.wanted(targets[name], drawn[targets[name].figure_id])[0]
                assert asked and axes.fits(swept(found, sweep.parameter), asked), (name, sweep.parameter)


def _with_key(node: Any, key: str) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if key in node:
            yield node
        for value in node.values():
            yield from _with_key(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from _with_key(value, key)


def test_a_size_that_a_loops_index_multiplies_is_doubted_like_any_other() -> None:
    said = {"t": InputWords(kinds=frozenset({"vertical"}))}
    for index, doubted in ((1, False), (3, True), (13, True)):
        code = CODE.replace("thickness=p.t", f"thickness={index} * p.t")
        code = code.replace("    film = ", "    n = p.count('pairs')\n    film = ", 1)
        found = from_document(document(described(code, [*FILM, PAIRS])), declared([*FILM, PAIRS]), code)
        assert (f"is {index} times it" in altered(found, said).get("t", "")) == doubted


def test_a_count_may_follow_from_lengths_and_is_whole() -> None:
    ratio = {"id": "sites", "origin": "derived", "unit": "1", "count": True}
    period = {
        "id": "period",
        "value": 400,
        "unit": "nm",
        "origin": "paper",
        "quotation": "a period of 400 nm",
    }
    ends = {"id": "ends", "value": 300, "unit": "nm", "origin": "assumption", "assumption_id": "A1"}
    code = f"[{LAYER}] * p.count('sites')"
    found = made(code, period, {**ratio, "expression": "period / t"})
    assert not errors(found) and len(document(found.problem)["scenes"][0]["layers"]) == 4
    for expression, told in (
        ("t / period", "comes to 0.25"),
        ("t / t + t / t + t / t", "not one value of the paper over another"),
        ("ends / t", "not one value of the paper over another"),
    ):
        with pytest.raises(DescriptionError, match=f"sites is a count, and .*{told}"):
            made(code, period, ends, {**ratio, "expression": expression})


def test_a_sweep_over_the_place_of_bands_is_over_the_wave_vector() -> None:
    text = """from simkit.describe import *


def describe(p):
    rod = Cylinder(id="rod", medium=Medium(index=p.n), radius=p.t)
    rods = Crystal(id="rods", lattice=Square(period=p.period), bodies=(rod,), background=vacuum(), polarization="tm")
    low = BandFrequency(id="low", scene="rods", band=1, k=(p.share, 0, 0))
    return Problem(scenes=(rods,), quantities=(low,), sweeps=(Sweep(id="s", of="low", parameter="share", low=p.least, high=p.most),))
"""
    number = {"unit": "1", "origin": "numerical"}
    more = [
        {"id": "period", "value": 400, "unit": "nm", "origin": "paper", "quotation": "a period of 400 nm"},
        {"id": "share", "value": 0.25, "unit": "1", "origin": "assumption", "assumption_id": "A1"},
        {"id": "least", "value": 0.1, **number},
        {"id": "most", "value": 0.4, **number},
    ]
    entries = [*FILM, *more]
    found = from_document(document(described(text, entries)), declared(entries), text)
    assert swept(found, "share") == "wave vector" and swept(found, "period") == "parameter"


def test_how_far_a_line_goes_is_a_view_and_where_it_passes_is_none() -> None:
    text = """from simkit.describe import *


def describe(p):
    rod = Cylinder(id="rod", medium=Medium(index=p.n), radius=p.t)
    lit = Scatterer(id="lit", dimensions="2D", bodies=(rod,), background=vacuum(), polarization="z", band=Line(wavelength=p.t))
    return Problem(scenes=(lit,), quantities=(NearField(id="f", scene="lit", start=(p.low, LEVEL, 0), end=(p.high, LEVEL, 0)),))
"""
    ends = [
        {"id": name, "value": value, "unit": "nm", "origin": "numerical"}
        for name, value in (("low", -90), ("high", 90))
    ]
    entries = [*FILM, *ends]
    check(described(text.replace("LEVEL", "p.t"), entries), declared(entries))
    with pytest.raises(
        DescriptionError, match="quantities.0.start.1 = high: shaped by the numerical parameter high"
    ):
        check(described(text.replace("LEVEL", "p.high"), entries), declared(entries))


SHELLS = """from simkit.describe import *

def describe(p):
    rings, inner = [], p.t
    for i in range(p.count("rings")):
        rings.append(Ring(id=f"r{i}", medium=Medium(index=p.n), filling=vacuum(), inner=inner, outer=inner + p.d, center=(0, 0, 0)))
        inner = inner + p.d + p.gap MORE
    tube = Scatterer(id="tube", dimensions="2D", bodies=tuple(reversed(rings)), background=vacuum(), polarization="z",
                     band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=(tube,), quantities=(CrossSection(id="C", scene="tube", process="scattering"),))
"""
LAYERS = [
    {"id": name, "value": size, "unit": "nm", "origin": "paper", "quotation": f"{size} nm"}
    for name, size in (("d", 150), ("gap", 330))
]


@pytest.mark.parametrize("rings", [2, 3, 7])
def test_a_shell_begins_where_the_one_below_ends_as_a_film_does(rings: int) -> None:
    """R + 2 d + 2 gap "is arithmetic that nothing says": every hollow fibre was PARTIAL at most."""
    entries = [*FILM, *LAYERS, {**RINGS, "value": rings}]
    words = {"t": InputWords(kinds=frozenset({"radius"})), "d": InputWords(kinds=frozenset({"vertical"}))}
    for more, fine in (("", True), ("+ p.gap / 2", False), ("- p.t / 2", False)):
        code = SHELLS.replace("MORE", more)
        found = from_document(document(described(code, entries)), declared(entries), code)
        assert (not altered(found, words)) is fine
        assert all(len(own) == 1 for *_, own in sizes_of(found, "tube")) is fine
