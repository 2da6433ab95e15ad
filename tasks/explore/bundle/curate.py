"""Curating: from ear/ to ear_published/ and manifest.lock. Nothing counts but paths and bytes: not modes, times or order."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from pydantic import ValidationError

from schemas.bundle import MANIFEST, BundleFile
from schemas.errors import InputError
from schemas.explore.bundle import RULES, CuratedBundle, PublishRules
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from tasks.bundle.members import (
    MOST_BYTES,
    MOST_FILE_BYTES,
    MOST_FILES,
    bad_content,
    bad_name,
    entry,
    lock,
    manifest_text,
    put,
    write_member,
)
from tasks.bundle.patterns import matches
from tasks.files.store import atomic_write, remove_tree

_FORM = "license, title, holder, year, creators, description, include, exclude"


def read_rules(ear: Path) -> PublishRules | None:
    """publish.yaml of a folder; None where there is none. Raises InputError naming what does not fit."""
    if not os.path.lexists(ear / RULES):
        return None
    try:
        raw = yaml.safe_load(read_below(ear, RULES, 100_000).decode())
        return PublishRules.model_validate(raw or {})
    except (Unopened, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise InputError(
            f"{ear / RULES} cannot be read",
            found=" ".join(str(error).split())[:300],
            allowed=_FORM,
            fix="correct it, or remove it to publish nothing",
        ) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(
            f"{ear / RULES}: {'.'.join(map(str, first['loc'])) or 'the file'}",
            found=repr(first["input"])[:200],
            allowed=f"{first['msg']}; keys: {_FORM}",
            fix="correct the entry",
        ) from None


def curate(ear: Path, published: Path, manifest: Path, rules: PublishRules) -> CuratedBundle:
    """Copy what may be published into `published` (replaced in one step) and write the manifest there and to `manifest`.

    Refused, with a reason: what the allow list leaves out, the deny list, files that hold a private key, links, files with
    several names, devices, pipes, names that no bundle has, more than 5,000 files or 500 MB. Raises InputError if nothing
    is left.
    """
    refused: list[tuple[str, str]] = []
    files: list[BundleFile] = []
    published.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=published.parent, prefix=".curating-"))
    try:
        room = MOST_BYTES
        for path, status in _entries(ear, refused):
            content = _taken(ear, path, status, rules, min(room, MOST_FILE_BYTES), len(files), refused)
            if content is None:
                continue
            room -= len(content)
            write_member(draft, path, content)
            files.append(entry(path, content))
        if not files:
            raise InputError(
                f"nothing of {ear} may be published",
                found="; ".join(f"{p}: {why}" for p, why in refused[:5]) or "an empty folder",
                fix=f"look at include and exclude in {RULES}",
            )
        made = lock(draft, files, rules.title, rules.license)
        put(draft, published)
    finally:
        remove_tree(draft)
    atomic_write(manifest, manifest_text(made))
    return CuratedBundle(
        bundle_sha256=made.bundle_sha256, files=len(files), size=made.size, refused=tuple(sorted(refused))
    )


def _entries(ear: Path, refused: list[tuple[str, str]]) -> Iterator[tuple[str, os.stat_result]]:
    """Every entry that is no folder, in the order of its path; links to folders are entries, not ways."""
    waiting = [""]
    found: list[tuple[str, os.stat_result]] = []
    while waiting:
        folder = waiting.pop()
        with os.scandir(ear / folder) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    if path.count("/") < 7:
                        waiting.append(path)
                    else:
                        refused.append((visible(path, 200), "folders are nested more than 8 deep"))
                else:
                    found.append((path, entry.stat(follow_symlinks=False)))
    yield from sorted(found)


def _taken(
    ear: Path,
    path: str,
    status: os.stat_result,
    rules: PublishRules,
    room: int,
    taken: int,
    refused: list[tuple[str, str]],
) -> bytes | None:
    why = ""
    content = b""
    if path in (RULES, MANIFEST):
        return None
    if stat.S_ISLNK(status.st_mode):
        why = "it is a link; a bundle holds files alone"
    elif name := bad_name(path):
        why = name
    elif any(matches(path, pattern) for pattern in rules.exclude):
        why = "excluded by publish.yaml"
    elif not any(matches(path, pattern) for pattern in rules.include):
        why = "not in the allow list of publish.yaml"
    elif taken >= MOST_FILES:
        why = f"a bundle holds at most {MOST_FILES} files"
    else:
        try:
            content = read_below(ear, path, room)
        except Unopened as error:
            why = f"it {error}"
    why = why or bad_content(content)
    if why:
        refused.append((visible(path, 200), why))
        return None
    return content
