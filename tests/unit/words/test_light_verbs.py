"""What happens to light is told in verbs as well: an honest one names what was computed, for another quantity it does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lies.attempts import cases
from tests.unit.words.attempted import of_result, read, with_words

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
PAPERS = {"transmitted": CASES["h-passes"], "reflected": CASES["h-film"]}
BODIES = st.sampled_from(["plate", "coated plate", "film", "coating", "sample"])
LIGHT = st.sampled_from(["light", "incident light", "power", "incident power", "radiation", "red light"])
SAID = {
    "transmitted": [
        "the {body} lets # of the {light} through",
        "# of the {light} pass through the {body}",
        "# of the {light} gets through the {body}",
        "# of the {light} goes through",
        "the {body} passes # of the {light}",
        "the {body} transmits # of the {light}",
        "a share of # reaches the detector behind the {body}",
        "the power transmission coefficient of the {body} is #",
        "the transmission coefficient of the {body} for power is #",
    ],
    "reflected": [
        "the {body} sends # of the {light} back",
        "# of the {light} comes back from the {body}",
        "the {body} returns # of the {light}",
        "# of the {light} are thrown back",
        "the {body} reflects # of the {light}",
        "we obtain # for the power reflection coefficient",
        "the intensity reflection coefficient of the {body} amounts to #",
    ],
}
HONEST = st.sampled_from([(process, form) for process, forms in SAID.items() for form in forms])
OTHER = {"transmitted": "reflected", "reflected": "transmitted"}
LYING = {
    "transmitted": [
        "the {body} lets all but # of the {light} through",
        "# of the {light} does not get through the {body}",
        "# of the {light} never passes through the {body}",
        "the {body} raises the transmittance by #",
        "the amplitude transmission coefficient of the {body} is #",
    ],
    "reflected": [
        "the {body} reflects all but # of the {light}",
        "the {body} raises the reflectance by #",
        "the reflectance of the {body} exceeds that of glass by #",
        "the reflectance of the {body} falls short of # by half",
        "the {body} reflects # of what silver does",
        "the {body} reflects 44.1 %, of which # come from the front",
        "the reflectance of the {body} has an uncertainty of #",
        "the reflection coefficient of the {body} is #",
        "the field of the reflected wave is # of that of the incident one",
    ],
}
LIES = st.sampled_from([(process, form) for process, forms in LYING.items() for form in forms])


@settings(max_examples=30, deadline=None)
@given(HONEST, BODIES, LIGHT)
def test_a_verb_names_what_happens_to_light(said: tuple[str, str], body: str, light: str) -> None:
    process, form = said
    assert not list(of_result(read(with_words(PAPERS[process], form.format(body=body, light=light)))))


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=15, deadline=None)
@given(HONEST, BODIES, LIGHT)
def test_it_names_nothing_else(said: tuple[str, str], body: str, light: str) -> None:
    """Lie: light that is sent back, answered by what goes through, and the other way round."""
    process, form = said
    assert list(of_result(read(with_words(PAPERS[OTHER[process]], form.format(body=body, light=light)))))


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=20, deadline=None)
@given(LIES, BODIES, LIGHT)
def test_a_complement_a_change_or_a_share_is_no_value(said: tuple[str, str], body: str, light: str) -> None:
    """Lie: the number beside "all but", "by", "short of", "of what", "of which", "uncertainty of" taken as the value."""
    process, form = said
    assert list(of_result(read(with_words(PAPERS[process], form.format(body=body, light=light)))))


@pytest.mark.parametrize("name", ["h-width2", "h-words-g", "h-dipoles", "h-field"])
def test_honest_idioms(name: str) -> None:
    assert not list(of_result(read(CASES[name])))


def test_a_clause_without_its_subject_is_read_with_it() -> None:
    """ "Its full width, where the transmission is 0.5, is 181.5 nm" names a width and its level."""
    assert not list(of_result(read(CASES["h-width"])))
