"""A paper that prints two digits the wrong way round, which its own theory refutes: whole runs say so, and say it to every judge."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flow import coating, described
from tests.flow.kit import Bench, Cli, Model

pytestmark = pytest.mark.flow
Finished = tuple[Bench, Cli, Model]
AGREE = "agree with each other within their uncertainties, and both differ from the paper"


def wrong(text: str) -> str:
    """1.26 % as 1.62 %."""
    return text.replace("1.26", "1.62")


def write_paper(folder: Path) -> Path:
    """The coating's, with the error in its text."""
    coating.write_paper(folder)
    (folder / "paper.md").write_text(wrong((folder / "paper.md").read_text()))
    return folder


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """As a model that reads the wrong paper: the analyst believes the evidence."""
    found: dict[str, Any] = json.loads(wrong(json.dumps(described.answer(request))))
    for report in found.get("reports", ()):
        if report["target_id"] == "R_550":
            report |= {"classification": "FAILURE", "explanation": "the paper states another value"}
            found["discrepancies"] = [
                {
                    "target_id": "R_550",
                    "description": "another value",
                    "likely_cause": "the paper",
                    "severity": "investigate",
                }
            ]
    return found


@pytest.fixture(scope="module")
def finished(
    tmp_path_factory: pytest.TempPathFactory, prefect_api: str, solved_before: Path
) -> Iterator[Finished]:
    """One run to its end."""
    bench = Bench(tmp_path_factory.mktemp("wrong"), prefect_api, write_paper, solved=solved_before)
    with Model(answer) as model:
        cli = bench.reproduce(model, "--answer", "material_checkpoint=approve")
        cli.wait(400)
        yield bench, cli, model
    bench.close()


def finding(bench: Bench) -> dict[str, Any]:
    [found] = bench.comparisons()["R_550"]["evidence"]["about_paper"]
    return found


def test_theory_and_simulation_are_said_to_agree_against_the_paper(finished: Finished) -> None:
    bench, cli, _ = finished
    assert cli.process.returncode == 10, cli.out + cli.err[-3000:]
    found = finding(bench)
    assert (
        AGREE in found["sentence"]
        and "transfer matrix" in found["sentence"]
        and found["seen"] == "only by running"
    )
    assert (
        found["about"] == "the paper"
    )  # no input is in doubt, and the roundings of all of them do not bridge it
    assert "about_paper" not in bench.comparisons()["R_curve"]["evidence"]  # what agrees says nothing


def test_every_number_of_the_sentence_is_one_of_the_run(finished: Finished) -> None:
    bench = finished[0]
    found = finding(bench)
    left = found["sentence"].replace("R_550", "")
    for number in found["numbers"]:
        left = left.replace(number["text"], "")
        place, _, path = number["source"].partition(": ")
        assert (bench.run_dir / place).is_file() and path
    assert not re.search(r"\d", left), left
    own = bench.comparisons()["R_550"]["evidence"]
    assert {own["simulated"], own["reference"], abs(own["error"])} <= {
        number["value"] for number in found["numbers"]
    }


def test_the_first_screen_says_it_before_any_table(finished: Finished) -> None:
    bench = finished[0]
    sentence = finding(bench)["sentence"]
    report = next(
        path for path in bench.run_dir.glob("REPRODUCTION_REPORT_*.md") if "APPENDIX" not in path.name
    )
    text = report.read_text().replace("\\", "")
    assert text.index(sentence) < text.index("| Target |")


def test_analyst_validator_and_supervisor_hold_the_same_sentence(finished: Finished) -> None:
    bench, _, model = finished
    sentence = json.dumps(finding(bench)["sentence"])[1:-1]
    asked = {
        label.split(".")[0]: json.dumps(request).replace('\\\\"', '"').replace("\\\\", "\\")
        for label, request in zip(model.order, model.requests, strict=True)
        if label.startswith(("results_analyzer.stage1", "comparison_validator.stage1", "supervisor"))
    }
    assert {"results_analyzer", "comparison_validator", "supervisor"} == set(asked)
    assert [agent for agent, text in asked.items() if sentence not in text] == []


def test_the_comment_to_the_authors_is_one_page_of_bound_numbers(finished: Finished) -> None:
    bench = finished[0]
    said = bench.start("report", bench.run_dir.name, "--comment")
    assert said.wait(60) == 0, said.err[-3000:]
    text = Path(said.out.strip()).read_text().replace("\\", "")
    found = finding(bench)
    assert found["sentence"] in text and len(text) < 5000
    assert all(f"{number['text']}: {number['source']}" in text for number in found["numbers"])
