"""Meep is found by importing it; what is not Meep is named."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.reproduce import meep_interpreter
from tasks.reproduce.meep_interpreter import SETTING, MeepNotFound, find_meep
from tasks.sandbox import Limits, run_sandboxed, scratch

pytestmark = pytest.mark.sim

SYSTEM = Path("/usr/bin/python3")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (SETTING, "CONDA_PREFIX", "CONDA_EXE", "MAMBA_EXE", "MAMBA_ROOT_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    meep_interpreter._find.cache_clear()
    yield
    meep_interpreter._find.cache_clear()


def environment(folder: Path, name: str, module: str) -> Path:
    """A conda-like environment: the running interpreter with one module beside it."""
    site = folder / name / "site"
    site.mkdir(parents=True)
    (site / "meep.py").write_text(module)
    python = folder / name / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{site}" exec "{sys.executable}" "$@"\n')
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return python


def test_the_system_meep_is_found_and_runs_in_the_sandbox() -> None:
    found = find_meep()
    assert os.access(found.path, os.X_OK)
    assert found.meep_version.startswith("1.")
    assert found.searched[-1].endswith(f"Meep {found.meep_version}")
    with scratch() as home:
        result = run_sandboxed(
            [found.path, "-c", "import meep; print(meep.__version__)"],
            home / "work",
            prefixes=found.prefixes,
            limits=Limits(wall_s=60),
        )
    assert result.ok, result.stderr_tail
    assert result.stdout_head.splitlines()[0] == found.meep_version


def test_an_active_conda_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = environment(tmp_path, "photonics", "__version__ = '9.9'\nclass Simulation: ...\n")
    monkeypatch.setenv("CONDA_PREFIX", str(python.parents[1]))
    found = find_meep()
    assert (found.path, found.meep_version) == (str(python), "9.9")
    assert found.searched[0].startswith("current")


def test_the_unrelated_package_of_the_same_name_is_recognised(tmp_path: Path) -> None:
    python = environment(tmp_path, "wrong", "__version__ = '1.0'\ndef run_task(): ...\n")
    with pytest.raises(MeepNotFound, match="unrelated program") as caught:
        find_meep(str(python))
    assert "Never `pip install meep`" in str(caught.value)
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("import no_such_library", "no_such_library"),
        ("import os; os._exit(9)", "status 9"),
        ("raise SystemExit('gone')", "status 1"),
    ],
)
def test_a_broken_meep_is_described(tmp_path: Path, module: str, message: str) -> None:
    with pytest.raises(MeepNotFound, match=message):
        find_meep(str(environment(tmp_path, "broken", module)))


def test_a_meep_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meep_interpreter, "_TIMEOUT_S", 0.5)
    with pytest.raises(MeepNotFound, match=r"within 0\.5 s"):
        find_meep(str(environment(tmp_path, "slow", "import time; time.sleep(30)")))


def test_a_wrong_setting_is_an_error_and_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "/usr/no/such/python")
    with pytest.raises(MeepNotFound, match="configured interpreter") as caught:
        find_meep()
    assert "/usr/no/such/python" in str(caught.value)
    assert "current" not in str(caught.value)


def test_every_place_searched_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = environment(tmp_path, "broken", "import no_such_library")
    places = [("current", sys.executable), ("conda environment", str(broken))]
    monkeypatch.setattr(meep_interpreter, "_search_order", lambda: iter(places))
    with pytest.raises(MeepNotFound) as caught:
        find_meep()
    assert all(f"{label} {path}" in str(caught.value) for label, path in places)
    assert "apt-get install python3-meep" in str(caught.value)


def test_the_names_of_meep_serve_the_lint() -> None:
    names = find_meep().names
    assert {"Simulation", "PML", "mpb", "Ez"} <= set(names["meep"])
    assert "ModeSolver" in names["meep.mpb"]


def test_meep_with_mpi_is_started_by_the_mpirun_beside_it(tmp_path: Path) -> None:
    module = "__version__ = '9.9'\nclass Simulation: ...\ndef with_mpi(): return True\n"
    python = environment(tmp_path, "parallel", module)
    alone = find_meep(str(python))
    assert alone.command("s.py", 4) == [str(python), "s.py"] and "no mpirun beside it" in alone.described()
    mpirun = python.with_name("mpirun")
    mpirun.write_text("#!/bin/sh\n")
    mpirun.chmod(0o755)
    meep_interpreter._find.cache_clear()
    found = find_meep(str(python))
    assert found.command("s.py", 4) == [str(mpirun), "-np", "4", str(python), "s.py"]
    assert found.command("s.py", 1) == [str(python), "s.py"]
    assert "without MPB" in found.described()


def test_environments_of_an_installation_that_no_variable_names_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    python = environment(
        tmp_path / "miniforge3" / "envs", "photonics", "__version__ = '9.9'\nclass Simulation: ...\n"
    )
    assert find_meep().path == str(python)
