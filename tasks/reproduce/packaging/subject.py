"""What a package is made from, and the papers of it that code writes anew: inputs, materials, data of the paper, README."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schemas.bundle import License
from schemas.reproduce.handed_pattern import PatternFile
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.simulations.asked import FILE as ASKED
from schemas.reproduce.simulations.asked import Asked
from tasks.reproduce.describing.folder import CODE, MATERIALS, PARAMETERS, PATTERNS


@dataclass(frozen=True)
class Described:
    """A described stage: what `reprolab solve` reads. ended: when the stage was complete, ISO 8601. patterns: by name, with their files."""

    stage_id: str
    name: str
    code: str
    parameters: tuple[Mapping[str, Any], ...]
    materials: Mapping[str, Any]
    asked: Asked
    ended: str
    patterns: Mapping[str, tuple[PatternFile, bytes]] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        """Path in the package -> bytes."""
        drawn = {
            name: (pattern.model_copy(update={"file": f"patterns/{name}{Path(pattern.file).suffix}"}), raw)
            for name, (pattern, raw) in self.patterns.items()
        }
        entries = {name: pattern.model_dump(mode="json") for name, (pattern, _) in drawn.items()}
        return {
            **({f"{self.stage_id}/{PATTERNS}": as_json(entries)} if entries else {}),
            **{f"{self.stage_id}/{pattern.file}": raw for pattern, raw in drawn.values()},
            f"{self.stage_id}/{CODE}": self.code.encode(),
            f"{self.stage_id}/{PARAMETERS}": as_json([dict(entry) for entry in self.parameters]),
            f"{self.stage_id}/{MATERIALS}": as_json(dict(self.materials)),
            f"{self.stage_id}/{ASKED}": as_json(self.asked.model_dump(mode="json")),
        }


@dataclass(frozen=True)
class Subject:
    """A finished run. ended: its last checkpoint, ISO 8601. environment: versions and digests of code, as its record has them.

    not_again: stage id -> why its numbers cannot be solved again from the package. answered: who answered the agents.
    """

    run_id: str
    paper: PaperInput
    verdict: str
    reason: str
    started: str
    ended: str
    described: tuple[Described, ...]
    not_again: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    answered: str = ""
    meep: str = ""
    license: License | None = None

    @property
    def title(self) -> str:
        """Of the package."""
        return f"Reproduction of: {self.paper.title}"


def paper_entry(paper: PaperInput, used: frozenset[str]) -> bytes:
    """paper/paper.json of a package: who the paper is, and of its data files that were compared what is known of their errors.

    Its words, captions and pictures are its publisher's and are not in it.
    """
    figures = [
        {
            "figure_id": figure.figure_id,
            "caption": "",
            "data": [data.model_dump(mode="json") for data in figure.data if data.file in used],
        }
        for figure in paper.figures
        if any(data.file in used for data in figure.data)
    ]
    return as_json(
        {
            "paper_id": paper.paper_id,
            "title": paper.title,
            "citation": paper.citation,
            "domain": paper.domain,
            "figures": figures,
        }
    )


def readme(subject: Subject, left_out: Mapping[str, str]) -> bytes:
    """What the package is, how it is solved again, what is not in it."""
    stages = "\n".join(
        f"| `{stage.stage_id}/` | {stage.name} | `reprolab solve {stage.stage_id}` |"
        for stage in subject.described
    )
    others = "\n".join(f"- `{stage}`: {why}" for stage, why in subject.not_again.items())
    missing = "\n".join(f"- `{path}`: {why}" for path, why in sorted(left_out.items()))
    chosen = (
        f"Licence: {subject.license}, for what is not the paper's."
        if subject.license
        else "**No licence was chosen yet.** Choose one before you publish it (`reprolab report RUN --package --license NAME`)."
    )
    text = f"""# {subject.title}

{subject.paper.citation}

{subject.verdict}: {subject.reason}

Run `{subject.run_id}` of ReproLab, {subject.started} to {subject.ended}.

## Solve it again

Meep and ReproLab are needed (`environment.json` has the versions of the run). Nothing else of the run is: in this folder

```
reprolab solve .
```

solves every description anew and says of each number whether it is the package's; exit code 0 if all are. First every file is held
against `{"manifest.lock"}`. One stage alone:

| folder | stage | command |
|---|---|---|
{stages or "| | no stage was described | |"}

{f"Not solved again:{chr(10)}{chr(10)}{others}{chr(10)}" if others else ""}
## What is in it

- `REPRODUCTION_REPORT_{subject.paper.paper_id}.html`, its `APPENDIX_`, `.md`, `_APPENDIX.md`, `report_data/`: the report.
- of each stage: `describe.py`, `parameters.json`, `materials.json`, `asked.json` (what is solved, and how well), `patterns.json` where
  files draw patterns, `runs/` (the data of every
  grid and variant), `study/` (values with their uncertainty in parts), `comparison.json`, `targets.csv`, `plots/`.
- `materials/`: the confirmed optical constants. `paper/`: the data of the paper that results were compared with.
- `ro-crate-metadata.json`: all of it as an RO-Crate (Process Run Crate 0.5). `codecheck.yml`: a draft, without a certificate.

## What is not

The paper's text and figures as files (the report shows figures of it: whether you may pass them on, its licence says), the record of the
agents' calls (`reprolab transcript check` before you share it), Meep's raw arrays (solving writes them again).
{chr(10) + missing + chr(10) if missing else ""}
{chosen}
"""
    return text.encode()


def as_json(value: object) -> bytes:
    """JSON with sorted keys."""
    return (json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()
