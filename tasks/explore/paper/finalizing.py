"""finalize_paper: availability, digest and reference from the bundle's lock, injected by building the paper again."""

from __future__ import annotations

from pathlib import Path

from schemas.bundle import MANIFEST, ManifestLock
from schemas.errors import InputError, StateError
from schemas.explore.bundle import PublishRecord
from schemas.explore.paper import Availability, CompiledPaper, PaperSource
from schemas.explore.reviewing import Venue
from tasks.explore.paper.building import SOURCE, build_paper, read_model

PUBLISHED, RECORD = "ear_published", "publish_record.json"


def availability_of(run_dir: Path) -> Availability:
    """From manifest.lock and, where it was published, publish_record.json. Raises StateError if they are of two bundles."""
    path = run_dir / PUBLISHED / MANIFEST
    if not path.is_file():
        raise InputError("there is no curated bundle", found=str(path), fix="run ear_curate first")
    lock = read_model(path, ManifestLock)
    if not (run_dir / RECORD).is_file():
        return Availability(digest=lock.bundle_sha256, files=len(lock.files))
    record = read_model(run_dir / RECORD, PublishRecord)
    if record.bundle_sha256 != lock.bundle_sha256:
        raise StateError(
            "the published bundle is not the curated one",
            found=record.bundle_sha256,
            allowed=lock.bundle_sha256,
            fix="run ear_publish again",
        )
    return Availability(ref=record.ref, digest=lock.bundle_sha256, doi=record.doi, files=len(lock.files))


def finalize_paper(run_dir: Path, venue: Venue, *, allow_degraded: bool = False) -> CompiledPaper:
    """Build the paper with its section on code and data; done twice, the same."""
    source = read_model(run_dir / SOURCE, PaperSource)
    return build_paper(
        run_dir,
        source.model_copy(update={"availability": availability_of(run_dir)}),
        venue,
        allow_degraded=allow_degraded,
    )
