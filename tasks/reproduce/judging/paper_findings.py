"""What a run showed of the paper that reading it does not, from what code computed: values that a second way contradicts, inputs on
which the claim hangs, convergence that its words do not show. No agent writes a word or a number of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.judging.paper_finding import About, Numbers, PaperFinding, field_of
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.numerics import QuantityResult, Sensitivity, StudyResult
from schemas.reproduce.state import ReproState
from tasks.reproduce.evidence.two_solvers import in_its_measure
from tasks.reproduce.judging.limits import number_moved, unit_of_measure
from tasks.reproduce.judging.two_ways import COMPARISON, STUDY, is_number, ways

MOST_INPUTS = 5
_COMPUTES = re.compile(
    r"\b(simulat\w+|FDTD|finite[- ](difference|element|integration)s?|numerical(ly)?|RCWA|rigorous coupled|plane[- ]wave expansion)\b",
    re.IGNORECASE,
)
_GRID = re.compile(
    r"\b(mesh\w*|grids?|converge\w*|discreti[sz]\w*|voxels?|pixels?|grid points?|(spatial|time|step) steps?|step sizes?|cell size|"
    r"spatial resolution|(number of|\d+) (Fourier )?(orders|harmonics|plane waves|elements|modes))\b",
    re.IGNORECASE,
)


def paper_findings(
    state: ReproState, studies: Mapping[str, StudyResult], paper: PaperInput
) -> tuple[PaperFinding, ...]:
    """Findings, what two ways agree on first. studies: stage id -> what trusted code solved. Contradictions that are read are the
    state's, and not among them."""
    contradicted = [
        finding for comparison in state.figure_comparisons for finding in comparison.evidence.about_paper
    ]
    contradicted.sort(key=lambda finding: (finding.about != "the paper", "alone" in finding.sentence))
    found = list(_compared(state, studies))
    return (*contradicted, *_hangs(found), *_unconverged(found, paper))


Compared = tuple[TargetEvidence, Target, QuantityResult]


def _compared(state: ReproState, studies: Mapping[str, StudyResult]) -> Iterator[Compared]:
    """What carries the claim, where one described quantity answers it."""
    if state.plan is None:
        return
    evidence = {entry.target_id: entry.evidence for entry in state.figure_comparisons}
    for stage, target in state.plan.targets():
        own = evidence.get(target.target_id)
        study = studies.get(stage.stage_id)
        if own is None or study is None or not own.stands or own.acceptable is None:
            continue
        if state.plan.role(stage, target) not in ("claim", "major") or target.reference.made_of:
            continue
        quantities = [quantity for quantity in study.quantities if target.target_id in quantity.answers]
        if len(quantities) == 1:
            yield own, target, quantities[0]


def _hangs(found: list[Compared]) -> Iterator[PaperFinding]:
    """Of each input whose doubt moves a target beyond what is allowed the target that it moves most, the worst inputs first."""
    worst: dict[str, tuple[float, float, Sensitivity, Compared]] = {}
    for entry in found:
        evidence, target, quantity = entry
        assert evidence.acceptable is not None
        if not evidence.converged:
            continue  # what a grid leaves open may be what a wall that jumps by a pixel does to it
        for tried in quantity.sensitivities:
            moved = _moved(evidence, target, quantity, tried)
            if moved is None or moved <= evidence.acceptable or tried.origin == "numerical":
                continue
            if tried.origin == "paper" and "rounding" not in tried.reason:
                continue  # varied by 5 per cent because nobody states an error: no doubt of the paper's
            over = moved / evidence.acceptable
            if over > worst.get(tried.parameter, (0.0,))[0]:
                worst[tried.parameter] = (over, moved, tried, entry)
    for name, (_, moved, tried, entry) in sorted(worst.items(), key=lambda item: -item[1][0])[:MOST_INPUTS]:
        yield _hanging(name, moved, tried, entry)


