"""xlsx and parquet become CSV in the sandbox: their readers are large and old, and the files are anybody's."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

import pandas as pd

from schemas.errors import InputError, PrerequisiteError
from schemas.reading.beneath import Unopened, read_below
from tasks.sandbox import Limits, run_sandboxed, scratch
from tasks.sandbox.command import SANDBOX_UID, unreachable_for
from tasks.study.inputs.delimited import parse_delimited
from tasks.study.inputs.input_files import InputLimits, kind_of

SANDBOX = Limits(
    wall_s=600, cpu_s=120, memory_mb=3000, processes=32, file_mb=500, disk_mb=1000, files=100, output_mb=1
)
_PACKAGES = {"xlsx": ("openpyxl", "et_xmlfile"), "parquet": ("pyarrow", "numpy")}
_READER = Path(__file__).resolve().parent / "packed_reader.py"


def read_packed(path: Path, limits: InputLimits) -> dict[str, pd.DataFrame]:
    """Tables of text cells by sheet ("" for parquet). Raises InputError: not the format, a bomb, formulas, too much."""
    if kind_of(path) == "xlsx":
        check_archive(path, limits)
    elif path.open("rb").read(4) != b"PAR1":
        raise InputError(
            f"{path.name} is no parquet file", found="its first bytes are not PAR1", fix="save it again"
        )
    with scratch("reprolab-input-") as root:
        work = root / "work"
        source = root / f"input.{kind_of(path)}"
        shutil.copyfile(path, source)
        source.chmod(0o644)
        python, prefixes = _interpreter(kind_of(path))
        result = run_sandboxed(
            [
                python,
                "/sandbox/code/packed_reader.py",
                f"/sandbox/in/{source.name}",
                str(limits.rows),
                str(limits.columns),
                str(limits.cells),
            ],
            work,
            prefixes=prefixes,
            limits=SANDBOX,
            allow_degraded=False,
            readonly={
                source: f"/sandbox/in/{source.name}",
                _READER: "/sandbox/code/packed_reader.py",
                **{
                    part: f"/sandbox/packages/{part.name}"
                    for name in _PACKAGES[kind_of(path)]
                    for part in _package(name)
                },
            },
            env={"PYTHONPATH": "/sandbox/packages"},
        )
        if not result.ok:
            why = (
                f"the limit on {result.stop_reason} was reached"
                if result.stop_reason
                else (result.stderr_tail.strip().splitlines() or ["no message"])[-1][:300]
            )
            raise InputError(
                f"{path.name} could not be read", found=why, fix="open it and export it as CSV (UTF-8)"
            )
        try:
            found = json.loads(read_below(work, "found.json", 1_000_000))
            if "error" in found:
                raise InputError(
                    f"{path.name}: {found['error']}", found=found.get("found"), fix=found.get("fix")
                )
            return {
                str(sheet): parse_delimited(
                    f"{path.name} {sheet}".strip(),
                    read_below(work, file, SANDBOX.file_mb << 20).decode(),
                    ",",
                    limits,
                )
                for sheet, file in found["tables"].items()
            }
        except (Unopened, ValueError, KeyError) as error:
            raise InputError(
                f"{path.name} could not be read", found=str(error)[:300], fix="export it as CSV (UTF-8)"
            ) from None


def check_archive(path: Path, limits: InputLimits) -> None:
    """Refuse an xlsx that unfolds to more than it should, by its own directory; the sandbox counts what really unfolds."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(
            f"{path.name} is no xlsx file",
            found=str(error)[:200],
            fix="save it again as xlsx, or give the file its true ending",
        ) from None
    total = sum(entry.file_size for entry in entries)
    if (
        total > limits.expanded
        or len(entries) > 2000
        or any(
            entry.file_size > 1_000_000 and entry.file_size > 300 * max(entry.compress_size, 1)
            for entry in entries
        )
    ):
        raise InputError(
            f"{path.name} unfolds to more than a table does",
            found=f"{total / 1e6:.0f} MB in {len(entries)} parts",
            allowed=f"{limits.expanded / 1e6:g} MB, at most 300 times its size",
            fix="export the data as CSV (UTF-8)",
        )
    if "[Content_Types].xml" not in {entry.filename for entry in entries}:
        raise InputError(
            f"{path.name} is no xlsx file",
            found="a zip archive of something else",
            fix="save it as xlsx or CSV",
        )


def _package(name: str) -> list[Path]:
    """The folder of a package, and that of the libraries a wheel puts beside it."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise PrerequisiteError(f"this kind of file cannot be read: no {name}", fix="make setup")
    folder = Path(spec.submodule_search_locations[0])
    return [part for part in (folder, folder.with_name(f"{name}.libs")) if part.is_dir()]


def _interpreter(kind: str) -> tuple[str, tuple[Path, ...]]:
    """A Python that the sandbox can reach: ours, or the system's if packages are made for it or need no compiling."""
    own, base = Path(sys.executable).resolve(), Path(sys.base_prefix).resolve()
    if os.getuid() == 0 and unreachable_for(own, SANDBOX_UID):
        same = Path(f"/usr/bin/python3.{sys.version_info.minor}")
        system = same if kind == "parquet" else Path("/usr/bin/python3")
        if system.is_file():
            return str(system), ()
        raise PrerequisiteError(
            "the sandbox cannot reach this Python",
            found=f"{own}, started as root",
            fix="export the data as CSV, or start ReproLab as an ordinary user",
        )
    return str(own), () if str(base) in ("/usr", "/usr/local") and own.is_relative_to("/usr") else (base,)
