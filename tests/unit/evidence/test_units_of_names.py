"""Units that names of columns end in."""

from __future__ import annotations

import pytest

from tasks.reproduce.evidence.units import unit_of_name

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
