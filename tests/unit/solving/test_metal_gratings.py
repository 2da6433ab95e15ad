"""The two gratings of `make bench-metal`: both have theory, and a row says plainly where a value misses it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.metal_gratings import PROBLEMS, of_meep, of_second
from schemas.reproduce.simulations.numerics import QuantityResult, Rung, SecondOpinion
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.oracles import oracle
from tasks.reproduce.second import plain_cells

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("name", PROBLEMS)
def test_each_has_an_exact_value_and_the_modal_method_takes_only_a_real_metal(name: str) -> None:
    code, entries = PROBLEMS[name]
    problem = from_document(document(described(code, entries)), declared(entries), code).resolved()
    for quantity in problem.quantities:
        scene = problem.scene(quantity.scene)
        found = oracle(scene, quantity, {}, [scene.band.frequencies()[0]])
        assert found is not None and 0 < found[1].y[0] < 1
        assert bool(plain_cells.refused(scene, quantity, {})) is ("ideal" in name)


@given(st.floats(0.1, 1), st.floats(-0.2, 0.2), st.floats(1e-4, 0.1))
def test_a_value_that_misses_theory_is_said_to(exact: float, off: float, stated: float) -> None:
    second = SecondOpinion(solver="s", value=exact + off, uncertainty=stated)
    held = abs(second.value - exact) <= stated  # type: ignore[operator]
    told = of_second(second, exact)
    assert ("BEYOND" in told.beside) is not held and ("within" in told.beside) is held
    result = QuantityResult(
        id="T",
        kind="transmittance",
        scene="s",
        status="not converged",
        value=second.value,
        uncertainty=stated,
        rungs=(Rung(resolution=40.0, value=exact + off, cpu_s=3.0),),
    )
    said = of_meep(result, exact, 3.0)
    assert said.beside == told.beside and "40 px/um; not converged" in said.how
    unknown = of_meep(result.model_copy(update={"uncertainty": None}), exact, 3.0)
    assert unknown.stated == "unknown" and "BEYOND" not in unknown.beside and "within" not in unknown.beside
    lost = of_meep(
        result.model_copy(update={"status": "no value", "value": None, "reason": "too dear"}), 0.5, 3.0
    )
    assert lost.value == "no value" and "too dear" in lost.how and not lost.beside
