"""Nodes write their own notes and read their ancestors'; hostile words, two processes and a broken file do no harm."""

from __future__ import annotations

import subprocess
import sys

import pytest

from schemas.errors import InputError, StateError
from schemas.explore.claims import ExecutionRecord, FileWritten, NodeRecord
from tasks.explore.memory import MAX_ENTRIES, Inherited, Memory, state_context
from tasks.explore.nodes.node_record import begun, node_record, results_of

pytestmark = pytest.mark.unit


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "memory.sqlite"


def filled(path):
    Memory(path, "n000").add("blocking the inner loop by 64 rows helped", {"size": 64})
    Memory(path, "n000").add("the compiler ignores restrict")
    Memory(path, "n001", ["n000"]).add("threads made blocking slower")
    Memory(path, "n002", ["n000"]).add("secret of a sibling: blocking by 32")
    return path


def texts(notes):
    return [note.text for note in notes]


def test_a_child_finds_what_its_ancestors_noted_and_nothing_of_siblings(path):
    child = Memory(filled(path), "n003", ["n000", "n001"])
    assert sorted(texts(child.search("Blocking?"))) == [
        "blocking the inner loop by 64 rows helped",
        "threads made blocking slower",
    ]
    assert texts(child.search("threading")) == [
        "threads made blocking slower"
    ]  # words are cut to their stems
    assert (
        texts(child.search("restrict loop blocking rows"))[0] == "blocking the inner loop by 64 rows helped"
    )
    assert child.search("rows")[0].metadata == {"size": 64} and child.search("nowhere") == ()
    assert texts(child.search("blocking", ["n001", "n002"])) == [
        "threads made blocking slower"
    ]  # n002 is none of its own
    assert Memory(path, "n009").search("blocking") == ()
    assert texts(child.search("", limit=1)) == ["threads made blocking slower"]


def test_only_the_own_node_is_written_and_cleared(path):
    node = Memory(filled(path), "n001", ["n000"])
    for forbidden in (
        lambda: node.add("x", node_id="n000"),
        lambda: node.clear("n000"),
        lambda: node.of_node("n002"),
    ):
        with pytest.raises(InputError):
            forbidden()
    assert node.clear("n001") == 1 and node.of_node() == () and len(node.of_node("n000")) == 2
    assert Memory(path, "n003", ["n001"]).search("threads") == ()


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'; DROP TABLE notes; --",
        "NEAR(a b",
        "text:*",
        "a AND OR NOT",
        "(((",
        "*",
        "\x00",
        "\ud800",
        "blocking" * 10_000,
        "-col:x ^y",
        " ".join(map(str, range(10_000))),
    ],
)
def test_hostile_queries_are_words(path, query):
    child = Memory(filled(path), "n001", ["n000"])
    child.search(query)
    child.add(f"noted {query[:3000]}")
    assert len(child.of_node("n000")) == 2 and len(child.of_node()) == 2


def test_notes_are_limited_and_a_call_counts_once(path):
    node = Memory(path, "n000")
    assert node.add("a", call_id="call-1") == node.add("a", call_id="call-1") and len(node.of_node()) == 1
    for text, metadata in (("", {}), ("x" * 4001, {}), ("x", {"a": "b" * 3000})):
        with pytest.raises(InputError, match="does not fit"):
            node.add(text, metadata)
    for number in range(MAX_ENTRIES - 1):
        node.add(f"note {number}")
    with pytest.raises(InputError, match="has its 300 notes"):
        node.add("one more")


def test_what_the_run_states_is_the_same_for_every_node(path):
    assert Memory(path, "n000").experiment_context() == {} and Memory(path, "n000").of_node() == ()
    state_context(path, primary_metric="time_s", higher_is_better=False)
    state_context(path, primary_metric="time_ms")
    assert Memory(path, "n005").experiment_context() == {
        "higher_is_better": False,
        "primary_metric": "time_ms",
    }


def test_a_sub_run_reads_its_parents_notes_and_writes_none_of_them(path, tmp_path):
    filled(path)
    node = Memory(tmp_path / "sub" / "memory.sqlite", "n000", inherited=[Inherited(path, ("n000",))])
    assert [(note.text, note.run) for note in node.search("restrict")] == [
        ("the compiler ignores restrict", "run")
    ]
    assert node.search("secret") == ()
    node.add("own")
    assert len(Memory(path, "n000").of_node()) == 2


def test_two_processes_write_at_once(path):
    code = (
        "import sys; from pathlib import Path; from tasks.explore.memory import Memory\n"
        "for n in range(30): Memory(Path(sys.argv[1]), sys.argv[2]).add(f'note {n}')"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), node]) for node in ("n001", "n002")]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    assert [len(Memory(path, node).of_node()) for node in ("n001", "n002")] == [30, 30]
    assert len(Memory(path, "n003", ["n001", "n002"]).search("note", limit=50)) == 50


def test_a_file_that_is_no_memory_says_so(path):
    path.parent.mkdir()
    path.write_text("this is no database, and long enough to look at" * 10)
    with pytest.raises(StateError, match="cannot be used"):
        Memory(path, "n000").add("x")


def test_what_a_node_began_with_is_noted_once(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.py").write_text("a")
    before = begun(tmp_path)
    (tmp_path / "work" / "b.py").write_text("b")
    assert list(begun(tmp_path)) == ["a.py"] and begun(tmp_path) == before
    written = FileWritten(path="r.json", sha256="f" * 64, bytes=1)
    line = ExecutionRecord(number=0, kind="run", written=(written,)).model_dump_json()
    (tmp_path / "executions.jsonl").write_text(f'{line}\n{{"number": 1, "ki')  # cut short by a crash
    record = node_record("n000", tmp_path)
    assert record.inherited == before and len(record.executions) == 1
    assert results_of([record, NodeRecord(node_id="n001", executions=record.executions)]) == {
        "f" * 64: "n000"
    }
