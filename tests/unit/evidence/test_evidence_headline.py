"""The run's verdict follows the main claim, and no later plan can make a failure disappear."""

from __future__ import annotations

import pytest

from schemas.errors import StateError
from schemas.reproduce.judging.comparison import ComparisonRecord, FigureComparison
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.plan import Plan, Reference, Stage, Target
from schemas.reproduce.planning.plan_faults import plan_faults
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.planning.readings import Reading
from schemas.reproduce.state import ReproState
from tasks.reproduce.judging.headline import Headline, headline
from tasks.reproduce.judging.record import reference_digest

pytestmark = pytest.mark.unit
GLASS = MaterialChoice(name="glass", index=1.5, band_um=(0.4, 0.7), reason="stated", source="the paper")


def target(name: str, *, major: bool = True, value: float = 600) -> Target:
    return Target(
        target_id=name,
        figure_id="fig1",
        description="dip",
        kind="scalar",
        quantity="peak_position",
        unit="nm",
        reference=Reference(kind="quotation", value=value, quotation=f"a dip at {value:g} nm"),
        major=major,
    )


def plan(*targets: Target, **more: object) -> Plan:
    """Stage 0 and one stage per target, s_<target>."""
    bare = Target(
        target_id="mat",
        figure_id="materials",
        description="R",
        kind="curve",
        quantity="curve",
        reference=Reference(kind="fresnel", material="glass"),
    )
    stages = [
        Stage(stage_id="m", stage_type="MATERIAL_VALIDATION", name="m", description="m", targets=(bare,))
    ]
    stages += [
        Stage(
            stage_id=f"s_{t.target_id}",
            stage_type="SINGLE_STRUCTURE",
            name="s",
            description="s",
            targets=(t,),
        )
        for t in targets
    ]
    return Plan(title="t", summary="s", main_claim="c", materials=(GLASS,), stages=tuple(stages), **more)


def compared(**classes: str) -> tuple[FigureComparison, ...]:
    return tuple(
        FigureComparison(
            figure_id="fig1",
            stage_id=f"s_{name}",
            target_id=name,
            classification=found,
            evidence=TargetEvidence(
                target_id=name,
                stage_id=f"s_{name}",
                ran=True,
                computed=True,
                converged=True,
                physical=True,
                matches=found == "SUCCESS",
                classification=found,
            ),
        )
        for name, found in classes.items()
    )


def record(
    one: Target, found: str | None = "FAILURE", *, role: str = "claim", event: str = "compared"
) -> ComparisonRecord:
    return ComparisonRecord(
        target_id=one.target_id,
        figure_id="fig1",
        stage_id="s",
        plan_round=1,
        role=role,
        event=event,
        classification=found,
        reference=reference_digest(one),
    )


def standing(found: Headline) -> dict[str, str]:
    return {entry.what: entry.standing for entry in found.beside}


DIP, Q, NOTE = target("dip"), target("Q", value=50), target("note", major=False, value=3)


@pytest.mark.parametrize(
    ("classes", "verdict"),
    [
        ({"dip": "SUCCESS", "Q": "SUCCESS", "note": "FAILURE"}, "Reproduced"),
        ({"dip": "FAILURE", "Q": "SUCCESS", "note": "SUCCESS"}, "Not reproduced"),
        ({"dip": "PARTIAL", "Q": "SUCCESS"}, "Partly reproduced"),
        ({"dip": "SUCCESS", "Q": "FAILURE"}, "Partly reproduced"),
        ({"dip": "SUCCESS"}, "Partly reproduced"),
        ({"Q": "SUCCESS", "mat": "SUCCESS"}, "Main claim not tested"),
        ({"mat": "SUCCESS"}, "Nothing was compared"),
    ],
)
def test_the_verdict_follows_the_targets_that_carry_the_claim(classes, verdict):
    assert headline(plan(DIP, Q, NOTE, claim_targets=("dip",)), compared(**classes)).verdict == verdict


