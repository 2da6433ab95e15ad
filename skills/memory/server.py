"""memory: add_memory, search_memory, get_node_memory, clear_node_memory, get_experiment_context."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from schemas.errors import ReproLabError
from skills import kit
from tasks.explore.memory import MAX_TEXT, Inherited, Memory, Note

server = kit.skill("memory", "What you and the experiments that led to yours have noted.")
FILE = "memory.sqlite"


def _memory(ctx: kit.Call) -> Memory:
    where = kit.context(ctx)
    if not where.run_dir or not where.node_id:
        raise kit.ToolError("there is a memory for the nodes of a run only")
    parents = [Inherited(Path(path), tuple(nodes)) for path, nodes in where.parent_memories.items()]
    return Memory(Path(where.run_dir) / FILE, where.node_id, where.ancestor_ids, parents)


def _done(action: Callable[[], Any]) -> str:
    try:
        return kit.answer(action())
    except ReproLabError as error:
        raise kit.ToolError(error.text()) from None


def _shown(notes: Iterable[Note]) -> list[dict[str, Any]]:
    return [
        {
            "node": note.node_id,
            **({"run": note.run} if note.run else {}),
            "text": note.text,
            **({"metadata": note.metadata} if note.metadata else {}),
        }
        for note in notes
    ]


@server.tool()
def add_memory(text: kit.Words, ctx: kit.Call, metadata: dict[str, Any] | None = None) -> str:
    """Note a decisive finding (up to 4000 characters) for the experiments that follow from yours."""
    if len(text) > MAX_TEXT:
        raise kit.ToolError(f"the note has {len(text)} characters; at most {MAX_TEXT} are kept")
    return _done(lambda: {"note": _memory(ctx).add(text, metadata, call_id=kit.context(ctx).call_id)})


@server.tool()
def search_memory(query: kit.Words, ctx: kit.Call, limit: int = 5) -> str:
    """Notes of the experiments that led to yours (its ancestors), by full-text search, the best match first."""
    return _done(lambda: _shown(_memory(ctx).search(query, limit=limit)))


@server.tool()
def get_node_memory(ctx: kit.Call, node_id: str = "") -> str:
    """All notes of your own node, or of one of its ancestors."""
    return _done(lambda: _shown(_memory(ctx).of_node(node_id)))


@server.tool()
def clear_node_memory(ctx: kit.Call) -> str:
    """Forget all notes of your own node."""
    return _done(lambda: {"forgotten": _memory(ctx).clear()})


@server.tool()
def get_experiment_context(ctx: kit.Call) -> str:
    """What the run states for all experiments: goal, primary metric with direction, hardware."""
    return _done(lambda: _memory(ctx).experiment_context())


if __name__ == "__main__":
    server.main()
