"""What nodes remember: notes of a run in SQLite, found by full-text search, written for the own node, read from its ancestors.

Who may do what is fixed when the memory is opened, by code; no argument of a tool widens it. Several processes may use one
file at a time (write-ahead log; a writer waits for another one).
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.errors import InputError, StateError
from schemas.reading.strict_json import parse_json

MAX_TEXT, MAX_METADATA, MAX_ENTRIES, MAX_RESULTS, MAX_QUERY_WORDS = 4000, 2000, 300, 50, 32
_WAIT_S, _TRIES = 30.0, 200
_SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, node TEXT NOT NULL, text TEXT NOT NULL, metadata TEXT NOT NULL,
                                  call TEXT UNIQUE);
CREATE INDEX IF NOT EXISTS notes_of_a_node ON notes (node, id);
CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5 (text, content='notes', content_rowid='id', tokenize='porter unicode61');
CREATE TRIGGER IF NOT EXISTS noted AFTER INSERT ON notes BEGIN
    INSERT INTO found (rowid, text) VALUES (new.id, new.text); END;
CREATE TRIGGER IF NOT EXISTS forgotten AFTER DELETE ON notes BEGIN
    INSERT INTO found (found, rowid, text) VALUES ('delete', old.id, old.text); END;
CREATE TABLE IF NOT EXISTS context (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Note:
    """One entry. run: '' for this run's, otherwise the parent run's file it comes from."""

    node_id: str
    text: str
    metadata: dict[str, Any]
    run: str = ""


@dataclass(frozen=True)
class Inherited:
    """The memory of a parent run, read only: its file, and the nodes whose notes may be read."""

    path: Path
    node_ids: tuple[str, ...]


class Memory:
    """The memory of one node: its own notes to write, its ancestors' to read."""

    def __init__(
        self, path: Path, node_id: str, ancestor_ids: Sequence[str] = (), inherited: Sequence[Inherited] = ()
    ):
        self.path, self.node_id, self.ancestor_ids = path, node_id, tuple(ancestor_ids)
        self.inherited = tuple(inherited)

    def add(
        self, text: str, metadata: Mapping[str, Any] | None = None, *, node_id: str = "", call_id: str = ""
    ) -> int:
        """Keep a note and return its number; the same call_id is kept once. Raises InputError (another node's, too much)."""
        self._own(node_id)
        given = json.dumps(
            dict(metadata or {}), ensure_ascii=False, sort_keys=True, allow_nan=False, default=str
        )
        text = text.strip()
        if not text or len(text) > MAX_TEXT or len(given) > MAX_METADATA:
            raise InputError(
                "the note does not fit",
                found=f"{len(text)} characters, {len(given)} of metadata",
                allowed=f"1 to {MAX_TEXT} characters, at most {MAX_METADATA} of metadata",
                fix="shorten it",
            )
        with _opened(self.path, write=True) as base:
            row = (
                base.execute("SELECT id FROM notes WHERE call = ?", (call_id,)).fetchone()
                if call_id
                else None
            )
            if row:
                return int(row[0])
            count = base.execute("SELECT count(*) FROM notes WHERE node = ?", (self.node_id,)).fetchone()[0]
            if count >= MAX_ENTRIES:
                raise InputError(
                    f"node {self.node_id} has its {MAX_ENTRIES} notes",
                    fix="clear_node_memory, then note what counts",
                )
            done = base.execute(
                "INSERT INTO notes (node, text, metadata, call) VALUES (?, ?, ?, ?)",
                (self.node_id, _plain(text), given, call_id or None),
            )
            return int(done.lastrowid or 0)

    def search(
        self, query: str, ancestor_ids: Sequence[str] | None = None, limit: int = 5
    ) -> tuple[Note, ...]:
        """Notes of ancestors that share words with the query, the best match first (BM25, then the newest); without words
        in it the newest. ancestor_ids: narrows to some of them; others are left out. The parent runs' notes come last."""
        scope = [node for node in self.ancestor_ids if ancestor_ids is None or node in ancestor_ids]
        limit = max(1, min(limit, MAX_RESULTS))
        found = list(_search(self.path, query, scope, limit, ""))
        for parent in self.inherited:
            if len(found) < limit and parent.path.is_file():
                found += _search(
                    parent.path, query, parent.node_ids, limit - len(found), parent.path.parent.name
                )
        return tuple(found)

    def of_node(self, node_id: str = "") -> tuple[Note, ...]:
        """All notes of this node or of an ancestor, oldest first. Raises InputError for another."""
        wanted = node_id or self.node_id
        if wanted not in (self.node_id, *self.ancestor_ids):
            raise InputError(
                f"the notes of node {wanted!r} cannot be read",
                found=f"this is node {self.node_id}",
                allowed=", ".join((self.node_id, *self.ancestor_ids)),
            )
        if not self.path.is_file():
            return ()
        with _opened(self.path) as base:
            return tuple(
                _note(row)
                for row in base.execute(
                    "SELECT node, text, metadata FROM notes WHERE node = ? ORDER BY id", (wanted,)
                )
            )

    def clear(self, node_id: str = "") -> int:
        """Forget this node's own notes; how many there were. Raises InputError for another node's."""
        self._own(node_id)
        with _opened(self.path, write=True) as base:
            return base.execute("DELETE FROM notes WHERE node = ?", (self.node_id,)).rowcount

    def experiment_context(self) -> dict[str, Any]:
        """What the run stated for all nodes: goal, metric, direction, hardware; empty before it did."""
        if not self.path.is_file():
            return {}
        with _opened(self.path) as base:
            return {
                name: json.loads(value)
                for name, value in base.execute("SELECT name, value FROM context ORDER BY name")
            }

    def _own(self, node_id: str) -> None:
        if node_id and node_id != self.node_id:
            raise InputError(
                f"node {self.node_id} cannot write the memory of {node_id!r}",
                allowed=self.node_id,
                fix="leave the node out; it is known whose turn it is",
            )


