"""Where a paper is: a bundled one by its id, or a path."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, open_below
from schemas.run.pasted import typed
from schemas.talking.transcript import MAX_TRANSCRIPT_BYTES

BUNDLED = Path(__file__).resolve().parents[3] / "papers"


def bundled_ids() -> tuple[str, ...]:
    """The ids of the bundled papers."""
    return tuple(sorted(path.parent.name for path in BUNDLED.glob("*/paper.json")))


def recording(folder: Path) -> Path | None:
    """The recorded run that stands beside a paper; None where there is none yet. Raises InputError for a link or a device."""
    path = folder / "transcript.jsonl"
    if not path.exists() and not path.is_symlink():
        return None
    try:
        open_below(folder, path.name, MAX_TRANSCRIPT_BYTES, one_name=False).close()
    except Unopened as error:
        raise InputError(
            "the transcript that lies with the paper cannot be used",
            found=f"{path} {error}",
            fix="put the file itself there, or take it away",
        ) from error
    return path


def recorded_ids() -> tuple[str, ...]:
    """The bundled papers that can be replayed."""
    return tuple(name for name in bundled_ids() if recording(BUNDLED / name))


def locate(paper: str) -> Path:
    """The folder or file a user means: a bundled id, or a path."""
    if paper in bundled_ids():
        return BUNDLED / paper
    try:
        path = Path(paper).expanduser()
        found = path.exists()
    except (OSError, ValueError, RuntimeError):  # a name that no file can have
        found = False
    if not found:
        raise InputError(
            "no such paper",
            found=paper[:300],
            allowed="a bundled id ("
            + ", ".join(bundled_ids())
            + "), a folder with paper.json and paper.md, or a JSON file",
            fix=f"`{typed('papers')}` lists the bundled ones; `{typed('papers', 'new', 'FOLDER')}` makes a folder to fill",
        )
    return path.resolve()
