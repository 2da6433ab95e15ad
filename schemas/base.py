"""The base model, canonical JSON, digests, and references to files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Identifier = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$", description="letters, digits, _ . -")
]


class Model(BaseModel):
    """Frozen, closed pydantic model; every schema of ReproLab derives from it."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, ser_json_inf_nan="constants"
    )


def canonical_json(value: Any) -> str:
    """One text for one value: sorted keys, no spaces. Models are dumped in JSON mode."""

    def plain(item: Any) -> Any:
        if isinstance(item, BaseModel):
            return item.model_dump(mode="json")
        if isinstance(item, (set, frozenset)):
            return sorted(item)
        if isinstance(item, Path):
            return str(item)
        raise TypeError(f"{type(item).__name__} has no canonical JSON")

    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=plain)


def digest(value: Any, length: int = 64) -> str:
    """sha256 of the canonical JSON of `value`, the first `length` hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:length]


def file_sha256(path: Path) -> str:
    """sha256 of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


class FileRef(Model):
    """A file of a run: path relative to the run's directory, with what is needed to notice a change."""

    path: str
    sha256: str
    bytes: int
    media_type: str = "application/octet-stream"

    @classmethod
    def of(cls, path: Path, root: Path, media_type: str | None = None) -> FileRef:
        """Reference to `path`, which must lie below `root`."""
        kinds = {
            ".csv": "text/csv",
            ".png": "image/png",
            ".json": "application/json",
            ".md": "text/markdown",
            ".npz": "application/x-npz",
            ".py": "text/x-python",
            ".html": "text/html",
            ".txt": "text/plain",
            ".jsonl": "application/x-ndjson",
        }
        return cls(
            path=str(path.resolve().relative_to(root.resolve())),
            sha256=file_sha256(path),
            bytes=path.stat().st_size,
            media_type=media_type or kinds.get(path.suffix, "application/octet-stream"),
        )
