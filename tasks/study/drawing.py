"""The script that draws a study's figures, run in the sandbox: it sees the raw data and the input, and writes pictures."""

from __future__ import annotations

import builtins
import importlib.util
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import PrerequisiteError
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import one_visible_line
from tasks.sandbox import Limits, run_sandboxed, scratch
from tasks.sandbox.command import SANDBOX_UID, unreachable_for
from tasks.study.figure_strips import opened

LIMITS = Limits(
    wall_s=600, cpu_s=120, memory_mb=2000, processes=32, file_mb=30, disk_mb=100, files=60, output_mb=1
)
PACKAGES = ("numpy", "pandas", "matplotlib")
_WITH = (
    *PACKAGES,
    "contourpy",
    "cycler",
    "dateutil",
    "fontTools",
    "kiwisolver",
    "packaging",
    "PIL",
    "pyparsing",
    "pytz",
    "six",
    "tzdata",
    "mpl_toolkits",
)
_DATA, _IN_PACKAGE = "/sandbox/from/collect/raw_data.csv", "../data/raw_data.csv"
_MOST_PICTURE = 20_000_000


@dataclass(frozen=True)
class Drawn:
    """pictures: file -> PNG. faults: what the script has to mend; then there are no pictures."""

    pictures: dict[str, bytes]
    faults: tuple[str, ...] = ()


def drawn(
    code: str,
    figures: Sequence[str],
    mounts: Mapping[Path, str],
    *,
    columns: Sequence[str] = (),
    allow_degraded: bool = False,
) -> Drawn:
    """Run the script. mounts: host path -> path inside, of what it may read. columns: of the data, which alone of its last
    words are told. Raises SandboxUnavailable, PrerequisiteError."""
    with scratch("reprolab-figures-") as root:
        script = root / "figures.py"
        script.write_text(code, encoding="utf-8")
        script.chmod(0o644)
        python, prefixes = _interpreter()
        result = run_sandboxed(
            [python, "/sandbox/code/figures.py"],
            root / "work",
            prefixes=prefixes,
            limits=LIMITS,
            allow_degraded=allow_degraded,
            readonly={**mounts, script: "/sandbox/code/figures.py", **_packages()},
            env={
                "PYTHONPATH": "/sandbox/packages",
                "MPLBACKEND": "Agg",
                "MPLCONFIGDIR": "/tmp",
                "SOURCE_DATE_EPOCH": "0",
            },
        )
        if not result.ok:
            said = without_data(result.stderr_tail, columns)
            why = f"the limit on {result.stop_reason} was reached" if result.stop_reason else said
            return Drawn({}, (f"the script failed: {why or 'no message'}",))
        found, faults = {}, []
        for name in dict.fromkeys(figures):
            try:
                found[name] = read_below(root / "work", name, _MOST_PICTURE)
                opened(found[name])
            except Unopened as error:
                faults.append(f"{name}: it {error}")
            except ValueError as error:
                faults.append(f"{name}: {one_visible_line(str(error), 200)}")
    return Drawn({}, tuple(faults)) if faults else Drawn(found)


def without_data(words: str, columns: Sequence[str] = ()) -> str:
    """Of a script's last words the kind of its error, the line, and columns that the last line quotes: all else can be cells of
    the data, hostile text in both modes (a participant, real or simulated, may address whoever reads)."""
    lines = re.findall(r'File "/sandbox/code/figures\.py", line (\d+)', words)
    kind = re.match(
        r"[A-Za-z_][A-Za-z0-9_.]{0,60}(?=:|$)", words.strip().splitlines()[-1] if words.strip() else ""
    )
    name = kind[0].rsplit(".", 1)[-1] if kind and kind[0].rsplit(".", 1)[-1] in vars(builtins) else "an error"
    last = words.strip().splitlines()[-1] if words.strip() else ""
    quoted = [column for column in columns if f"'{column}'" in last or f'"{column}"' in last]
    about = f", about {', '.join(quoted[:5])}" if quoted else ""
    return (
        f"{name} in line {lines[-1] if lines else '?'}{about}; its message is not told, as it may hold data"
    )


def as_packaged(code: str) -> str:
    """The script as it runs in analysis_code/ of the package: it reads the data beside it."""
    return code.replace(_DATA, _IN_PACKAGE)


def _interpreter() -> tuple[str, tuple[Path, ...]]:
    """A Python that the sandbox can reach: ours, or the system's of the same version, for which our packages are made."""
    own = Path(sys.executable)
    if os.getuid() == 0 and unreachable_for(own.resolve(), SANDBOX_UID):
        system = Path(f"/usr/bin/python3.{sys.version_info.minor}")
        if system.is_file():
            return str(system), ()
        raise PrerequisiteError(
            "the sandbox cannot reach this Python",
            found=f"{own.resolve()}, started as root",
            fix="start ReproLab as an ordinary user",
        )
    base = own.resolve()
    root = Path(sys.base_prefix).resolve()
    return str(base), () if base.is_relative_to("/usr") else (root,)


def _packages() -> dict[Path, str]:
    """What figures are drawn with, each where PYTHONPATH finds it, with the libraries that a wheel puts beside it."""
    found: dict[Path, str] = {}
    for name in _WITH:
        spec = importlib.util.find_spec(name)
        if spec is None:
            if name in PACKAGES:
                raise PrerequisiteError(f"figures cannot be drawn: no {name}", fix="make setup")
            continue
        if spec.submodule_search_locations:
            folder = Path(next(iter(spec.submodule_search_locations)))
            libraries = [
                folder.with_name(f"{each}.libs") for each in (name, name.lower().replace("pil", "pillow"))
            ]
            found |= {
                part: f"/sandbox/packages/{part.name}" for part in (folder, *libraries) if part.is_dir()
            }
        elif spec.origin:
            found[Path(spec.origin)] = f"/sandbox/packages/{Path(spec.origin).name}"
    return found
