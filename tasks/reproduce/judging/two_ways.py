"""Where a value differs from the paper: whether a second way to it, which shares no solver with ours, agrees with us and not with
the paper. What agents are told and the report says is the same sentence, written here."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.judging.paper_finding import About, Numbers, PaperFinding, field_of
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.numerics import QuantityResult, StudyResult
from tasks.reproduce.judging.classify import ALL_BY_ONE
from tasks.reproduce.judging.limits import scalar_error, unit_of_measure

STUDY, COMPARISON = "study/study.json", "comparison.json"
NOT_SHOWN = "Both solve what was described: that the description is the paper's, code looked for in its words and found no doubt."


@dataclass(frozen=True)
class Way:
    """A second way to a value. apart: how far it can be from ours, as a share of the quantity's scale; field: of the study."""

    name: str
    apart: float
    field: str


def ways(quantity: QuantityResult) -> tuple[Way, ...]:
    """The ways that agree with ours within the stated uncertainties; none for a function of the description's own."""
    found = []
    if quantity.code or not quantity.scale:
        return ()
    exact, second = quantity.oracle, quantity.second
    if exact is not None and exact.within:
        found.append(
            Way(f"exact theory ({exact.theory})", abs(exact.difference) / quantity.scale, "oracle.difference")
        )
    if (
        second is not None
        and second.agrees
        and second.difference is not None
        and second.uncertainty is not None
    ):
        apart = (abs(second.difference) + second.uncertainty) / quantity.scale
        found.append(Way(f"a second solver ({second.solver})", apart, "second"))
    return tuple(found)


def beside_paper(evidence: TargetEvidence, target: Target, outputs: StageOutputs) -> TargetEvidence:
    """The evidence with what is to be said of the paper where a physical value of a described simulation differs from it.

    Two ways agree against the paper only where it lies farther from our value than the other way can: of a number that is read off a
    curve that is known for heights, not for places and widths; of a curve for its root mean square.
    """
    differs = evidence.stands and not evidence.matches and evidence.error is not None
    if evidence.excellent is not None and (evidence.error or 0.0) <= evidence.excellent:
        differs = False  # no SUCCESS for another reason: a window, what is not converged
    quantities = [
        quantity
        for quantity in (outputs.study.quantities if outputs.study else ())
        if target.target_id in quantity.answers
    ]
    if not differs or evidence.scripted or len(quantities) != 1 or target.reference.made_of:
        return evidence
    [quantity] = quantities
    numbers = Numbers()
    gap = _gap(evidence, numbers)
    if gap is None:
        return evidence
    share = _gap_share(evidence, target, quantity)
    agree = [way for way in ways(quantity) if share is not None and way.apart < share]
    if agree and share is not None:
        finding = _contradicted(evidence, quantity, agree, gap, share, numbers)
    elif evidence.converged:
        finding = PaperFinding(
            kind="contradicted",
            about="us or the paper",
            seen="only by running",
            target_id=target.target_id,
            sentence=f"{target.target_id}: our simulation alone differs from the paper: {gap}.",
            why="No second way tells a fault of ours from one of the paper.",
            numbers=tuple(numbers.found),
        )
    else:
        return evidence
    if outputs.study and (other := _another(evidence, quantity, outputs.study, numbers)):
        finding = finding.model_copy(
            update={"sentence": f"{finding.sentence} {other}", "numbers": tuple(numbers.found)}
        )
    return evidence.model_copy(update={"about_paper": (finding,)})


def _another(evidence: TargetEvidence, quantity: QuantityResult, study: StudyResult, numbers: Numbers) -> str:
    """A sentence about another value of the same kind in the same scene (another mode, port or order, or all of them) that is as near
    to the paper's number as is allowed; '' without one. It decides nothing."""
    if evidence.reference is None or evidence.acceptable is None or evidence.simulated is None:
        return ""
    unit = 100.0 if evidence.unit == "%" and quantity.power == 0 else 1.0
    ends = (evidence.reference, evidence.reference_upper or evidence.reference)
    for one in study.quantities:
        if (
            one.id == quantity.id
            or one.value is None
            or (one.scene, one.kind) != (quantity.scene, quantity.kind)
        ):
            continue
        off = scalar_error(
            unit * one.value,
            min(max(unit * one.value, min(ends)), max(ends)),
            evidence.measure,
            evidence.unit,
        )
        if off is not None and abs(off) <= evidence.acceptable:
            told = numbers.put(one.value, "", field_of(evidence.stage_id, STUDY, one.id, "value"))
            return f"As near to the paper's as is allowed is {one.id} of the same scene, {told}: the paper's number may be of that."
    return ""


