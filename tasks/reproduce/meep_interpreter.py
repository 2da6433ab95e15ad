"""Finding the Python interpreter that has Meep, by importing it rather than by name."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from schemas.errors import PrerequisiteError

SETTING = "REPROLAB_MEEP_PYTHON"
_TIMEOUT_S = 60.0
_FIX = (
    "install Meep: `apt-get install python3-meep` (Debian, Ubuntu) or "
    "`conda create -n meep -c conda-forge pymeep`, then set "
    f"meep_python or {SETTING} to that interpreter if it is not found by itself. "
    "Never `pip install meep`: that package is an unrelated task runner"
)

_CHECK = """
import json, sys
found = {"python": "%d.%d.%d" % sys.version_info[:3], "prefix": sys.prefix, "base_prefix": sys.base_prefix}
try:
    import meep
    found["file"] = getattr(meep, "__file__", None)
    found["solver"] = hasattr(meep, "Simulation")
    found["version"] = getattr(meep, "__version__", None)
    found["mpi"] = bool(getattr(meep, "with_mpi", bool)())
    try:
        from meep import mpb
    except ImportError:
        mpb = None
    found["mpb"] = hasattr(mpb, "ModeSolver")
    found["names"] = {"meep": sorted({*dir(meep), "mpb"}), "meep.mpb": dir(mpb) if mpb else []}
except Exception as error:
    found["error"] = "%s: %s" % (type(error).__name__, error)
print("\\n@@" + json.dumps(found))
sys.stdout.flush()
"""


class MeepNotFound(PrerequisiteError):
    """No usable Meep; the message lists every interpreter tried and what happened."""


@dataclass(frozen=True)
class MeepInterpreter:
    """An interpreter that imported Meep just now.

    path: absolute path, links kept (a virtual environment is known by its link).
    prefix: sys.prefix. prefixes: installation directories outside /usr, for `run_sandboxed(prefixes=...)`.
    searched: one sentence for each interpreter tried, this one last.
    mpi: whether this Meep was built with MPI. mpb: whether MPB's mode solver is there (Debian's Meep with MPI has none).
    launcher: mpirun of the same installation, None where Meep cannot run in several processes.
    names: public names of `meep` and `meep.mpb`, for lint.
    """

    path: str
    python_version: str
    meep_version: str
    prefix: str
    prefixes: tuple[Path, ...]
    searched: tuple[str, ...]
    mpi: bool = False
    mpb: bool = True
    launcher: str | None = None
    names: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def command(self, script: str, processes: int = 1) -> list[str]:
        """The command that runs `script`, in several processes where this Meep can."""
        if processes < 2 or self.launcher is None:
            return [self.path, script]
        return [self.launcher, "-np", str(processes), self.path, script]

    def environment(self) -> dict[str, str]:
        """What Open MPI and MPICH need to know in the sandbox: no other host, no topology, no reading of each other."""
        if not self.mpi:
            return {}
        return {
            "OMPI_MCA_plm_rsh_agent": "/bin/false",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
            "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            "HYDRA_LAUNCHER": "fork",
        }

    def described(self) -> str:
        """Version, path and abilities, for people."""
        extras = []
        if self.mpi:
            extras.append(
                f"with MPI ({self.launcher})"
                if self.launcher
                else "with MPI, but no mpirun beside it: one process"
            )
        if not self.mpb:
            extras.append("without MPB: no band problems")
        return ", ".join([f"Meep {self.meep_version} in {self.path} (Python {self.python_version})", *extras])


def find_meep(configured: str | None = None) -> MeepInterpreter:
    """The first interpreter with Meep: configured, current, conda environments, /usr/bin/python3.

    configured: a setting; the environment variable REPROLAB_MEEP_PYTHON otherwise. A configured interpreter
        without Meep is an error, never silently replaced. Cached for the process.

    Raises MeepNotFound.
    """
    return _find(configured or os.environ.get(SETTING) or None)


@functools.lru_cache(maxsize=8)
def _find(configured: str | None) -> MeepInterpreter:
    searched: list[str] = []
    for label, path in _candidates(configured):
        found = _examine(path)
        if isinstance(found, MeepInterpreter):
            searched.append(f"{label} {path}: Meep {found.meep_version}")
            return replace(found, searched=tuple(searched))
        searched.append(f"{label} {path}: {found}")
    if configured:
        raise MeepNotFound(
            "the configured interpreter does not have Meep",
            found=searched[0],
            allowed="the path of a Python interpreter that can import Meep",
            fix=f"correct meep_python or {SETTING}, or leave both empty to search; else {_FIX}",
        )
    raise MeepNotFound(
        "no interpreter with Meep was found",
        found="\n           ".join(searched),
        allowed="Meep in the current interpreter, a conda environment or /usr/bin/python3",
        fix=_FIX,
    )


def _candidates(configured: str | None) -> Iterator[tuple[str, str]]:
    if configured:
        yield "configured", os.path.expanduser(configured)
        return
    seen: set[str] = set()
    for label, path in _search_order():
        if path not in seen:
            seen.add(path)
            yield label, path


def _search_order() -> Iterator[tuple[str, str]]:
    yield "current", sys.executable
    for folder in _conda_environments():
        yield "conda environment", str(folder / "bin" / "python")
    yield "system", "/usr/bin/python3"


def _conda_environments() -> list[Path]:
    """Folders of conda environments: the active one, those conda has listed, those of installations found."""
    folders = [Path(os.environ["CONDA_PREFIX"])] if os.environ.get("CONDA_PREFIX") else []
    try:
        lines = (Path.home() / ".conda" / "environments.txt").read_text(encoding="utf-8").splitlines()
        folders += [Path(line.strip()) for line in lines if line.strip()]
    except (OSError, UnicodeDecodeError, RuntimeError):
        pass
    for root in _conda_roots():
        try:
            folders += sorted((root / "envs").iterdir())
        except OSError:
            continue
    return [folder for folder in folders if (folder / "bin" / "python").exists()]


def _conda_roots() -> Iterator[Path]:
    """Installations of conda, mamba and micromamba: those the shell names, then the installers' usual folders."""
    for variable, up in (("CONDA_EXE", 1), ("MAMBA_EXE", 1)):
        if os.environ.get(variable):
            yield Path(os.environ[variable]).parents[up]
    if os.environ.get("MAMBA_ROOT_PREFIX"):
        yield Path(os.environ["MAMBA_ROOT_PREFIX"])
    for name in ("conda", "mamba"):
        found = shutil.which(name)
        if found:
            yield Path(found).resolve().parents[1]
    home = Path(os.path.expanduser("~"))
    for name in ("miniforge3", "miniconda3", "mambaforge", "anaconda3", "micromamba", ".local/share/mamba"):
        yield home / name
    yield Path("/opt/conda")


