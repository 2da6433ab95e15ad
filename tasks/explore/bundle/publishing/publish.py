"""Packing, staging and, on a person's word, making public."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.explore.bundle import PublishRecord, PublishRules, PublishTarget
from tasks.bundle.archive import pack
from tasks.bundle.clone import verify
from tasks.explore.bundle.publishing.backends import backend_of
from tasks.files.store import atomic_write


def target_of(given: dict[str, Any]) -> PublishTarget:
    """A target from settings. Raises InputError naming the entry."""
    try:
        return PublishTarget.model_validate(
            {key: value for key, value in given.items() if value not in (None, "")}
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(
            f"where to publish: {'.'.join(map(str, first['loc']))} does not fit",
            found=repr(first["input"])[:200],
            allowed=first["msg"],
            fix="backend is local-tarball, registry, zenodo or github",
        ) from None


def publish(
    published: Path, archive: Path, record: Path, target: PublishTarget, rules: PublishRules
) -> PublishRecord:
    """Pack a curated folder into `archive`, stage it at `target`, and write publish_record.json.

    What is staged already with the same digest at the same place is not sent twice. Raises InputError, PrerequisiteError (no
    token) or Refused.
    """
    lock = verify(published)
    sha256, size = pack(published, archive)
    before = read_record(record)
    if before is not None and (before.archive_sha256, before.target) == (sha256, target):
        return before
    done = PublishRecord(
        backend=target.backend,
        target=target,
        bundle_sha256=lock.bundle_sha256,
        archive=archive.name,
        archive_sha256=sha256,
        archive_size=size,
        **backend_of(target).stage(archive, lock, rules),
    )
    atomic_write(record, done.model_dump_json(indent=1))
    return done


def make_public(record: Path) -> PublishRecord:
    """Make public what is staged; call it only after a person agreed. Raises InputError where nothing is staged."""
    staged = read_record(record)
    if staged is None:
        raise InputError("nothing is staged", found=str(record), fix="run the stage ear_publish first")
    if staged.visibility == "public":
        return staged
    done = staged.model_copy(update={**backend_of(staged.target).release(staged), "visibility": "public"})
    atomic_write(record, done.model_dump_json(indent=1))
    return done


def read_record(path: Path) -> PublishRecord | None:
    """publish_record.json, or None where none fits."""
    try:
        return PublishRecord.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None
