"""The studies that come with ReproLab: their input, recordings, and what is known of their results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from schemas.errors import InputError
from schemas.study.settings import StudySettings
from tasks.study.inputs.input_files import DATA_KINDS, TEXT_KINDS, kind_of
from tasks.study.statistics import Plan

STUDIES = Path(__file__).resolve().parents[2] / "studies"
RECORDING, SETTINGS = "transcript.jsonl", "settings.json"
_NO_INPUT = ("README.md", "expected.json", RECORDING, SETTINGS)


def bundled_ids() -> tuple[str, ...]:
    """Names of the bundled studies."""
    return tuple(
        sorted(
            path.name for path in STUDIES.iterdir() if path.is_dir() and not path.name.startswith(("_", "."))
        )
    )


def input_of(study: str) -> Path:
    """The data file or question of a bundled study. Raises InputError for another name."""
    if study not in bundled_ids():
        raise InputError("there is no such bundled study", found=study, allowed=", ".join(bundled_ids()))
    files = [path for path in (STUDIES / study).iterdir() if path.name not in _NO_INPUT]
    [path] = [path for path in files if kind_of(path) in DATA_KINDS] or [
        path for path in files if kind_of(path) in TEXT_KINDS
    ]
    return path


def study_input(given: str) -> Path:
    """What is studied: the input of a bundled study by its name, or a path. Raises InputError."""
    if given in bundled_ids():
        return input_of(given)
    path = Path(given).expanduser()
    if not path.exists():
        raise InputError(
            "there is no such input",
            found=given,
            allowed="a text file with a topic or question, a data file or "
            f"folder, or a bundled study: {', '.join(bundled_ids())}",
            fix="write the question into a file such as question.txt, and name it",
        )
    return path.parent.resolve() / path.name if path.name else path.resolve()


def study_id_of(given: str) -> str:
    """A short name for folders: the bundled study's, or made of the input's."""
    found = re.sub(
        r"[^a-z0-9]+",
        "-",
        (given if given in bundled_ids() else Path(given).expanduser().resolve().stem).lower(),
    )
    return found.strip("-")[:38].rstrip("-") or "study"


def recording_of(source: Path) -> Path | None:
    """The recording beside an input file; None where there is none. A folder of data has none of its own."""
    found = source.parent / RECORDING
    return found if source.is_file() and found.is_file() and found != source else None


def recorded_studies() -> tuple[str, ...]:
    """Names of those that can be replayed without a key."""
    return tuple(name for name in bundled_ids() if (STUDIES / name / RECORDING).is_file())


def settings_of_study(given: str) -> StudySettings:
    """The settings a bundled study was recorded with; the defaults for any other."""
    path = STUDIES / given / SETTINGS
    if given not in bundled_ids() or not path.is_file():
        return StudySettings()
    return StudySettings.model_validate_json(path.read_text(encoding="utf-8"))


def expected_of(study: str) -> tuple[list[Plan], list[dict[str, Any]]]:
    """Tests with known results: what is tested, and statistic, degrees of freedom, p, effect, coefficients; their source is
    in the file."""
    found = json.loads((STUDIES / study / "expected.json").read_text(encoding="utf-8"))["tests"]
    plans = [
        Plan(
            id=item["id"],
            relation=item["relation"],
            outcome=item["outcome"],
            predictors=tuple(item["predictors"]),
            kinds=item["kinds"],
        )
        for item in found
    ]
    return plans, found
