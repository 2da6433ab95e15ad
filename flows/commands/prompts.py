"""The agents' prompts: which there are, and what one says once a paper's adaptations are in it."""

from __future__ import annotations

import difflib
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agents.models.recording import Recording, read_recording
from agents.models.validation import validate_answer
from agents.reproduce import prompt_adaptor
from agents.reproduce.constants import prompt_constants
from agents.reproduce.roster import ROSTER
from agents.reproduce.rules.material_stage import with_material_stage
from agents.reproduce.rules.plan_edits import edited
from agents.reproduce.rules.prose_rules import withhold_adaptations
from flows.commands.gist import printable, short
from flows.reproduce.kept_records import find_run, read_record
from flows.reproduce.planning.adapting import digests_of, settled, stale
from flows.terminal.console import show
from prompts.loader import GLOBAL_RULES, load_prompt, prompt_names, render
from schemas.errors import InputError
from schemas.reading.handed import kept_model
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.planning.plan_edits import PlanRevisionAnswer
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.state import ReproState
from schemas.run.pasted import on_run, typed
from schemas.run.settings import agent_name
from schemas.run.state import MAX_STATE_BYTES
from schemas.talking.adaptation import AdaptationAnswer, AdaptationRecord
from tasks.reproduce.papers import load_paper, locate, recording

# What an answer of the planner leaves in the state, beside the plan.
_PLANNED = ("extracted_parameters", "assumptions", "contradictions", "drawn", "instructions_found")


@dataclass(frozen=True)
class Adapted:
    """Adaptations as one paper or run has them. records: what became of each, refused ones with the reason."""

    source: str
    records: tuple[AdaptationRecord, ...] = ()
    settings: RunSettings = field(default_factory=RunSettings)


def list_prompts() -> None:
    """Print every prompt with its version, digest, length and sections."""
    for name in prompt_names():
        prompt = load_prompt(name)
        show(f"{name:22} version {prompt.version}, {prompt.digest[:12]}, {len(prompt.text)} characters")
        show(textwrap.fill(", ".join(prompt.sections), 100, initial_indent="    ", subsequent_indent="    "))
    show(f"\n{typed('prompts', 'show', 'NAME')} [--paper ID | --run RUN]")


def show_prompt(outputs: Path, agent: str, *, paper: str | None, run: str | None) -> None:
    """Print the rules and the prompt of `agent` (its name or title), marked where a paper's or run's adaptations changed it."""
    agent = agent_name(agent)
    if agent not in prompt_names():
        raise InputError("there is no such agent or prompt", found=agent, allowed=", ".join(prompt_names()))
    if paper and run:
        raise InputError(
            "a prompt is shown for a paper or for a run", found="--paper and --run", allowed="one of them"
        )
    adapted = (
        of_run(outputs, run)
        if run
        else of_paper(paper)
        if paper
        else Adapted("the base prompt, without adaptations")
    )
    show("\n".join(shown_prompt(agent, adapted)))


def of_run(outputs: Path, run: str) -> Adapted:
    """The adaptations and settings of a run, from its newest snapshot."""
    run_dir = find_run(outputs, run)
    snapshots = sorted(
        (path for path in (run_dir / "checkpoints").glob("*.json") if not path.is_symlink()),
        key=lambda path: path.stat().st_mtime,
    )
    if not snapshots:
        raise InputError("nothing was saved in this run yet", found=run_dir, fix=on_run(run_dir, "resume"))
    state = kept_model(snapshots[-1], ReproState, "the snapshot", max_bytes=MAX_STATE_BYTES)
    return Adapted(
        f"as adapted in run {run_dir.name}",
        withhold_adaptations(state.prompt_adaptations or (), state),
        read_record(run_dir).settings,
    )


