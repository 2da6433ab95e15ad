"""`python -m benchmarks.tokens`: model calls and characters of every bundled paper by stage, with today's prompts.

A paper is replayed, and what each agent would be told is added up: rules, prompt, answer schema, context and the paper's
text where the agent reads it (about four characters are a token). Pictures are not counted. Judges who are not asked where code
finds nothing to judge are left out of the replayed recording: what a live run of today asks is counted, and what was recorded
beside it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from agents.reproduce.registry import AGENTS
from agents.reproduce.supervisor import CONCLUSIONS
from agents.talking.agent import build_request
from benchmarks.command import Command
from benchmarks.run import replaced
from schemas.reproduce.settings import RunSettings
from schemas.talking.transcript import Position
from tasks.reproduce.papers import BUNDLED, bundled_ids, load_paper

EARLIER = "before described simulations: 33 to 57 calls and 0.8 to 1.5 million characters a paper"
MARKS = ("<!-- tokens: begin -->", "<!-- tokens: end -->")
JUDGES = (
    "execution_validator",
    "physics_sanity",
)  # asked where code found something (flows/reproduce/judging/checking.py)


@dataclass
class Stage:
    """Calls and characters of a stage; '-' stands for planning, 'report' for the conclusions."""

    calls: int = 0
    asked: int = 0
    answered: int = 0
    agents: Counter[str] = field(default_factory=Counter)

    def add(self, entry: dict[str, Any], paper: int) -> None:
        """Count a call of a transcript. paper: characters of the paper's text, which a request does not repeat."""
        agent = entry["position"]["agent"]
        characters = sum(len(part["title"]) + len(part["text"]) for part in entry["request"]["context"])
        characters += always(agent, entry["prompt_id"])
        characters += paper if set(AGENTS[agent].crew.stable) & set(AGENTS[agent].context) else 0
        self.calls += 1
        self.asked += characters
        self.answered += len(json.dumps(entry["answer"], ensure_ascii=False))
        self.agents[agent] += characters


def main() -> int:
    """Replay each paper and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tokens", description=__doc__)
    parser.add_argument("--paper", action="append", help="bundled id; all that have a recording by default")
    parser.add_argument(
        "--run", type=Path, action="append", help="a finished run's folder, instead of replaying"
    )
    parser.add_argument(
        "--outputs", type=Path, help="keep the replays here; simulations solved there are used again"
    )
    parser.add_argument("--agents", action="store_true", help="characters of each agent as well")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/benchmarks.md")
    options = parser.parse_args()
    found = {folder.parent.name: used(folder) for folder in options.run or ()}
    recorded = [name for name in bundled_ids() if (BUNDLED / name / "transcript.jsonl").is_file()]
    for paper in () if options.run else options.paper or recorded:
        found[paper] = replayed(paper, options.outputs)
    text = table(found)
    print(text)
    if options.agents:
        print(
            "\n"
            + "\n".join(
                f"{name}: {count}"
                for name, count in sum(
                    (stage.agents for stages in found.values() for stage in stages.values()), Counter[str]()
                ).most_common()
            )
        )
    if options.write:
        replaced(text, MARKS)
    return 0


def replayed(paper: str, outputs: Path | None) -> dict[str, Stage]:
    """What a run of a bundled paper asks and answers today, with the answers of its recording."""
    scratch = Path(tempfile.mkdtemp(prefix="reprolab-tokens-"))
    try:
        folder, kept = scratch / "paper", (outputs or scratch / "outputs").resolve()
        shutil.copytree(BUNDLED / paper, folder)
        lines = (folder / "transcript.jsonl").read_text(encoding="utf-8").splitlines()
        left = [line for line in lines if json.loads(line).get("position", {}).get("agent") not in JUDGES]
        (folder / "transcript.jsonl").write_text("\n".join(left) + "\n", encoding="utf-8")
        with Command(("reproduce", str(folder), "--outputs", str(kept))) as run:
            run.finish()
        done = (kept / paper / "latest").resolve()
        return with_judges(used(done), done, lines)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def with_judges(stages: dict[str, Stage], run_dir: Path, recorded: list[str]) -> dict[str, Stage]:
    """The judges a live run would have asked, with what they were told when it was recorded."""
    progress = json.loads((run_dir / "_artifact_progress.json").read_text(encoding="utf-8"))["stages"]
    silent = {(entry["stage_id"], agent) for entry in progress for agent in entry["not_asked"]}
    for line in recorded:
        entry = json.loads(line)
        position = entry.get("position", {})
        if position.get("agent") in JUDGES and (position.get("stage_id"), position["agent"]) not in silent:
            stages[position["stage_id"]].add(entry, 0)
    return stages


def used(run_dir: Path) -> dict[str, Stage]:
    """Stage id -> calls and characters of a finished run."""
    lines = (run_dir / "transcript.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    record = json.loads((run_dir / "run.json").read_text(encoding="utf-8"))
    paper, _ = load_paper(Path(record["paper"]))
    told = len(paper.text) + len(paper.supplementary_text or "")
    found: dict[str, Stage] = defaultdict(Stage)
    for line in lines:
        entry = json.loads(line)
        if entry.get("kind", "call") != "call":
            continue
        found[entry["position"].get("stage_id", "-")].add(entry, told)
    return found


@cache
def always(agent: str, prompt: str) -> int:
    """Characters of what every request of an agent holds: rules, prompt and the schema of its answer."""
    kind = CONCLUSIONS if prompt == CONCLUSIONS.prompt else AGENTS[agent]
    position = Position.model_validate({"agent": agent})
    request = build_request(kind, {}, position=position, adaptations=(), settings=RunSettings())
    return sum(len(part.text) for part in request.system) + len(json.dumps(request.answer_schema))


def table(papers: dict[str, dict[str, Stage]]) -> str:
    """A Markdown table of all stages, with a line in all for each paper."""
    lines = ["| paper | stage | calls | asked, thousand characters | answered |", "|---|---|--:|--:|--:|"]
    for paper, stages in papers.items():
        for name, stage in stages.items():
            label = {"-": "planning", "report": "conclusions"}.get(name, name)
            lines.append(
                f"| {paper} | {label} | {stage.calls} | {stage.asked / 1000:.0f} | {stage.answered / 1000:.0f} |"
            )
        calls, asked, answered = (
            sum(getattr(stage, name) for stage in stages.values()) for name in ("calls", "asked", "answered")
        )
        lines.append(
            f"| **{paper}** | **in all** | **{calls}** | **{asked / 1000:.0f}** | **{answered / 1000:.0f}** |"
        )
    return "\n".join([*lines, "", f"Earlier, {EARLIER}."])


if __name__ == "__main__":
    raise SystemExit(main())
