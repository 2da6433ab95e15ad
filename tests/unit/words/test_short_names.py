"""A name that is written out and its abbreviation are one name, in a figure's caption and in a column's."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.words.captions import names_another

pytestmark = pytest.mark.unit
NAMES = {
    "fwhm": (
        "Full width at half maximum",
        "FWHM",
        "Full widths at half-maximum",
        "The full width at half max.",
    ),
    "hwhm": ("Half width at half maximum", "HWHM"),
    "fsr": ("Free spectral range", "FSR", "Free-spectral range"),
    "quality": ("Quality factor", "Q", "Q factor"),
    "neff": ("Effective index", "n_eff", "Effective mode index"),
    "ldos": ("Local density of states", "LDOS"),
}
COLUMNS = {
    "fwhm": ("fwhm_nm", "FWHM_meV", "full_width_half_maximum_nm"),
    "hwhm": ("hwhm_nm",),
    "fsr": ("fsr_nm", "free_spectral_range_GHz"),
    "quality": ("Q", "quality_factor"),
    "neff": ("n_eff", "effective_index"),
    "ldos": ("ldos", "LDOS_norm"),
}
OTHERS = ["peak_absorptance", "min_reflectance"]
KEYS = st.sampled_from(sorted(NAMES))


@given(KEYS.flatmap(lambda k: st.tuples(st.sampled_from(NAMES[k]), st.sampled_from(COLUMNS[k]))))
def test_a_caption_and_its_column_may_write_one_name_in_two_ways(pair: tuple[str, str]) -> None:
    called, column = pair
    for caption in (
        f"{called} of the absorption line (left), peak absorptance and minimum reflectance (right) against d.",
        f"{called} of the absorption line against d; the peak absorptance falls.",
        f"{called} against d.",
    ):
        assert not names_another(column, [column, *OTHERS], caption)


WIDTHS = [
    ("fwhm", "hwhm"),
    ("hwhm", "fwhm"),
    ("fwhm", "fsr"),
    ("fsr", "fwhm"),
    ("ldos", "fsr"),
    ("fsr", "ldos"),
]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(("told", "taken"), WIDTHS)
def test_a_column_of_another_name_is_another(told: str, taken: str) -> None:
    """Lie: the figure shows one quantity, and the column of another is compared, which happens to agree."""
    for called, column, own in itertools.product(NAMES[told], COLUMNS[taken], COLUMNS[told]):
        assert names_another(column, [own, column], f"{called} against d.")


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(("told", "taken"), WIDTHS)
def test_a_sentence_about_another_quantity_names_no_column(told: str, taken: str) -> None:
    """Lie: the column of a quantity is compared that the caption only speaks of."""
    for called, column, own in itertools.product(NAMES[told], COLUMNS[taken], COLUMNS[told]):
        if (
            "_" not in column or column.partition("_")[0] in taken
        ):  # no name in full, which any sentence gives
            aside = f"{called} against d. It is smaller than the {NAMES[taken][0].lower()}."
            assert names_another(column, [own, column], aside)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("column", "own", "caption"),
    [
        ("half_width_half_maximum_nm", "fwhm_nm", "FWHM against d."),
        ("hwhm_nm", "fwhm_nm", "FWHM, from which the half width at half maximum follows, against d."),
        ("fwhm_nm", "min_reflectance", "Minimum reflectance averaged over the full width at half maximum."),
        ("full_width_half_maximum_nm", "min_reflectance", "FWHM-averaged minimum reflectance."),
        ("local_density_of_states", "purcell_rate", "LDOS-derived Purcell rate."),
        ("fsr_nm", "finesse", "Finesse, the free spectral range over the width."),
    ],
)
def test_only_what_heads_a_caption_is_what_is_drawn(column: str, own: str, caption: str) -> None:
    """Lie: a name's other form stands somewhere in the caption, and its column is compared."""
    assert names_another(column, [own, column], caption)
