"""results.json: rewritten atomically after every addition, complete only when the script reached its end."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from simkit.errors import DatasetError

SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]{0,63}")
RESERVED_FILES = frozenset(
    {"results.json", "progress.jsonl", "params.json", "simulation.py", "field_history.csv"}
)


def safe_name(name: object, what: str) -> str:
    """Return name when it is safe as a file and column name; raises DatasetError otherwise."""
    if not isinstance(name, str) or not SAFE_NAME.fullmatch(name) or ".." in name:
        raise DatasetError(
            f"{what} {name!r} is not a safe name. Allowed: 1-64 letters, digits, '_', '-', '.', starting with a letter"
            " or digit. Rename it."
        )
    return name


def write_atomically(path: Path, text: str) -> None:
    """Write text so that a reader sees the old or the new file, never half of one."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(temporary, path)


class Manifest:
    """The growing results.json. Only the master process of an MPI run writes (`writer`)."""

    def __init__(self, folder: Path, meep: str, parameters: dict[str, Any], writer: bool = True) -> None:
        self.folder, self.writer = folder, writer
        self.content: dict[str, Any] = {
            "simkit": 1,
            "meep": meep,
            "complete": False,
            "parameters": parameters,
            "datasets": [],
            "simulations": [],
            "checks": [],
            "pictures": [],
        }
        self.save()

    def add(self, section: str, entry: dict[str, Any]) -> None:
        """Append to a section and save."""
        self.content[section].append(entry)
        self.save()

    def new_file(self, stem: str, suffix: str) -> str:
        """A safe file name not yet used by a dataset or picture."""
        name = safe_name(stem, "id") + suffix
        used = {entry["file"] for section in ("datasets", "pictures") for entry in self.content[section]}
        if name in used or name in RESERVED_FILES:
            raise DatasetError(
                f"file {name!r} already exists in this run. Used: {sorted(used)}. Choose another id."
            )
        return name

    def check_new_id(self, dataset: str) -> None:
        """Refuse a repeated dataset id."""
        used = [entry["id"] for entry in self.content["datasets"]]
        if safe_name(dataset, "dataset id") in used:
            raise DatasetError(f"dataset id {dataset!r} was already saved. Used: {used}. Choose another id.")

    def save(self) -> None:
        """Rewrite results.json."""
        if self.writer:
            write_atomically(
                self.folder / "results.json", json.dumps(self.content, indent=1, allow_nan=False) + "\n"
            )
