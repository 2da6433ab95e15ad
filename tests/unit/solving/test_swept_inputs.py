"""What a sweep runs along, and where it ends, is chosen and no input that may be off."""

from __future__ import annotations

import pytest

from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.uncertainty.witnesses import moved_parameters
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit


def test_neither_a_swept_parameter_nor_the_ends_of_its_sweep_are_moved() -> None:
    """The ends of a sweep over a gap stood in a budget as inputs whose effect is not known."""
    ends = [
        {"id": name, "value": value, "unit": "nm", "origin": "assumption", "assumption_id": name}
        for name, value in (("thin", 90), ("thick", 130))
    ]
    code = CODE.replace(
        'Transmittance(id="T", scene="film"))',
        '), sweeps=(Sweep(id="S", of="R", parameter="t", low=p.thin, high=p.thick),)',
    )
    if "band=Wavelengths" in code:
        code = code.replace(
            "band=Wavelengths(shortest=p.shortest, longest=p.longest)", "band=Line(wavelength=p.at)"
        )
    at = {"id": "at", "value": 600, "unit": "nm", "origin": "assumption", "assumption_id": "A9"}
    given = [*FILM[:2], at, *ends]
    made = from_document(document(described(code, given)), declared(given), code)
    [group] = [group for group in groups_of(made, {}) if group.sweep is not None]
    assert group.rests_on == {"n", "at"} and set(moved_parameters(group)) <= {"n", "at"}
    plain = groups_of(from_document(document(described(CODE, FILM)), declared(FILM), CODE), {})[0]
    assert "t" in plain.rests_on


def test_what_only_a_function_of_ones_own_is_given_is_not_moved() -> None:
    """A factor of the writer's own was "carried by the data" with a response of 1e-8, as a search began with other runs: a FAILURE."""
    own = (
        'Measured(id="M", scene="film", of=("R",), given=(p.factor,), '
        'code="def measure(R, g):\\n    return g * np.max(R.y)\\n"))'
    )
    code = CODE.replace('Transmittance(id="T", scene="film"))', own)
    factor = {"id": "factor", "value": 1.5, "origin": "assumption", "assumption_id": "A8"}
    given = [*FILM, factor]
    made = from_document(document(described(code, given)), declared(given), code)
    [group] = groups_of(made, {})
    assert "factor" in group.rests_on and "factor" not in moved_parameters(group)
    assert "n" in moved_parameters(group)
