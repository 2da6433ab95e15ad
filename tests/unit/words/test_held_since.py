"""Lies of adversaries that once got through, as kinds: each with honest papers of the same kind, which are not lowered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.words.claims import claims_of
from tests.lies.attempts import cases
from tests.unit.words.attempted import doubts, with_words

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
MIRROR, DISK, RODS, FILM = (
    CASES[name] for name in ("quarter-of-vacuum2", "order-less-one", "gap-of-one-way2", "h-film")
)


PHASE = CASES["h-phase"]


def _changed(case: dict[str, Any], **told: str) -> dict[str, Any]:
    """A case with words replaced everywhere: old=new, in its text, inputs, targets and code."""
    plain = json.dumps(case)
    for old, new in told.items():
        assert old in plain
        plain = plain.replace(old, new)
    changed: dict[str, Any] = json.loads(plain)
    return changed


LAYERS = st.tuples(st.sampled_from([1.38, 1.45, 1.6]), st.sampled_from([1.9, 2.2, 2.4]))


def _mirror(indices: tuple[float, float], low: str) -> dict[str, Any]:
    told = _changed(MIRROR, **{"1.45": f"{indices[0]}", "2.20": f"{indices[1]}"})
    inputs = [
        {**one, "value": f"{indices[one['name'] == 'n_high']}"} if one["name"] in ("n_low", "n_high") else one
        for one in told["inputs"]
    ]
    code = told["code"].replace("p.design / 2 / 2))", f"{low}))")
    assert code != told["code"]
    return {**told, "inputs": inputs, "code": code}


@settings(max_examples=6, deadline=None)
@given(LAYERS)
def test_a_quarter_wave_is_one_in_the_layers_own_medium(indices: tuple[float, float]) -> None:
    assert not list(doubts(_mirror(indices, "p.design / 2 / 2 / p.n_low")))


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=8, deadline=None)
@given(
    LAYERS,
    st.sampled_from(["p.design / 2 / 2 / p.n_high", "p.design / 2 / 2 / p.glass_index", "p.design / 2"]),
)
def test_a_quarter_wave_in_another_medium_is_doubted(indices: tuple[float, float], low: str) -> None:
    """Lie: a layer is a quarter of the wavelength in vacuum, or in another layer."""
    assert list(doubts(_mirror(indices, low)))


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=8, deadline=None)
@given(st.integers(2, 9), st.integers(-2, 3))
def test_a_mode_has_the_order_that_is_declared(order: int, more: int) -> None:
    """Lie: the order of the mode is one less."""
    told = _changed(
        DISK, **{"order of 3": f"order of {order}", 'p.count(\\"m\\") - 1': f'p.count(\\"m\\") + {more}'}
    )
    inputs = [{**one, "value": f"{order}"} if one["name"] == "m" else one for one in told["inputs"]]
    assert bool(list(doubts({**told, "inputs": inputs}))) is (more != 0)


EVERY = st.sampled_from(
    [
        "The lower edge of the complete gap lies at a frequency of #",
        "The lower edge of the gap lies at a frequency of #",
        "The gap for all directions has its lower edge at a frequency of #",
    ]
)
SOME = st.sampled_from(
    [
        "Along Gamma-X the lower edge of the gap lies at a frequency of #",
        "The lower edge of the stop band along the rows lies at a frequency of #",
    ]
)
WHOLE = RODS["code"].replace(', path=["Gamma", "X"]', "")


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=6, deadline=None)
@given(EVERY)
def test_a_gap_of_one_direction_is_not_one_of_all(words: str) -> None:
    """Lie: bands are followed along one direction only."""
    case = with_words(RODS, words)
    assert list(doubts(case)) and not list(doubts({**case, "code": WHOLE}))


@settings(max_examples=6, deadline=None)
@given(SOME)
def test_a_gap_of_one_direction_is_where_the_words_say_so(words: str) -> None:
    assert not [why for why in doubts(with_words(RODS, words)) if "directions" in why]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(("place", "right"), [("corner", "M"), ("centre", "Gamma")])
@pytest.mark.parametrize("k", ["X", "M", "Gamma"])
def test_a_place_of_the_zone_is_the_one_that_is_named(place: str, right: str, k: str) -> None:
    """Lie: the frequency at the zone's corner is read at another point."""
    case = _changed(
        CASES["corner-for-face"], **{"At the corner of": f"At the {place} of", 'k=\\"X\\"': f'k=\\"{k}\\"'}
    )
    assert bool(list(doubts(case))) is (k != right)


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=8, deadline=None)
@given(st.integers(300, 500), st.integers(900, 1300), st.integers(380, 460), st.integers(520, 1250))
def test_an_extremum_is_one_of_all_that_the_spectra_reach_over(
    first: int, last: int, shortest: int, longest: int
) -> None:
    """Lie: the view ends where a flank is highest."""
    told = _changed(
        CASES["view-hides2"], **{"between 400 nm and 1200 nm": f"between {first} nm and {last} nm"}
    )
    views = [{**one, "value": shortest if one["id"] == "shortest" else longest} for one in told["views"]]
    reached = [why for why in doubts({**told, "views": views}) if "looked at" in why]
    spared = 0.05 * (last - first)
    if shortest > first + spared + 1 or longest < last - spared - 1:
        assert reached
    if shortest <= first and longest >= last:
        assert not reached


