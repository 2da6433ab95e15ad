"""What the figure reader says beside what code read: it fills names that code lacks, and all else is said to the person.

It never changes a number, and never removes a doubt: an axis that code refused becomes no proposal by it, only a start for the
person who mends. Its names stand beside the proposal until a person takes them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from schemas.documents.mended import Mended, MendedAxis, SeenAxis
from schemas.errors import InputError
from schemas.reading.beneath import read_below
from schemas.reproduce.figure_names import AxisSeen, CurveSeen, FigureNames
from schemas.reproduce.figures_read import ProposedFigure
from schemas.text.addressed import addressed
from schemas.text.visible import one_visible_line
from tasks.digitise.mending.mending_page import with_axes_of
from tasks.digitise.mending.taking import scale_of_marks
from tasks.digitise.scale import NoScale, scale_of
from tasks.files.store import atomic_write
from tasks.reproduce.papers.proposed_figures import FOLDER

_NEAR, _APART = (
    0.012,
    0.4,
)  # of the frame, of the steps between ticks: how far a tick may be from where it is pointed at
_OFF = 0.02  # of the axis: how far a value may be from that of code
_WORDS_OF_READER = "Names that code lacked, and values at an axis that it refused, are the figure reader's (an AI): compare them."
_MOST_PAGE = 60_000_000
_PIXELS = 1.5  # how well ticks of the picture are placed
_LEAST = 3  # ticks that make a line which could have been none


def is_open(figure: ProposedFigure) -> bool:
    """Whether code left something to name: an axis without name or scale, or curves of which one has no name."""
    curves = [
        curve for panel in (figure.proposal.panels if figure.proposal else ()) for curve in panel.curves
    ]
    return bool(figure.picture) and (
        any(not axis.name or not axis.kind for axis in figure.seen if len(axis.ticks) > 1)
        or (len(curves) > 1 and any(not curve.name for curve in curves))
    )


def with_names(figure: ProposedFigure, names: FigureNames) -> ProposedFigure:
    """The figure with the reader's names beside the proposal where code has none, what else it says, and where it says otherwise."""
    said: list[str] = []
    doubts: list[str] = []
    seen = {(axis.panel, axis.axis): axis for axis in figure.seen}
    twice = Counter((one.panel, one.axis) for one in names.axes)
    for one in names.axes:
        axis = seen.get((one.panel, one.axis))
        if axis is None:
            continue
        if twice[one.panel, one.axis] > 1:
            doubts.append(f"{_where(axis)}: it says two things of it")
            continue
        filled, words, otherwise = _axis(axis, one)
        seen[one.panel, one.axis] = filled
        said += words
        doubts += otherwise
    proposal = figure.proposal
    if proposal is not None:
        proposal = _with_axes(proposal, seen.values())
        proposal, words, otherwise = _with_curves(figure.figure_id, proposal, names)
        said += words
        doubts += otherwise
    doubts += [f"words of the figure address an AI: {words!r}" for words in names.instructions_found]
    told = tuple((one.curve, one.what) for one in names.curves if one.what != "unclear" and _sure(one, names))
    return figure.model_copy(
        update={
            "told": told if proposal is not None else (),
            "named": proposal if proposal != figure.proposal else None,
            "seen": tuple(seen.values()),
            "reader": tuple(one_visible_line(words, 300) for words in said[:60]),
            "in_doubt": tuple(one_visible_line(words, 300) for words in dict.fromkeys(doubts[:60])),
        }
    )


def taking_names(figure: ProposedFigure) -> ProposedFigure:
    """The figure with the reader's names, and what is theory, in its proposal: a person chose them."""
    proposal = figure.named or figure.proposal
    if proposal is None:
        return figure
    told, number, panels = dict(figure.told), 0, []
    for panel in proposal.panels:
        curves = []
        for curve in panel.curves:
            number += 1
            curves.append(curve.model_copy(update={"what": told.get(number, curve.what)}))
        number += len(panel.maps)
        panels.append(panel.model_copy(update={"curves": tuple(curves)}))
    taken = proposal.model_copy(update={"panels": tuple(panels)})
    return figure.model_copy(update={"proposal": taken, "named": None, "told": ()})


def _sure(one: CurveSeen, names: FigureNames) -> bool:
    """Whether a curve is spoken of once."""
    return sum(other.curve == one.curve for other in names.curves) == 1


