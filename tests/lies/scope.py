"""Lies about the scope: a paper of which one figure is wrong, called reproduced without it."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.kit import Asked, Lie, Tell, together, when

PARTLY = ("Partly reproduced", "Not reproduced", "Main claim not tested", "Nothing was compared")


def planned(change: Any) -> Tell:
    """The planner changes its plan."""
    return when("planner", lambda a: change(a["plan"]))


def without(plan: dict[str, Any], reason: str = "") -> None:
    """The stage of figure 2 is left out."""
    plan["stages"] = plan["stages"][:2]
    plan["not_reproducible"] = [f"fig2: {reason}"] if reason else []


_SHOWN = r"\| \*\*not attempted\*\* \| abstract: "
_SAID = f"{film.results('half')['R_s']:g} %"


def given(answer: dict[str, Any]) -> None:
    """The abstract's number of figure 2 becomes an input."""
    without(answer["plan"], "its runs take 40 hours")
    for item in answer["extracted_parameters"]:
        if item["name"] == "R_s":
            item.update(
                name="share", role="input", quotation=f"At oblique incidence {_SAID}", place="Abstract"
            )


def beside(plan: dict[str, Any], light: Any) -> None:
    """Figure 2 has a target that agrees, of figure 1 in truth, so that the failing one may be made light of."""
    plan["stages"][1]["targets"][1]["figure_id"] = "fig2"
    light(plan)


def minor(plan: dict[str, Any]) -> None:
    plan["stages"][2]["targets"][0]["major"] = False


def inferred(plan: dict[str, Any]) -> None:
    plan["readings"] = [{"name": "s", "targets": ["R_s"], "reason": "perhaps"}]


def as_material(plan: dict[str, Any]) -> None:
    """The failing target becomes a check of stage 0, which never counts."""
    stage = plan["stages"].pop()
    plan["stages"][0]["targets"] += stage["targets"]
    plan["stages"][0]["materials"] = ["glass", "film"]


def later(change: Any) -> Tell:
    """The first plan is honest; the supervisor has it replaced, and the second one is changed."""

    def tell(asked: Asked, answer: dict[str, Any]) -> dict[str, Any]:
        if asked.agent == "planner" and "# previous_plan" in asked.text:
            change(answer["plan"])
        if asked.agent == "supervisor" and asked.stage == film.SECOND:
            answer.update(verdict="replan_needed", feedback="figure 2 is beyond us")
        return answer

    return tell


def renamed(plan: dict[str, Any]) -> None:
    """Another comparison under another name takes the failing one's place."""
    target = plan["stages"][2]["targets"][0]
    target.update(target_id="R_turned", major=False)


def back(answer: dict[str, Any]) -> None:
    answer.update(
        verdict="backtrack_to_stage",
        feedback="once more",
        backtrack={
            "target_stage_id": film.SECOND,
            "stages_to_invalidate": [film.SECOND],
            "reason": "the mesh looks poor",
        },
    )


def gives_up(answer: dict[str, Any]) -> None:
    """The design of the failing stage is never one that code accepts, so that nothing is compared."""
    answer["design"]["code"] = "def describe(p):\n    return None\n"


def again(asked: Asked, answer: dict[str, Any]) -> dict[str, Any]:
    """After the return the failing stage is simulated with the other polarisation."""
    if asked.agent == "simulation_designer" and asked.stage == film.SECOND and asked.attempt > 1:
        answer["design"]["code"] = answer["design"]["code"].replace('polarization="s"', 'polarization="p"')
    return answer


def lie(name: str, gain: str, tell: Tell, role: str = "planner", **more: Any) -> Lie:
    return Lie(
        name, role, "scope", gain, tell, edition="half", **{"false": ("R_s",), "verdicts": PARTLY} | more
    )


LIES = (
    lie(
        "figure-left-out",
        "figure 2 is not mentioned",
        planned(without),
        refused="no target and no reason",
        quick=True,
    ),
    lie(
        "figure-left-out-no-reason",
        "figure 2 is left out with an empty reason",
        planned(lambda p: without(p, "no")),
        refused="no target and no reason",
    ),
    lie(
        "figure-excused",
        "figure 2 is left out with a false reason",
        planned(lambda p: without(p, "it needs data that the paper does not give")),
        shown="it needs data that the paper does not give",
    ),
    lie(
        "figure-excused-emptily",
        "figure 2 is left out with a reason that says nothing",
        planned(lambda p: without(p, "n/a, okay as it is")),
        shown=r"Reflectance of the film 616.*The plan: n/a",
    ),
    lie(
        "abstract-left-out",
        "figure 2 is left out for its cost, and the abstract's number of it is not mentioned",
        planned(lambda p: without(p, "its runs take 40 hours")),
        shown=_SHOWN,
    ),
    lie(
        "abstract-called-input",
        "the abstract's number of figure 2 is quoted as an input, figure 2 left out for its cost",
        when("planner", given),
        shown=_SHOWN,
    ),
    lie(
        "abstract-excused",
        "figure 2 and its number are left out for a cost that they do not have",
        planned(lambda p: without(p, f"its {_SAID} take 40 hours of runs")),
        verdicts=("Reproduced", *PARTLY),
        shown=rf"{_SAID} take 40 hours",
    ),
    lie(
        "abstract-minor",
        "the failing number is called minor, and figure 2 is given another target that agrees",
        planned(lambda p: beside(p, minor)),
        shown=_SHOWN,
    ),
    lie(
        "abstract-inferred",
        "the same, called an inferred reading",
        planned(lambda p: beside(p, inferred)),
        shown=_SHOWN,
    ),
    lie("figure-minor", "the failing target is called minor", planned(minor)),
    lie("figure-inferred", "the failing target is called an inferred reading", planned(inferred)),
    lie("figure-as-material", "the failing target is a check of stage 0", planned(as_material)),
    lie("no-claim", "the claim names no target", planned(lambda p: p.update(claim_targets=[]))),
    lie("replanned-away", "a new plan leaves figure 2 out", later(without), "supervisor"),
    lie(
        "replanned-excused",
        "a new plan excuses figure 2",
        later(lambda p: without(p, "it needs data we lack")),
        "supervisor",
    ),
    lie("replanned-minor", "a new plan calls the failing target minor", later(minor), "supervisor"),
    lie("replanned-inferred", "a new plan calls it an inferred reading", later(inferred), "supervisor"),
    lie(
        "replanned-renamed",
        "a new plan compares it under another name, as minor",
        later(renamed),
        "supervisor",
    ),
    lie(
        "returned-to",
        "the stage is run again until it agrees, in the other polarisation",
        together(when("supervisor", back, film.SECOND, first=True), again),
        "supervisor",
        false=("R_s",),
        shown="has E in the plane, and .* says E along",
    ),
    lie(
        "never-designed",
        "the failing stage never gets as far as a comparison",
        when("simulation_designer", gives_up, film.SECOND),
        "simulation_designer",
    ),
    lie(
        "finished-early",
        "the run is called complete before figure 2",
        when("supervisor", lambda a: a.update(verdict="all_complete"), film.FIRST),
        "supervisor",
    ),
)