@pytest.mark.parametrize(
    ("classes", "verdict"),
    [
        ({"dip": "SUCCESS", "Q": "SUCCESS"}, "Reproduced"),
        ({"dip": "FAILURE", "Q": "SUCCESS"}, "Partly reproduced"),
        ({"dip": "FAILURE", "Q": "FAILURE"}, "Not reproduced"),
        ({"dip": "FAILURE"}, "Not reproduced"),
    ],
)
def test_a_plan_that_names_no_claim_rests_on_all_major_targets(classes, verdict):
    assert headline(plan(DIP, Q, NOTE), compared(**classes)).verdict == verdict


def test_an_inferred_reading_is_shown_and_counts_for_nothing():
    other = target("dip_other")
    reading = Reading(name="period 300 nm", targets=("dip_other",), reason="would explain the figure")
    found = headline(
        plan(DIP, other, claim_targets=("dip",), readings=(reading,)),
        compared(dip="FAILURE", dip_other="SUCCESS"),
    )
    assert found.verdict == "Not reproduced" and standing(found) == {"dip_other": "tested alternative"}
    assert "period 300 nm: SUCCESS; inferred, not stated by the paper" in found.beside[0].note
    assert (
        headline(plan(DIP, other, readings=(reading,)), compared(dip="SUCCESS", dip_other="FAILURE")).verdict
        == "Reproduced"
    )


def test_of_two_readings_that_the_paper_states_the_better_one_counts_but_never_for_all():
    other = target("dip_b")
    both = (
        Reading(
            name="text", targets=("dip",), parameter="period", value="300 nm", quotation="a period of 300 nm"
        ),
        Reading(
            name="table", targets=("dip_b",), parameter="Period", value="320", quotation="period | 320 nm"
        ),
    )
    contradicting = plan(DIP, other, claim_targets=("dip", "dip_b"), readings=both)
    found = headline(contradicting, compared(dip="FAILURE", dip_b="SUCCESS"))
    assert found.verdict == "Partly reproduced" and "several ways" in found.reason
    assert standing(found) == {"dip": "other reading", "dip_b": "other reading"}
    assert headline(contradicting, compared(dip="FAILURE", dip_b="FAILURE")).verdict == "Not reproduced"
    assert headline(contradicting, compared(dip="SUCCESS", dip_b="SUCCESS")).verdict == "Reproduced"


@pytest.mark.parametrize(
    ("parameter", "value", "quotation"),
    [
        ("", "", "period | 320 nm"),
        ("period", "320 nm", "in air"),
        ("the", "320", "the period is 320 nm"),
        ("width", "320 nm", "width | 320 nm"),
        ("period", "300 nm", "period 300 nm"),
    ],
    ids=["trivial words", "neither said", "no parameter", "another parameter", "the same value"],
)
def test_words_that_state_no_other_value_of_the_parameter_save_no_failed_claim(parameter, value, quotation):
    both = (
        Reading(
            name="text", targets=("dip",), parameter="period", value="300 nm", quotation="a period of 300 nm"
        ),
        Reading(name="table", targets=("dip_b",), parameter=parameter, value=value, quotation=quotation),
    )
    made = plan(DIP, target("dip_b"), claim_targets=("dip", "dip_b"), readings=both)
    assert headline(made, compared(dip="FAILURE", dip_b="SUCCESS")).verdict == "Not reproduced"


@pytest.mark.parametrize(
    "later",
    [
        plan(Q, claim_targets=("Q",)),
        plan(DIP.model_copy(update={"major": False}), Q, claim_targets=("Q",)),
        plan(DIP, Q, claim_targets=("Q",)),
        plan(DIP, Q, claim_targets=("Q",), readings=(Reading(name="r", targets=("dip",)),)),
    ],
    ids=["dropped", "minor", "no longer the claim", "inferred"],
)
def test_a_new_plan_cannot_demote_what_failed(later):
    found = headline(later, compared(Q="SUCCESS", dip="SUCCESS"), (record(DIP),))
    assert found.verdict == "Not reproduced" and found.beside[0].standing == "failed, then set aside"
    assert found.beside[0].note.startswith("it failed under plan 1; now ")


