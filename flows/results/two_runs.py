"""Two runs beside each other: targets, what they differ by, and what was different in plan, description and environment."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.results.changes import MOST_ROWS, Change, changes, line_changes
from flows.results.curve_plots import CurvesOver, curves_over
from flows.results.kept_runs import KeptRun, read_run, shown_text
from flows.run.records import RECORD
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, open_below
from schemas.reading.handed import handed_json
from schemas.reproduce.judging.regression import Quantity
from schemas.reproduce.origin_words import origin_words
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.state import ReproState
from schemas.run.pasted import on_run, typed
from schemas.talking.transcript import MAX_TRANSCRIPT_BYTES
from schemas.text.visible import one_visible_line

_MOST_LINE, _MOST_TEXT = 2_000_000, 1_000_000
_NO_RECORD = ("run_id", "started", "command", "workspace", "seed")
_UNITLESS = ("", "1")


@dataclass(frozen=True)
class Table:
    """A table of words. more: rows that were left out. numbers: places of columns that hold numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    none: str
    more: int = 0
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class TargetBeside:
    """A target of either run. difference: the second minus the first, in `unit`; over: by the two uncertainties together (root of
    the sum of squares), of a curve the largest over its points; None where a side has no number or states no uncertainty.

    pictures: of either side, relative to its run's folder; '' where there is none. curves: both over each other, if it is one.
    """

    target: str
    values: tuple[str, str]
    reference: str
    difference: str
    over: float | None
    verdicts: tuple[str, str]
    pictures: tuple[str, str]
    curves: CurvesOver | None = None


@dataclass(frozen=True)
class Compared:
    """Two runs side by side. targets: empty where they are no reproductions. texts: (what, lines of a difference)."""

    one: KeptRun
    other: KeptRun
    notes: tuple[str, ...]
    targets: tuple[TargetBeside, ...]
    tables: tuple[Table, ...]
    texts: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def target_table(self) -> Table:
        """The targets as words."""
        return Table(
            "Targets",
            (
                "target",
                "first",
                "second",
                "reference",
                "difference",
                "over uncertainty",
                "class",
            ),
            tuple(
                (t.target, *t.values, t.reference, t.difference, over_words(t.over), _both(t.verdicts))
                for t in self.targets
            ),
            "neither run compared anything",
            numbers=(1, 2, 3, 4, 5),
        )


def _both(words: tuple[str, str]) -> str:
    return words[0] if words[0] == words[1] else " -> ".join(words)


def over_words(over: float | None) -> str:
    """A difference over its uncertainty in a cell."""
    return "" if over is None else "0" if over == 0 else f"{over:.2g}"


@dataclass(frozen=True)
class _Reproduction:
    state: ReproState
    numbers: dict[str, Quantity]
    outputs: dict[str, StageOutputs]
    paper: PaperInput
    note: str


def compare_runs(one: Path, other: Path) -> Compared:
    """Two runs of one workflow by their folders. Raises InputError: two workflows, nothing saved yet, files that do not fit."""
    sides = read_run(one), read_run(other)
    if sides[0].workflow != sides[1].workflow:
        raise InputError(
            "runs of two workflows have nothing to compare",
            found=f"{sides[0].run_id} is of {sides[0].workflow}, {sides[1].run_id} of {sides[1].workflow}",
            allowed="two runs of the same workflow",
            fix=f"`{typed('status', outputs=one.parents[1])}` lists the runs",
        )
    notes = []
    if sides[0].subject != sides[1].subject:
        notes.append(
            f"they are not of the same subject: {sides[0].subject} and {sides[1].subject}; what has the same name stands together"
        )
    targets: tuple[TargetBeside, ...] = ()
    tables: list[Table] = []
    texts: list[tuple[str, tuple[str, ...]]] = []
    if sides[0].workflow == "reproduce":
        both = _reproduction(sides[0]), _reproduction(sides[1])
        notes += [side.note for side in both if side.note]
        targets = _targets(both, (one, other))
        tables += [
            _table(
                "Plan", changes(*(_dumped(side.state.plan) for side in both)), "both runs have the same plan"
            ),
            _table(
                "Materials and stages",
                _words_changed(both),
                "every number of materials and stages is the same",
            ),
        ]
        texts = _descriptions(sides, both)
    else:
        notes.append("only reproductions have targets; of others what they were started with is compared")
    tables += [
        _table(
            "Started with",
            changes(_started(one), _started(other)),
            "both were started with the same settings",
        ),
        _table(
            "Environment", changes(_environment(one), _environment(other)), "nothing that is known differs"
        ),
    ]
    return Compared(*sides, tuple(notes), targets, tuple(tables), tuple(texts))


