"""science_data.json: numbers from the files of measurements alone, and words without any."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import AnswerError, StateError
from schemas.explore.evaluation import Measured, MeasuredRecord, MetricSpec
from tasks.explore.data.collecting import collect_science_data
from tasks.explore.data.in_words import transform_data
from tasks.explore.paper.results_table import results_table
from tests.unit.explore.exploration_fixture import exploration

pytestmark = pytest.mark.unit


def test_every_number_has_value_uncertainty_unit_file_digest_and_node(tmp_path: Path) -> None:
    run = exploration(tmp_path)
    data = collect_science_data(run)
    best = data.numbers["best.time"]
    assert (
        best.node_id in ("n001", "n002")
        and best.unit == "ms"
        and best.uncertainty
        and best.n == 5
        and len(best.values) == 5
    )
    for number in data.all_numbers():
        assert hashlib.sha256((run / number.file).read_bytes()).hexdigest() == number.sha256, number.name
    assert data.numbers["baseline.time"].value == 40.0 and data.numbers["baseline.time"].node_id == "n000"
    assert data.numbers["n001.param.block_size"].value == 64
    assert data.numbers["nodes.total"].value == 4 and data.numbers["nodes.failed"].value == 1
    assert "float64" not in data.words and "machine.cpu" in data.words


def with_provided(run: Path, value: float = 50.0) -> Path:
    """The same, where the files as provided were measured before any node."""
    spec = MetricSpec.model_validate_json((run / "evaluation_criteria.json").read_text())
    measured = Measured(
        name="time", value=value, uncertainty=0.4, n=5, unit="ms", spread="scaled_mad", values=(value,) * 5
    )
    record = MeasuredRecord(node_id="provided", program_sha256=spec.sha256, metrics=(measured,))
    (run / "nodes/provided").mkdir()
    (run / "nodes/provided/measured.json").write_text(record.model_dump_json())
    return run


@pytest.mark.attack(
    "answers", "the gain is counted from the files as provided, not from an agent's own first program"
)
def test_the_baseline_is_what_was_measured_of_the_files_as_provided(tmp_path: Path) -> None:
    numbers = collect_science_data(with_provided(exploration(tmp_path))).numbers
    best = numbers["best.time"]
    assert numbers["baseline.time"].node_id == "provided" and numbers["baseline.time"].value == 50.0
    assert "unmodified" in numbers["provided.time"].what
    assert numbers["best.time.gain"].value == pytest.approx(50.0 / best.value)
    assert numbers["best.time.gain"].derived_from == (f"{best.node_id}.time", "provided.time")
    assert (
        numbers["n000.time.gain"].value == pytest.approx(50 / 40)
        and "as provided" in numbers["n000.time.gain"].what
    )
    assert numbers["nodes.total"].value == 4, "they are no experiment"


def test_a_paper_says_that_an_agents_program_measured(tmp_path: Path) -> None:
    run = exploration(tmp_path)
    path = run / "evaluation_criteria.json"
    assert "written by an agent" not in results_table(collect_science_data(run)).caption()
    path.write_text(path.read_text().replace('"origin":"goal"', '"origin":"agent"'))
    assert "written by an agent" in results_table(collect_science_data(run)).caption()


def test_a_measurement_of_other_files_as_provided_is_refused(tmp_path: Path) -> None:
    run = with_provided(exploration(tmp_path))
    path = run / "nodes/provided/measured.json"
    path.write_text(path.read_text().replace('"provided"', '"n001"'))
    with pytest.raises(StateError, match="another's"):
        collect_science_data(run)


def test_the_gain_over_the_baseline_is_computed_with_its_uncertainty(tmp_path: Path) -> None:
    gain = collect_science_data(exploration(tmp_path)).numbers["n001.time.gain"]
    assert gain.value == pytest.approx(40 / 12.5) and gain.uncertainty == pytest.approx(
        0.01 / (12.5 / 40) ** 2
    )
    assert gain.derived_from == ("n001.time", "n000.time")


def test_a_gain_inside_the_noise_says_so(tmp_path: Path) -> None:
    data = collect_science_data(exploration(tmp_path))
    assert "no difference" in data.numbers["n002.time.gain"].what
    assert "no difference" not in data.numbers["n001.time.gain"].what


def test_a_record_that_was_edited_after_the_search_is_refused(tmp_path: Path) -> None:
    run = exploration(tmp_path)
    path = run / "nodes/n001/measured.json"
    path.write_text(path.read_text().replace("12.5", "2.5"))
    with pytest.raises(StateError, match="differ in 'time'"):
        collect_science_data(run)


def test_a_record_copied_from_another_node_is_refused(tmp_path: Path) -> None:
    run = exploration(tmp_path)
    (run / "nodes/n002/measured.json").write_bytes((run / "nodes/n001/measured.json").read_bytes())
    with pytest.raises(StateError, match="another node's"):
        collect_science_data(run)


def test_ranking_summary_and_refusals_are_kept(tmp_path: Path) -> None:
    data = collect_science_data(exploration(tmp_path))
    assert [found.rank for found in data.configurations] == [1, 2, 3, 0]
    assert data.summary_stats.primary_metric_n == 3 and data.summary_stats.typed_split_coverage == 0.75
    assert data.per_key_summary[0].worst == 40.0
    assert any("typed" in reason for found in data.configurations for reason in found.refused)
    assert data.configurations[0].sources == (f"nodes/{data.configurations[0].node_id}/work/solve.py",)


def _answers(*answers: dict[str, Any]):  # type: ignore[no-untyped-def]
    left, seen = list(answers), []

    async def ask(agent: str, context: dict[str, Any], _images: Sequence[Path]) -> dict[str, Any]:
        seen.append((agent, context))
        return left.pop(0)

    return ask, seen


GOOD = {
    "methodology": "Each program was timed {{measure.repeats}} times.",
    "implementation_overview": "It sums.",
    "findings": ["The best needs {{best.time}}."],
    "limitations": ["One machine."],
}


def test_the_analyst_is_told_of_typed_numbers_and_its_words_are_kept(tmp_path: Path) -> None:
    bad = {**GOOD, "findings": ["It is 3.2 times faster."]}
    ask, seen = _answers(bad, GOOD)
    data = asyncio.run(transform_data(ask, exploration(tmp_path)))
    assert data.experiment_context is not None and data.experiment_context.findings == (
        "The best needs {{best.time}}.",
    )
    assert "3.2" in seen[1][1]["faults"][0] and seen[0][0] == "analyst"
    assert "solve.py" in seen[0][1]["programs"]
    assert json.loads((tmp_path / "science_data.json").read_text())["experiment_context"]["findings"]


def test_an_analyst_that_only_types_numbers_gets_none_into_the_data(tmp_path: Path) -> None:
    bad = {**GOOD, "findings": ["It is 3.2 times faster."]}
    ask, _ = _answers(bad, bad, bad)
    with pytest.raises(AnswerError, match="typed numbers"):
        asyncio.run(transform_data(ask, exploration(tmp_path)))
    mixed = {**GOOD, "findings": ["It is 3.2 times faster. It was run.", "At {{best.nothing}}."]}
    ask, _ = _answers(mixed, mixed, mixed)
    data = asyncio.run(transform_data(ask, tmp_path))
    assert data.experiment_context is not None and data.experiment_context.findings == ("It was run.",)
