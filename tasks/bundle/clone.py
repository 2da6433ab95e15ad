"""Fetching a published bundle: from a folder, a file or an address, unpacked aside, its digest checked, then put in place."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx

from schemas.bundle import MANIFEST, ManifestLock
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from tasks.bundle.archive import bad, members, read_manifest
from tasks.bundle.members import write_member
from tasks.files.store import remove_tree

MOST_DOWNLOAD = 500 << 20
_TIMEOUT = httpx.Timeout(30.0, read=120.0)
_SHA256 = re.compile(r"[0-9a-f]{64}")


def clone(ref: str, expect_sha256: str, into: Path) -> ManifestLock:
    """Fetch the bundle at `ref` into `into`, a new or empty folder, and give its manifest.

    ref: a folder with manifest.lock, a bundle.tar.gz, file://, http:// or https://. expect_sha256: the bundle's digest as its
    paper states it; only what has that digest is moved into place, so that no server, mirror or cable has to be trusted.
    Raises InputError; then `into` is as it was.
    """
    expected = expect_sha256.strip().lower().removeprefix("sha256:")
    if not _SHA256.fullmatch(expected):
        raise InputError(
            "a bundle is fetched by its digest",
            found=visible(expect_sha256, 100) or "none",
            allowed="sha256 as 64 hexadecimal digits",
            fix="take it from the paper's code availability section",
        )
    if os.path.lexists(into) and (into.is_symlink() or not into.is_dir() or any(into.iterdir())):
        raise InputError(
            f"{into} is in the way",
            allowed="a folder that does not exist yet, or an empty one",
            fix="name another folder",
        )
    into.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=into.parent, prefix=".cloning-"))
    try:
        (tree := draft / "bundle").mkdir(mode=0o755)
        lock, found = _unpacked(_contents(ref, draft), tree, expected)
        if into.is_dir():
            into.rmdir()
        found.rename(into)
    finally:
        remove_tree(draft)
    return lock


def verify(folder: Path) -> ManifestLock:
    """The manifest of a folder whose every listed file is what it says. Raises InputError naming the first that is not."""
    lock = read_manifest(_local(folder, MANIFEST, 4 << 20))
    for file in lock.files:
        if hashlib.sha256(_local(folder, file.path, file.size)).hexdigest() != file.sha256:
            raise InputError(
                f"{folder / file.path} is not what the manifest says",
                allowed=f"sha256 {file.sha256}",
                fix="fetch the bundle again",
            )
    return lock


def _unpacked(contents: Iterator[tuple[str, bytes]], tree: Path, expected: str) -> tuple[ManifestLock, Path]:
    """The manifest, and where below `tree` the bundle lies: there, or in the one folder that holds all of it."""
    found: dict[str, tuple[str, int]] = {}
    for path, content in contents:
        try:
            write_member(tree, path, content)
        except OSError as error:
            raise bad("a path cannot be made", f"{visible(path, 200)}: {error.strerror}") from None
        found[path] = (hashlib.sha256(content).hexdigest(), len(content))
    tops = {path.split("/")[0] for path in found}
    below = f"{tops.pop()}/" if MANIFEST not in found and len(tops) == 1 else ""
    if f"{below}{MANIFEST}" not in found:
        raise bad("it has no manifest.lock")
    place = tree / below
    lock = read_manifest(_local(place, MANIFEST, 4 << 20))
    if lock.bundle_sha256 != expected:
        raise InputError(
            "this is another bundle than the one asked for; nothing was kept",
            found=lock.bundle_sha256,
            allowed=expected,
            fix="check the digest in the paper, or ask its authors",
        )
    listed = {file.path: (file.sha256, file.size) for file in lock.files}
    there = {path.removeprefix(below): entry for path, entry in found.items()}
    del there[MANIFEST]
    if listed != there:
        odd = sorted(path for path in {*listed, *there} if listed.get(path) != there.get(path))
        raise bad("files and manifest differ", ", ".join(visible(path, 100) for path in odd[:5]))
    return lock, place


def _contents(ref: str, draft: Path) -> Iterator[tuple[str, bytes]]:
    address = urlsplit(ref)
    if address.scheme in ("http", "https"):
        return members(_downloaded(ref, draft / "download"))
    if address.scheme == "file" and address.netloc in ("", "localhost"):
        return _of_path(Path(unquote(address.path)))
    if "://" in ref:
        raise InputError(
            "this kind of address is not fetched",
            found=visible(ref, 200),
            allowed="a folder, a bundle.tar.gz, file://, http:// or https://",
            fix="download it yourself",
        )
    return _of_path(Path(ref))


def _of_path(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        lock = _local(path, MANIFEST, 4 << 20)
        return iter(
            [
                (MANIFEST, lock),
                *((file.path, _local(path, file.path, file.size)) for file in read_manifest(lock).files),
            ]
        )
    if not path.is_file():
        raise InputError(
            "there is no bundle there",
            found=visible(str(path), 300),
            allowed="a folder or a bundle.tar.gz",
            fix="check the path",
        )
    return members(path)


def _local(folder: Path, path: str, most: int) -> bytes:
    try:
        return read_below(folder, path, most, one_name=False)
    except Unopened as error:
        raise InputError(
            f"the bundle at {folder} is not whole: {visible(path, 200)} {error}", fix="fetch it again"
        ) from None


def _downloaded(address: str, target: Path) -> Path:
    """Whatever the server sends, up to the limit; it is believed for its digest alone."""
    size = 0
    try:
        with (
            httpx.stream("GET", address, timeout=_TIMEOUT, follow_redirects=True) as answer,
            target.open("xb") as stream,
        ):
            if answer.status_code != 200:
                raise InputError(
                    "the server does not give the bundle",
                    found=f"HTTP {answer.status_code} for {visible(address, 300)}",
                    fix="check the address; a staged bundle is not public yet",
                )
            for part in answer.iter_raw():
                size += len(part)
                if size > MOST_DOWNLOAD:
                    raise InputError(
                        "the download is larger than a bundle",
                        found=f"over {MOST_DOWNLOAD >> 20} MB",
                        fix="check the address",
                    )
                stream.write(part)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise InputError(
            "the bundle could not be downloaded",
            found=f"{visible(address, 300)}: {visible(str(error), 200)}",
            fix="check the address and the network, and try again",
        ) from None
    return target
