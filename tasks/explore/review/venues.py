"""Venues: what each wants of a paper and how its referees judge, as YAML files; a user's own is a path to one."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.explore.record import ExploreRecord
from schemas.explore.reviewing import Venue
from schemas.explore.settings import ExploreSettings
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.paper.building import read_model

FOLDER = Path(__file__).resolve().parent / "rubrics"
_MOST = 100_000


def venue_names() -> tuple[str, ...]:
    """Those that come with ReproLab."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def load_venue(name: str) -> Venue:
    """The venue of that name, or of a YAML file at that path. Raises InputError."""
    path = FOLDER / f"{name}.yaml" if name in venue_names() else Path(name).expanduser()
    if name not in venue_names() and path.suffix not in (".yaml", ".yml"):
        raise InputError(
            "there is no such venue",
            found=name,
            allowed=f"{', '.join(venue_names())}, or a path to a YAML file",
            fix="correct the setting venue",
        )
    try:
        found = yaml.safe_load(read_below(path.parent, path.name, _MOST, one_name=False))
        return Venue.model_validate(found)
    except (Unopened, yaml.YAMLError, ValidationError, RecursionError, ValueError) as error:
        raise InputError(
            f"the venue {name!r} does not fit",
            found=" ".join(str(error).split())[:500],
            allowed="the keys of tasks/explore/review/rubrics/generic.yaml",
            fix="correct the file",
        ) from None


def settings_of(run_dir: Path) -> ExploreSettings:
    """The settings of a run; the usual ones where the folder has no record."""
    path = run_dir / "run.json"
    return read_model(path, ExploreRecord).settings if path.is_file() else ExploreSettings()
