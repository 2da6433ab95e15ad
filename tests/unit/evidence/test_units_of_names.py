"""Units that names of columns end in, and numbers in another unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.simulations.units import converted
from tasks.reproduce.evidence.not_computed import UnitError
from tasks.reproduce.evidence.units import convert, unit_of_name

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("gap_nm", "nm"),
        ("E_lower_eV", "ev"),
        ("k_parallel_per_um", "1/um"),
        ("k_inv_nm", "1/nm"),
        ("wavenumber_per_cm", "1/cm"),
        ("loss_dB_per_cm", "db/cm"),
        ("slope_percent_per_nm", "%/nm"),
        ("detuning_GHz", "ghz"),
        ("drum", None),
        ("per_um", "um"),
        ("T", None),
    ],
)
def test_a_column_ends_in_its_unit_and_a_rate_is_no_length(name: str, unit: str | None) -> None:
    assert unit_of_name(name) == unit


@given(
    st.one_of(st.floats(), st.just(0), st.floats(-1e-300, 1e-300)),
    st.sampled_from(["nm", "GHz", "eV", "c/um", "a", "deg", "1", "%", "fs"]),
    st.sampled_from(["nm", "um", "THz", "1/cm", "c/a", "rad", "1", "%", "ps"]),
)
def test_any_number_is_converted_or_has_no_equivalent(value: float, unit: str, wanted: str) -> None:
    """A frequency of 0, or one that is 0 in another unit, stopped the code that read an answer."""
    for each in (value, np.array([value, 1.0])):
        found = converted(each, unit, wanted)
        assert found is None or np.shape(found) == np.shape(each)


def test_a_frequency_of_nought_is_no_wavelength() -> None:
    assert converted(0.0, "GHz", "um") is None and converted(0.0, "GHz", "THz") == 0.0


def test_decibels_per_length_are_no_other_number_per_length() -> None:
    """A frequency is a number per length too; a loss per length has its own unit (tasks/reproduce/solving/columns.py)."""
    assert convert([25.2], "dB/cm", "dB/mm") == pytest.approx([2.52])
    for unit in ("c/um", "1/um", "1/cm", "um", "1", "THz", "fs"):
        with pytest.raises(UnitError):
            convert([1.0], unit, "dB/cm")
    with pytest.raises(UnitError):
        convert([1.0], "dB/cm", "1/cm")