def _hanging(name: str, moved: float, tried: Sensitivity, entry: Compared) -> PaperFinding:
    evidence, target, quantity = entry
    assert evidence.acceptable is not None
    numbers = Numbers()
    unit = unit_of_measure(evidence.measure, evidence.unit)
    where = field_of(evidence.stage_id, STUDY, quantity.id, "sensitivities", name)
    other = numbers.quote(tried.tried, where)
    by = numbers.put(moved, unit, where, 2)
    most = numbers.put(
        evidence.acceptable,
        unit,
        field_of(evidence.stage_id, COMPARISON, evidence.target_id, "evidence.acceptable"),
        3,
    )
    moves = _moves(evidence, target, quantity).format(target=evidence.target_id, by=by)
    about: About = "us or the paper"
    if tried.origin == "paper":
        bound = bool(ways(quantity)) and not any(not doubt.lifted_by for doubt in evidence.doubts)
        about = "the paper" if bound else about
        what = f"The paper's words round {name} so that {other} reads the same; that {moves}"
        why = "" if bound else "The simulation alone says how much."
    elif tried.origin == "material":
        what = f"It matters which table of {name} is taken: {other} instead {moves}"
        why = "Where the paper names its table, the finding is how much depends on it."
    else:
        what = f"We assumed {name}: {other} ({tried.reason}) {moves}"
        why = "The paper may state it in words that we did not take up."
    return PaperFinding(
        kind="hangs on an input",
        about=about,
        seen="only by running",
        target_id=evidence.target_id,
        sentence=f"{what}; {most} are allowed.",
        why=why,
        numbers=tuple(numbers.found),
    )


def _moved(
    evidence: TargetEvidence, target: Target, quantity: QuantityResult, tried: Sensitivity
) -> float | None:
    """What an input's doubt does to a target, in the measure of its bounds; None where what it does to the quantity does not say it: to
    a height or width that is read off a curve."""
    if (known := number_moved(tried, evidence)) is not None:
        return known
    if tried.relative is None:
        return None
    if evidence.simulated is None or is_number(target, quantity):
        return in_its_measure(evidence, abs(tried.relative), quantity.scale)
    feature = target.reference.feature
    if feature is None or as_feature(feature).kind != "position" or evidence.measure != "relative_percent":
        return None
    return None if tried.moved is None else 100 * abs(tried.moved)


def _moves(evidence: TargetEvidence, target: Target, quantity: QuantityResult) -> str:
    if evidence.simulated is None:
        of = " of its largest value" if evidence.measure == "relative_percent" else ""
        return f"changes {{target}} by up to {{by}}{of}"
    return (
        "moves {target} by {by}"
        if is_number(target, quantity) or any(evidence.target_id in s.read for s in quantity.sensitivities)
        else "moves the spectrum of {target} by {by}"
    )


def _unconverged(found: list[Compared], paper: PaperInput) -> Iterator[PaperFinding]:
    """The target that coarse grids move most beyond what is allowed, where the paper computes and its words show no convergence."""
    text = f"{paper.text}\n{paper.supplementary_text or ''}"
    if not _COMPUTES.search(text) or _GRID.search(text):
        return
    worst: tuple[float, Compared] | None = None
    for entry in found:
        evidence, _, quantity = entry
        off = _coarse(evidence, quantity)
        if off is not None and evidence.acceptable and off > max(evidence.acceptable, (worst or (0.0,))[0]):
            worst = (off, entry)
    if worst is None:
        return
    off, (evidence, _, quantity) = worst
    numbers = Numbers()
    unit = unit_of_measure(evidence.measure, evidence.unit)
    where = field_of(evidence.stage_id, STUDY, quantity.id, "rungs")
    first, last = quantity.rungs[0], quantity.rungs[-1]
    grid = numbers.put(first.resolution, "", where)
    fine = numbers.put(last.resolution, "", where)
    by = numbers.put(off, unit, where, 2)
    yield PaperFinding(
        kind="convergence",
        about="us or the paper",
        seen="only by running",
        target_id=evidence.target_id,
        sentence=f"{evidence.target_id} needs a fine grid, and the paper's words show none: with {grid} pixels per unit length it "
        f"lies {by} from its value with {fine}, more than is allowed.",
        why="The paper may have converged without saying so.",
        numbers=tuple(numbers.found),
    )


def _coarse(evidence: TargetEvidence, quantity: QuantityResult) -> float | None:
    """How far the coarsest grid's number is from the finest's, in the measure of the target's bounds."""
    values = [rung.value for rung in quantity.rungs]
    if len(values) < 2 or values[0] is None or values[-1] is None or not quantity.scale:
        return None
    return in_its_measure(evidence, abs(values[0] - values[-1]) / quantity.scale, quantity.scale)
