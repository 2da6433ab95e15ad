"""A program's control group, on files that look like the kernel's; with a real kernel: tests/sim/sandbox/test_sandbox_evasions.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tasks.sandbox import cgroup
from tasks.sandbox.cgroup import Cgroup, own_cgroup
from tasks.sandbox.sandbox_result import Limits

pytestmark = pytest.mark.unit


def group(folder: Path, **files: str) -> Path:
    """A group with these files; "_" stands for ".", and the files that every group has are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "cgroup_procs": "",
        "cgroup_subtree_control": "",
        "cpu_stat": "usage_usec 2500000\n",
        **files,
    }.items():
        (folder / name.replace("_", ".", 1)).write_text(text)
    return folder


def test_what_the_kernel_offers_is_limited(tmp_path: Path) -> None:
    bounds = {"memory_max": "max", "memory_swap.max": "max", "memory_oom.group": "0", "pids_max": "max"}
    folder = group(tmp_path / "own", **bounds, memory_events="oom 1\noom_kill 1\n")
    own = Cgroup(folder, Limits(memory_mb=300), processes=20)
    assert own.kept == ("memory", "pids", "cpu")
    written = [(folder / name.replace("_", ".", 1)).read_text() for name in bounds]
    assert written[0] == str(300 << 20) and written[1].startswith("0") and written[3].startswith("20")
    assert own.cpu_s() == 2.5 and own.out_of_memory()


def test_what_it_does_not_offer_is_not_claimed(tmp_path: Path) -> None:
    own = Cgroup(group(tmp_path / "own"), Limits(), processes=20)
    assert own.kept == ("cpu",)
    assert not own.out_of_memory()
    assert not (tmp_path / "own" / "memory.max").exists()
    own.check(os.getpid())  # which is elsewhere: entering was refused
    assert own.kept == ()


def test_a_group_outside_what_was_delegated_is_never_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root every group can be written; the limits of a service or a job around us must stay around the program."""
    unit = group(tmp_path / "system.slice" / "job.service", cgroup_subtree_control="memory pids")
    own = group(unit / "main")
    group(tmp_path, cgroup_subtree_control="cpu memory pids")
    monkeypatch.setattr(cgroup, "_mounted", lambda: (tmp_path, "/"))
    monkeypatch.setattr(cgroup, "_own", lambda: "/system.slice/job.service/main")
    monkeypatch.setattr(cgroup.os, "getuid", lambda: 0)
    monkeypatch.setattr(cgroup, "_delegated", lambda path: False)
    assert own_cgroup(Limits(), 20) is None
    monkeypatch.setattr(cgroup, "_delegated", lambda path: path == unit)
    made = own_cgroup(Limits(), 20)
    assert made is not None and made.path.parent == unit
    made.remove()
    assert sorted(path.name for path in unit.iterdir() if path.is_dir()) == [own.name]


def test_where_no_group_of_version_2_is_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> tuple[Path, str]:
        raise OSError("no cgroup of version 2 is mounted")

    monkeypatch.setattr(cgroup, "_mounted", missing)
    assert own_cgroup(Limits(), 20) is None