def put_on_page(figure: ProposedFigure, run_dir: Path) -> None:
    """What the reader filled in, on the page where a person mends the figure: also ticks of an axis that code refused."""
    place = f"{FOLDER}/{figure.figure_id}/mend.html"
    page = read_below(run_dir, place, _MOST_PAGE).decode("utf-8")
    if _WORDS_OF_READER not in page:  # a run that goes on finds it there
        axes = [axis.model_dump(mode="json") for axis in figure.seen]
        atomic_write(run_dir / place, with_axes_of(page, axes, _names_on_page(figure), _WORDS_OF_READER))


def _names_on_page(figure: ProposedFigure) -> dict[tuple[int, int], str]:
    """The names of the offered curves by panel of the page and place in it, from 1."""
    panel_of = {axis.offered: axis.panel for axis in figure.seen if axis.offered}
    return {
        (panel_of[number], place): curve.name
        for number, panel in enumerate(figure.named.panels if figure.named else (), 1)
        for place, curve in enumerate(panel.curves, 1)
        if curve.name and number in panel_of
    }


def _where(axis: SeenAxis) -> str:
    return f"panel {axis.panel}, {axis.axis} axis"


def _axis(axis: SeenAxis, one: AxisSeen) -> tuple[SeenAxis, list[str], list[str]]:
    """The axis with what it lacked; what was filled; what is said otherwise."""
    where, said = _where(axis), []
    name, unit = one_visible_line(one.name, 60).strip(), one_visible_line(one.unit, 20).strip()
    doubts = [f"{where}: {why}" for why in _unfit(name, unit)]
    name, unit = ("", "") if doubts else (name, unit)
    filled: dict[str, object] = {}
    if name and not axis.name:
        filled |= {"name": name} | ({"unit": unit} if unit and not axis.unit else {})
        said.append(f"{where} is {name!r}" + (f" in {unit}" if unit else ""))
    elif name and not _alike(name, axis.name, axis.unit):
        doubts.append(f"{where} is {axis.name!r}: it reads {name!r}")
    if unit and axis.name and not _alike(unit, axis.unit):
        doubts.append(f"{where} has {axis.unit or 'no unit'}: it reads {unit!r}")
    if axis.kind and one.kind and one.kind != axis.kind:
        doubts.append(f"{where} is {axis.kind}: it reads {one.kind}")
    if one.ticks and axis.kind:
        doubts += _against_scale(axis, one)
    elif one.ticks:
        try:
            marks = _fitting(axis, one)
            filled |= {"kind": one.kind, "marks": marks}
            read = ", ".join(f"{value:g}" for _, value in marks)
            own = ", ".join(f"{value:g}" for _, value in axis.marks)
            said.append(
                f"{where}, which code refused ({axis.refused}): {one.kind} through {read}"
                + (f" (code read {own} at some of its ticks)" if own else "")
                + ", on mend.html to be seen and saved"
            )
        except InputError as error:
            doubts.append(
                f"{where}, which code refused: its numbers there do not fit either ({error.args[0]})"
            )
    return axis.model_copy(update=filled), said, doubts


def _unfit(name: str, unit: str) -> Iterator[str]:
    """Why a name is none to take: words to an AI, or a unit that changes numbers."""
    if addressed(f"{name} {unit}"):
        yield f"what it calls it addresses an AI: {name or unit!r}"
    if re.search(r"(?<![A-Za-z^])(?<!\^-)(?<![A-Za-z]-)\d", unit.translate(_MINUS)):
        yield f"its unit {unit!r} holds a number, which would be a factor"


_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-"})


def _alike(one: str, *others: str) -> bool:
    """Whether words are the same but for case, brackets and signs, or the same with a unit behind them."""
    plain = [re.sub(r"\W+", "", words.translate(_SIGNS)).casefold() for words in (one, *others)]
    return plain[0] in (plain[1], "".join(plain[1:]))


_SIGNS = str.maketrans({"\u00b5": "u", "\u03bc": "u", "%": "percent", "\u00b0": "deg"})


def _snapped(axis: SeenAxis, one: AxisSeen) -> list[tuple[float, float]]:
    """Its numbers at the ticks that they point at, as (place, value). Raises InputError: no tick is there, or two numbers are at one."""
    low, high = axis.ends
    ticks = np.sort(np.array(axis.ticks, float))
    if len(ticks) < 2 or high == low:
        raise InputError("the axis has no ticks")
    near = max(min(_NEAR * abs(high - low), _APART * float(np.diff(ticks).min())), 1.5)
    found: dict[float, float] = {}
    for tick in one.ticks:
        place = low + tick.place * (high - low)
        at = float(ticks[np.argmin(np.abs(ticks - place))])
        if abs(at - place) > near:
            raise InputError(f"no tick stands where it sees {tick.value:g}")
        if at in found:
            raise InputError("two numbers at one tick")
        found[at] = tick.value
    return sorted(found.items())


