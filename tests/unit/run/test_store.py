"""The store that runs of one outputs folder share."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tasks.files.store import Store

pytestmark = pytest.mark.unit


def test_an_entry_that_is_made_again_is_never_missing(tmp_path: Path) -> None:
    """Two runs solved the same thing at the same time; a third that subtracts it found it gone."""
    store, gone, made = Store(tmp_path), [], threading.Event()

    def make(content: str) -> None:
        with store.building("runs", "a") as draft:
            for number in range(20):
                (draft / f"{number}.npz").write_text(content)

    def look() -> None:
        while not made.is_set():
            if not (store.entry("runs", "a") / "19.npz").is_file():
                gone.append(1)

    make("first")
    reader = threading.Thread(target=look)
    reader.start()
    for number in range(100):
        make(f"again {number}")
    made.set()
    reader.join()
    assert not gone
    assert (store.entry("runs", "a") / "19.npz").read_text() == "again 99"
    assert [path.name for path in (tmp_path / ".reprolab" / "runs").iterdir()] == ["a"]


def test_a_block_that_fails_leaves_the_entry_as_it_was(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.building("runs", "a") as draft:
        (draft / "x").write_text("kept")
    with pytest.raises(RuntimeError), store.building("runs", "a"):
        raise RuntimeError
    assert (store.entry("runs", "a") / "x").read_text() == "kept"
    assert [path.name for path in (tmp_path / ".reprolab" / "runs").iterdir()] == ["a"]
