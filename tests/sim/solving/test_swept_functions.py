"""A sweep of a function of one's own is examined in its scene as it is declared: a peak over a thickness can agree, and refute."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.reproduce.simulations.numerics import QuantityResult
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
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Spectra at one thickness are the same whatever is computed of them."""
    return Store(tmp_path_factory.mktemp("swept"))


def _swept(name: str, store: Store, folder: Path) -> QuantityResult:
    own = f'Measured(id="{name}", scene="film", of=("R",), code="{FUNCTIONS[name]}")'
    swept = f'Sweep(id="{name}_t", of="{name}", parameter="t", low=p.t / 2, high=p.t, answers=("{name}",))'
    code = CODE.replace('Transmittance(id="T", scene="film")))', f"{own}), sweeps=({swept},))")
    assert code != CODE
    made = from_document(document(described(code, FILM)), declared(FILM), code)
    loose = dict.fromkeys(
        [item.id for item in (*made.problem.quantities, *made.problem.sweeps)], within(0.05)
    )
    found = study(
        made, {}, Solver(store, find_meep(), Budget(300)), folder / "film", wanted=loose, witnessed=False
    )
    return found.quantity(f"{name}_t")


@pytest.mark.parametrize(
    ("name", "from_fields"), [("spread", True), ("highest", True), ("raised", None), ("remembered", False)]
)
def test_what_a_swept_function_comes_from_is_decided(
    store: Store, tmp_path: Path, name: str, from_fields: bool | None
) -> None:
    """Every peak over a parameter was at most PARTIAL, and none refuted a false paper."""
    found = _swept(name, store, tmp_path)
    assert found.status == "converged" and found.from_fields is from_fields, found.witnesses
