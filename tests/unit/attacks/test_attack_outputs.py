"""Files that generated code leaves: what does not fit is a rejected output with its reason, never the end of a run."""

from __future__ import annotations

import json
import os
import resource
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from schemas.reproduce.simulations.execution import Execution, SimulationJob
from tasks.files.store import Store, remove_tree
from tasks.reproduce import simulation
from tasks.reproduce.collect import UnsafeOutput, check_png, read_csv, read_npz
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.sandbox import SandboxResult, scratch

pytestmark = pytest.mark.unit
RESULT = SandboxResult(
    exit_code=0,
    signal=None,
    stop_reason=None,
    wall_s=1.0,
    cpu_s=1.0,
    peak_memory_mb=1.0,
    peak_disk_mb=0.0,
    stdout_head="",
    stdout_tail="",
    stderr_tail="",
    output_bytes=0,
    level="A",
    backend="bubblewrap",
)
DATASET = {
    "id": "R",
    "kind": "spectrum",
    "file": "R.csv",
    "columns": [
        {"name": "wavelength", "quantity": "wavelength", "unit": "nm"},
        {"name": "R", "quantity": "reflectance", "unit": "1"},
    ],
    "targets": [],
    "description": "d",
}
RUN = {
    "label": "run",
    "dimensions": 2,
    "cell": [1.0, 1.0, 0.0],
    "resolution": 20.0,
    "courant": 0.5,
    "pixels": 400,
    "time_steps": 100,
    "meep_time": 5.0,
    "wall_s": 0.1,
    "stop": {"criterion": "until", "reached": 5.0, "met": True},
    "max_field": 1.0,
}


def collected(
    tmp_path: Path, manifest: str | bytes, prepare: Callable[[Path], object] = lambda work: None
) -> Execution:
    """What becomes of a work folder with this results.json and a sound R.csv."""
    work, draft = tmp_path / "work", tmp_path / "draft"
    work.mkdir()
    draft.mkdir()
    (work / "results.json").write_bytes(
        manifest if isinstance(manifest, bytes) else manifest.encode("utf-8", "surrogatepass")
    )
    (work / "R.csv").write_text("wavelength,R\n500,0.5\n")
    prepare(work)
    job = SimulationJob(paper_id="p", stage_id="s", code="")
    meep = MeepInterpreter.__new__(MeepInterpreter)
    object.__setattr__(meep, "meep_version", "1.25")
    found = simulation._collect(job, "0" * 32, RESULT, work, draft, meep)
    assert Execution.model_validate_json(found.model_dump_json()) == found, "it can be kept and read again"
    assert all(c.isprintable() or c in "\n\t" for text in found.rejected for c in text), found.rejected
    return found


def manifest(**changes: Any) -> str:
    return json.dumps(
        {
            "simkit": 1,
            "meep": "1.25",
            "complete": True,
            "parameters": {},
            "datasets": [DATASET],
            "simulations": [RUN],
            "checks": [],
            "pictures": [],
        }
        | changes
    )


def test_a_sound_manifest(tmp_path: Path) -> None:
    found = collected(tmp_path, manifest())
    assert found.rejected == () and found.complete and found.failure is None and found.datasets[0].rows == 1


def _number(text: str) -> str:
    return manifest().replace('"resolution": 20.0', f'"resolution": {text}')


WHOLE: dict[str, str | bytes] = {
    "10**400": _number("1" + "0" * 400),
    "1e400": _number("1e400"),
    "NaN": _number("NaN"),
    "Infinity": _number("Infinity"),
    "an integer of 100 000 digits": _number("9" * 100_000),
    "half a pair": manifest(meep="\ud800"),
    "a key twice": manifest()[:-1] + ', "complete": true}',
    "1200 deep": manifest()[:-1] + ', "x": ' + "[" * 1200 + "]" * 1200 + "}",
    "UTF-16": manifest().encode("utf-16"),
    "NUL": manifest() + "\0",
    "empty": "",
    "a list": "[]",
    "another version": '{"simkit": 2}',
    "datasets that are text": manifest(datasets="R.csv"),
    "9 MB": manifest(meep="x" * 9_000_000),
}


