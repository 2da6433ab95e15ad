"""environment.json: the computer and the programs that the experiments ran on, as code finds them."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path

from schemas.base import file_sha256
from schemas.explore.science_data import Fact, Number
from schemas.text.visible import one_visible_line
from tasks.explore.measuring.interpreter import interpreter
from tasks.files.store import atomic_write

FILE = "environment.json"


def describe_machine(run_dir: Path) -> None:
    """Write environment.json once; a later stage on another computer does not replace it."""
    if (run_dir / FILE).exists():
        return
    found = {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": _memory_gib(),
        "system": platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        **_programs(),
    }
    atomic_write(run_dir / FILE, json.dumps(found, indent=1, sort_keys=True))


def machine_numbers(run_dir: Path) -> tuple[tuple[Fact, ...], tuple[Number, ...]]:
    """Facts machine.cpu, machine.system, machine.python, and the numbers machine.cores and machine.memory."""
    path = run_dir / FILE
    found, sha = json.loads(path.read_text(encoding="utf-8")), file_sha256(path)
    words = {
        "cpu": ("the processor", found["cpu"]),
        "python": (
            "the Python that ran the programs",
            f"Python {found['python']}" if found.get("python") else "",
        ),
        "numpy": ("its NumPy", f"NumPy {found['numpy']}" if found.get("numpy") else ""),
        "system": ("operating system and kernel", f"{found['system']} {found['kernel']}"),
    }
    facts = tuple(
        Fact(name=f"machine.{key}", text=one_visible_line(text, 190), what=what, file=FILE, sha256=sha)
        for key, (what, text) in words.items()
        if text
    )
    counts = {
        "cores": ("processor cores that the programs could use", found["cores"], ""),
        "memory": ("memory of the computer", found["memory_gib"], "GiB"),
    }
    return facts, tuple(
        Number(
            name=f"machine.{key}",
            value=value,
            unit=unit,
            kind="counted",
            what=what,
            file=FILE,
            sha256=sha,
            key=key,
        )
        for key, (what, value, unit) in counts.items()
        if value
    )


def _programs() -> dict[str, str]:
    """Versions of the interpreter that runs measure programs, which need not be ours."""
    asked = (
        "import json, platform\nfound = {'python': platform.python_version()}\ntry:\n    import numpy\n"
        "    found['numpy'] = numpy.__version__\nexcept ImportError:\n    pass\nprint(json.dumps(found))"
    )
    try:
        said = subprocess.run(
            [interpreter().path, "-I", "-c", asked], capture_output=True, text=True, timeout=60, check=True
        )
        return {str(key): str(value) for key, value in json.loads(said.stdout).items()}
    except (OSError, subprocess.SubprocessError, ValueError):
        return {}


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory_gib() -> float:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (ValueError, OSError):
        return 0.0
