"""The goals that come with ReproLab, and their recordings."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import InputError
from schemas.explore.settings import ExploreSettings

SETTINGS = "settings.json"
GOALS = Path(__file__).resolve().parents[2] / "goals"
RECORDING = "transcript.jsonl"


def bundled_goals() -> tuple[str, ...]:
    """Their names."""
    return tuple(sorted(path.parent.name for path in GOALS.glob("*/goal.md")))


def recorded_goals() -> tuple[str, ...]:
    """Names of those that can be replayed without a key."""
    return tuple(name for name in bundled_goals() if (GOALS / name / RECORDING).is_file())


def goal_folder(given: str) -> Path:
    """The goal.md or folder that is meant: a bundled goal's name, or a path. Raises InputError."""
    if given in bundled_goals():
        return GOALS / given
    path = Path(given).expanduser()
    if not path.exists():
        raise InputError(
            "there is no such goal",
            found=given,
            allowed=f"a goal.md, a folder with one, or: {', '.join(bundled_goals())}",
            fix="write three lines into goal.md: what is sought, of what, and what a good result is",
        )
    return path.resolve()


def recording_of(goal: Path) -> Path | None:
    """The recording beside a goal; None where there is none."""
    found = (goal if goal.is_dir() else goal.parent) / RECORDING
    return found if found.is_file() else None


def settings_of_goal(given: str) -> ExploreSettings:
    """The settings a bundled goal was recorded with; the defaults for any other."""
    path = GOALS / given / SETTINGS
    if given not in bundled_goals() or not path.is_file():
        return ExploreSettings()
    return ExploreSettings.model_validate_json(path.read_text(encoding="utf-8"))