def test_a_failure_that_is_taken_back_counts_until_it_is_compared_again():
    claimed = plan(DIP, Q, claim_targets=("dip",))
    progress = (
        StageProgress(stage_id="s_dip", status="invalidated", invalidation_reason="materials changed"),
    )
    found = headline(claimed, compared(Q="SUCCESS"), (record(DIP),), progress)
    assert found.verdict == "Not reproduced" and standing(found) == {"dip": "withdrawn"}
    assert found.beside[0].note == "stage s_dip is invalidated; materials changed; it was FAILURE"
    again = (record(DIP), record(DIP, "SUCCESS"))
    found = headline(claimed, compared(dip="SUCCESS", Q="SUCCESS"), again)
    assert found.verdict == "Partly reproduced" and "had failed before it was run again: dip" in found.reason
    assert standing(found) == {"dip": "failed before"}


def test_the_same_comparison_under_a_new_name_is_not_set_aside_unless_it_was_there_before():
    renamed, twin = target("dip_2d"), target("dip_twin")
    assert (
        headline(plan(renamed, claim_targets=("dip_2d",)), compared(dip_2d="SUCCESS"), (record(DIP),)).verdict
        == "Partly reproduced"
    )  # it failed before, under the old name
    old = (record(DIP), record(twin, "SUCCESS"))
    assert (
        headline(plan(twin, claim_targets=("dip_twin",)), compared(dip_twin="SUCCESS"), old).verdict
        == "Not reproduced"
    )


def test_what_was_dropped_not_compared_not_attempted_or_redefined_stands_beside_the_verdict():
    changed = target("dip", value=610)
    history = (record(DIP), record(changed, "SUCCESS"), record(NOTE, None, role="minor", event="dropped"))
    found = headline(
        plan(changed, Q, claim_targets=("dip",), not_reproducible=("fig4: a photograph",)),
        compared(dip="SUCCESS"),
        history,
        (StageProgress(stage_id="s_Q", status="blocked", issues=("dependency s_dip is completed_failed",)),),
    )
    assert {entry.standing for entry in found.beside if entry.what == "dip"} == {
        "failed before",
        "compared anew",
    }
    assert standing(found) == {
        "dip": "compared anew",
        "Q": "not compared",
        "note": "dropped",
        "fig4": "not attempted",
    }
    assert "stage s_Q is blocked; dependency s_dip is completed_failed" in [
        entry.note for entry in found.beside
    ]


def test_another_number_of_the_paper_does_not_make_a_failure_a_reproduction():
    found = headline(
        plan(target("dip", value=610), claim_targets=("dip",)), compared(dip="SUCCESS"), (record(DIP),)
    )
    assert found.verdict == "Partly reproduced" and "had failed before a new plan compared it" in found.reason


def test_the_lenient_rule_of_a_plan_that_names_no_claim_is_said():
    lenient = headline(plan(DIP, Q), compared(dip="FAILURE", Q="SUCCESS"))
    assert "does not say which targets carry its claim, so all 2 count alike" in lenient.reason
    assert "count alike" not in headline(plan(DIP, Q, claim_targets=("dip",)), compared(dip="SUCCESS")).reason


