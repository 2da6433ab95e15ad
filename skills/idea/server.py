"""idea: survey finds literature for the goal; generate_ideas deliberates and writes idea.json and experiment.md, once a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from schemas.errors import ReproLabError
from schemas.explore.deliberation import IdeaCriticAnswer, IdeaPersonaAnswer, IdeaSynthesizerAnswer, Proposal
from schemas.explore.goal import Goal
from schemas.explore.idea import Idea, IdeaSet, RootIdeaAnswer
from schemas.explore.record import ExploreRecord
from schemas.literature.found_works import Bibliography
from schemas.reading.beneath import Unopened, read_below
from skills import kit, literature
from tasks.explore.goals import load_goal, read_goal_file
from tasks.explore.ideas import IDEAS, checked_ideas, write_ideas
from tasks.explore.search.roots import idea_choices, root_index, told
from tasks.literature.telling import lines

server = kit.skill("idea", "Related work and ideas for a research goal.")
_RECORD, _MOST_BYTES = "run.json", 20_000_000
_BEGINNING, _MOST_FILES = 2000, 8
# Who deliberates: views of a question, whatever its field.
PERSONAS = (
    "A theorist of this field: reasons from what limits the result in principle, asks which limit binds now, and proposes what "
    "moves exactly that.",
    "An experimentalist with few means: proposes what can be tried in an hour with what the goal provides, the cheapest "
    "decisive experiment first.",
    "A sceptic and statistician: doubts the baseline, looks for what could fake an improvement, and proposes experiments that "
    "would show it, ablations among them.",
    "An outsider from a neighbouring field: brings a method that works on the same mathematical structure elsewhere.",
    "An engineer who will have to use the result: proposes what is simple, robust and worth its complication.",
)
Personas = Annotated[int, Field(ge=1, le=len(PERSONAS), description="how many deliberate")]
Rounds = Annotated[int, Field(ge=1, le=3, description="how often each of them proposes")]


@server.tool()
async def survey(ctx: kit.Call) -> str:
    """Find related work for the goal in the sources the run may search; the papers found are what may be cited later."""
    goal = _goal(literature.run_dir(ctx))
    return literature.told(
        await literature.gathered(ctx, goal=goal.text, purpose="work that the goal builds on", rounds=1)
    )


@server.tool()
async def generate_ideas(ctx: kit.Call, personas: Personas = 3, rounds: Rounds = 1) -> str:
    """Let several personas propose and a critic answer; writes the ideas with metric, criteria and plan, one of them selected.
    Done once for a run: later calls read what was written."""
    run = literature.run_dir(ctx)
    if (run / IDEAS).exists():
        return _listed(_kept(run))
    goal, known = _goal(run), literature.known(run)
    begun = _begun(run)
    proposals = await _deliberated(ctx, goal, known, begun, personas, rounds)
    answer = IdeaSynthesizerAnswer.model_validate(
        await kit.ask(ctx, agent="idea_synthesizer", context={**_shared(goal, known, begun), **proposals})
    )
    ideas = checked_ideas(answer.ideas, known, begun.catalogue if begun else (), begun.ideas if begun else ())
    found = await _selected(ctx, goal, IdeaSet(ideas=ideas, catalogue=begun.catalogue if begun else ()))
    write_ideas(run, goal.text, found)
    return _listed(found)


async def _deliberated(
    ctx: kit.Call, goal: Goal, known: Bibliography, begun: IdeaSet | None, personas: int, rounds: int
) -> dict[str, Any]:
    """All proposals by number, and the critic's last word on each. Every persona sees what the others proposed before it."""
    proposals: list[str] = []
    criticisms: list[str] = []
    for number in range(rounds):
        for persona in PERSONAS[:personas]:
            answer = IdeaPersonaAnswer.model_validate(
                await kit.ask(
                    ctx,
                    agent="idea_persona",
                    context={
                        **_shared(goal, known, begun),
                        "persona": persona,
                        "round": f"{number + 1} of {rounds}",
                        "proposals": proposals,
                        "criticisms": criticisms,
                    },
                )
            )
            proposals += [
                _proposal(len(proposals) + place, each) for place, each in enumerate(answer.proposals, 1)
            ]
        judged = IdeaCriticAnswer.model_validate(
            await kit.ask(
                ctx, agent="idea_critic", context={**_shared(goal, known, begun), "proposals": proposals}
            )
        )
        criticisms = [
            f"{each.proposal}: {'keep' if each.keep else 'drop'}; {each.weakness}"
            + (f" (known from {', '.join(each.known_from)})" if each.known_from else "")
            for each in judged.criticisms
            if each.proposal <= len(proposals)
        ]
    return {"proposals": proposals, "criticisms": criticisms}


