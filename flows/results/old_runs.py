"""Old runs cleared away: what would go is listed first, and only what nobody works on, waits for or builds upon goes."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from flows.results.files_below import size_of
from flows.results.kept_runs import AT_WORK, ENDED, UNREADABLE, WAITS, KeptRun
from flows.run.opening import name_latest
from flows.run.records import RECORD, run_lock
from schemas.errors import InputError
from tasks.files.store import remove_tree

_AGE = re.compile(r"([0-9]{1,5})(h|d|w)")
_SECONDS = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}
TELLS = ("paper", "report_data", "report_images", "artifacts", "package", "checkpoints")
"""Folders that stay with a report; files of the run's own folder stay too. Of checkpoints the newest snapshot."""


def age_of(text: str) -> float:
    """Seconds of `90d`, `12w`, `48h`. Raises InputError."""
    found = _AGE.fullmatch(text.strip())
    if not found or int(found[1]) == 0:
        raise InputError(
            "no such age", found=repr(text[:40]), allowed="a number with h, d or w: 48h, 90d, 12w"
        )
    return int(found[1]) * _SECONDS[found[2]]


@dataclass(frozen=True)
class Old:
    """An old run. goes: folders and files that are removed, the run's own folder where all of it goes; stays: why nothing does."""

    run: KeptRun
    ended: float
    goes: tuple[Path, ...]
    bytes: int
    stays: str = ""


def old_runs(
    runs: Iterable[KeptRun], older_s: float, *, keep_reports: bool = False, unfinished: bool = False
) -> list[Old]:
    """Runs that nothing was written in for so long, the oldest first."""
    known = list(runs)
    now = time.time()
    old = {run.run_id: (run, ended) for run in known if now - (ended := _last_written(run.folder)) > older_s}
    reasons = {name: _stays(run, unfinished) for name, (run, _) in old.items()}
    going = {name for name, why in reasons.items() if not why}
    there = {run.run_id for run in known}
    found = []
    for name, (run, ended) in old.items():
        why = reasons[name]
        if not why and not keep_reports and run.part_of in there - going:
            why = f"part of {run.part_of}, which stays"
        goes = () if why else (_computed_with(run.folder) if keep_reports else (run.folder,))
        found.append(Old(run, ended, goes, sum(_size(path) for path in goes), why))
    return sorted((each for each in found if each.goes or each.stays), key=lambda each: each.ended)


def _stays(run: KeptRun, unfinished: bool) -> str:
    if run.standing in (AT_WORK, WAITS):
        return run.standing
    if run.standing == UNREADABLE:
        return "its record cannot be read: look at it yourself"
    return "" if run.standing == ENDED or unfinished else "not finished (--unfinished)"


def _last_written(folder: Path) -> float:
    """When a file of a run's folder, or a snapshot, was last written. Its lock and folders do not count: clearing changes both."""
    found = 0.0
    for where in (folder, folder / "checkpoints"):
        with suppress(OSError):
            for entry in os.scandir(where):
                if entry.name != ".lock" and entry.is_file(follow_symlinks=False):
                    found = max(found, entry.stat(follow_symlinks=False).st_mtime)
    return found or time.time()


def _computed_with(folder: Path) -> tuple[Path, ...]:
    """What a report can do without: folders of stages, nodes and programs, earlier courses, all snapshots but the newest."""
    found: list[Path] = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if not entry.is_dir(follow_symlinks=False) or entry.name in TELLS:
            continue
        inside = Path(entry.path)
        if (inside / "artifacts").is_dir():  # a study's project: its package stays
            found += [path for path in sorted(inside.iterdir()) if path.is_dir() and path.name not in TELLS]
        else:
            found.append(inside)
    snapshots = sorted(
        (path for path in (folder / "checkpoints").glob("*.json") if stat.S_ISREG(path.lstat().st_mode)),
        key=lambda path: path.stat().st_mtime,
    )
    return (*found, *snapshots[:-1])


def _size(path: Path) -> int:
    return size_of(path) if path.is_dir() and not path.is_symlink() else path.lstat().st_size


def remove(outputs: Path, old: Old) -> str:
    """Remove what goes; '' where all is gone, else why not. A killed removal leaves whole runs or runs without parts, no half files."""
    folder, aside = old.run.folder, outputs / ".reprolab" / "removed"
    try:
        with run_lock(folder):
            for path in old.goes:
                aside.mkdir(mode=0o700, parents=True, exist_ok=True)
                if path.is_symlink() or not path.is_dir():
                    path.unlink()
                else:
                    path.rename(aside / os.urandom(8).hex())
            _without_dangling_links(folder / "checkpoints")
    except (InputError, OSError) as error:
        return error.what if isinstance(error, InputError) else f"{error.strerror}: {error.filename}"
    finally:
        remove_tree(aside)  # with what a killed removal left there
    if folder in old.goes:
        _renew_latest(folder.parent)
    return "" if not aside.exists() else f"a part of it could not be removed: {aside}"


def _without_dangling_links(folder: Path) -> None:
    for path in folder.glob("*.json") if folder.is_dir() else ():
        if path.is_symlink() and not path.exists():
            path.unlink()


def _renew_latest(subject: Path) -> None:
    latest = subject / "latest"
    if not latest.is_symlink() or latest.exists():
        return
    left = sorted(
        (path.parent for path in subject.glob(f"*/{RECORD}") if not path.parent.is_symlink()),
        key=lambda folder: (folder / RECORD).stat().st_mtime,
    )
    if left:
        name_latest(left[-1])
        return
    latest.unlink()
    with suppress(OSError):  # a folder with something else in it stays
        subject.rmdir()
