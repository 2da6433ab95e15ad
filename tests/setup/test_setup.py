"""scripts/setup.sh as a new user meets it: old pips, odd folders, half-made environments, nothing to install with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flows.serving.runtime import PACKAGES

pytestmark = pytest.mark.setup

ROOT = Path(__file__).resolve().parents[2]
OLDEST_PIP = "22.3"  # of Python 3.11.0, the oldest Python supported
NEEDED = (
    "bash",
    "sh",
    "dirname",
    "date",
    "sha256sum",
    "cut",
    "cat",
    "tail",
    "sed",
    "ls",
    "rm",
    "touch",
    "kill",
    "sleep",
    "id",
    "flock",
    "env",
    "basename",
    "xargs",
    "bwrap",
    "uname",
)
installing = (
    pytest.mark.long
)  # by a real pip, from a real index; make test itself begins with such an installation
NOT_COMPILED = {
    "PIP_NO_COMPILE": "no"
}  # pip's word for "do not compile": nothing here runs long enough to need it


def checkout(folder: Path, *, whole: bool) -> Path:
    """A copy of what set-up needs, in a folder with a space. whole=False: a lock with nothing but setuptools in it."""
    target = folder / "a folder"
    for name in ("scripts", *PACKAGES):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    (target / "papers").mkdir()
    for name in ("README.md", "LICENSE", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, target / name)
    if not whole:
        lock = (ROOT / "requirements.lock").read_text()
        (target / "requirements.lock").write_text(re.search(r"^setuptools==(?:.*\\\n)*.*\n", lock, re.M)[0])  # type: ignore[index]
        project = (target / "pyproject.toml").read_text()
        (target / "pyproject.toml").write_text(
            re.sub(r"^dependencies = \[.*?^\]\n", "", project, flags=re.M | re.S)
        )
    return target


def tools(folder: Path, *more: str) -> Path:
    """A PATH of one folder: what the script needs, Python, and nothing that could install."""
    place = folder / "tools"
    place.mkdir()
    for name in (*NEEDED, *more):
        found = shutil.which(name)
        if found:
            (place / name).symlink_to(found)
    (place / "python3").symlink_to(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}")
    return place


def set_up(
    checkout: Path, path: Path, home: Path, *before: str, **env: str
) -> subprocess.CompletedProcess[str]:
    home.mkdir(exist_ok=True)
    kept = {
        k: v
        for k, v in os.environ.items()
        if k.startswith(("PIP_", "SSL_", "http", "HTTP", "no_proxy", "NO_PROXY"))
    }
    return subprocess.run(
        [*before, "bash", str(checkout / "scripts" / "setup.sh")],
        text=True,
        capture_output=True,
        env={**NOT_COMPILED, **kept, "PATH": str(path), "HOME": str(home), **env},
        cwd="/",
        timeout=540,
        check=False,
    )


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return checkout(tmp_path, whole=False)


@installing
def test_the_lock_installs_with_the_oldest_pip(tmp_path: Path) -> None:
    place = checkout(tmp_path, whole=True)
    subprocess.run([sys.executable, "-m", "venv", str(place / ".venv")], check=True)
    python = place / ".venv" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "-q", f"pip=={OLDEST_PIP}"], check=True, capture_output=True
    )
    done = set_up(place, tools(tmp_path), tmp_path / "home")
    assert done.returncode == 0, done.stderr
    packages, command = done.stderr.splitlines()
    assert re.fullmatch(r"setup: Python packages from requirements.lock .* \d+ s", packages)
    assert command.startswith(f"setup: the command is {place}/.venv/bin/reprolab; make link puts it")
    version = subprocess.run(
        [python, "-m", "pip", "--version"], text=True, capture_output=True, check=True
    ).stdout
    assert version.startswith(f"pip {OLDEST_PIP} ")
    told = subprocess.run(
        [place / ".venv" / "bin" / "reprolab", "--help"], text=True, capture_output=True, check=False
    )
    assert told.returncode == 0 and "reproduce" in told.stdout
    assert "Successfully installed" in (place / "setup.log").read_text()
    again = set_up(place, tmp_path / "tools", tmp_path / "home")
    assert (again.returncode, again.stderr) == (0, "")


@installing
def test_a_half_made_environment_is_made_anew(small: Path, tmp_path: Path) -> None:
    path, home = tools(tmp_path), tmp_path / "home"
    assert set_up(small, path, home).returncode == 0
    stamp, python = small / ".venv" / ".reprolab-lock", small / ".venv" / "bin" / "python"
    python.unlink()  # the interpreter it was made with is gone
    python.symlink_to("/no/such/python")
    assert set_up(small, path, home).returncode == 0 and python.exists() and stamp.exists()
    stamp.unlink()  # killed while it installed
    (small / ".venv" / ".reprolab-unfinished").touch()
    (small / ".venv" / "half").touch()
    assert set_up(small, path, home).returncode == 0
    assert stamp.exists() and not (small / ".venv" / "half").exists()


def test_what_is_no_environment_is_left_alone(small: Path, tmp_path: Path) -> None:
    (small / ".venv").mkdir()
    (small / ".venv" / "thesis.tex").touch()
    done = set_up(small, tools(tmp_path), tmp_path / "home")
    assert (
        done.returncode == 4
        and "is not a virtual environment" in done.stderr
        and "move it away" in done.stderr
    )
    assert (small / ".venv" / "thesis.tex").exists()


@installing
def test_a_failing_uv_is_replaced_by_pip(small: Path, tmp_path: Path) -> None:
    path = tools(tmp_path)
    (path / "uv").write_text("#!/bin/sh\necho 'error: unexpected argument'\nexit 2\n")
    (path / "uv").chmod(0o755)
    done = set_up(small, path, tmp_path / "home")
    assert done.returncode == 0, done.stderr
    assert "with uv ... failed" in done.stderr and "unexpected argument" in done.stderr


@installing
def test_a_lock_with_a_wrong_hash_is_refused(small: Path, tmp_path: Path) -> None:
    lock = small / "requirements.lock"
    lock.write_text(re.sub(r"sha256:[0-9a-f]{64}", "sha256:" + "0" * 64, lock.read_text()))
    done = set_up(small, tools(tmp_path), tmp_path / "home")
    assert done.returncode == 4 and "could not be installed" in done.stderr
    assert (
        str(small / "setup.log") in done.stderr
        and "DO NOT MATCH THE HASHES" in (small / "setup.log").read_text()
    )
    assert not (small / ".venv" / ".reprolab-lock").exists()


@installing
def test_no_meep_and_nothing_to_install_it_with(small: Path, tmp_path: Path) -> None:
    bwrap = shutil.which("bwrap")
    assert bwrap, "needs bubblewrap, which the set-up installs"
    meep = Path("/usr/lib/python3/dist-packages/meep")
    hidden = ("--tmpfs", str(meep)) if meep.is_dir() else ()
    done = set_up(small, tools(tmp_path), tmp_path / "home", bwrap, "--dev-bind", "/", "/", *hidden, "--")
    assert done.returncode == 4, done.stderr
    assert "sudo apt-get install python3-meep" in done.stderr and "conda create" in done.stderr
    assert "never pip install meep" in done.stderr


@installing
def test_a_wrong_setting_for_meep_installs_nothing(small: Path, tmp_path: Path) -> None:
    path = tools(tmp_path)
    (path / "apt-get").symlink_to("/bin/false")
    done = set_up(small, path, tmp_path / "home", REPROLAB_MEEP_PYTHON="/no/such/python")
    assert done.returncode == 4 and "REPROLAB_MEEP_PYTHON names an interpreter without Meep" in done.stderr
    assert "with apt" not in done.stderr


def test_no_python_that_fits(small: Path, tmp_path: Path) -> None:
    path = tools(tmp_path)
    (path / "python3").unlink()
    (path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (path / "python3").chmod(0o755)
    bwrap = shutil.which("bwrap")
    assert bwrap
    hidden = ("--ro-bind", "/dev/null", "/usr/bin/python3") if Path("/usr/bin/python3").exists() else ()
    done = set_up(small, path, tmp_path / "home", bwrap, "--dev-bind", "/", "/", *hidden, "--")
    assert (
        done.returncode == 4
        and "no Python 3.11 to 3.13 found" in done.stderr
        and "REPROLAB_PYTHON" in done.stderr
    )
