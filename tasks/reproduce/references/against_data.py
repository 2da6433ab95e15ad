"""The paper's words against its own data: a quoted peak that no column of its figure shows (candidates, no verdicts), and what
a quoted number's figure is drawn over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from schemas.reproduce.paper import PaperData, PaperInput
from schemas.reproduce.planning.plan import Plan, Target
from schemas.reproduce.simulations.features import as_feature
from tasks.files.tables import read_table
from tasks.reproduce.evidence.not_computed import EvidenceError, TooCoarse
from tasks.reproduce.evidence.units import convert, unit_of_name
from tasks.reproduce.judging.limits import limits_for, scalar_error
from tasks.reproduce.papers import inside
from tasks.reproduce.references.paper_value import resolve

MOST = 4
SAME = 0.005  # relative: how near a quoted number lies to one of a column, of which it then is one


def abscissae(target: Target, files: Sequence[str], paper_dir: Path) -> set[str]:
    """Names of the first columns of a figure's tables, but of those in which the quoted number is an ordinate: "the peak lies at
    782 nm" of a peak that is drawn over a radius was read from a curve that runs along the light."""
    return {columns[0] for file in files if (columns := _drawn(target, file, paper_dir))}


def _drawn(target: Target, file: str, paper_dir: Path) -> list[str]:
    path, quoted = inside(paper_dir, file), target.reference.value
    try:
        table = read_table(path) if path is not None else None
    except (ValueError, OSError):
        return []
    if table is None:
        return []
    for name in list(table)[1:] if quoted is not None else ():
        unit = unit_of_name(str(name))
        try:
            own = convert(table[name].to_numpy(dtype=float), unit, target.unit) if unit else ()
        except (EvidenceError, ValueError):
            continue
        if quoted and any(abs(value - quoted) <= SAME * abs(quoted) for value in own):
            return []
    return [str(name) for name in table]


def words_against_data(plan: Plan, paper: PaperInput, paper_dir: Path) -> tuple[str, ...]:
    """Quoted numbers with a feature whose figure has data in which no column shows them, each with the nearest one.

    Apart means beyond what counts as excellent between paper and simulation, and beyond rounding, sampling and stated error.
    """
    figures = {figure.figure_id: figure for figure in paper.figures}
    found: list[str] = []
    for _, target in plan.targets():
        figure = figures.get(target.figure_id)
        if figure is not None and figure.data and (told := _against(target, figure.data, paper_dir)):
            found.append(told)
    return tuple(found[:MOST])


def _against(target: Target, tables: tuple[PaperData, ...], paper_dir: Path) -> str:
    reference = target.reference
    quoted = reference.value
    if (
        reference.kind != "quotation"
        or reference.feature is None
        or reference.made_of
        or as_feature(reference.feature).curves != 1
        or (reference.upper is not None or not quoted)
    ):
        return ""
    try:
        limits = limits_for(target, "default", resolve(target, paper_dir), metal=True).value
    except EvidenceError:
        return ""  # the plan's review says so
    columns = list(_columns(target, tables, paper_dir))
    if not columns or None in columns:  # what is sampled too coarsely may be what the words speak of
        return ""
    name, value, readable = min(filter(None, columns), key=lambda entry: abs(entry[1] - quoted))
    error = scalar_error(value, quoted, limits.measure, target.unit)
    if error is None or error <= limits.excellent or abs(value - quoted) <= readable:
        return ""
    beside = f", the nearest of {len(columns)} columns" if len(columns) > 1 else ""
    return (
        f"{target.target_id}: the words say {quoted:.6g} {target.unit} ({reference.quotation[:120]!r}), the "
        f"{as_feature(reference.feature).words()} of {name} is {value:.6g} {target.unit}{beside}"
    )


def _columns(
    target: Target, tables: tuple[PaperData, ...], paper_dir: Path
) -> Iterator[tuple[str, float, float] | None]:
    """Name, feature and how far it can be read, in the target's unit, of each column of the figure's tables; None of one that is
    sampled too coarsely for it."""
    for data in tables:
        path = inside(paper_dir, data.file)
        try:
            names = list(read_table(path)) if path is not None else []
        except (ValueError, OSError):
            continue
        for name in names[1:]:
            reference = target.reference.model_copy(
                update={"kind": "feature", "file": data.file, "x_column": names[0], "y_column": name}
            )
            try:
                found = resolve(target.model_copy(update={"reference": reference}), paper_dir)
            except TooCoarse:
                yield None
                continue
            except EvidenceError:
                continue
            if isinstance(found.value, float):
                yield (
                    f"{data.file}, {name}",
                    found.value,
                    found.sampling + found.x_error + found.error_percent / 100 * abs(found.value),
                )
