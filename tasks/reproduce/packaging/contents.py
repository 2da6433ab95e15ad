"""Which files of a run's folder are packed, and that none of them names this computer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from tasks.bundle.members import MOST_FILE_BYTES, bad_content, bad_name
from tasks.bundle.patterns import matches

# Of a stage's folder; `code.py` of a described stage is its describe.py.
_OF_STAGE = (
    "comparison.json",
    "targets.csv",
    "looks.json",
    "executions.json",
    "design.json",
    "runs/**",
    "plots/**",
    "study/**",
)
_OF_RUN = (
    "REPRODUCTION_REPORT_*",
    "APPENDIX_REPRODUCTION_REPORT_*",
    "COMMENT_*",
    "report_data/**",
    "report_images/**",
    "materials/**",
)
_TEXT = (".md", ".html", ".csv", ".json", ".py", ".txt", ".svg", ".yml")
_REWORDED = (
    "REPRODUCTION_REPORT_*",
    "APPENDIX_REPRODUCTION_REPORT_*",
    "report_data/**",
    "*/executions.json",
)  # nothing names these by a digest


def run_files(
    run_dir: Path,
    stages: Iterable[str],
    scripted: Iterable[str],
    names: Mapping[str, str],
    secrets: Callable[[str], tuple[str, ...]],
) -> tuple[dict[str, bytes], dict[str, str]]:
    """(path -> bytes, path -> why it is left out) of a run.

    scripted: stages whose code.py is a free script. names: path of this computer -> the word that stands for it in the report and
    in logs; a data file that holds one is left out, as its digest is stated elsewhere. secrets: what looks like one in a text.
    Raises InputError where a file holds a secret.
    """
    wanted = [
        *_OF_RUN,
        *(f"{stage}/{pattern}" for stage in stages for pattern in _OF_STAGE),
        *(f"{stage}/code.py" for stage in scripted),
    ]
    files: dict[str, bytes] = {}
    left_out: dict[str, str] = {}
    for path in _below(run_dir):
        if not any(matches(path, pattern) for pattern in wanted):
            continue
        if why := bad_name(path):
            left_out[path] = why
            continue
        try:
            content = read_below(run_dir, path, MOST_FILE_BYTES, one_name=False)
        except Unopened as error:
            left_out[path] = f"it {error}"
            continue
        if why := bad_content(content):
            left_out[path] = why
            continue
        told = _told(path, content, names)
        if told is None:
            left_out[path] = "it names a folder of the computer it was made on"
            continue
        if path.endswith(_TEXT) and (found := secrets(told.decode("utf-8", "replace"))):
            raise InputError(
                "a file of the run holds what looks like a secret; nothing was packed",
                found=f"{path}: {'; '.join(found)}",
                fix="take it out of the run's file, and revoke a key that was shared",
            )
        files[path] = told
    return files, left_out


def _told(path: str, content: bytes, names: Mapping[str, str]) -> bytes | None:
    """The file without paths of this computer; None where one stands in a file that may not be changed."""
    if not path.endswith(_TEXT):
        return content
    told = content
    for place in sorted(names, key=len, reverse=True):
        told = re.sub(
            rb"(?<![\w./-])" + re.escape(place.encode()) + rb"(?![\w-])", names[place].encode(), told
        )
    if told == content or any(matches(path, pattern) for pattern in _REWORDED):
        return told
    return None


def _below(folder: Path) -> Iterator[str]:
    """Every file below a folder, in the order of its path; links lead nowhere."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix()