@pytest.mark.attack("outputs", "no manifest, with the reason; the file does not stay")
@pytest.mark.parametrize("case", WHOLE)
def test_results_json_with(tmp_path: Path, case: str) -> None:
    found = collected(tmp_path, WHOLE[case])
    assert found.rejected and not found.complete and found.failure is not None
    assert not (tmp_path / "draft" / "data" / "results.json").exists()


ENTRIES: dict[str, dict[str, Any]] = {
    "a name of a megabyte": {"datasets": [DATASET, DATASET | {"id": "x" * 1_000_000}]},
    "an unknown kind": {"datasets": [DATASET, DATASET | {"id": "b", "kind": "verdict"}]},
    "an unknown field": {"datasets": [DATASET, DATASET | {"id": "b", "verdict": "SUCCESS"}]},
    "a field of the manifest that is none": {"verdict": "SUCCESS"},
    "text as a number": {"simulations": [RUN, RUN | {"resolution": "20"}]},
    "a number beyond bounds": {"simulations": [RUN, RUN | {"pixels": 10**30}]},
    "negative steps": {"simulations": [RUN, RUN | {"time_steps": -5}]},
    "five axes": {"simulations": [RUN, RUN | {"cell": [1.0] * 5}]},
    "2000 runs": {"simulations": [RUN] * 2000},
    "a list for a check": {"checks": [{"name": ["x"], "value": {}}]},
    "complete as text": {"complete": "yes"},
    "terminal escapes": {"checks": [{"name": "\x1b[2J", "value": "x"}]},
    "a path": {"datasets": [DATASET, DATASET | {"id": "b", "file": "../../../etc/passwd"}]},
    "an absolute path": {"datasets": [DATASET, DATASET | {"id": "b", "file": "/etc/passwd"}]},
    "a pickle": {"datasets": [DATASET, DATASET | {"id": "b", "file": "p.pkl"}]},
}


@pytest.mark.attack("outputs", "the entry is rejected with its reason, the rest is kept")
@pytest.mark.parametrize("case", ENTRIES)
def test_an_entry_with(tmp_path: Path, case: str) -> None:
    found = collected(tmp_path, manifest(**ENTRIES[case]))
    assert found.rejected
    assert [dataset.dataset_id for dataset in found.datasets] == ["R"] and len(found.meep_runs) in (1, 1000)


def _npz(path: Path, **arrays: Any) -> None:
    np.savez(path, **arrays)


def _bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.npy", "w") as member:
        for _ in range(64):
            member.write(bytes(1 << 23))


FILES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "an object array": (
        "b.npz",
        lambda path: np.savez(path, a=np.array([{}], dtype=object), allow_pickle=True),
    ),
    "an NPZ bomb": ("b.npz", _bomb),
    "an NPZ of text": ("b.npz", lambda path: _npz(path, a=np.array(["x"]))),
    "no NPZ": ("b.npz", lambda path: path.write_bytes(b"PK\x03\x04")),
    "another CSV header": ("b.csv", lambda path: path.write_text("a,b\n1,2\n")),
    "a CSV of one line of 60 MB": (
        "b.csv",
        lambda path: path.write_bytes(b"wavelength,R\n" + b"1" * 60_000_000),
    ),
    "a CSV of 2 million rows": (
        "b.csv",
        lambda path: path.write_bytes(b"wavelength,R\n" + b"1,2\n" * 2_000_000),
    ),
    "a CSV of one cell of 60 MB": (
        "b.csv",
        lambda path: path.write_bytes(b'wavelength,R\n"' + b"1\n" * 900_000 + b'",2\n'),
    ),
    "a CSV in Latin-1": ("b.csv", lambda path: path.write_bytes("wavelength,R\n1,é\n".encode("latin-1"))),
    "a link": ("b.csv", lambda path: path.symlink_to("/etc/passwd")),
    "a pipe": ("b.csv", lambda path: os.mkfifo(path)),
    "a sparse terabyte": ("b.csv", lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_RDWR), 1 << 40)),
}


