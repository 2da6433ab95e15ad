"""A sweep of a function of one's own is examined in its scene as it is declared: a peak over a thickness can agree, and refute."""

from __future__ import annotations

import pytest

from schemas.reproduce.simulations.numerics import StudyResult
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = [pytest.mark.sim, pytest.mark.long]
PEAK = (
    "def measure(R):\\n    order = np.argsort(R.x)\\n    x, y = R.x[order], R.y[order]\\n    i = np.argmax(y[1:-1]) + 1\\n"
    "    left, right, up, down = x[i] - x[i - 1], x[i] - x[i + 1], y[i] - y[i + 1], y[i] - y[i - 1]\\n"
    "    return x[i] - (left * left * up - right * right * down) / (2 * (left * up - right * down))"
)
# name -> what it computes of the reflectance
FUNCTIONS = {
    "spread": "def measure(R):\\n    return np.sqrt(np.mean((R.y - np.mean(R.y)) ** 2))",
    "highest": "def measure(R):\\n    return np.max(R.y)",
    "raised": "def measure(R):\\n    return np.max(R.y) * (1 + 1 / (2 + 2 + 2))",
    "remembered": "def measure(R):\\n    return 1 / (2 + 2) + np.mean(R.y) / 2 ** (2 + 2 + 2 + 2)",
}


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    folder = tmp_path_factory.mktemp("swept")
    own = ", ".join(
        f'Measured(id="{n}", scene="film", of=("R",), code="{body}")' for n, body in FUNCTIONS.items()
    )
    swept = ", ".join(
        f'Sweep(id="{n}_t", of="{n}", parameter="t", low=p.t / 2, high=p.t, answers=("{n}",))'
        for n in FUNCTIONS
    )
    code = CODE.replace('Transmittance(id="T", scene="film")))', f"{own}), sweeps=({swept},))")
    assert code != CODE
    made = from_document(document(described(code, FILM)), declared(FILM), code)
    loose = dict.fromkeys(
        [item.id for item in (*made.problem.quantities, *made.problem.sweeps)], within(0.05)
    )
    return study(
        made,
        {},
        Solver(Store(folder), find_meep(), Budget(300)),
        folder / "film",
        wanted=loose,
        witnessed=False,
    )


@pytest.mark.parametrize(
    ("name", "from_fields"), [("spread", True), ("highest", True), ("raised", None), ("remembered", False)]
)
def test_what_a_swept_function_comes_from_is_decided(
    film: StudyResult, name: str, from_fields: bool | None
) -> None:
    """Every peak over a parameter was at most PARTIAL, and none refuted a false paper."""
    found = film.quantity(f"{name}_t")
    assert found.status == "converged" and found.from_fields is from_fields, found.witnesses