def _contradicted(
    evidence: TargetEvidence,
    quantity: QuantityResult,
    agree: list[Way],
    gap: str,
    share: float,
    numbers: Numbers,
) -> PaperFinding:
    stage = evidence.stage_id
    beside = " and ".join(
        f"{way.name}, at most "
        + numbers.put(
            100 * way.apart, "%", field_of(stage, STUDY, quantity.id, way.field) + " over its scale", 2
        )
        + " from ours,"
        for way in agree
    )
    about, why = _whose(evidence, quantity, share)
    return PaperFinding(
        kind="contradicted",
        about=about,
        seen="only by running",
        target_id=evidence.target_id,
        sentence=f"{evidence.target_id}: {beside} and our simulation agree with each other within their uncertainties, and "
        f"{'all' if len(agree) > 1 else 'both'} differ from the paper: {gap}.",
        why=why,
        numbers=tuple(numbers.found),
    )


def _gap(evidence: TargetEvidence, numbers: Numbers) -> str | None:
    """The difference from the paper in words; None where there is none to tell."""
    if evidence.error is None:
        return None
    where = (evidence.stage_id, COMPARISON, evidence.target_id, "evidence")
    measure = unit_of_measure(evidence.measure, evidence.unit)
    error = numbers.put(abs(evidence.error), measure, field_of(*where, "error"), 3)
    known = (
        "of unknown numerical uncertainty"
        if evidence.uncertainty is None
        else f"numerically known to {numbers.put(evidence.uncertainty, measure, field_of(*where, 'uncertainty'), 2)}"
    )
    if evidence.simulated is None or evidence.reference is None:
        by_one = any(reason.startswith(ALL_BY_ONE) for reason in evidence.reasons)
        factor = ", by one and the same factor all along" if by_one else ""
        return f"the curves are {error} apart{factor}, {known}"
    ours = numbers.put(evidence.simulated, evidence.unit, field_of(*where, "simulated"))
    ends = [numbers.put(evidence.reference, "", field_of(*where, "reference"))]
    if evidence.reference_upper is not None:
        ends.append(numbers.put(evidence.reference_upper, "", field_of(*where, "reference_upper")))
    unit = "" if evidence.unit in ("", "1") else f" {evidence.unit}"
    return f"simulated {ours}, the paper's {' to '.join(ends)}{unit}, {error} apart, {known}"


def _gap_share(evidence: TargetEvidence, target: Target, quantity: QuantityResult) -> float | None:
    """How far the paper lies from our value, in shares of the quantity's scale; None where a change of the quantity says nothing of
    how far the target moves: a curve that is near says nothing of where its extrema lie."""
    if evidence.simulated is None or evidence.reference is None:
        return None if evidence.nrms_percent is None else evidence.nrms_percent / 100
    off = _off(evidence)
    feature = target.reference.feature
    if is_number(target, quantity):
        return off / abs(evidence.simulated) if evidence.simulated else None
    if (
        feature is None
        or not as_feature(feature).on_y
        or evidence.unit not in ("1", "", "%")
        or quantity.power
    ):
        return None
    return off / (quantity.scale * (100.0 if evidence.unit == "%" else 1.0)) / 2  # a prominence has two ends


def _off(evidence: TargetEvidence) -> float:
    """How far our number lies from the paper's, or from its range; 0 of curves."""
    if evidence.simulated is None or evidence.reference is None:
        return 0.0
    ends = (evidence.reference, evidence.reference_upper or evidence.reference)
    return abs(evidence.simulated - min(max(evidence.simulated, min(ends)), max(ends)))


def is_number(target: Target, quantity: QuantityResult) -> bool:
    """Whether a scalar target is the quantity itself: a value, or a curve of one point, as scenes at one wavelength have it."""
    return quantity.value is not None or (target.kind == "scalar" and target.reference.feature is None)


def _whose(evidence: TargetEvidence, quantity: QuantityResult, gap: float) -> tuple[About, str]:
    """Whose the difference is: not the paper's alone where what we chose or read could bridge it, all of it together."""
    ours = [doubt.why for doubt in evidence.doubts if not doubt.lifted_by]
    moved: dict[str, float] = {}
    off = _off(evidence)
    for tried in quantity.sensitivities:
        by = tried.read.get(
            evidence.target_id
        )  # of what is read of a curve, not what the curve does somewhere
        size = tried.relative if by is None or not off else by / off * gap
        if size is not None:
            moved[tried.parameter] = max(moved.get(tried.parameter, 0.0), size)
        elif tried.origin in ("", "assumption", "material", "paper"):
            ours.append(f"what {tried.parameter} is worth was not computed")
    if not quantity.sensitivities:
        ours.append("what its inputs are worth was not computed")
    if sum(moved.values()) >= gap:
        most = sorted(moved, key=lambda name: -moved[name])[:2]
        ours.append(f"its inputs move it as far, within what is known of them: {', '.join(most)}")
    if ours:
        return "us or the paper", f"It may be what was described: {'; '.join(ours[:3])}."
    return "the paper", NOT_SHOWN
