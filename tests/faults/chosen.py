"""Which mistakes are made: of each kind a few places by a seed, over all papers; and a paper's folder with its mistake."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.kinds import KINDS
from tests.faults.parsed import Recorded, code_of
from tests.faults.plans import PLAN_KINDS

SEED = 28
EACH = 2  # of a kind; of those that hold most mistakes of practice MORE
MORE = {
    "another length": 4,
    "erratum": 5,
    "polarisation": 4,
    "missing body": 3,
    "diameter for radius": 3,
    "media exchanged": 3,
    "n for epsilon": 3,
}
DEAR = {  # stages that take minutes: the mistake is made in the paper's other stage
    ("binary-grating", "spectrum"),
    ("bohren-huffman-cylinder", "e_across"),
    ("guided-resonance", "filter"),
    ("dipole-mirror", "distance_sweep"),
    ("guided-resonance", "thicknesses"),
    ("ring-resonator", "mode_m4"),
}


LAST = (
    "bohren-huffman-cylinder",
    "e_along",
)  # minutes as well: for mistakes that no other paper has, one of each kind


@dataclass(frozen=True)
class Fault:
    """A mistake. leads: a pattern of words that lead to it. answer: of the designer or the planner, with the mistake."""

    kind: str
    paper: str
    stage: str  # '' of the plan
    what: str
    leads: str
    answer: dict[str, Any] = field(repr=False)
    text: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        """Unique among the faults of a seed."""
        return f"{self.kind}: {self.paper}{'/' + self.stage if self.stage else ''}, {self.what}"


def everywhere(papers: Sequence[Recorded]) -> dict[str, list[Fault]]:
    """Every mistake that the papers' recordings allow, by kind; the same description is made once."""
    found: dict[str, list[Fault]] = {}
    for kind in KINDS:
        own = found.setdefault(kind.name, [])
        for paper in papers:
            for stage in paper.stages:
                for what, leads, document in kind.find(stage):
                    if document != stage.document:
                        design = {**stage.design, "code": code_of(document)}
                        own.append(
                            Fault(kind.name, paper.paper, stage.stage_id, what, leads, {"design": design})
                        )
    for plan_kind in PLAN_KINDS:
        own = found.setdefault(plan_kind.name, [])
        for paper in papers:
            own += [
                Fault(plan_kind.name, paper.paper, "", what, leads, made, text)
                for what, leads, made, text in plan_kind.find(paper)
            ]
    return found


def chosen(papers: Sequence[Recorded], seed: int = SEED) -> tuple[Fault, ...]:
    """A few of each kind by the seed, of different papers where there are; stages that take minutes are left out."""
    found: list[Fault] = []
    for kind, faults in everywhere(papers).items():
        own = [fault for fault in faults if (fault.paper, fault.stage) not in (*DEAR, LAST)]
        last = [fault for fault in faults if (fault.paper, fault.stage) == LAST]
        number = MORE.get(kind, EACH) if own else 1
        own = own or last
        random.Random(f"{seed}:{kind}").shuffle(own)
        taken: list[Fault] = []
        while own and len(taken) < number:
            times = {fault.paper: sum(t.paper == fault.paper for t in taken) for fault in own}
            taken.append(own.pop(min(range(len(own)), key=lambda n: times[own[n].paper])))
        found += taken
    return tuple(found)


def write(fault: Fault, recorded: Recorded, folder: Path) -> Path:
    """The paper's folder with a recording in which the mistake was made; everything else as recorded."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        recorded.folder,
        folder,
        ignore=shutil.ignore_patterns("*baseline.json", "regression.json", "scripts.jsonl"),
    )
    agent = "simulation_designer" if fault.stage else "planner"
    lines = []
    for entry in recorded.entries:
        position = entry.get("position") or {}
        mine = position.get("agent") == agent and position.get("stage_id", "") in (fault.stage, "-", "")
        if mine and "answer" in entry and (not fault.stage or entry["answer"].get("design")):
            entry = {**entry, "answer": {**entry["answer"], **fault.answer}}
        lines.append(json.dumps(entry))
    (folder / "transcript.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if fault.text:
        (folder / "paper.md").write_text(fault.text, encoding="utf-8")
    return folder