COLUMNS = st.permutations(["reflectance (%)", "transmittance (%)", "absorptance (%)"])


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=8, deadline=None)
@given(COLUMNS, st.sampled_from(["coated", "plate 1", "film on silica"]))
def test_a_number_of_a_table_is_what_its_own_column_is_called(columns: list[str], row: str) -> None:
    """Lie: the transmittance that stands in the same row."""
    numbers = {name: value for name, value in zip(columns, ("20.7", "61.0", "18.3"), strict=True)}
    line = f"| {row} | {' | '.join(numbers.values())} |"
    table = f"| plate | {' | '.join(numbers)} |\n|---|---|---|---|\n{line}"
    target = FILM["targets"][0]
    text = FILM["text"][: FILM["text"].index("## Results")] + f"## Results\n\n{table}\n"
    reference = {**target["reference"], "quotation": line}
    found = list(doubts({**FILM, "text": text, "targets": [{**target, "reference": reference}]}))
    assert bool(found) is (columns[0] != "reflectance (%)")


OWN = st.sampled_from(
    [
        ("A coating that reflects {n} % of red light", "{rest}"),
        (
            "A coating",
            "## Introduction\n\nIn this work we show that a plate reflects {n} % of red light.\n\n{rest}",
        ),
        ("A coating", "{rest}\n\n## {closing}\n\nWe have shown that the plate reflects {n} % of red light."),
        ("A coating", "## Introduction\n\nMany coat. Here we demonstrate a reflectance of {n} %.\n\n{rest}"),
    ]
)
OTHERS = st.sampled_from(
    [
        (
            "A coating",
            "## Introduction\n\nSmith et al. have shown that a plate reflects {n} % of red light.\n\n{rest}",
        ),
        ("A coating of 95 nm", "{rest}\n\n## Data availability\n\nThe file holds the reflectance of {n} %."),
        ("A coating", "## Introduction\n\nA bare plate reflects {n} % of red light.\n\n{rest}"),
        ("A coating", "{rest}\n\n## Results\n\nThe plate reflects {n} % of red light."),
    ]
)
CLOSING = st.sampled_from(["Closing remarks", "Outlook", "In short", "Take-home message"])


def _claimed(told: tuple[str, str], n: float, closing: str) -> bool:
    title, body = told
    rest = (
        "## Abstract\n\nA film is studied.\n\n## Methods\n\nThe film has a thickness of 120 nm and lies on glass. "
        + "It is plain. " * 9
    )
    paper = PaperInput(
        paper_id="p",
        title=title.format(n=n),
        citation="A. Author, J. 1, 1 (2020)",
        text=f"# {title.format(n=n)}\n\n" + body.format(n=n, rest=rest, closing=closing),
    )
    return any(claim.result and claim.among([(n, "%")]) for claim in claims_of(paper))


@pytest.mark.attack("judgement", "a result that no target answers")
@given(OWN, st.integers(21, 98), CLOSING)
def test_what_a_paper_claims_in_title_introduction_or_last_words_counts(
    told: tuple[str, str], n: int, closing: str
) -> None:
    """Lie: the false result stands where no abstract and no conclusions are."""
    assert _claimed(told, n, closing)


@given(OTHERS, st.integers(21, 98), CLOSING)
def test_what_others_found_and_other_sections_say_does_not(
    told: tuple[str, str], n: int, closing: str
) -> None:
    assert not _claimed(told, n, closing)


OVER = st.sampled_from(
    ["behind {}", "relative to {}", "with respect to {}", "compared with {}", "ahead of {}"]
)
ANOTHER = st.sampled_from(
    [
        "light that has gone the same way in air",
        "that of the bare substrate",
        "the uncoated plate",
        "a slab of glass",
    ]
)
INCIDENT = st.sampled_from(["the incident light", "the incoming wave", "the input"])


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=8, deadline=None)
@given(OVER, ANOTHER, INCIDENT, st.booleans())
def test_a_phase_is_one_over_the_incident_light(over: str, another: str, incident: str, own: bool) -> None:
    """Lie: a phase over that of another way, or what a coating adds, answered by the whole phase."""
    words = "the transmitted light has a phase of # "
    whole = [
        why
        for why in doubts(with_words(PHASE, words + over.format(incident if own else another)))
        if "phase" in why
    ]
    assert bool(whole) is not own
    assert [
        why
        for why in doubts(with_words(PHASE, "the film adds to the transmitted light a phase of #"))
        if "phase" in why
    ]