def _fitting(axis: SeenAxis, one: AxisSeen) -> tuple[tuple[float, float], ...]:
    """Marks of an axis without a scale. Raises InputError: they lie on no line, or are too few to tell."""
    marks = _snapped(axis, one)
    if len(marks) < _LEAST:
        raise InputError(f"{len(marks)} ticks are too few to lie on a line")
    if not one.kind:
        raise InputError("it does not say whether the axis is linear")
    try:
        scale_of_marks(MendedAxis(kind=one.kind, marks=tuple(marks)), axis.axis)
        low, high = sorted(axis.ends)
        places, values = [place for place, _ in marks], [value for _, value in marks]
        by_ticks = scale_of(places, values, axis.ticks, (low, high), _PIXELS)
    except ValidationError as error:
        raise InputError("its numbers are no marks") from error
    except NoScale as reason:
        raise InputError(f"the ticks between deny them: {reason}") from reason
    if by_ticks.kind != one.kind:
        raise InputError(f"the ticks between are those of a {by_ticks.kind} axis")
    return tuple(marks)


def _against_scale(axis: SeenAxis, one: AxisSeen) -> Iterator[str]:
    """Where its numbers are not those of the scale that code has."""
    try:
        scale = scale_of_marks(MendedAxis(kind=axis.kind or "linear", marks=axis.marks), axis.axis)
        marks = _snapped(axis, one)
    except (InputError, ValidationError) as error:
        yield f"{_where(axis)}: its numbers do not fit the ticks ({error.args[0] if error.args else 'no marks'})"
        return
    low, high = axis.ends
    for place, value in marks:
        own = float(scale.values(np.array([place]))[0])
        if abs(value - own) > _OFF * scale.per_point(np.array([place]))[0] * abs(high - low):
            yield f"{_where(axis)}: it reads {value:g} where code has {own:.4g}"
            return


def _with_axes(proposal: Mended, seen: Iterable[SeenAxis]) -> Mended:
    """The proposal with names and units of axes; scales stay code's."""
    panels = list(proposal.panels)
    for axis in seen:
        if axis.offered:
            panel = panels[axis.offered - 1]
            own = getattr(panel, axis.axis).model_copy(update={"name": axis.name, "unit": axis.unit})
            panels[axis.offered - 1] = panel.model_copy(update={axis.axis: own})
    return proposal.model_copy(update={"panels": tuple(panels)})


def _with_curves(figure_id: str, proposal: Mended, names: FigureNames) -> tuple[Mended, list[str], list[str]]:
    """The proposal with names where code has none; a legend that it reads otherwise than code anywhere in a panel names nothing there."""
    said: list[str] = []
    doubts: list[str] = []
    told = {one.curve: one for one in names.curves}
    number, panels = 0, []
    for panel in proposal.panels:
        first = number + 1
        mine = {first + k: told.get(first + k) for k in range(len(panel.curves))}
        own = {first + k: curve.name for k, curve in enumerate(panel.curves)}
        wrong = [words for n, one in mine.items() if one for words in _curve_doubts(n, one, own, names)]
        doubts += [f"{figure_id}/{words}" for words in wrong]
        curves = []
        for curve in panel.curves:
            number += 1
            one = mine[number]
            name = one_visible_line(one.name, 80).strip() if one is not None and not wrong else ""
            what = f", {one.what}" if one is not None and one.what != "unclear" and _sure(one, names) else ""
            if name and not curve.name:
                curve = curve.model_copy(update={"name": name})
                said.append(f"{figure_id}/{number} is {name!r}{what}")
            elif what:
                said.append(f"{figure_id}/{number} is {what[2:]}")
            curves.append(curve)
        number += len(panel.maps)
        panels.append(panel.model_copy(update={"curves": tuple(curves)}))
    return proposal.model_copy(update={"panels": tuple(panels)}), said, doubts


def _curve_doubts(number: int, one: CurveSeen, own: dict[int, str], names: FigureNames) -> Iterator[str]:
    """Why a name of a curve is not taken. own: what code calls the curves of its panel."""
    name = one_visible_line(one.name, 80).strip()
    if not _sure(one, names):
        yield f"{number}: it says two things of it"
    elif name and own[number] and not _alike(name, own[number]):
        yield f"{number} is {own[number]!r}: it reads {name!r}"
    elif name and any(n != number and other and _alike(name, other) for n, other in own.items()):
        yield f"{number}: it reads {name!r}, which is another curve's name"
    elif name and any(o.curve in own and o is not one and _alike(name, o.name) for o in names.curves):
        yield f"{number}: it calls two curves {name!r}"
    for why in _unfit(name, ""):
        yield f"{number}: {why}"
