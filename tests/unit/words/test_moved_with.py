"""An extremum that moves while something is changed: each of its places is told for its own end of the change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import ExtractedParameter
from tests.unit.words.test_words_around_results import target

pytestmark = pytest.mark.unit
INPUTS = tuple(
    ExtractedParameter(name=f"t{x}", value=str(x), unit="nm", role="input", quotation="q", place="text")
    for x in (104, 108, 112)
)
WAYS = (
    "With d = 36 nm, increasing that layer from 104 to 112 nm moves the absorption maximum from {0} to {1} nm.",
    "Increasing the topmost layer from 104 to 112 nm moves the absorption maximum from {0} to {1} nm, a rate of 2.2 nm per nanometre.",
    "The absorption maximum moves from {0} to {1} nm when the layer is thickened from 104 to 112 nm.",
    "The reflectance dip shifts from {0} to {1} nm as this layer grows from 104 to 112 nm.",
    "Thickening it from 104 nm to 112 nm shifts the peak from {0} nm to {1} nm.",
)
PLACES = st.tuples(
    st.floats(700, 900).map(lambda x: round(x, 1)), st.floats(910, 999).map(lambda x: round(x, 1))
)


def left(text: str, value: float, at: float) -> tuple[str, ...]:
    assert declared(INPUTS).parameters
    found = bound(target(value, "nm", text, {"kind": "value_at", "at": (at,)}), text, INPUTS)
    return (*found.refused, *found.loose)


@given(PLACES, st.sampled_from(WAYS))
def test_each_place_is_at_its_own_end(places: tuple[float, float], words: str) -> None:
    text = words.format(*places)
    assert left(text, places[0], 104) == left(text, places[1], 112) == ()


@pytest.mark.attack("judgement", "refused")
@given(PLACES, st.sampled_from(WAYS), st.sampled_from((104, 108, 112)))
def test_no_place_is_at_another_end(places: tuple[float, float], words: str, at: float) -> None:
    """Lie: the curve is read at the other end of the change, or at a declared place between."""
    text = words.format(*places)
    for value, own in zip(places, (104, 112), strict=True):
        assert at == own or left(text, value, at)


@pytest.mark.attack("judgement", "refused")
@pytest.mark.parametrize(
    "text",
    [
        "Scanning the wavelength from 104 to 112 nm the absorption maximum is seen from 962.1 to 979.8 nm.",
        "The pump wavelength is changed from 104 to 112 nm and the peak moves from 962.1 to 979.8 nm.",
        "The layer is thickened from 104 to 112 nm, another maximum moves from 962.1 to 979.8 nm.",
        "The absorption maximum moves from 104 to 112 nm and then from 962.1 to 979.8 nm.",
        "The layer is 104 to 112 nm thick and the absorption maximum lies at 962.1 nm.",
        "The absorption maximum of the layer lies at 962.1 nm.",
        "Increasing the gap from 30 to 40 nm and the layer from 104 to 112 nm moves the maximum from 962.1 to 979.8 nm.",
        "Increasing the detuning from 104 to 112 nm moves the maximum from 962.1 to 979.8 nm.",
        "Increasing the linewidth of the layer from 104 to 112 nm moves the maximum from 962.1 to 979.8 nm.",
        "Increasing the penetration depth from 104 to 112 nm moves the maximum from 962.1 to 979.8 nm.",
        "Increasing the spectral width from 104 to 112 nm moves the maximum from 962.1 to 979.8 nm.",
        "Increasing the layer from 104 to 112 nm takes the linewidth of the peak from 962.1 to 979.8 nm.",
        "Increasing the layer from 104 to 112 nm moves the separation of the peaks from 962.1 to 979.8 nm.",
        "Increasing the layer from 104 to 112 nm takes the propagation length at the resonance from 962.1 to 979.8 nm.",
        "The linewidth of the peak moves from 962.1 to 979.8 nm as the layer grows from 104 to 112 nm.",
        "The bandwidth is free; increasing it from 104 to 112 nm moves the peak from 962.1 to 979.8 nm.",
        "Raising the signal from 104 to 112 nm moves the maximum from 962.1 to 979.8 nm.",
        "The layer is changed from 104 to 112 nm while the maximum moves from 962.1 to 979.8 nm.",
    ],
)
def test_a_maximum_that_is_not_told_to_move_with_a_size_is_no_value_at_one(text: str) -> None:
    """Lie: a maximum's place is compared with the value of a curve at one place."""
    assert left(text, 962.1, 104)