def state_context(path: Path, **values: Any) -> None:
    """State what `experiment_context` gives to every node of a run; by the flow, never by a node."""
    with _opened(path, write=True) as base:
        base.executemany(
            "INSERT OR REPLACE INTO context (name, value) VALUES (?, ?)",
            [
                (name, json.dumps(value, ensure_ascii=False, allow_nan=False))
                for name, value in values.items()
            ],
        )


def _search(path: Path, query: str, scope: Sequence[str], limit: int, run: str) -> Iterator[Note]:
    if not scope or not path.is_file():
        return
    marks = ",".join("?" * len(scope))
    match = _match(query)
    matching = (
        f"SELECT node, notes.text, metadata FROM found JOIN notes ON notes.id = found.rowid WHERE found MATCH ? "
        f"AND node IN ({marks}) ORDER BY bm25(found), notes.id DESC LIMIT ?"
    )
    newest = f"SELECT node, text, metadata FROM notes WHERE node IN ({marks}) ORDER BY id DESC LIMIT ?"
    with _opened(path) as base:
        rows = base.execute(
            *((matching, (match, *scope, limit)) if match else (newest, (*scope, limit)))
        ).fetchall()
    yield from (_note(row, run) for row in rows)


def _match(query: str) -> str:
    """The query's words, each quoted, any of which may match: nothing in it is an operator of the search."""
    words = dict.fromkeys(re.findall(r"\w+", _plain(query[:4000])))
    return " OR ".join(f'"{word}"' for word in list(words)[:MAX_QUERY_WORDS])


def _plain(text: str) -> str:
    """Text that SQLite can hold: without NUL and halves of surrogate pairs."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode()


def _note(row: tuple[str, str, str], run: str = "") -> Note:
    return Note(row[0], row[1], parse_json(row[2]), run)


def _prepare(base: sqlite3.Connection) -> None:
    """Tables of a new memory. Two processes may come at once: the change to a write-ahead log does not wait by itself."""
    for number in range(_TRIES):
        try:
            base.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError:
            if number + 1 == _TRIES:
                raise
            time.sleep(0.05)
    base.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")


@contextmanager
def _opened(path: Path, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction. Raises StateError for a file that is no memory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        base = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)
        try:
            if not base.execute("SELECT 1 FROM sqlite_master WHERE name = 'context'").fetchone():
                _prepare(base)
            base.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            yield base
            base.execute("COMMIT")
        finally:
            base.close()  # what was not committed is undone
    except (sqlite3.DatabaseError, UnicodeError) as error:
        raise StateError(
            f"the memory {path} cannot be used",
            found=f"{type(error).__name__}: {error}",
            fix="remove it, and the nodes begin without notes; free the disk if it is full",
        ) from None
