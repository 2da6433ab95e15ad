"""Regressions in a browser: the newest of each paper, and of one paper all of them, with its numbers over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from flows.results.files_below import open_file
from flows.results.kept_regressions import MOST_SHOWN, KeptRegression, KeptRegressions, regression_folder
from flows.results.rendering import page, problem, sent
from schemas.errors import InputError
from schemas.reading.beneath import Unopened
from schemas.reproduce.judging.regression import Difference
from schemas.run.pasted import typed
from schemas.text.visible import one_visible_line

_SPAN = 3.0  # uncertainties of the baseline that a small plot shows to either side


@dataclass(frozen=True)
class Dot:
    """A number of one regression in a small plot. x, y: in its viewBox; words: what a pointer reads."""

    x: float
    y: float
    state: str
    words: str


@dataclass(frozen=True)
class Trend:
    """A target over the regressions of one subject. dots: oldest first. none: why nothing can be drawn."""

    target: str
    dots: tuple[Dot, ...]
    newest: str
    none: str = ""


class RegressionPages:
    """Below /reprolab/regressions/."""

    def __init__(self, outputs: Path) -> None:
        self.outputs, self.kept = outputs, KeptRegressions(outputs)

    def papers(self, request: Request) -> Response:
        """Each paper's newest regression."""
        command = typed("regress", "PAPER", outputs=self.outputs)
        return page("regressions.html.j2", papers=self.kept.by_paper(), command=command)

    def trend(self, request: Request) -> Response:
        """All regressions of a paper: what each found, what was another since the one before, each target over them."""
        paper = request.path_params["paper"]
        every = self.kept.by_paper().get(paper)
        if not every:
            raise InputError("no such paper was regressed here", found=one_visible_line(paper, 200))
        subjects: dict[str, list[KeptRegression]] = {}
        for each in every:
            subjects.setdefault(each.given, []).append(each)
        shown = [
            (given, _rows(found[:MOST_SHOWN]), trends(found[:MOST_SHOWN]), len(found))
            for given, found in subjects.items()
        ]
        return page("trend.html.j2", paper=paper, subjects=shown, most=MOST_SHOWN, width=WIDTH, height=HEIGHT)

    def file(self, request: Request) -> Response:
        """The report of a regression, or a file of the reproduction that it ran."""
        asked = request.path_params
        folder, name = regression_folder(self.outputs, asked["paper"], asked["regression"]), asked["name"]
        try:
            return sent(open_file(folder, name), name, download="download" in request.query_params)
        except Unopened as error:
            return problem(404, f"this file {error}", one_visible_line(name, 300))


def _rows(
    found: list[KeptRegression],
) -> list[tuple[KeptRegression, tuple[str, ...], tuple[str, ...]]]:
    """Each with the targets that moved since the finished one before it, and what was another."""
    rows = []
    for place, each in enumerate(found):
        before = next((older for older in found[place + 1 :] if older.counts), None)
        rows.append((each, *(each.since(before) if before and each.counts else ((), ()))))
    return rows


WIDTH, HEIGHT = 360, 84


def trends(found: list[KeptRegression]) -> list[Trend]:
    """Of each target its number in every regression, in uncertainties of the baseline that counted then. found: newest first."""
    oldest_first = [each for each in reversed(found) if each.counts]
    names = dict.fromkeys(target for each in found for target, _ in each.targets)
    step = (WIDTH - 20) / max(1, len(oldest_first) - 1)
    drawn = []
    for name in names:
        dots = []
        for place, each in enumerate(oldest_first):
            entry = dict(each.targets).get(name)
            height = _height(entry) if entry else None
            if entry is not None and height is not None:
                words = f"{each.started[:10]}: {entry.now.words() if entry.now else 'missing'}, {entry.state}"
                dots.append(Dot(round(10 + place * step, 1), height, entry.state, words))
        newest = next(
            (entry for each in found for target, entry in each.targets if target == name and entry.now), None
        )
        told = newest.now.words() if newest and newest.now else "missing"
        none = "" if dots else "its baseline states no uncertainty"
        drawn.append(Trend(name, tuple(dots), told, none))
    return drawn


def _height(entry: Difference) -> float | None:
    """Where it stands in the plot: the middle is the baseline, beyond the span at the edge; a missing number at the top."""
    if entry.before is None or entry.before.value is None or not entry.before.uncertainty:
        return None
    if entry.now is None or entry.now.value is None:
        return 5.0
    away = (entry.now.value - entry.before.value) / entry.before.uncertainty
    return round(HEIGHT / 2 - max(-_SPAN, min(_SPAN, away)) / _SPAN * (HEIGHT / 2 - 5), 1)
