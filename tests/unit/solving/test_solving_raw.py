"""raw.npz is read as a stranger's: no pickles, no false sizes, no strange names."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tasks.files.store import Store
from tasks.reproduce.collect import UnsafeOutput
from tasks.reproduce.solving import one_run, run_left
from tasks.reproduce.solving.run_left import read_raw
from tasks.reproduce.uncertainty.witnesses import disturb

pytestmark = pytest.mark.unit


def test_arrays_come_back_by_monitor_and_fields_only_for_subtracting(tmp_path: Path) -> None:
    np.savez(
        tmp_path / "raw.npz",
        **{"back/flux": np.arange(3.0), "back/E": np.zeros(4, complex), "stats/steps": np.array(7)},
    )
    assert set(read_raw(tmp_path / "raw.npz")) == {"back/flux", "stats/steps"}
    assert set(read_raw(tmp_path / "raw.npz", fields=True)) == {"back/flux", "back/E", "stats/steps"}


def test_hostile_archives_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "raw.npz"
    np.savez(path, **{"a/b": np.array([{}], dtype=object)})
    with pytest.raises(UnsafeOutput, match="no objects"):
        read_raw(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../up.npy", b"")
    with pytest.raises(UnsafeOutput, match="members"):
        read_raw(path)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/flux.npy", header.getvalue())
    with pytest.raises(UnsafeOutput, match="does not fit"):
        read_raw(path)
    np.savez(path, **{f"m/a{i}": np.zeros(1) for i in range(5)})
    monkeypatch.setattr(run_left, "MOST_ARRAYS", 4)
    with pytest.raises(UnsafeOutput, match="members"):
        read_raw(path)
    monkeypatch.setattr(run_left, "MOST_ARRAYS", 40)
    monkeypatch.setattr(run_left, "MAX_RAW_BYTES", 100)
    with pytest.raises(UnsafeOutput, match="claims too much"):
        read_raw(path)


def test_a_disturbance_changes_data_and_no_abscissa() -> None:
    raw = {
        "structure": {
            "back/flux": np.linspace(1, 2, 9),
            "back/frequency": np.linspace(1, 2, 9),
            "stats/steps": np.array(5),
            "probe/frequency": np.array([0.3]),
            "probe/decay": np.array([0.01]),
        }
    }
    changed = disturb(raw, 0.01)["structure"]
    ratio = changed["back/flux"] / raw["structure"]["back/flux"]
    assert 0 < np.max(np.abs(ratio - 1)) <= 0.01 and np.ptp(ratio) > 0.01
    assert (
        np.array_equal(changed["back/frequency"], raw["structure"]["back/frequency"])
        and changed["stats/steps"] == 5
    )
    assert changed["probe/frequency"] != raw["structure"]["probe/frequency"]


def test_of_bands_the_frequencies_are_data_and_of_guided_modes_the_wave_numbers() -> None:
    raw = {
        name: {f"{name}/frequency": np.linspace(1, 2, 9), f"{name}/k": np.linspace(1, 2, 9)}
        for name in ("bands", "modes")
    }
    changed = disturb(raw, 0.01)
    moved = {
        key for name in raw for key in raw[name] if not np.array_equal(raw[name][key], changed[name][key])
    }
    assert moved == {"bands/frequency", "modes/k"}


def test_runs_of_several_processes_are_kept_apart(tmp_path: Path) -> None:
    """Fields to subtract lie in the order of the processes that made them: one's taken from two's would be silently wrong."""
    names = {
        (processes, launcher): one_run.Solver(
            Store(tmp_path),
            SimpleNamespace(meep_version="1.25.0", launcher=launcher),
            one_run.Budget(1.0),  # type: ignore[arg-type]
            processes=processes,
        )
        .entry("abc")
        .name
        for processes in (1, 2, 3)
        for launcher in (None, "mpirun")
    }
    assert names.pop((2, "mpirun")) == "abc-1.25.0-mpi2" and names.pop((3, "mpirun")) == "abc-1.25.0-mpi3"
    assert set(names.values()) == {"abc-1.25.0"}


def test_another_turn_is_another_disturbance() -> None:
    """Two quantities of the same arrays, each disturbed by its own: what is made of both as a ratio moves."""
    raw = {"structure": {"back/flux": np.linspace(1, 2, 9)}}
    one, other = (disturb(raw, 0.01, turn)["structure"]["back/flux"] for turn in (0, 1))
    assert np.max(np.abs(one / other - 1)) > 1e-3
    assert np.array_equal(one, disturb(raw, 0.01)["structure"]["back/flux"])
