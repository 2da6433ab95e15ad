"""A transcript in a terminal: one block for each call, experiment and question, then the sums."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flows.commands.answer import ROSTER
from flows.commands.gist import gist, printable, short
from flows.run.records import find_record
from flows.terminal.console import duration, show
from schemas.errors import InputError
from schemas.talking.transcript import TranscriptEntry
from tasks.files.transcript import read_entries


def show_transcript(outputs: Path, run: str, *, agent: str | None, stage: str | None, full: bool) -> None:
    """Print a run's transcript, or a transcript file's, filtered by agent and stage."""
    path = Path(run) if Path(run).is_file() else find_record(outputs, run) / "transcript.jsonl"
    if agent is not None and agent not in ROSTER:
        raise InputError("there is no such agent", found=agent, allowed=", ".join(ROSTER))
    header, entries = read_entries(path)
    stages = list(dict.fromkeys(entry.position.stage_id for entry in entries))
    if stage is not None and stage not in stages:
        raise InputError(
            "the transcript has no such stage", found=stage, allowed=", ".join(stages) or "it is empty"
        )
    chosen = [
        (number, entry)
        for number, entry in enumerate(entries, 1)
        if agent in (None, entry.position.agent) and stage in (None, entry.position.stage_id)
    ]
    show(_title(path, header))
    for number, entry in chosen:
        show("\n" + "\n".join(block(number, entry, full=full)))
    show("\n" + sums([entry for _, entry in chosen], of=len(entries)))


def block(number: int, entry: TranscriptEntry, *, full: bool) -> list[str]:
    """The lines of one entry."""
    place = entry.position
    where = f"stage {place.stage_id}, " if place.stage_id != "-" else ""
    where += f"attempt {place.attempt}, round {place.round}" + (f", step {place.step}" if place.step else "")
    where += f", turn {place.turn + 1}" if place.turn else ""
    if entry.kind == "question":
        asked = entry.request or {}
        return [
            f"#{number} QUESTION {short(asked.get('kind', ''), 40)} ({short(asked.get('question_id', ''), 80)})",
            *_indented([short(asked.get("title", "")), *gist(entry.answer)]),
        ]
    if entry.kind == "experiment":
        lines = gist({key: value for key, value in entry.answer.items() if full or key != "pictures"})
        return [f"#{number} EXPERIMENT of {place.agent} ({where})", *_indented(lines), *_full(entry, full)]
    said = {
        key: value for key, value in entry.answer.items() if key not in ("echo", "prefix")
    }  # for the server alone
    return [
        f"#{number} {place.agent} ({where})",
        *_indented([_cost(entry), *gist(said)]),
        *_indented(f"note: {short(note)}" for note in entry.notes),
        *_full(entry, full),
    ]


def sums(entries: list[TranscriptEntry], *, of: int) -> str:
    """Calls, tokens, money and time of the entries shown. An unknown price stays unknown, it is never 0."""
    calls = [entry for entry in entries if entry.kind == "call"]
    prices = [entry.price_usd for entry in calls if entry.price_usd is not None]
    known = sum(price for price in prices if not isinstance(price, str))
    unknown = sum(isinstance(price, str) for price in prices)
    money = (
        "nothing bought"
        if not prices
        else f"{known:.4f} USD" + (f" + unknown for {unknown} calls" if unknown else "")
    )
    tokens = [
        (sum(getattr(e.usage, name) or 0 for e in calls), word)
        for name, word in (
            ("input_tokens", "in"),
            ("output_tokens", "out"),
            ("cache_read_tokens", "from cache"),
            ("cache_write_tokens", "to cache"),
        )
    ]
    counted = ", ".join(f"{number} {word}" for number, word in tokens if number) or "not counted"
    return (
        f"{len(entries)} of {of} entries: {len(calls)} calls, {sum(e.kind == 'experiment' for e in entries)} "
        f"experiments, {sum(e.kind == 'question' for e in entries)} questions\n"
        f"tokens: {counted}; price: {money}; model time: {duration(sum(e.duration_s for e in calls))}"
    )


def _title(path: Path, header: dict[str, Any]) -> str:
    model = header.get("model")
    kind = model.get("kind") if isinstance(model, dict) else None
    subject = (
        f"goal {header['goal_id']}" if header.get("goal_id") else f"paper {header.get('paper_id', 'unknown')}"
    )
    said = [
        f"run {header['run_id']}" if header.get("run_id") else "",
        subject,
        f"recorded {header.get('recorded', 'at an unknown time')}",
        f"model {kind}" if kind else "",
    ]
    lines = [f"transcript {path}", short(", ".join(part for part in said if part))]
    return "\n".join(
        [*lines, *(f"{key}: {short(header[key], 300)}" for key in ("answered_by", "note") if header.get(key))]
    )


def _cost(entry: TranscriptEntry) -> str:
    usage, price = entry.usage, entry.price_usd
    tokens = (
        "tokens not counted"
        if usage.input_tokens is None
        else (
            f"{usage.input_tokens} tokens in"
            + (f" (+{usage.cache_read_tokens} from cache)" if usage.cache_read_tokens else "")
            + (f" (+{usage.cache_write_tokens} to cache)" if usage.cache_write_tokens else "")
            + f", {usage.output_tokens or 0} out"
        )
    )
    money = (
        "not bought" if price is None else "price unknown" if isinstance(price, str) else f"{price:.4f} USD"
    )
    tries = "" if entry.tries == 1 else f", {entry.tries} tries"
    return (
        f"{short(entry.model or entry.model_kind or 'unknown model', 60)}, {tokens}, {money}, "
        f"{duration(entry.duration_s)}{tries}; prompt {short(entry.prompt_id, 40)} {printable(entry.prompt_digest[:12])}"
    )


def _full(entry: TranscriptEntry, full: bool) -> list[str]:
    if not full:
        return []
    lines: list[str] = []
    for section in (entry.request or {}).get("context", ()):
        lines += [
            f"-- asked with {short(section.get('title', ''), 80)}",
            *str(section.get("text", "")).splitlines(),
        ]
    for result in (entry.request or {}).get("results", ()):
        failed = " failed" if result.get("is_error") else ""
        lines += [
            f"-- {short(result.get('call_id', ''), 80)}{failed}",
            *str(result.get("text", "")).splitlines(),
        ]
    return _indented(
        [*lines, "-- answered", *json.dumps(entry.answer, indent=1, ensure_ascii=False).splitlines()]
    )


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {printable(line)}" for line in lines if line]
