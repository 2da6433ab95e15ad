"""Putting a bundle together: what no bundle may hold, files with modes of their own, and the manifest that locks them."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from schemas.base import canonical_json
from schemas.bundle import EXECUTABLE, MANIFEST, BundleFile, License, ManifestLock, bundle_sha256
from schemas.errors import InputError
from schemas.text.visible import visible
from tasks.bundle.patterns import denied, holds_private_key
from tasks.files.store import exchange, remove_tree

MOST_FILES, MOST_FILE_BYTES, MOST_BYTES = 5_000, 200 << 20, 500 << 20
MOST_PATH_BYTES = 240


def bad_name(path: str) -> str:
    """Why no bundle holds a file of that name, whatever is in it; '' for one that may be there."""
    if pattern := denied(path):
        return f"never published: {pattern}"
    if not path.isprintable() or "\\" in path or len(path.encode("utf-8", "surrogatepass")) > MOST_PATH_BYTES:
        return f"its path is no printable text of at most {MOST_PATH_BYTES} bytes without \\"
    return ""


def bad_content(content: bytes) -> str:
    """Why no bundle holds such a content; '' for one that may be there."""
    return "it holds a private key" if holds_private_key(content) else ""


def write_member(folder: Path, path: str, content: bytes) -> None:
    """A new file below `folder`, which nothing stood at; its mode depends on its name alone."""
    target = folder / path
    for parent in reversed(target.relative_to(folder).parents[:-1]):
        (folder / parent).mkdir(mode=0o755, exist_ok=True)
    with target.open("xb") as stream:
        stream.write(content)
    target.chmod(0o755 if path == EXECUTABLE else 0o644)


def entry(path: str, content: bytes) -> BundleFile:
    """A file's line in the manifest."""
    return BundleFile(path=path, sha256=hashlib.sha256(content).hexdigest(), size=len(content))


def lock(draft: Path, files: Sequence[BundleFile], title: str, license: License | None) -> ManifestLock:
    """Write manifest.lock for the files that stand in `draft`, given in any order."""
    ordered = tuple(sorted(files, key=lambda file: file.path))
    made = ManifestLock(title=title, license=license, bundle_sha256=bundle_sha256(ordered), files=ordered)
    write_member(draft, MANIFEST, manifest_text(made).encode())
    draft.chmod(0o755)
    return made


def manifest_text(made: ManifestLock) -> str:
    """manifest.lock as it is written."""
    return canonical_json(made) + "\n"


def put(draft: Path, target: Path) -> None:
    """A finished draft takes the place of what stood at `target`, in one step."""
    if target.is_symlink() or target.is_file():
        target.unlink()
    if target.exists():
        exchange(draft, target)
    else:
        draft.rename(target)


def write_bundle(
    target: Path, files: Mapping[str, bytes], title: str, license: License | None
) -> ManifestLock:
    """The folder `target` with these files and their manifest, and nothing else; replaced in one step.

    Raises InputError naming a file that no bundle may hold, and where there are too many or too large ones.
    """
    size = sum(map(len, files.values()))
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise InputError(
            "this is more than a bundle holds",
            found=f"{len(files)} files, {size >> 20} MB",
            allowed=f"{MOST_FILES} files, {MOST_BYTES >> 20} MB",
        )
    for path, content in files.items():
        if why := bad_name(path) or bad_content(content):
            raise InputError("a file may be in no bundle", found=f"{visible(path, 200)}: {why}")
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=target.parent, prefix=".bundle-"))
    try:
        for path in sorted(files):
            write_member(draft, path, files[path])
        made = lock(draft, [entry(path, content) for path, content in files.items()], title, license)
        put(draft, target)
    finally:
        remove_tree(draft)
    return made
