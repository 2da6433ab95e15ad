"""Literature: an agent writes queries, code searches corpus and catalogues, and what was found is kept before the plan."""

from __future__ import annotations

from flows.calls.steps import keyed_task
from flows.study.context import Run, active
from flows.study.fitting_answers import fitting
from schemas.base import Model, digest
from schemas.literature.found_works import Bibliography, QueryResult
from schemas.study.answers import QueryAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.literature import Literature
from schemas.text.visible import one_visible_line
from tasks.literature import library_of, literature_settings
from tasks.literature.telling import orders
from tasks.study.literature import bib_file, extended
from tasks.study.participants.study_table import told_profile
from tasks.study.phases import round_of
from tasks.study.workspace.places import output_path

ROUNDS = 2


class Found(Model):
    """What the queries of one round brought."""

    results: tuple[QueryResult, ...]


@keyed_task("literature")
def search_literature(key: str, label: str, run_id: str, queries: list[str], most: int) -> Found:
    """One round of queries, each asked once: a run that goes on later finds what was found. most: works of one query."""
    run = active(run_id)
    run.clock.check()
    library = library_of(run.run_dir)
    return Found(results=tuple(library.search(query, most) for query in queries))


def survey(run: Run, node: PhaseNode) -> None:
    """literature.json and references.bib, from rounds of queries; a round's queries are written knowing what was found."""
    top, settings = node.id.split("/")[0], literature_settings(run.run_dir)
    found, rounds = _before(run, top), 0
    for number in range(1, ROUNDS + 1):
        answer = fitting(
            run,
            node,
            "query_writer",
            QueryAnswer,
            _told(run, node, found, settings.backends),
            _faults,
            part=f"round{number}",
        )
        lines = dict.fromkeys(one_visible_line(query, 200) for query in answer.queries)
        if not (queries := [query for query in lines if query not in found.queries]):
            break
        rounds, known = number, len(found.references)
        most = max(3, min(settings.per_query, settings.max_references // len(queries)))
        told: Found = search_literature(
            key=f"literature-{run.line}-{digest([node.id, node.attempt, number, queries], 16)}",
            label=f"{node.id}.{number}",
            run_id=run.handle,
            queries=queries,
            most=most,
        )
        found = extended(found, told.results, settings.max_references)
        if len(found.references) == known:
            break
    run.write(
        node,
        f"{top}/literature",
        ArtifactType.LITERATURE,
        f"{output_path(node.id)}/literature.json",
        Literature(bibliography=found, backends=settings.backends, rounds=rounds),
    )
    if found.references:
        run.write(
            node,
            f"{top}/references",
            ArtifactType.REFERENCES,
            f"{output_path(node.id)}/references.bib",
            bib_file(found),
        )
    for words in (
        f"{len(found.references)} works for {len(found.queries)} queries",
        *found.failures[:5],
        *orders(found.references)[:5],
    ):
        run.console.say(one_visible_line(words, 300), stage=node.id)


def _told(run: Run, node: PhaseNode, found: Bibliography, backends: tuple[str, ...]) -> dict[str, object]:
    """What queries are made of. Of data only names of columns: queries leave this computer where a catalogue is asked."""
    tables = told_profile(run.report)["tables"] if run.existing_data else []
    columns = [column["name"] for table in tables for column in table["columns"]]
    told: dict[str, object] = {
        "question": run.report.text,
        "domain": run.domain,
        "notes": run.report.notes,
        "columns": columns,
        "backends": list(backends),
        "asked": list(found.queries),
        "found": [item.short() for item in found.references],
    }
    return told | ({"issues": [node.description]} if node.description else {})


def _faults(answer: QueryAnswer) -> list[str]:
    return [
        f"the query {query[:60]!r} holds no word"
        for query in answer.queries
        if not any(map(str.isalnum, query))
    ]


def _before(run: Run, top: str) -> Bibliography:
    """What the round before found, so that works keep their keys; nothing at first."""
    tops = [
        item.id
        for item in run.course.graph.nodes()
        if item.type is PhaseType.SCOPE and "/" not in item.id and round_of(item.id) < round_of(top)
    ]
    if not tops:
        return Bibliography()
    kept = run.space.read(f"{max(tops, key=round_of)}/literature")
    assert isinstance(kept, Literature)
    return kept.bibliography
