"""Measure this bundle's programs again and compare with the numbers of its paper.

Needs Python 3.10 or newer and nothing else (what the programs themselves need, README.md says). Each run of the frozen measure
program happens in a fresh folder that holds `candidate/` and the given files, as when the paper was made, and sees only that
folder, this Python and the system's programs: no home, no network, no variables (bubblewrap). Writes results.json
into the current folder. Exit code 0: every judged number lies within its error bars; 1: one does not; 2: nothing could be
measured.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import os
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

COVERAGE = 3.0
"""Error bars are this many standard uncertainties of both measurements together, or the number's own floor."""
_RANGE = {2: 1.128, 3: 1.693, 4: 2.059}
_TRIMMED = {5: 1.421, 6: 1.679, 7: 1.915, 8: 2.083, 9: 2.232}
_TIMEOUT_S = 6 * 3600
_UNISOLATED = "REPROLAB_UNISOLATED"
"""Set to 1 by whoever lets strangers' programs run without isolation, or runs all of this within one."""
_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/opt",
    "/nix/store",
)
_INSIDE, _LIBRARY = "/measure", "/library"
_ENV = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "PYTHONDONTWRITEBYTECODE": "1",
    "LANG": "C.UTF-8",
}


def standard_error(values: list[float], kind: str) -> float:
    """Standard error of the median, in the values' unit, as the paper's own were estimated (docs/evidence of ReproLab)."""
    n = len(values)
    if n < 2 or kind == "deterministic":
        return 0.0
    factor = math.sqrt(math.pi / 2) / math.sqrt(n)
    if kind == "random":
        return factor * statistics.stdev(values)
    if n in _RANGE:
        return factor * (max(values) - min(values)) / _RANGE[n]
    middle = statistics.median(values)
    if n in _TRIMMED:
        rest = sorted(values, key=lambda value: abs(value - middle))[:-1]
        return factor * (max(rest) - min(rest)) / _TRIMMED[n]
    return factor * 1.4826 * statistics.median(abs(value - middle) for value in values)


def of_side(values: dict[str, list[float]], metric: str, kind: str) -> tuple[float, float] | None:
    """Median and standard error of one metric; None where it was not measured."""
    found = values.get(metric)
    return (statistics.median(found), standard_error(found, kind)) if found else None


def value_of(number: dict[str, Any], sides: dict[str, dict[str, list[float]]]) -> tuple[float, float] | None:
    """A number of the paper as measured here, with its standard uncertainty. sides: metric -> values, of each program.

    A ratio is the median of the ratios of neighbouring runs, so that what slows both cancels.
    """
    metric, kind = number["metric"], number["kind"]
    if number["of"] in ("code", "baseline"):
        return of_side(sides.get(number["of"], {}), metric, kind)
    pairs = list(
        zip(sides.get("code", {}).get(metric, []), sides.get("baseline", {}).get(metric, []), strict=False)
    )
    if not pairs or any(0 in pair for pair in pairs):
        return None
    ratios = [base / code if number["of"] == "inverse" else code / base for code, base in pairs]
    if number["of"] == "change":
        ratios = [100 * (ratio - 1) for ratio in ratios]
    return statistics.median(ratios), standard_error(ratios, kind)


def allowed_distance(number: dict[str, Any], uncertainty: float) -> float:
    """How far from the paper's value a value with that standard uncertainty may lie."""
    return max(COVERAGE * math.hypot(number["uncertainty"], uncertainty), float(number["floor"]))


def measured(values: Any) -> dict[str, float]:
    """Metrics of a measured.json whose checks all passed. Raises ValueError."""
    checks = values.get("checks", {})
    failed = [name for name, passed in checks.items() if passed is not True]
    if failed:
        raise ValueError("a check failed: " + ", ".join(failed))
    found = {name: float(entry["value"]) for name, entry in values["metrics"].items()}
    if not all(math.isfinite(value) for value in found.values()):
        raise ValueError("a metric is no finite number")
    return found