def _table(title: str, found: Iterable[Change], none: str) -> Table:
    rows = tuple(found)
    return Table(title, ("what", "first", "second"), rows[:MOST_ROWS], none, max(0, len(rows) - MOST_ROWS))


def _dumped(model: Any) -> Any:
    return None if model is None else model.model_dump(mode="json")


def _reproduction(run: KeptRun) -> _Reproduction:
    from flows.reproduce.kept_state import newest_state, outputs_kept
    from tasks.reproduce.papers import load_paper
    from tasks.reproduce.regression.numbers_of_run import quantities, studies_of

    state, note = newest_state(run.folder), ""
    if state is None:
        raise InputError(
            "nothing of this run was saved yet",
            found=run.run_id,
            allowed="a run with a plan",
            fix=on_run(run.folder, "resume"),
        )
    kept = {entry.stage_id: outputs_kept(run.folder, entry.stage_id) for entry in state.progress}
    outputs = {name: each for name, each in kept.items() if each is not None}
    try:
        found = quantities(state, run.verdict, studies_of(outputs), run.folder)
    except (InputError, OSError, ValueError) as error:
        why = error.what if isinstance(error, InputError) else str(error)
        note = f"{run.run_id}: curves are not compared, {one_visible_line(why, 200)}"
        found = quantities(state, run.verdict, {}, run.folder)
    paper, _ = load_paper(run.folder / "paper")
    return _Reproduction(state, {entry.key: entry for entry in found}, outputs, paper, note)


def _targets(
    both: tuple[_Reproduction, _Reproduction], folders: tuple[Path, Path]
) -> tuple[TargetBeside, ...]:
    compared = [{c.target_id: c for c in side.state.figure_comparisons} for side in both]
    origins = {
        target.target_id: origin_words(target.reference, side.paper)
        for side in both
        for stage, target in (side.state.plan.targets() if side.state.plan else ())
        if stage.stage_type != "MATERIAL_VALIDATION"
    }
    found = []
    for name, origin in origins.items():
        pair = [each.get(name) for each in compared]
        values = [side.numbers.get(f"target {name} value") for side in both]
        known = next((c.evidence for c in pair if c and c.evidence.reference is not None), None)
        reference = f"{known.reference_words()}{_unit(known.unit)} " if known else ""
        difference, over = _apart(values[0], values[1])
        if over is None and not any(values):
            over = _curves_apart(both, name)
        pictures = _picture(pair[0]), _picture(pair[1])
        found.append(
            TargetBeside(
                target=name,
                values=(_value(values[0], pair[0]), _value(values[1], pair[1])),
                reference=f"{reference}({origin})",
                difference=difference,
                over=over,
                verdicts=(_verdict(pair[0]), _verdict(pair[1])),
                pictures=pictures,
                curves=curves_over(name, folders, pictures),
            )
        )
    return tuple(found)


def _verdict(comparison: Any) -> str:
    return "not compared" if comparison is None else str(comparison.classification)


def _picture(comparison: Any) -> str:
    return "" if comparison is None else comparison.evidence.overlay or ""


def _unit(unit: str) -> str:
    return "" if unit in _UNITLESS else f" {unit}"


def _value(value: Quantity | None, comparison: Any) -> str:
    if value is None or value.value is None:
        return "" if comparison is None else "curve"
    doubt = "" if value.uncertainty is None else f" ± {value.uncertainty:.2g}"
    return f"{value.value:.6g}{doubt}{_unit(value.unit)}"