def _examine(path: str) -> MeepInterpreter | str:
    """What importing Meep with `path` gives: the interpreter, or a sentence about what is wrong."""
    if not os.path.isabs(path) or not os.access(path, os.X_OK) or os.path.isdir(path):
        return "not the absolute path of an executable file"
    # the environment generated code will have: no PYTHONPATH, no user site
    env = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONNOUSERSITE": "1", "MPLBACKEND": "Agg"}
    try:
        done = subprocess.run(
            [path, "-c", _CHECK],
            env=env,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"importing Meep did not end within {_TIMEOUT_S:g} s"
    except OSError as error:
        return f"could not be started ({error.strerror})"
    lines = [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line.startswith("@@")]
    if not lines:
        tail = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return (
            f"ended with status {done.returncode} while importing Meep ({tail[0] if tail else 'no message'})"
        )
    try:
        found = json.loads(lines[-1][2:])
    except ValueError:
        return "is not a Python interpreter that answers"
    if "error" in found:
        return f"Python {found['python']} cannot import Meep ({found['error']})"
    if not found["solver"]:
        return (
            f"the package `meep` there ({found['file']}) is not the FDTD solver (no meep.Simulation); "
            "PyPI's `meep` is an unrelated program"
        )
    outside = {Path(found[key]) for key in ("prefix", "base_prefix")}
    prefixes = tuple(sorted(item for item in outside if not item.is_relative_to("/usr")))
    folders = (Path(path).parent, *(prefix / "bin" for prefix in sorted(outside)))
    return MeepInterpreter(
        path,
        found["python"],
        str(found["version"]),
        found["prefix"],
        prefixes,
        (),
        found["mpi"],
        found["mpb"],
        _launcher(*folders) if found["mpi"] else None,
        {module: tuple(names) for module, names in found["names"].items() if names},
    )


def _launcher(*folders: Path) -> str | None:
    """mpirun of the installation that Meep is in: another MPI's would start unconnected processes."""
    paths = (folder / name for folder in folders for name in ("mpirun", "mpiexec"))
    return next((str(path) for path in paths if os.access(path, os.X_OK)), None)
