"""A person says that a stage has been solved for long enough: no further run of it begins, and it is judged as it is.

The stage's folder holds the key of the study that is solved, and a line with the key of each study of which it was said: a stage that is
designed anew is solved anew, and a run that is gone on with, which comes by its earlier designs, solves nothing more of these.
"""

from __future__ import annotations

from pathlib import Path

from tasks.files.store import atomic_write

SOLVING, _ENOUGH, _MOST_BYTES = "solving", "enough", 100_000


def began_solving(stage: Path, key: str) -> None:
    """The study of that key is solved in this stage's folder from now on."""
    atomic_write(stage / SOLVING, key)


def ended_solving(stage: Path) -> None:
    """Its last run has ended."""
    (stage / SOLVING).unlink(missing_ok=True)


def is_enough(stage: Path) -> bool:
    """Whether somebody said so of the study that is solved now."""
    return bool(key := _read(stage / SOLVING)) and key in _read(stage / _ENOUGH).split()


def say_enough(run_dir: Path) -> list[str]:
    """Say so of every stage of a run that is being solved; their ids."""
    found = []
    for path in sorted(run_dir.glob(f"*/{SOLVING}")):
        if key := _read(path):
            said = path.with_name(_ENOUGH)
            atomic_write(said, "\n".join(dict.fromkeys([*_read(said).split(), key])) + "\n")
            found.append(path.parent.name)
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")[:_MOST_BYTES].strip()
    except (OSError, UnicodeDecodeError):
        return ""
