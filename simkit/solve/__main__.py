"""`<meep's python> -m simkit.solve FOLDER`: run.json into raw.npz, with progress.json and log.json.

Exit codes are in simkit/solve/errors.py. `--probe STEPS` only times some steps (probe.json), `--picture` only draws the
cell (picture.png, cell.json), `--serve` solves many runs, one after the other (simkit/solve/serving.py). Under MPI every
process calls this; the first one writes.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore", message="The value of the smallest subnormal")

import numpy as np  # noqa: E402

from simkit.cpu import cpu_s  # noqa: E402
from simkit.errors import ParameterError, SimkitError  # noqa: E402
from simkit.runs import AnyRun, BandsRun, Run, load  # noqa: E402
from simkit.solve.errors import FINISHED, MEANING, UNEXPECTED, CannotSubtract, code_of, line_of  # noqa: E402
from simkit.solve.progress import Progress, write_json  # noqa: E402

MASTER_FIRST_S = 3.0  # what fails in all processes of an MPI run is told once


def main(arguments: list[str] | None = None) -> int:
    """Solve the run of a folder; the exit code."""
    parser = argparse.ArgumentParser(prog="simkit.solve", description="A run into raw arrays.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--probe", type=int, metavar="STEPS", help="only time this many steps: probe.json")
    parser.add_argument(
        "--until",
        type=float,
        metavar="TIME",
        default=math.inf,
        help="Meep time after which a run that has not settled ends with what it has",
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="TIME",
        default=math.inf,
        help="Meep time after which fields that have nearly settled are enough",
    )
    parser.add_argument(
        "--picture", action="store_true", help="draw the cell (picture.png, cell.json) and stop"
    )
    parser.add_argument("--serve", action="store_true", help="solve the runs that appear in the folder")
    given = parser.parse_args(arguments)
    if given.serve:
        from simkit.solve.serving import serve

        return serve(given.folder)
    log: dict[str, Any] = {"warnings": []}
    master = True
    try:
        run = read_run(given.folder)
        import meep as mp

        mp.verbosity(0)
        master = bool(mp.am_master())
        if given.picture:
            from simkit.solve.picture import draw

            draw(run, given.folder)
        elif given.probe is not None:
            from simkit.solve.timing import timed

            found = timed(run, given.probe)
            if master:
                write_json(given.folder / "probe.json", found)
                print(json.dumps(found, sort_keys=True))
        else:
            solved(run, given.folder, master, log, given.until, given.patience)
        return FINISHED
    except SimkitError as error:
        return _told(error, given.folder, log, master)
    except Exception as error:  # noqa: BLE001  one line and a code, whatever it was; the traceback goes to stderr
        traceback.print_exc()
        return _told(error, given.folder, log, master)


def read_run(folder: Path) -> AnyRun:
    """The run of FOLDER/run.json. Raises ParameterError."""
    try:
        return load((folder / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ParameterError(
            f"{folder / 'run.json'} is not a run ({type(error).__name__}: {error})."
        ) from error


def solved(
    run: AnyRun,
    folder: Path,
    master: bool,
    log: dict[str, Any],
    until: float = math.inf,
    patience: float = math.inf,
) -> None:
    """Solve and write raw.npz and log.json."""
    began = time.monotonic()
    if master:
        (folder / "raw.npz").unlink(missing_ok=True)  # never the result of an earlier try
    progress = Progress(folder / "progress.json", master)
    progress.report(0.0, force=True)
    if isinstance(run, BandsRun):
        from simkit.solve import bands

        raw = bands.solve(run, progress, log)
    else:
        from simkit.solve import fdtd

        raw = fdtd.solve(run, subtracted(run, folder), progress, log, until, patience)
    if master:
        partial = folder / "raw.npz.part"
        with partial.open("wb") as stream:
            np.savez(stream, **raw)
        os.replace(partial, folder / "raw.npz")
        write_log(
            folder, log | {"outcome": "finished", "wall_s": time.monotonic() - began, "digest": run.digest()}
        )
    progress.report(1.0, force=True)


def subtracted(run: Run, folder: Path) -> dict[str, dict[str, np.ndarray]]:
    """Arrays of the runs whose fields are subtracted, by digest. Raises CannotSubtract."""
    found = {}
    for digest in sorted({digest for digest, _ in run.subtract.values()}):
        path = folder / "subtract" / f"{digest}.npz"
        try:
            with np.load(path, allow_pickle=False) as data:
                found[digest] = {name: data[name] for name in data.files}
        except (OSError, ValueError) as error:
            raise CannotSubtract(f"{path} cannot be read ({type(error).__name__}: {error}).") from error
    return found


def write_log(folder: Path, log: dict[str, Any]) -> None:
    """log.json, with what this process took."""
    took = {"cpu_s": cpu_s(), "memory_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
    write_json(folder / "log.json", {**took, **log})


def _told(error: BaseException, folder: Path, log: dict[str, Any], master: bool) -> int:
    code = code_of(error)
    line = line_of(error)
    if master and folder.is_dir():
        write_log(folder, log | {"outcome": "failed", "code": code, "meaning": MEANING[code], "error": line})
    if master or code == UNEXPECTED:
        print(f"simkit.solve: {line}", file=sys.stderr)
    meep = sys.modules.get("meep")
    if (
        meep is not None and meep.count_processors() > 1
    ):  # the others would wait for this process until their time is up
        time.sleep(0 if master else MASTER_FIRST_S)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


if __name__ == "__main__":
    sys.exit(main())
