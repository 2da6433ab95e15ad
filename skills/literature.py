"""What the skills idea and web share: looking for literature in rounds of queries, and telling what was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread
from pydantic import ValidationError

from schemas.base import digest
from schemas.errors import InputError, ReproLabError
from schemas.explore.deliberation import KeywordWriterAnswer
from schemas.literature.found_works import Backend, Bibliography, QueryResult
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import one_visible_line
from skills import kit
from tasks.files.store import atomic_write
from tasks.literature import library_of
from tasks.literature.search import Library
from tasks.literature.telling import lines, orders

FILE, CALLS = "related_refs.json", "literature"
_MOST_BYTES = 20_000_000


def run_dir(ctx: kit.Call) -> Path:
    """The run's folder. Raises ToolError for a call that belongs to no run."""
    found = kit.context(ctx).run_dir
    if not found or not Path(found).is_dir():
        raise kit.ToolError("literature is looked for in a run, and the call came without one")
    return Path(found)


def library(run: Path) -> Library:
    """What the run may search. Raises ToolError."""
    try:
        return library_of(run)
    except ReproLabError as error:
        raise kit.ToolError(error.text()) from None


def known(run: Path, name: str = FILE) -> Bibliography:
    """The run's bibliography so far. Raises ToolError for a file that does not fit."""
    if not (run / name).exists():
        return Bibliography()
    try:
        return Bibliography.model_validate_json(read_below(run, name, _MOST_BYTES))
    except (Unopened, ValidationError) as error:
        raise kit.ToolError(f"{name} of the run does not fit: {one_visible_line(str(error), 300)}") from None


async def gathered(
    ctx: kit.Call, *, goal: str, purpose: str, rounds: int, backends: Sequence[Backend] = ()
) -> Bibliography:
    """The run's bibliography with what queries of the agent keyword_writer found; kept as related_refs.json.

    A round's queries are written knowing what was asked and found; rounds end when none are left to ask or nothing new comes.
    A call that is repeated (its key is) gets what it found the first time, so nobody is asked anything else.
    """
    run, call_id = run_dir(ctx), kit.context(ctx).call_id
    kept = f"{CALLS}/{digest(call_id, 16)}.json" if call_id else ""
    if kept and (run / kept).exists():
        atomic_write(run / FILE, (found := known(run, kept)).model_dump_json(indent=1))
        return found
    searched = library(run)
    found = known(run)
    for _ in range(rounds):
        told = {
            "goal": goal,
            "purpose": purpose,
            "asked": list(found.queries),
            "found": [item.short() for item in found.references],
            "backends": list(backends or searched.settings.backends),
        }
        answer = KeywordWriterAnswer.model_validate(await kit.ask(ctx, agent="keyword_writer", context=told))
        queries = [
            words for query in answer.queries if (words := one_visible_line(query, 200)) not in found.queries
        ]
        most = max(3, searched.settings.max_references // max(1, len(queries)))
        results = [
            await anyio.to_thread.run_sync(search, searched, query, most, backends)
            for query in dict.fromkeys(queries)
        ]
        before = len(found.references)
        found = limited(found.with_results(results), searched.settings.max_references)
        if not queries or len(found.references) == before:
            break
    for name in filter(None, (kept, FILE)):
        atomic_write(run / name, found.model_dump_json(indent=1))
    return found


def search(
    searched: Library, query: str, most: int | None = None, backends: Sequence[Backend] = ()
) -> QueryResult:
    """The answer to one query. Raises ToolError for a query or backend that does not fit."""
    try:
        return searched.search(query, most, backends)
    except InputError as error:
        raise kit.ToolError(error.text()) from None


def limited(found: Bibliography, most: int) -> Bibliography:
    """The first `most` references."""
    return found.model_copy(update={"references": found.references[:most]})


def told(found: Bibliography | QueryResult) -> str:
    """What was found, for the agent that called: a sentence, the works, what failed, and who addressed an AI."""
    queries = found.queries if isinstance(found, Bibliography) else (found.query,)
    parts = (
        [f"{len(found.references)} references for {len(queries)} queries"]
        if len(queries) != 1
        else [f"{len(found.references)} references"]
    )
    parts += lines(found.references)
    parts += [f"not searched in full: {words}" for words in found.failures]
    return "\n".join([*parts, *orders(found.references)])
