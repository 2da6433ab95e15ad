"""Mistakes are made where they fit, in every recording, and each is the one that it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.papers import BUNDLED, recorded_ids
from tests.faults.chosen import chosen, everywhere, write
from tests.faults.judging import noticed
from tests.faults.kinds import KINDS
from tests.faults.parsed import Recorded, code_of, recorded
from tests.faults.plans import PLAN_KINDS
from tests.faults.running import Ran

pytestmark = pytest.mark.unit
NOWHERE = {"angle from the surface"}  # no bundled paper is lit at an angle; the film paper of the lies is


@pytest.fixture(scope="module")
def papers() -> tuple[Recorded, ...]:
    return tuple(recorded(BUNDLED / name) for name in recorded_ids())


def test_a_description_is_the_same_when_its_code_is_written_again(papers: tuple[Recorded, ...]) -> None:
    for stage in (stage for paper in papers for stage in paper.stages):
        own = [parameter.model_dump(mode="json") for parameter in stage.inputs]
        again = described(code_of(stage.document), [*own, *stage.design.get("parameters", [])])
        assert document(again) == stage.document


def test_every_kind_fits_somewhere_and_at_least_forty_are_chosen(papers: tuple[Recorded, ...]) -> None:
    found = everywhere(papers)
    assert {kind.name for kind in (*KINDS, *PLAN_KINDS) if not found[kind.name]} == NOWHERE
    taken = chosen(papers)
    assert len(taken) >= 80 and len({fault.name for fault in taken}) == len(taken)
    assert {fault.kind for fault in taken} | NOWHERE == {kind.name for kind in (*KINDS, *PLAN_KINDS)}
    assert chosen(papers) == taken and chosen(papers, 29) != taken


def test_only_the_answer_with_the_mistake_is_another(papers: tuple[Recorded, ...], tmp_path: Path) -> None:
    by_name = {paper.paper: paper for paper in papers}
    for fault in chosen(papers):
        paper = by_name[fault.paper]
        made = recorded(write(fault, paper, tmp_path / "paper"))
        other = [(a, b) for a, b in zip(paper.entries, made.entries, strict=True) if a != b]
        agents = {json.loads(json.dumps(a["position"]))["agent"] for a, _ in other}
        assert agents == {"simulation_designer" if fault.stage else "planner"}, fault.name
        assert (made.folder / "paper.md").read_text() == (
            fault.text or (paper.folder / "paper.md").read_text()
        )


def _compared(error: float, reasons: tuple[str, ...] = (), doubt: str = "") -> dict[str, object]:
    doubts = [{"why": doubt}] if doubt else []
    return {
        "evidence": {"error": error, "uncertainty": 0.1, "reasons": reasons, "doubts": doubts},
        "classification": "SUCCESS",
    }


@pytest.mark.parametrize(
    ("ran", "by", "leads"),
    [
        (Ran("Reproduced", {"t": "SUCCESS"}, {"t": _compared(0.3)}), "nothing to notice", ""),
        (Ran("Reproduced", {"t": "SUCCESS"}, {"t": _compared(0.9)}), "nothing", ""),
        (Ran("Not reproduced", {"t": "FAILURE"}, {"t": _compared(9)}), "comparison", ""),
        (
            Ran("Not reproduced", {"t": "PARTIAL"}, {"t": _compared(9, doubt="the gap is 2")}),
            "code, in the report",
            "the gap is 2",
        ),
        (Ran("Not reproduced", sent_back=("no such argument",)), "code, sent back", ""),
        (Ran("no run", broken="KeyError: 'x'"), "broken", ""),
    ],
)
def test_what_noticed_a_mistake(ran: Ran, by: str, leads: str) -> None:
    plain = Ran("Reproduced", {"t": "SUCCESS"}, {"t": _compared(0.2, ("1 agrees",))})
    found = noticed("name", "gap", plain, ran)
    assert (found.by, found.leads) == (by, leads)
