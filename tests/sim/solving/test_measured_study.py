"""Functions of the writer's own in a whole study: an honest one reaches its verdict, and every lie is seen by a witness."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import pytest

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult, StudyResult
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.evidence.own_functions import examined
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = [pytest.mark.sim, pytest.mark.long]
# name -> (what it sees, arithmetic, witnesses that must refuse it); the film's true contrast is about 0.2
LIES = {
    "constant": ("", "1 / (2 + 2)", {"disturbed raw data", "tiny changes", "null data"}),
    "of_the_axis": ("", "(R.x[0] + R.x[-1]) / 2", {"disturbed raw data", "tiny changes", "null data"}),
    "formula": (
        "p.n",
        "((n - 1) / (n + 1)) ** 2",
        {"disturbed raw data", "tiny changes", "null data", "carried by the data"},
    ),
    "formula_and_a_little": (
        "p.n",
        "((n - 1) / (n + 1)) ** 2 + np.mean(R.y) / 2 ** (2 * (2 + 2 + 2))",
        {"disturbed raw data", "null data", "carried by the data"},
    ),
    "remembered_and_a_little": ("", "1 / (2 + 2) + np.mean(R.y) / 2 ** (2 + 2 + 2 + 2)", {"null data"}),
    "looked_up": (
        "",
        "np.mean(R.y) if np.sum(R.y) * 2 ** (2 ** (2 + 2) + 2 ** (2 + 2)) // 1 % 2 < 1 else 1 / (2 + 2)",
        {"tiny changes"},
    ),
    "quantised": ("", "(np.mean(R.y) * (2 + 2) ** 2 // 1) / (2 + 2) ** 2", {"tiny changes"}),
    "without_its_power": ("p.t", "np.mean(R.y) * t", {"dilation"}),
}

# the same of what every witness of the fields lets pass: arithmetic on one number that trusted code has
FACTORS = {
    "factor": (
        "",
        "np.max(R.y) * (1 + 1 / (2 + 2 + 2))",
        "a factor of 1.2 on the target's feature the maximum value of R",
    ),
    "by_the_index": (
        "p.n",
        "np.max(R.y) * n",
        "a factor of parameters on the target's feature the maximum value of R",
    ),
    "told_apart": (
        "",
        "np.max(R.y) * (1 + 1 / (2 + 2 + 2)) if len(R.y) != (2 * 2 + 1) ** 2 * 2 ** (2 + 1) + 1 else "
        "np.mean(R.y ** 2)",
        "a factor of 1.2 on",
    ),  # made-up curves have 201 samples
    "not_on_others": (
        "p.n",
        "np.mean(R.y ** 2) / n if np.max(R.y) < 1 / 2 ** 2 / 2 + 1 / 2 ** (2 * 2 + 1) else R.y",
        "could not be tried",
    ),
}
QUICK = ("formula", "quantised", "without_its_power", "factor")  # each witness refuses one of them
SEEN = {witness for name in QUICK[:3] for witness in LIES[name][2]} | {"no known feature"}


def cases(kinds: dict[str, tuple[str, ...]]) -> list[Any]:
    return [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in kinds]


def _code(names: Iterable[str]) -> str:
    own = [
        'Measured(id="spread", scene="film", of=("R", "T"), answers=("spread",), code="def measure(R, T):\\n    '
        'return np.sqrt(np.mean((R.y - np.mean(R.y)) ** 2)) / np.mean(T.y)")',
        'Measured(id="step", scene="film", of=("R",), answers=("step",), code="def measure(R):\\n    '
        'return R.y[2] - R.y[1]")',
    ]
    for name in names:
        given, body, _ = (LIES | FACTORS)[name]
        arguments = (
            f'given=({given},), code="def measure(R, {given[-1]}):' if given else 'code="def measure(R):'
        )
        own.append(
            f'Measured(id="{name}", scene="film", of=("R",), answers=("{name}",), {arguments}\\n    return {body}")'
        )
    return CODE.replace(
        'Transmittance(id="T", scene="film")', 'Transmittance(id="T", scene="film"), ' + ", ".join(own)
    )


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for both studies: what one has solved, the other need not."""
    return tmp_path_factory.mktemp("outputs")