@functools.cache
def isolation() -> tuple[str, ...]:
    """The bubblewrap command, to which the folder of one run is added. Raises ValueError where there is none that works."""
    places = [sys.prefix, sys.base_prefix]
    link = sys.executable
    while os.path.islink(link):  # what lies between a virtual environment's Python and the real one
        link = os.path.join(os.path.dirname(link), os.readlink(link))
        places.append(os.path.dirname(os.path.dirname(os.path.normpath(link))))
    bound = [place for place in dict.fromkeys([*_SYSTEM, *places]) if os.path.exists(place) and place != "/"]
    command = (
        shutil.which("bwrap") or "",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        *(part for place in bound for part in ("--ro-bind", place, place)),
    )
    tried = (
        subprocess.run(
            [*command, "--", sys.executable, "-c", ""],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if command[0]
        else None
    )
    if tried is None or tried.returncode != 0:
        why = tried.stderr.strip()[-200:] if tried else "bubblewrap (bwrap) is not installed"
        raise ValueError(
            f"the programs cannot be isolated here: {why}. They are a stranger's: read them, then run "
            f"{_UNISOLATED}=1 sh reproduce.sh, better within a container"
        )
    return command


def run_once(here: Path, side: str, expected: dict[str, Any], seed: int) -> dict[str, float]:
    """One run of the measure program over the files of `side`, in a fresh folder. Raises ValueError with the reason."""
    program = here / expected["program"]
    with tempfile.TemporaryDirectory(prefix="remeasure-") as name:
        folder = Path(name)
        shutil.copytree(here / side, folder / "candidate")
        for path in expected["inputs"]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here / "data" / path, folder / path)
        shutil.copyfile(program, folder / program.name)
        library = here / "library"
        own = os.environ.get(_UNISOLATED) == "1"
        shown = [] if not library.is_dir() else [str(library) if own else _LIBRARY]
        env = {
            "PATH": os.environ.get("PATH", os.defpath),
            **_ENV,
            "HOME": name if own else "/tmp",
            "PYTHONPATH": os.pathsep.join(shown),
            "REPROLAB_REPEAT": str(seed),
        }
        command = [sys.executable, program.name]
        if not own:
            command = [
                *isolation(),
                "--bind",
                name,
                _INSIDE,
                "--chdir",
                _INSIDE,
                *(("--ro-bind", str(library), _LIBRARY) if shown else ()),
                "--",
                *command,
            ]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=env,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            raise ValueError(f"the measure program did not end within {_TIMEOUT_S} s") from None
        if done.returncode != 0:
            raise ValueError(
                f"the measure program ended with {done.returncode}: {done.stderr.strip()[-500:]}"
            )
        try:
            return measured(json.loads((folder / "measured.json").read_text(encoding="utf-8")))
        except (OSError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"measured.json does not fit: {error!r}") from None


def main() -> int:
    """Measure, write results.json, print a table."""
    here = Path(__file__).resolve().parent.parent
    expected = json.loads((here / "expected.json").read_text(encoding="utf-8"))
    if hashlib.sha256((here / expected["program"]).read_bytes()).hexdigest() != expected["program_sha256"]:
        print("the measure program is not the one of the paper", file=sys.stderr)
        return 2
    wanted = {number["of"] for number in expected["numbers"]}
    names = [side for side, other in (("code", "baseline"), ("baseline", "code")) if wanted - {other}]
    sides: dict[str, dict[str, list[float]]] = {side: {} for side in names}
    for turn in range(expected["repeats"]):
        seed = secrets.randbelow(2**31)  # as in the search: the same for both, known to neither beforehand
        for side in names if turn % 2 == 0 else names[::-1]:
            try:
                for metric, value in run_once(here, side, expected, seed).items():
                    sides[side].setdefault(metric, []).append(value)
            except ValueError as error:
                print(f"{side}: {error}", file=sys.stderr)
                return 2
            print(f"measured {side}, {turn + 1} of {expected['repeats']}", flush=True)
    rows = [row_of(number, sides) for number in expected["numbers"]]
    results = {"numbers": {row["name"]: row for row in rows}}
    Path("results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for row in rows:
        shown = "not measured" if row["value"] is None else f"{row['value']:.6g} ± {row['uncertainty']:.2g}"
        verdict = (
            {True: "agrees", False: "DIFFERS"}[row["agrees"]]
            if row["judged"]
            else f"shown only: {row['why']}"
        )
        paper = f"{row['paper']:.6g} ± {row['paper_uncertainty']:.2g} {row['unit']}".strip()
        print(f"{row['name']}: here {shown}, paper {paper}: {verdict}")
    if not any(row["judged"] for row in rows):
        print("no number of the paper can be judged here", file=sys.stderr)
        return 2
    return 0 if all(row["agrees"] for row in rows if row["judged"]) else 1


def row_of(number: dict[str, Any], sides: dict[str, dict[str, list[float]]]) -> dict[str, Any]:
    """One line of results.json."""
    found = value_of(number, sides)
    value, uncertainty = found if found is not None else (None, None)
    allowed = allowed_distance(number, uncertainty or 0.0)
    return {
        "name": number["name"],
        "value": value,
        "uncertainty": uncertainty,
        "unit": number["unit"],
        "paper": number["value"],
        "paper_uncertainty": number["uncertainty"],
        "allowed": allowed,
        "agrees": value is not None and abs(value - number["value"]) <= allowed,
        "judged": number["judged"],
        "why": number["why"],
    }


if __name__ == "__main__":
    sys.exit(main())
