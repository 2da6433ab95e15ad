"""A length at which a number is given is a light, unless the words vary a size there: others found none of these sentences."""

from __future__ import annotations

import copy
from time import process_time
from typing import Any

import pytest

from schemas.reproduce.words.at_light import light_of
from schemas.reproduce.words.varied import is_varied_size
from schemas.reproduce.words.written import numbers_in, readable
from tasks.reproduce.materials.hints import spectral_band
from tests.lies.attempts import cases
from tests.unit.words.attempted import doubts

pytestmark = pytest.mark.unit
LIGHT = "The vacuum wavelength is 1.55 um throughout.\n\n"
PLATE = "a thickness of 95 nm"


def light(text: str, value: float) -> tuple[float, ...]:
    plain = readable(text)
    found = [n for n in numbers_in(plain) if n.low == value == n.high and not n.unit]
    return light_of(plain, found[-1])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "At a wavelength of 1.55 um, for thicknesses from 0.16 to 0.40 um, the slab reflects more than the bulk (0.306) at every "
            "thickness, with 0.399 at 0.22 um.",
            0.399,
        ),
        ("Figure 2 shows T of the gap against its width g. T is 0.91 at g = 0.05 um, 0.55 at 0.20 um and 0.12 at 0.60 um.", 0.55),
        ("The period of the grating was varied between 0.40 and 0.90 um. The order takes 0.84 at 0.52 um and 0.31 at 0.80 um.", 0.31),
        ("With r = 0.10 um spheres scatter 0.11 of the light, and it grows to 0.35 at 0.15 um and 0.62 at 0.20 um.", 0.62),
        ("At D = 0.08 um wires absorb 0.19, at D = 0.12 um 0.41.\n\nIn short, their absorptance is 0.41 at 0.12 um.", 0.41),
        ("T is drawn against the semi-minor axis b. At b = 0.35 um it is 0.78. It rises to 0.865 at 0.50 um and 0.903 at 0.60 um.", 0.903),
        ("Figure 1 shows the dependence on the height.\n\nThe rigorous height is 0.357 um; at 0.300 um the retardance is 0.736.", 0.736),
        ("Measurements on rods of 740 um diameter at 1.87 mm pitch give 0.44.", 0.44),
        ("The depth of the grooves goes from 0.3 to 2.0 um, and the efficiency is 0.88 at 1.31 um.", 0.88),
    ],
)  # fmt: skip
def test_a_size_that_is_varied_is_no_light(text: str, value: float) -> None:
    assert light(LIGHT + text, value) == ()


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The film is 1.31 um thick and lies on glass. Its transmittance is 0.93 at 1.31 um.", 0.93),
        ("A buffer of 1.31 um thickness lies below ridges 0.4 um wide. They transmit 0.88 at 1.31 um.", 0.88),
        ("Spectra were computed from 1.2 to 1.7 um for gaps between 0.5 and 1.5 um. The mirror reflects 0.97 at 1.31 um.", 0.97),
        ("The rings have radii of 1.31 um and 2.0 um; they sit in one chain. The chain absorbs 0.37 at 1.31 um.", 0.37),
        ("With lambda = 1.31 um losses drop. The thickness is varied from 0.5 to 1.5 um. The film reflects 0.42 at 1.31 um.", 0.42),
        ("A film with a thickness of 1.0 um transmits 0.93 at 1.31 um.", 0.93),
        ("Spectra against lambda show that the film transmits 0.93 at 1.31 um.", 0.93),
        ("A spacer d = 1.31 um thick lies on a cap c = 0.3 um thick. The pair transmits 0.61 at 1.31 um.", 0.61),
        ("Figure 1 shows R against h.\n\nThe film transmits 0.93 at 1.31 um.", 0.93),
        ("The spacer is d = 1.31 um thick. A filter with it transmits 0.61 at 1.31 um.", 0.61),
    ],
)  # fmt: skip
def test_one_size_of_the_same_number_hides_no_light(text: str, value: float) -> None:
    """Lie: a number told for a light that a size of the structure equals."""
    assert light(LIGHT + text, value) == pytest.approx((1.31,))


def plate(words: str, thickness: int) -> dict[str, Any]:
    """A plate lit at 633 nm, as thick, of whose results these are the words."""
    case = copy.deepcopy(next(one for one in cases() if one["name"] == "again-about"))
    told, quoted = PLATE.replace("95", str(thickness)), case["targets"][0]["reference"]["quotation"]
    said = f"At the wavelength of the laser {quoted}"
    case["text"] = case["text"].replace(PLATE, told).replace(said, words)
    case["inputs"][0] |= {"value": str(thickness), "quotation": told}
    case["targets"][0]["reference"]["quotation"] = words
    return case


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("thickness", [450, 532, 700])
def test_a_number_for_the_light_that_a_thickness_equals_is_lowered(thickness: int) -> None:
    """Lie: computed at the light of another number of the paper; the film's thickness has the value of the light that is told."""
    told = [why for why in doubts(plate(f"The coated plate reflects 20.7 % at {thickness} nm", thickness))]
    assert any("place it at" in why for why in told)
    assert not list(doubts(plate("The coated plate reflects 20.7 % at 633 nm", thickness)))


def test_many_lengths_are_read_in_little_time() -> None:
    text = readable(
        "The gap d = 0.2 um has T = 0.4 at 0.2 um, 0.5 at 0.3 um and gaps from 0.1 to 0.7 um. " * 800
    )
    places = [n for n in numbers_in(text) if n.unit and n.low == n.high]
    is_varied_size(text, places[0])  # read once
    begun = process_time()
    assert all(is_varied_size(text, place) for place in places[:1000])
    assert process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("At a wavelength of 1.55 um, slabs from 0.16 to 0.40 um thick reflect 0.4.", (1.55, 1.55)),
        ("The spectrum shows a peak for a rod of radius r = 0.2 um at 0.75 um.", (0.75, 0.75)),
        ("The light has a wavelength of 633 nm, and gaps d = 20 nm to 800 nm are treated.", (0.633, 0.633)),
        ("Spectra were computed from 450 nm to 750 nm for a period of 900 nm, 500 nm deep.", (0.45, 0.75)),
        ("The wavelength lambda = 0.85 um; the length L = 12.5 um.", (0.85, 0.85)),
        ("The spectrum has its dip at 1.31 um, and its film is 1.2 um thick.", (1.31, 1.31)),
        ("The spectrum spans 0.3 to 0.9 um.", (0.3, 0.9)),
        ("The spectrum of spheres of 400 nm in diameter is taken between 500 and 800 nm.", (0.5, 0.8)),
    ],
)
def test_sizes_are_no_wavelengths_of_the_papers(text: str, band: tuple[float, float]) -> None:
    """A size would tell a planner that pages do not cover the paper's light."""
    assert spectral_band(text) == pytest.approx(band)