def _proposal(number: int, given: Proposal) -> str:
    related = f" Related: {', '.join(given.related)}." if given.related else ""
    return f"{number}: {given.title}. {given.hypothesis} Experiment: {given.experiment} Risk: {given.risk}{related}"


def _shared(goal: Goal, known: Bibliography, begun: IdeaSet | None) -> dict[str, Any]:
    """What everybody who deliberates is told."""
    hint = goal.metric
    files = {
        file.path: read_goal_file(goal, file)[:_BEGINNING].decode("utf-8", "replace")
        for file in goal.provided[:_MOST_FILES]
    }
    metric = (
        f"{hint.name}, {hint.direction} is better"
        if hint.name and hint.direction
        else "not named by the goal"
    )
    return {
        "goal": goal.text,
        "metric": metric,
        "files": files,
        "references": lines(known.references),
        "known_ideas": [
            *([f"{idea.title} (the run's own)" for idea in begun.ideas] if begun else []),
            *(begun.catalogue if begun else ()),
        ],
    }


async def _selected(ctx: kit.Call, goal: Goal, ideas: IdeaSet) -> IdeaSet:
    """The ideas with one selected: a pinned one, or the idea_selector's if code finds it possible."""
    choices = idea_choices(ideas, goal.metric)
    answer = None
    if len(choices) > 1 and not any(choice.pinned for choice in choices):
        answer = RootIdeaAnswer.model_validate(
            await kit.ask(
                ctx,
                agent="idea_selector",
                context={
                    "goal": goal.text,
                    "ideas": [
                        {**entry, "hypothesis": idea.hypothesis, "novelty_told": idea.novelty}
                        for entry, idea in zip(told(choices), ideas.ideas, strict=True)
                    ],
                },
            )
        )
    index, reason = root_index(choices, answer)
    return ideas.model_copy(update={"selected": index, "reason": reason[:1000]})


def _goal(run: Path) -> Goal:
    try:
        return load_goal(run / "goal" if (run / "goal").is_dir() else run)
    except ReproLabError as error:
        raise kit.ToolError(error.text()) from None


def _begun(run: Path) -> IdeaSet | None:
    """What a sub-run starts with: the idea its parent run chose, and the titles of all ideas before."""
    if not (run / _RECORD).exists():
        return None
    try:
        seed = ExploreRecord.model_validate_json(read_below(run, _RECORD, _MOST_BYTES)).seed
    except (Unopened, ValidationError) as error:
        raise kit.ToolError(f"{_RECORD} of the run does not fit: {str(error)[:300]}") from None
    return seed.ideas if seed else None


def _kept(run: Path) -> IdeaSet:
    try:
        return IdeaSet.model_validate_json(read_below(run, IDEAS, _MOST_BYTES))
    except (Unopened, ValidationError) as error:
        raise kit.ToolError(f"{IDEAS} of the run does not fit: {str(error)[:300]}") from None


def _listed(ideas: IdeaSet) -> str:
    def line(number: int, idea: Idea) -> str:
        plan = "; ".join(part.title for part in idea.experiment_plan)
        return (
            f"{number}{' (selected)' if number == ideas.selected else ''}: {idea.title}: {idea.hypothesis} "
            f"[{idea.primary_metric}, {idea.direction} is better; plan: {plan}]"
        )

    return "\n".join(
        [
            f"{len(ideas.ideas)} ideas; {ideas.root.title!r} is explored first: {ideas.reason}",
            *(line(number, idea) for number, idea in enumerate(ideas.ideas)),
        ]
    )


if __name__ == "__main__":
    server.main()
