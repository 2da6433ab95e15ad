"""Strict readers for the four kinds of file a simulation may hand back."""

from __future__ import annotations

import math
import re
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from pydantic import ValidationError

from schemas.reading.strict_json import parse_json
from schemas.reproduce.simulations.manifest import ProgressLine
from simkit.describe.syntax import again
from tasks.files.tables import SIMULATION, read_table
from tasks.reproduce.collect.copying import UnsafeOutput, open_beneath

MAX_JSON_BYTES = 8 << 20
MAX_JSON_DEPTH = 32
MAX_NPZ_BYTES, MAX_NPZ_MEMBERS = 400 << 20, 64
MAX_PIXELS = 20_000_000
_COLUMN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+\-]{0,79}")
PROGRESS_FILE = "progress.jsonl"
_PROGRESS_BYTES = 32 << 20


@dataclass(frozen=True, eq=False)
class Arrays:
    """Named arrays of one file, and how many of their values are NaN or infinite (kept, as evidence)."""

    data: dict[str, np.ndarray]
    nonfinite: dict[str, int]

    @property
    def finite(self) -> bool:
        """True when every value of every array is finite."""
        return not any(self.nonfinite.values())


def _counted(data: dict[str, np.ndarray]) -> Arrays:
    return Arrays(data, {name: int(np.count_nonzero(~np.isfinite(array))) for name, array in data.items()})


def read_json(path: Path, max_bytes: int = MAX_JSON_BYTES) -> Any:
    """Strict JSON: no NaN, Infinity, overflow, repeated key, deep nesting; raises UnsafeOutput."""
    if path.stat().st_size > max_bytes:
        raise UnsafeOutput("the JSON file is too large", found=path.stat().st_size, allowed=max_bytes)
    return _parse(path.read_bytes())


def _parse(raw: bytes) -> Any:
    try:
        return parse_json(raw.decode("utf-8"), MAX_JSON_DEPTH)
    except ValueError as error:
        raise UnsafeOutput(
            "the file is not valid JSON",
            found=str(error)[:200],
            allowed=f"finite numbers, valid text, each key once, at most {MAX_JSON_DEPTH} levels",
        ) from None


def read_manifest(path: Path) -> dict[str, Any]:
    """results.json as plain JSON types: strict, and of the contract's version (`"simkit": 1`)."""
    value = read_json(path)
    if not isinstance(value, dict) or value.get("simkit") != 1:
        found = value.get("simkit") if isinstance(value, dict) else type(value).__name__
        raise UnsafeOutput(
            "results.json is not a manifest of this version", found=found, allowed='an object, "simkit": 1'
        )
    for key in ("datasets", "pictures"):
        items = value.get(key, [])
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise UnsafeOutput(
                f"results.json: {key} does not fit", found=type(items).__name__, allowed="a list of objects"
            )
    return value


def declared_files(manifest: dict[str, Any]) -> list[str]:
    """Names of the data files and pictures a manifest declares, for `collect`; only text counts."""
    items = [*manifest.get("datasets", []), *manifest.get("pictures", [])]
    return list(dict.fromkeys(item["file"] for item in items if isinstance(item.get("file"), str)))


def read_progress(work_dir: Path) -> ProgressLine | None:
    """The last complete line of progress.jsonl while the program runs; None without a sound one."""
    try:
        with open_beneath(work_dir, PROGRESS_FILE, _PROGRESS_BYTES) as handle:
            handle.seek(0, 2)
            handle.seek(max(0, handle.tell() - 8192))
            lines = handle.read(8192).rpartition(b"\n")[0].splitlines()
        return ProgressLine.model_validate(_parse(lines[-1])) if lines else None
    except (UnsafeOutput, OSError, ValidationError):
        return None


def read_csv(path: Path, columns: list[str] | None = None) -> Arrays:
    """A numeric CSV with a header: one float64 array of shape (rows,) for each column.

    columns: the header the manifest declares; any other header is refused. NaN and infinities are kept and
    counted. Anything but plain decimal numbers, a ragged row or a repeated column raises UnsafeOutput.
    """
    try:
        table = read_table(path, limits=SIMULATION, comments=False, finite=False, empty=True)
    except ValueError as error:
        raise UnsafeOutput(f"{path.name} is not a CSV of numbers", found=str(error)[:300]) from None
    _check_header(path, list(table.columns), columns)
    return _counted({name: table[name].to_numpy() for name in table.columns})


