"""The files that mirror a reproduction's state, for people."""

from __future__ import annotations

import json
from pathlib import Path

from schemas.reproduce.state import ReproState
from tasks.files.artifacts import plain, save_artifact
from tasks.files.store import atomic_write


def save_artifacts(run_dir: Path, state: ReproState) -> None:
    """The artifacts that mirror the state: plan, assumptions, progress, metrics, prompt adaptations."""
    save_artifact(run_dir, "plan", state.plan)
    save_artifact(run_dir, "assumptions", state.assumptions)
    save_artifact(
        run_dir,
        "progress",
        {
            "stages": state.progress,
            "counters": state.counters,
            "validation_hierarchy": state.hierarchy,
            "user_interactions": state.user_interactions,
            "discrepancies": state.discrepancies,
        },
    )
    save_artifact(
        run_dir,
        "metrics",
        {
            "calls": state.metrics,
            "runtime_used_s": state.runtime_used_s,
            "prompt_adaptations_count": len(state.prompt_adaptations or ()),
        },
    )
    save_adaptations(run_dir, state)


def save_adaptations(run_dir: Path, state: ReproState) -> None:
    """What became of the prompt adaptor's proposals: as artifact, and under the specification's own name."""
    content = {"analysis": state.adaptation_analysis, "adaptations": state.prompt_adaptations}
    save_artifact(run_dir, "prompt_adaptations", content)
    atomic_write(
        run_dir / f"prompt_adaptations_{state.paper_id}.json",
        json.dumps(plain(content), indent=1, ensure_ascii=False),
    )
