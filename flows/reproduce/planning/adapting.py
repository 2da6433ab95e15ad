"""Adaptations against the base prompts they were written for: versions recorded, stale ones found and named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.models.replay import ReplayModel
from agents.reproduce.roster import ROSTER
from flows.reproduce.context import Run
from prompts.adaptations import apply_records
from prompts.loader import load_prompt, prompt_names, text_digest
from schemas.talking.adaptation import AdaptationEffect, AdaptationRecord


def prompt_digests() -> dict[str, str]:
    """The digest of every base prompt as it is now, for the transcript's header."""
    return {name: load_prompt(name).digest for name in prompt_names()}


def prompt_versions() -> dict[str, str]:
    """Version and short digest of every agent's base prompt, for the adaptation log."""
    prompts = {name: load_prompt(name) for name in ROSTER}
    return {name: f"version {prompt.version}, {prompt.digest[:12]}" for name, prompt in prompts.items()}


def written_for(run: Run) -> dict[str, str]:
    """Digests of the base prompts when the adaptations were written: the recording's they are from, or this run's start."""
    recording = run.model if isinstance(run.model, ReplayModel) else run.prior
    return digests_of(recording.header if recording else _header(run.transcript.path))


def digests_of(header: Mapping[str, Any]) -> dict[str, str]:
    """The base prompts' digests in a transcript's header; empty for one recorded before they were kept."""
    kept = header.get("prompts")
    return {str(k): v for k, v in kept.items() if isinstance(v, str)} if isinstance(kept, dict) else {}


def settled(
    records: tuple[AdaptationRecord, ...], digests: Mapping[str, str]
) -> tuple[AdaptationRecord, ...]:
    """The records with the digest of the prompt each was written for; stale ones are refused, saying why.

    digests: base prompt -> its digest when the adaptations were written; where it is not known, today's counts.
    """
    records = tuple(
        record.model_copy(
            update={"base_digest": digests.get(record.adaptation.target_agent, record.base_digest)}
        )
        for record in records
    )
    why = stale(records)
    return tuple(
        record.model_copy(update={"applied": False, "note": f"stale: {why[record.adaptation.adaptation_id]}"})
        if record.applied and record.adaptation.adaptation_id in why
        else record
        for record in records
    )


def stale(records: tuple[AdaptationRecord, ...]) -> dict[str, str]:
    """adaptation_id -> why it no longer fits the base prompt as it is now, for accepted records."""
    found: dict[str, str] = {}
    for name in ROSTER:
        own = tuple(record for record in records if record.adaptation.target_agent == name)
        prompt = load_prompt(name)
        for note in apply_records(prompt.text, own, base_digest=prompt.digest)[1]:
            identifier, _, reason = note.partition(": ")
            found[identifier] = reason.removesuffix("; not applied")
    return found


def effects(records: tuple[AdaptationRecord, ...]) -> tuple[AdaptationEffect, ...]:
    """What each applied adaptation makes of the prompt it changes, in their order."""
    found = []
    texts: dict[str, str] = {}
    for record in records:
        name = record.adaptation.target_agent
        if not record.applied:
            continue
        prompt = load_prompt(name)
        before = texts.get(name, prompt.text)
        texts[name], notes = apply_records(before, (record,), base_digest=prompt.digest)
        if not notes:
            found.append(
                AdaptationEffect(
                    adaptation_id=record.adaptation.adaptation_id,
                    agent=name,
                    digest_before=text_digest(before),
                    digest_after=text_digest(texts[name]),
                    characters=len(texts[name]) - len(before),
                )
            )
    return tuple(found)


def _header(transcript: Path) -> dict[str, Any]:
    try:
        with transcript.open(encoding="utf-8") as stream:
            first = json.loads(stream.readline(1_000_000))
    except (OSError, ValueError):
        return {}
    header = first.get("header") if isinstance(first, dict) else None
    return header if isinstance(header, dict) else {}