def test_the_memory_of_comparisons_is_append_only():
    state = ReproState(
        paper_id="p",
        run_id="r",
        plan=plan(DIP),
        progress=(StageProgress(stage_id="m"),),
        comparison_history=(record(DIP),),
    )
    assert len(state.apply("account", comparison_history=(record(DIP), record(Q))).comparison_history) == 2
    with pytest.raises(StateError, match="never forgotten"):
        state.apply("account", comparison_history=())
    with pytest.raises(StateError, match="may not write comparison_history"):
        state.apply("supervisor", comparison_history=())


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (
            {"claim_targets": ("nix",)},
            "claim_targets names 'nix', which is no target; allowed: mat, dip, note",
        ),
        ({"claim_targets": ("mat",)}, "'mat', a check of stage 0"),
        ({"claim_targets": ("note",)}, "'note', which is minor or of an inferred reading"),
        (
            {"claim_targets": ("dip",), "readings": (Reading(name="a", targets=("dip",)),)},
            "'dip', which is minor or of an",
        ),
        (
            {"readings": (Reading(name="a", targets=("dip",)), Reading(name="b", targets=("dip",)))},
            "belongs to two readings",
        ),
        ({"readings": (Reading(name="a", targets=("nix",)),)}, "readings name 'nix', which is no target"),
    ],
)
def test_a_claim_rests_on_targets_that_can_carry_it(more, fault):
    assert any(fault in found for found in plan_faults(plan(DIP, NOTE, **more)))
    assert not plan_faults(plan(DIP, NOTE, claim_targets=("dip",)))


def test_a_target_of_the_paper_cannot_hide_among_the_material_checks():
    hidden = DIP.model_copy(update={"figure_id": "materials"})
    assert (
        "'dip' outside the MATERIAL_VALIDATION stage has figure_id 'materials'"
        in plan_faults(plan(hidden))[0]
    )


def test_targets_of_free_scripts_are_counted_beside_the_verdict():
    one, other = compared(dip="PARTIAL", Q="SUCCESS")
    scripted = one.model_copy(update={"evidence": one.evidence.model_copy(update={"scripted": True})})
    found = headline(plan(DIP, Q, claim_targets=("dip",)), (scripted, other))
    assert (
        found.verdict == "Partly reproduced"
        and "1 of 2 targets agree and are PARTIAL because free scripts" in found.reason
    )


def spared(entry: FigureComparison, **fields: bool | str) -> FigureComparison:
    """A failure of a free script (refutes=False), or one without a value (ran=False)."""
    return entry.model_copy(update={"evidence": entry.evidence.model_copy(update=fields)})


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"refutes": False}, "by a free script, or a function that was not wholly examined"),
        ({"ran": False}, "no value"),
        ({"physical": False}, "no physical value"),
        ({"ran": False, "not_attempted": "no class gives it"}, "not attempted"),
    ],
)
def test_what_no_described_simulation_saw_disagree_refutes_nothing(fields, why):
    one, other = compared(dip="FAILURE", Q="SUCCESS")
    one = spared(one, **fields)
    line = record(DIP).model_copy(update={"refutes": one.evidence.stands})
    found = headline(plan(DIP, Q, claim_targets=("dip", "Q")), (one, other), (line,))
    assert (
        found.verdict == "Partly reproduced"
        and f"nothing that refutes the paper was computed of dip ({why})" in found.reason
    )
    alone = headline(plan(DIP, Q, claim_targets=("dip",)), (one, other), (line,))
    assert alone.verdict == "Main claim not tested" and alone.claim == (("dip", "FAILURE"),)
    assert headline(plan(DIP, Q), (one, spared(other)), (line,)).verdict == "Partly reproduced"


@pytest.mark.parametrize("event", ["computed", "compared", "withdrawn"])
def test_a_script_does_not_undo_a_described_failure_not_even_under_another_name(event):
    again = DIP.model_copy(update={"target_id": "again"})
    for name, one in (("dip", DIP), ("again", again)):
        (entry,) = compared(**{name: "FAILURE"})
        history = (record(DIP, event=event), record(one).model_copy(update={"refutes": False}))
        found = headline(plan(one, claim_targets=(name,)), (spared(entry, refutes=False),), history)
        assert found.verdict == "Not reproduced", (name, event)
