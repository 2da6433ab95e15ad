"""bundle.tar.gz: one sequence of bytes for one bundle, and reading such a file as hostile until its digest is checked.

Format: POSIX ustar (pax(1), "ustar Interchange Format"), regular files alone, in the order of their paths; gzip (RFC 1952)
without name and time. Written and read here, and not with tarfile, because so little of the format is wanted.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from schemas.bundle import EXECUTABLE, MANIFEST, ManifestLock
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from tasks.files.store import atomic_write

BLOCK = 512
MOST_BYTES, MOST_FILES = 600 << 20, 5_001
_LEVEL = 6


class BadArchive(InputError):
    """An archive is no bundle; nothing of it was used."""


def bad(what: str, found: object = None) -> BadArchive:
    """The error for an archive that is not taken."""
    return BadArchive(
        f"the archive is no bundle: {what}",
        found=found,
        allowed="a bundle.tar.gz made by ReproLab: regular files with plain paths, and manifest.lock",
        fix="fetch it again, from where it was published",
    )


def read_manifest(content: bytes) -> ManifestLock:
    """manifest.lock, checked. Raises BadArchive."""
    try:
        return ManifestLock.model_validate_json(content)
    except ValueError as error:
        raise bad("its manifest.lock does not fit", " ".join(str(error).split())[:300]) from None


def pack(published: Path, target: Path, below: str = "") -> tuple[str, int]:
    """The archive of a curated folder; its sha256 and size. Raises InputError if a file is not what the manifest says.

    below: a folder that all files lie in, so that what any tar unpacks is one folder; '' for none.
    """
    inside = f"{below}/" if below else ""
    try:
        lock_text = read_below(published, MANIFEST, 4 << 20)
        lock = read_manifest(lock_text)
        parts = [(MANIFEST, lock_text)]
        for file in lock.files:
            content = read_below(published, file.path, file.size)
            if hashlib.sha256(content).hexdigest() != file.sha256:
                raise Unopened("is not what it was when the bundle was curated")
            parts.append((file.path, content))
    except Unopened as error:
        raise InputError(f"{published} cannot be packed: a file {error}", fix="curate again") from None
    raw = b"".join(_member(inside, path, content) for path, content in sorted(parts)) + bytes(2 * BLOCK)
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # no name, no time, no operating system
    tail = (zlib.crc32(raw)).to_bytes(4, "little") + (len(raw) & 0xFFFFFFFF).to_bytes(4, "little")
    data = head + packer.compress(raw) + packer.flush() + tail
    atomic_write(target, data)
    return hashlib.sha256(data).hexdigest(), len(data)


def _member(inside: str, path: str, content: bytes) -> bytes:
    name, prefix = _split(f"{inside}{path}".encode())
    mode = b"0000755\0" if path == EXECUTABLE else b"0000644\0"
    head = (
        name.ljust(100, b"\0")
        + mode
        + b"0000000\0" * 2
        + b"%011o\0" % len(content)
        + b"%011o\0" % 0
        + b" " * 8
        + b"0"
        + bytes(100)
        + b"ustar\x0000"
        + bytes(64)
        + b"0000000\0" * 2
        + prefix.ljust(155, b"\0")
        + bytes(12)
    )
    head = head[:148] + b"%06o\0 " % sum(head) + head[156:]
    return head + content + bytes(-len(content) % BLOCK)


def _split(path: bytes) -> tuple[bytes, bytes]:
    if len(path) <= 100:
        return path, b""
    for at in [at for at, byte in enumerate(path) if byte == ord("/")]:
        if at <= 155 and len(path) - at - 1 <= 100:
            return path[at + 1 :], path[:at]
    raise InputError(
        "a path is too long for an archive",
        found=visible(path.decode(errors="replace"), 300),
        allowed="parts of at most 100 bytes, 240 in all",
        fix="shorten the file's name",
    )


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Paths and contents in an archive. Raises BadArchive for links, devices, paths that leave, doubles and bombs.

    What is read is bounded before it is believed: so many bytes and files as a bundle may have.
    """
    seen: set[str] = set()
    left = MOST_BYTES
    try:
        with gzip.open(path, "rb") as stream:
            while any(head := _exactly(stream, BLOCK)):
                name, size = _read_header(head)
                left -= size + BLOCK
                if left < 0 or len(seen) >= MOST_FILES:
                    raise bad(
                        "it unpacks to more than a bundle may hold",
                        f"over {MOST_BYTES >> 20} MB or {MOST_FILES} files",
                    )
                if name in seen:
                    raise bad("a path appears twice", visible(name, 200))
                seen.add(name)
                content = _exactly(stream, size)
                _exactly(stream, -size % BLOCK)
                yield name, content
            if any(stream.read(1 << 16)):
                raise bad("something follows its end")
    except (EOFError, OSError, zlib.error) as error:
        raise bad("it is damaged or no gzip file", str(error)) from None


def _exactly(stream: BinaryIO | gzip.GzipFile, size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise EOFError("it ends too early")
    return data


def _read_header(head: bytes) -> tuple[str, int]:
    blank = head[:148] + b" " * 8 + head[156:]
    if head[257:263] != b"ustar\0" or _octal(head[148:156]) != sum(blank):
        raise bad("an entry is no ustar header, or its checksum is wrong")
    prefix, name = (part.split(b"\0")[0] for part in (head[345:500], head[:100]))
    path = (prefix + b"/" + name if prefix else name).decode("utf-8", "replace")
    if head[156:157] not in (b"0", b"\0"):
        kinds = {
            b"1": "a hard link",
            b"2": "a link",
            b"3": "a device",
            b"4": "a device",
            b"5": "a folder",
            b"6": "a pipe",
        }
        raise bad(f"{visible(path, 200)!r} is {kinds.get(head[156:157], 'an entry of another kind')}")
    parts = path.split("/")
    if (
        not path.isprintable()
        or "\\" in path
        or path.startswith("/")
        or any(part in ("", ".", "..") for part in parts)
    ):
        raise bad("a path leaves the folder or is no plain path", visible(path, 200))
    return path, _octal(head[124:136])


def _octal(field: bytes) -> int:
    text = field.strip(b"\0 ")
    if not text or not all(byte in b"01234567" for byte in text):
        raise bad("a number in an entry is not octal")
    return int(text, 8)