def of_paper(paper: str) -> Adapted:
    """The adaptations to a paper, from its recorded transcript, checked against the prompts as they are now."""
    loaded, folder = load_paper(locate(paper))
    transcript = recording(folder)
    if transcript is None:
        raise InputError(
            f"{loaded.paper_id} has no recorded adaptations",
            found=f"no transcript.jsonl in {folder}",
            fix="run it once and use --run, or leave --paper out",
        )
    recorded = read_recording(transcript)
    adaptations = _newest(recorded, "prompt_adaptor")
    if adaptations is None:
        raise InputError(
            f"{transcript} holds no answer of the prompt adaptor",
            found=f"{len(recorded.calls)} calls",
            fix="record the run again",
        )
    records = settled(
        prompt_adaptor.judge(validate_answer(adaptations, AdaptationAnswer)), digests_of(recorded.header)
    )
    state = ReproState(
        paper_id=loaded.paper_id, run_id="recorded", paper_title=loaded.title, paper_domain=loaded.domain
    )
    state = _planned(
        recorded, state, loaded
    )  # blind agents read no result of the paper, not even in an adaptation
    return Adapted(f"as adapted to {loaded.paper_id} ({transcript})", withhold_adaptations(records, state))


def shown_prompt(agent: str, adapted: Adapted) -> list[str]:
    """The lines: what became of each adaptation, then rules and prompt, marked where adaptations changed it."""
    constants = prompt_constants(adapted.settings)
    own = tuple(record for record in adapted.records if record.adaptation.target_agent == agent)
    base, _, _ = render(agent, constants)
    changed, digest, _ = render(agent, constants, own)
    prompt = load_prompt(agent)
    lines = [
        f"prompt {agent}, version {prompt.version}, base {prompt.digest[:12]}, as rendered {digest[:12]}; "
        f"{adapted.source}"
    ]
    why = stale(own)
    for record in own:
        item = record.adaptation
        fate = (
            f"STALE, {why[item.adaptation_id]}"
            if item.adaptation_id in why
            else ("applied" if record.applied else f"not applied: {record.note}")
        )
        lines.append(
            f"  {item.adaptation_id} ({item.modification_type} in {short(item.section, 60)}, confidence "
            f"{item.confidence:g}): {short(fate, 300)}"
        )
    if adapted.records and not own:
        lines.append(f"  none of the {len(adapted.records)} adaptations is for {agent}")
    lines.append("")
    if agent != GLOBAL_RULES:
        rules, _, _ = render(GLOBAL_RULES, constants)
        lines += [
            "# Global rules",
            "",
            *rules.rstrip().split("\n"),
            "",
            f"# {ROSTER.get(agent, (agent, ''))[0]}",
            "",
        ]
    return [
        printable(line)
        for line in (*lines, *(base.rstrip().split("\n") if changed == base else marked(base, changed)))
    ]


def marked(before: str, after: str) -> list[str]:
    """The lines of `after` and what it lost of `before`: `+ | ` added, `- | ` taken out, `  | ` as before."""
    old, new = before.rstrip().split("\n"), after.rstrip().split("\n")
    lines: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines += (
            [f"  | {line}" for line in old[a:b]]
            if kind == "equal"
            else [*(f"- | {line}" for line in old[a:b]), *(f"+ | {line}" for line in new[c:d])]
        )
    return lines


def _planned(recording: Recording, state: ReproState, paper: PaperInput) -> ReproState:
    """The state with what the recorded planner planned at last: its whole plan, and edits of it where they fit."""
    calls = [one.entry for one in recording.calls.values() if one.entry.prompt_id == "planner"]
    rounds = {
        call.position.round: call
        for call in sorted(calls, key=lambda call: (call.position.round, call.position.step))
    }
    for call in rounds.values():  # of a round that asked a person, what was planned with the answers
        given = validate_answer(
            call.answer or {}, PlannerAnswer if state.plan is None else PlanRevisionAnswer
        )
        answer = (
            edited(state, paper, given)[0]
            if isinstance(given, PlanRevisionAnswer)
            else cast(PlannerAnswer, given)
        )
        if answer is not None:
            state = state.model_copy(
                update={
                    "plan": with_material_stage(answer.plan, state.plan)[0],
                    **{name: getattr(answer, name) for name in _PLANNED},
                }
            )
    return state


def _newest(recording: Recording, agent: str) -> dict[str, Any] | None:
    """The last recorded answer of an agent."""
    found = [recorded for recorded in recording.calls.values() if recorded.entry.prompt_id == agent]
    return max(found, key=lambda recorded: recorded.line).entry.answer if found else None