@pytest.mark.attack(
    "outputs", "rejected with its reason within 5 s of CPU time and 400 MB, and it does not stay"
)
@pytest.mark.parametrize("case", FILES)
def test_a_data_file_that_is(tmp_path: Path, case: str) -> None:
    name, make = FILES[case]
    began, size = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = collected(
        tmp_path,
        manifest(datasets=[DATASET, DATASET | {"id": "b", "file": name}]),
        lambda work: make(work / name),
    )
    assert time.process_time() - began < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size < 400_000
    assert [dataset.dataset_id for dataset in found.datasets] == ["R"] and found.rejected
    assert sorted(path.name for path in (tmp_path / "draft" / "data").iterdir()) == ["R.csv", "results.json"]


@pytest.mark.attack("outputs", "read piece by piece: memory does not grow with the text of the cells")
def test_a_large_sound_table(tmp_path: Path) -> None:
    path = tmp_path / "R.csv"
    with path.open("wb") as stream:
        stream.write(b"wavelength,R\n")
        for _ in range(400):
            stream.write(b"500.1234567890123,0.1234567890123456\n" * 1000)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert read_csv(path, ["wavelength", "R"]).data["R"].shape == (400_000,)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size < 150_000


PICTURES = {
    "EPS": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    "SVG": b"<svg onload='x'/>",
    "GIF": b"GIF89a" + b"\0" * 40,
    "a PNG's first bytes": b"\x89PNG\r\n\x1a\n",
    "TIFF": b"II*\0" + b"\0" * 40,
}


@pytest.mark.attack("outputs", "rejected as no PNG; no other reader sees it")
@pytest.mark.parametrize("case", PICTURES)
def test_a_picture_that_is(tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    original = Image.open
    monkeypatch.setattr(
        Image,
        "open",
        lambda file, mode="r", formats=None: opened.append(formats) or original(file, mode, formats),
    )
    found = collected(
        tmp_path,
        manifest(pictures=[{"file": "e.png", "caption": "c"}]),
        lambda work: (work / "e.png").write_bytes(PICTURES[case]),
    )
    assert found.pictures == () and found.rejected and all(formats == ["PNG"] for formats in opened)
    assert not (tmp_path / "draft" / "data" / "e.png").exists()


def _deep(root: Path, depth: int) -> None:
    here = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


@pytest.mark.attack("outputs", "removed without recursion, and a failure does not escape")
@pytest.mark.parametrize("depth", [1200, 4000])
def test_a_tree_of_depth(tmp_path: Path, depth: int) -> None:
    with scratch("attack-", tmp_path) as root:
        _deep(root / "work", depth)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "tree").mkdir()
    _deep(tmp_path / "tree", depth)
    remove_tree(tmp_path / "tree")
    assert not (tmp_path / "tree").exists()


@pytest.mark.attack("outputs", "removed; what a link points at stays")
def test_a_tree_with_links_and_closed_folders(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    with scratch("attack-", tmp_path) as root:
        (root / "work" / "link").symlink_to(kept)
        (root / "work" / "closed").mkdir()
        (root / "work" / "closed" / "file").write_text("x")
        (root / "work" / "closed").chmod(0)
        os.mkfifo(root / "work" / "pipe")
    assert (kept / "file").read_text() == "x" and [path.name for path in tmp_path.iterdir()] == ["kept"]


@pytest.mark.attack("outputs", "the store's entry is made all the same")
def test_a_deep_tree_in_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.building("simulations", "a") as draft:
        _deep(draft, 1200)
    with store.building("simulations", "a") as draft:
        (draft / "execution.json").write_text("{}")
    assert [path.name for path in store.entry("simulations", "a").iterdir()] == ["execution.json"]


def test_readers_agree_with_the_collector(tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(b"")
    for reader in (read_npz, check_png):
        with pytest.raises(UnsafeOutput):
            reader(tmp_path / "x.npz")