def _check_header(path: Path, header: list[str], columns: list[str] | None) -> None:
    plain = bool(header) and all(_COLUMN.fullmatch(name) for name in header)
    if not plain or len(set(header)) != len(header):
        raise UnsafeOutput(
            f"{path.name}: the header does not fit", found=repr(header)[:200], allowed="distinct plain names"
        )
    if columns is not None and header != columns:
        raise UnsafeOutput(
            f"{path.name}: the header is not the declared one", found=header[:20], allowed=columns[:20]
        )


def read_npz(
    path: Path,
    *,
    names: re.Pattern[str] = _COLUMN,
    most: int = MAX_NPZ_MEMBERS,
    max_bytes: int = MAX_NPZ_BYTES,
    skip: Callable[[str], bool] | None = None,
) -> Arrays:
    """Numeric arrays of an NPZ file; declared sizes are checked before unpacking, pickles refused.

    names, most, max_bytes: what its arrays may be called, how many there may be and how large all are together.
    skip: names of arrays that are not unpacked.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_members(path, members, names, most, max_bytes)
            data: dict[str, np.ndarray] = {}
            for member in members:
                if skip is not None and skip(member.filename.removesuffix(".npy")):
                    continue
                _check_array(path, archive, member)
                data[member.filename.removesuffix(".npy")] = again(partial(_unpacked, archive, member))
    except UnsafeOutput:
        raise
    except Exception as error:  # noqa: BLE001 - zip and npy parsers raise many kinds on hostile bytes
        raise UnsafeOutput(
            f"{path.name} is not a readable NPZ file", found=f"{type(error).__name__}: {error}"[:200]
        ) from None
    return _counted(data)


def _check_members(
    path: Path, members: list[zipfile.ZipInfo], allowed: re.Pattern[str], most: int, max_bytes: int
) -> None:
    names = [member.filename for member in members]
    plain = all(name.endswith(".npy") and allowed.fullmatch(name.removesuffix(".npy")) for name in names)
    if len(names) > most or not plain or len(set(names)) != len(names):
        raise UnsafeOutput(
            f"{path.name}: members do not fit", found=repr(names[:10]), allowed="distinct plain *.npy names"
        )
    declared = sum(member.file_size for member in members)
    if declared > max_bytes:
        raise UnsafeOutput(
            f"{path.name} claims too much", found=f"{declared} bytes", allowed=f"{max_bytes} bytes"
        )


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(member) as handle:
        found: np.ndarray = npy.read_array(handle, allow_pickle=False)
    return found


def _header(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[tuple[int, ...], np.dtype]:
    with archive.open(member) as handle:
        version = npy.read_magic(handle)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = read_header(handle)
    return shape, dtype


def _check_array(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    shape, dtype = again(partial(_header, archive, member))
    # a header may claim more than the member holds; Python integers do not overflow
    claimed = math.prod(shape) * dtype.itemsize
    if dtype.hasobject or dtype.kind not in "biufc" or claimed > member.file_size:
        raise UnsafeOutput(
            f"{path.name}: array {member.filename} does not fit",
            found=f"type {dtype}, shape {shape}, {claimed} bytes claimed, {member.file_size} present",
            allowed="numbers, no objects, no more than is present",
        )


def check_png(path: Path) -> tuple[int, int]:
    """(width, height) in pixels of a sound PNG of at most 20 Mpixel; raises UnsafeOutput otherwise."""
    from PIL import Image  # slow to import, and most workers never look at a picture

    with path.open("rb") as handle:
        start = handle.read(24)
    if len(start) < 24 or start[:8] != b"\x89PNG\r\n\x1a\n" or start[12:16] != b"IHDR":
        raise UnsafeOutput(f"{path.name} is not a PNG file", found=start[:8].hex())
    width, height = struct.unpack(">II", start[16:24])
    if not 0 < width * height <= MAX_PIXELS:
        raise UnsafeOutput(
            f"{path.name} is too large a picture", found=f"{width} x {height}", allowed=f"{MAX_PIXELS} pixels"
        )
    try:
        with Image.open(path, formats=["PNG"]) as picture:
            picture.verify()
        with Image.open(path, formats=["PNG"]) as picture:
            picture.load()
    except Exception as error:  # noqa: BLE001 - Pillow raises many kinds on hostile bytes
        raise UnsafeOutput(
            f"{path.name} is not a sound PNG file", found=f"{type(error).__name__}: {error}"[:200]
        ) from None
    return width, height