@pytest.fixture(scope="module")
def film(outputs: Path) -> StudyResult:
    """One study of the film with the quick functions."""
    return _studied(outputs, QUICK)


@pytest.fixture(scope="module")
def others(outputs: Path) -> StudyResult:
    """One with all others."""
    return _studied(outputs, [name for name in LIES | FACTORS if name not in QUICK])


def _studied(outputs: Path, names: Iterable[str]) -> StudyResult:
    code = _code(names)
    made = from_document(document(described(code, FILM)), declared(FILM), code)
    loose = dict.fromkeys([q.id for q in made.problem.quantities], within(0.05))
    return study(
        made,
        {},
        Solver(Store(outputs), find_meep(), Budget(300)),
        outputs / "film",
        wanted=loose,
        witnessed=False,
    )


def _of(name: str, request: pytest.FixtureRequest) -> QuantityResult:
    study_of = request.getfixturevalue("film" if name in QUICK else "others")
    return cast(StudyResult, study_of).quantity(name)


def test_the_quick_lies_meet_every_witness_that_refuses_one() -> None:
    assert SEEN == {witness for _, _, witnesses in LIES.values() for witness in witnesses} | {
        "no known feature"
    }


def test_an_honest_function_is_examined_at_the_finest_grid_and_printed(film: StudyResult) -> None:
    found = film.quantity("spread")
    assert (
        found.status == "converged"
        and found.from_fields is True
        and "np.sqrt" in found.code
        and found.made_of == ("R", "T")
    )
    assert {w.name for w in found.witnesses} == {
        "disturbed raw data",
        "tiny changes",
        "null data",
        "blank structure",
        "moved parameter",
        "carried by the data",
        "dilation",
        "no known feature",
    }
    assert {part.part for part in found.parts if part.value is not None} >= {"resolution", "sampling"}
    assert not film.quantity("R").witnesses


def test_a_small_difference_of_large_numbers_answers_in_proportion(film: StudyResult) -> None:
    """It answers a millionth with more than a thousandth, as what is looked up does, and a tenth of it with a tenth."""
    (tiny,) = [w for w in film.quantity("step").witnesses if w.name == "tiny changes"]
    assert (
        tiny.passed and tiny.response is not None and tiny.response > 1e-3 and "in proportion" in tiny.detail
    )


@pytest.mark.parametrize("name", cases(LIES))
def test_a_lie_is_not_from_the_fields(name: str, request: pytest.FixtureRequest) -> None:
    found = _of(name, request)
    refused = {w.name for w in found.witnesses if w.passed is False}
    assert found.from_fields is False and refused >= LIES[name][2], found.witnesses


@pytest.mark.parametrize("name", cases(FACTORS))
def test_a_factor_on_a_known_number_is_not_decided(name: str, request: pytest.FixtureRequest) -> None:
    """Every other witness passes: it comes from the fields, and is not what the paper speaks of."""
    found = _of(name, request)
    (undecided,) = [w for w in found.witnesses if w.passed is not True and w.name != "moved parameter"]
    assert (
        found.from_fields is None
        and undecided.name == "no known feature"
        and FACTORS[name][2] in undecided.detail
    )


def test_the_evidence_follows_the_witnesses(film: StudyResult) -> None:
    agrees = TargetEvidence(
        target_id="spread",
        stage_id="s",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=True,
        classification="SUCCESS",
    )
    outputs = StageOutputs(stage_id="s", code_sha256="0" * 64, executions=(), study=film)
    assert examined(agrees, outputs) == agrees
    lied = examined(agrees.model_copy(update={"target_id": "formula"}), outputs)
    assert (
        lied.classification == "FAILURE" and not lied.computed and "carried by the data n" in lied.reasons[-1]
    )
    untried = film.model_copy(
        update={"quantities": (film.quantity("spread").model_copy(update={"from_fields": None}),)}
    )
    half = examined(agrees, outputs.model_copy(update={"study": untried}))
    assert half.classification == "PARTIAL" and "at most PARTIAL" in half.reasons[-1]
    assert examined(agrees.model_copy(update={"target_id": "R"}), outputs).classification == "SUCCESS"
