"""Files a hostile program left: what is taken, what is refused, and that nothing is read by surprise."""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from schemas.reading import beneath
from tasks.reproduce.collect import (
    CollectLimits,
    UnsafeOutput,
    check_png,
    collect,
    declared_files,
    read_csv,
    read_json,
    read_manifest,
    read_npz,
    read_progress,
)

pytestmark = pytest.mark.unit


@pytest.fixture(params=["openat2", "component by component"])
def work(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A work directory with one good file, collected with and without openat2."""
    if request.param != "openat2":
        monkeypatch.setattr(beneath, "_openat2_works", False)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "R.csv").write_text("wavelength,R\n500,0.5\n")
    return folder


def test_a_good_file_is_copied_with_its_digest(work: Path, tmp_path: Path) -> None:
    (work / "fields").mkdir()
    (work / "fields" / "ez.npz").write_bytes(b"bytes")
    taken = collect(work, tmp_path / "out", ["R.csv", "fields/ez.npz", "R.csv"])
    assert taken.refused == ()
    assert [item.name for item in taken.files] == ["R.csv", "fields/ez.npz"]
    assert taken.files[0].sha256 == hashlib.sha256((work / "R.csv").read_bytes()).hexdigest()
    assert taken.path("fields/ez.npz").read_bytes() == b"bytes"


TRICKS: dict[str, Callable[[Path], object]] = {
    "link.csv": lambda folder: (folder / "link.csv").symlink_to("/etc/passwd"),
    "relative.csv": lambda folder: (folder / "relative.csv").symlink_to("R.csv"),
    "etc/hosts.csv": lambda folder: (folder / "etc").symlink_to("/etc"),
    "hard.csv": lambda folder: os.link(folder / "R.csv", folder / "hard.csv"),
    "pipe.csv": lambda folder: os.mkfifo(folder / "pipe.csv"),
    "folder.csv": lambda folder: (folder / "folder.csv").mkdir(),
    "sparse.npz": lambda folder: os.truncate(os.open(folder / "sparse.npz", os.O_CREAT | os.O_RDWR), 1 << 40),
    "a\nb.csv": lambda folder: (folder / "a\nb.csv").write_text("x"),
    "-rf.csv": lambda folder: (folder / "-rf.csv").write_text("x"),
    "../secret.csv": lambda folder: (folder.parent / "secret.csv").write_text("x"),
    "/etc/passwd": lambda folder: None,
    "./R.csv": lambda folder: None,
    "": lambda folder: None,
    "missing.csv": lambda folder: None,
    "null\0.csv": lambda folder: None,
    "fields.h5": lambda folder: (folder / "fields.h5").write_bytes(b"\x89HDF"),
    "run.py": lambda folder: (folder / "run.py").write_text("x"),
}


@pytest.mark.attack("outputs", "refused with a reason, nothing copied")
@pytest.mark.parametrize("name", TRICKS)
def test_tricks_are_refused_with_a_reason(work: Path, tmp_path: Path, name: str) -> None:
    TRICKS[name](work)
    taken = collect(work, tmp_path / "out", [name])
    assert taken.files == ()
    assert taken.refused[0][0] == name
    assert taken.refused[0][1]
    assert [item for item in (tmp_path / "out").rglob("*") if item.is_file()] == []
    with pytest.raises(UnsafeOutput, match="not available"):
        taken.path(name)


def test_the_amount_is_limited(work: Path, tmp_path: Path) -> None:
    for index in range(4):
        (work / f"f{index}.csv").write_bytes(b"x" * 1000)
    names = [f"f{index}.csv" for index in range(4)]
    assert len(collect(work, tmp_path / "few", names, CollectLimits(files=2)).files) == 2
    assert len(collect(work, tmp_path / "small", names, CollectLimits(total_mb=2500 / 2**20)).files) == 2
    assert collect(work, tmp_path / "none", names, CollectLimits(file_mb=999 / 2**20)).files == ()


@pytest.mark.attack("outputs", "refused")
def test_evidence_is_never_replaced(work: Path, tmp_path: Path) -> None:
    collect(work, tmp_path / "out", ["R.csv"])
    (work / "R.csv").write_text("changed")
    assert "already has" in collect(work, tmp_path / "out", ["R.csv"]).refused[0][1]
    assert (tmp_path / "out" / "R.csv").read_text().startswith("wavelength")
    with pytest.raises(ValueError, match="inside the work directory"):
        collect(work, work / "out", ["R.csv"])


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.attack("outputs", "refused")
@pytest.mark.parametrize(
    "text",
    [
        '{"Q": NaN}',
        '{"Q": -Infinity}',
        '{"Q": 1e999}',
        '{"a": 1, "a": 2}',
        "{",
        "[" * 200_000,
        "9" * 100_000,
        "[" * 40 + "]" * 40,
        '{"a": "\ud800"}'.encode("utf-8", "surrogatepass").decode("latin-1"),
        "",
    ],
)
def test_json_that_is_not_plain_is_refused(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "results.json", text.encode("latin-1"))
    with pytest.raises(UnsafeOutput):
        read_json(path)


def test_a_manifest_names_its_files(tmp_path: Path) -> None:
    datasets = [{"id": "R", "file": "R.csv"}, {"file": 3}]
    manifest = {"simkit": 1, "datasets": datasets, "pictures": [{"file": "e.png"}]}
    path = written(tmp_path, "results.json", json.dumps(manifest))
    assert declared_files(read_manifest(path)) == ["R.csv", "e.png"]
    for wrong in ({"simkit": 2}, [], {"simkit": 1, "datasets": {}}, {"simkit": 1, "pictures": ["e.png"]}):
        with pytest.raises(UnsafeOutput):
            read_manifest(written(tmp_path, "results.json", json.dumps(wrong)))


def test_csv_values_and_their_finiteness(tmp_path: Path) -> None:
    path = written(tmp_path, "R.csv", "wavelength,R\n500,0.5\n510,nan\n520,1e999\n\n530,-2.5E-3\n")
    arrays = read_csv(path, ["wavelength", "R"])
    assert arrays.data["wavelength"].tolist() == [500, 510, 520, 530]
    assert arrays.data["R"][-1] == -0.0025
    assert arrays.nonfinite == {"wavelength": 0, "R": 2}
    assert not arrays.finite
    assert read_csv(written(tmp_path, "e.csv", "a,b\n")).data["b"].shape == (0,)


@pytest.mark.attack("outputs", "refused")
@pytest.mark.parametrize(
    "text",
    [
        'a,b\n1,=HYPERLINK("x")\n',
        "a,b\n1,\n",
        "a,b\n1\n",
        "a,b\n1,1_0\n",
        "a,b\n1,0x10\n",
        "a,a\n1,2\n",
        "a,@b\n1,2\n",
        "",
        "a,b\n1,\u0661\n",
        "a,b\n1,1+2j\n",
        'a,b\n"1,2\n',
        "a,c\n1,2\n",
        "a,b\n1,2\x00\n",
    ],
)
def test_csv_that_is_not_plain_numbers_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnsafeOutput):
        read_csv(written(tmp_path, "x.csv", text), ["a", "b"])


def test_npz_arrays(tmp_path: Path) -> None:
    field = np.array([[1 + 2j, np.nan], [3, 4]])
    np.savez_compressed(tmp_path / "f.npz", ez=field, x=np.arange(3))
    arrays = read_npz(tmp_path / "f.npz")
    assert arrays.data["ez"].shape == (2, 2)
    assert arrays.nonfinite == {"ez": 1, "x": 0}


def npy_header(shape: tuple[int, ...], dtype: str = "<f8") -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": dtype, "fortran_order": False, "shape": shape})
    return buffer.getvalue()


@pytest.mark.attack("outputs", "refused before it is unpacked")
def test_npz_that_claims_too_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.npy", "w") as member:
        member.write(npy_header((1 << 29,), "|u1"))
        for _ in range(1 << 5):
            member.write(bytes(1 << 24))
    assert bomb.stat().st_size < 1 << 20
    with pytest.raises(UnsafeOutput, match="claims too much"):
        read_npz(bomb)
    lies = [npy_header((1 << 40,)), npy_header((1 << 62, 4)), npy_header((2,), "|O"), b"junk"]
    for index, header in enumerate(lies):
        path = tmp_path / f"lie{index}.npz"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.npy", header + bytes(80))
        with pytest.raises(UnsafeOutput):
            read_npz(path)
    with pytest.raises(UnsafeOutput, match="not a readable"):
        read_npz(written(tmp_path, "no.npz", "not a zip"))


@pytest.mark.attack("outputs", "refused, nothing runs")
def test_npz_with_a_pickle_runs_nothing(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (os.system, (f"touch {tmp_path}/ran",))

    np.savez(tmp_path / "p.npz", a=np.array([Trap()], dtype=object), allow_pickle=True)
    with pytest.raises(UnsafeOutput):
        read_npz(tmp_path / "p.npz")
    assert not (tmp_path / "ran").exists()


def png(width: int, height: int, rows: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def test_png_size_and_soundness(tmp_path: Path) -> None:
    good = png(3, 2, bytes(2 * 4))
    assert check_png(written(tmp_path, "good.png", good)) == (3, 2)
    with pytest.raises(UnsafeOutput, match="too large"):
        check_png(written(tmp_path, "bomb.png", png(60_000, 60_000, b"")))
    unsound = [b"", b"GIF89a" + good, good[:-20], good.replace(b"IDAT", b"IDAX"), png(3, 2, b"")]
    for index, bad in enumerate(unsound):
        with pytest.raises(UnsafeOutput):
            check_png(written(tmp_path, f"bad{index}.png", bad))


def test_progress_is_the_last_complete_line(tmp_path: Path) -> None:
    assert read_progress(tmp_path) is None
    path = written(tmp_path, "progress.jsonl", '{"fraction": 0.1}\n{"fraction": 0.2}\n{"frac')
    last = read_progress(tmp_path)
    assert last is not None and last.fraction == 0.2
    path.write_text("[]\n")
    assert read_progress(tmp_path) is None
    path.write_text('{"fraction": NaN}\n')
    assert read_progress(tmp_path) is None
    path.unlink()
    path.symlink_to("/etc/passwd")
    assert read_progress(tmp_path) is None