def _apart(one: Quantity | None, other: Quantity | None) -> tuple[str, float | None]:
    """The second minus the first in words, and over both uncertainties."""
    if one is None or other is None or one.value is None or other.value is None:
        return "", None
    if one.unit != other.unit:
        return f"other unit ({one.unit}, {other.unit})", None
    step = other.value - one.value
    return f"{step:+.3g}{_unit(one.unit)}" if step else "0", _over(step, one.uncertainty, other.uncertainty)


def _over(step: float, *doubts: float | None) -> float | None:
    """A step over the uncertainties of both ends; None where one states none, or both are certain and differ."""
    if step == 0:
        return 0.0
    if any(doubt is None for doubt in doubts):
        return None
    both = math.hypot(*(float(doubt or 0.0) for doubt in doubts))
    return abs(step) / both if both else None


def _curves_apart(both: tuple[_Reproduction, _Reproduction], target: str) -> float | None:
    """The largest difference over uncertainty of the places that are kept of the curve which answers a target."""
    names = [
        [
            f"{stage}/{quantity.id}"
            for stage, outputs in side.outputs.items()
            for quantity in (outputs.study.quantities if outputs.study else ())
            if target in quantity.answers
        ]
        for side in both
    ]
    if any(len(found) != 1 for found in names):
        return None
    found = []
    for key, one in both[0].numbers.items():
        prefix = f"study {names[0][0]} curve, "
        if not key.startswith(prefix):
            continue
        other = both[1].numbers.get(f"study {names[1][0]} curve, {key.removeprefix(prefix)}")
        if other is None or one.value is None or other.value is None:
            return None
        if " x of point" in key:
            if one.value != other.value:
                return None  # at other places
            continue
        if (over := _over(other.value - one.value, one.uncertainty, other.uncertainty)) is None:
            return None
        found.append(over)
    return max(found, default=None)


def _words_changed(both: tuple[_Reproduction, _Reproduction]) -> list[Change]:
    keys = [
        key
        for key in dict.fromkeys((*both[0].numbers, *both[1].numbers))
        if key.startswith(("material ", "stage "))
    ]
    words = [[side.numbers[key].words() if key in side.numbers else "-" for side in both] for key in keys]
    return [(key, one, other) for key, (one, other) in zip(keys, words, strict=True) if one != other]


def _descriptions(
    sides: tuple[KeptRun, KeptRun], both: tuple[_Reproduction, _Reproduction]
) -> list[tuple[str, tuple[str, ...]]]:
    """Differences of each stage's program, and of its declared parameters."""
    found = []
    for stage in dict.fromkeys(entry.stage_id for side in both for entry in side.state.progress):
        for name in ("code.py", "design.json"):
            texts = [shown_text(side.folder, f"{stage}/{name}", _MOST_TEXT) for side in sides]
            lines = line_changes(texts[0], texts[1], (sides[0].run_id, sides[1].run_id))
            if lines and not (name == "design.json" and _same_but_for_code(*texts)):
                found.append((f"{stage}: {name}", lines))
    return found


def _same_but_for_code(one: str, other: str) -> bool:
    """Whether two designs differ by their program only, which is shown as a text of its own."""
    try:
        return not changes(*({**json.loads(text), "code": ""} for text in (one, other)))
    except (ValueError, TypeError, RecursionError):
        return False


def _started(folder: Path) -> Any:
    found = handed_json(folder / RECORD, "the run's record")
    if not isinstance(found, dict):
        raise InputError("the run's record does not fit", found=folder.name)
    return {name: value for name, value in found.items() if name not in _NO_RECORD}


def _environment(folder: Path) -> dict[str, str]:
    """Versions and digests as the head of the run's record of calls has them; empty where there is none."""
    try:
        with open_below(folder, "transcript.jsonl", MAX_TRANSCRIPT_BYTES, one_name=False) as stream:
            header = json.loads(stream.readline(_MOST_LINE))["header"]
        return {
            f"prompt {name}" if part == "prompts" else str(name): str(value)[:40]
            for part in ("versions", "sources", "prompts")
            for name, value in dict(header.get(part, {})).items()
        }
    except (Unopened, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
