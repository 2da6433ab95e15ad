"""What a bundle is: its files, their digests in `manifest.lock`, and the digest by which a reader knows it as a whole."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from schemas.base import Model, digest
from schemas.reading.beneath import Unopened, parts_of

License = Literal["MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0", "CC-BY-4.0"]
LICENSES: tuple[License, ...] = ("MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0", "CC-BY-4.0")
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

MANIFEST = "manifest.lock"
EXECUTABLE = "reproduce.sh"


def _inside(path: str) -> str:
    try:
        if "/".join(parts_of(path)) != path:
            raise Unopened("is not written in its plain form")
    except Unopened as error:
        raise ValueError(f"{path!r} {error}") from None
    return path


class BundleFile(Model):
    """One file. path: relative, parts joined by /; size in bytes."""

    path: str = Field(max_length=400)
    sha256: Sha256
    size: int = Field(ge=0)

    _plain = field_validator("path")(_inside)


def bundle_sha256(files: tuple[BundleFile, ...]) -> str:
    """The bundle's digest: sha256 of the canonical JSON of {path, sha256, size} of every file, by path.

    Nothing else counts: no modes, no times, no order of a file system.
    """
    return digest([file.model_dump(mode="json") for file in sorted(files, key=lambda file: file.path)])


class ManifestLock(Model):
    """`manifest.lock`: every file of the bundle but itself, and the digest by which a reader knows it."""

    format: Literal["reprolab-bundle/1"] = "reprolab-bundle/1"
    title: str = ""
    license: License | None = Field("MIT", description="None: its maker has not chosen one yet")
    bundle_sha256: Sha256
    files: tuple[BundleFile, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_what_it_says(self) -> ManifestLock:
        paths = [file.path for file in self.files]
        if len(set(paths)) != len(paths) or MANIFEST in paths:
            raise ValueError("a path appears twice, or the manifest lists itself")
        folders = {"/".join(path.split("/")[:n]) for path in paths for n in range(1, path.count("/") + 1)}
        if both := sorted(folders & set(paths)):
            raise ValueError(f"{both[0]!r} is a file and a folder")
        if (found := bundle_sha256(self.files)) != self.bundle_sha256:
            raise ValueError(f"bundle_sha256 is {self.bundle_sha256}, but the files listed give {found}")
        return self

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)
