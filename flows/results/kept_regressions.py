"""Regressions of an outputs folder as pages show them: what each found, and what moved between one and the next. For showing."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

from flows.reproduce.regressing.record import RECORD, RESULT
from flows.reproduce.regressing.subject import REGRESSIONS
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.reproduce.judging.regression import Difference, Regression, RegressionRecord
from schemas.text.visible import one_visible_line
from tasks.reproduce.regression.against_baseline import causes, environment_changes

MOST_SHOWN = 60
UNREADABLE, UNFINISHED = "cannot be read", "not finished"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_MOST_BYTES = 50_000_000
_NUMBERS = ("value", "error")  # of a target: the error where it is a curve


@dataclass(frozen=True)
class KeptRegression:
    """One regression. outcome: unchanged, drifted, ..., or one of the words above; red: whether it failed.

    counts: unchanged, drifted, broken. targets: a number of each, by the target's id. environment: what it ran on.
    """

    folder: Path
    given: str
    started: str
    outcome: str
    red: bool = False
    counts: tuple[int, int, int] | None = None
    causes: tuple[str, ...] = ()
    baseline: str = ""
    targets: tuple[tuple[str, Difference], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    report: str = ""

    @property
    def name(self) -> str:
        """Its id."""
        return self.folder.name

    def since(self, before: KeptRegression) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Targets whose number is not that of an earlier one, and what of code, libraries and computer was another then."""
        old = {target: entry.now for target, entry in before.targets}
        moved = [
            target
            for target, entry in self.targets
            if target in old and _value(entry.now) != _value(old[target])
        ]
        changed = environment_changes(dict(before.environment), dict(self.environment))
        return tuple(moved), causes(changed) if changed else ()


def _value(quantity: object) -> float | None:
    """Eight digits of a number: as many as tables show, and as rounding leaves."""
    value = getattr(quantity, "value", None)
    return None if value is None else float(f"{value:.7g}")


def regression_folder(outputs: Path, paper: str, name: str) -> Path:
    """The folder of a regression by its two names, reached over no link. Raises InputError where there is none."""
    if _NAME.fullmatch(paper) and _NAME.fullmatch(name):
        try:
            read_below(outputs, f"{REGRESSIONS}/{paper}/{name}/{RECORD}", _MOST_BYTES, one_name=False)
            return outputs / REGRESSIONS / paper / name
        except Unopened:
            pass
    raise InputError("no such regression", found=one_visible_line(f"{paper}/{name}", 200))


class KeptRegressions:
    """All regressions of an outputs folder; what was read of a finished one is kept."""

    def __init__(self, outputs: Path) -> None:
        self.outputs = outputs
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[tuple[int, ...], KeptRegression]] = {}

    def by_paper(self) -> dict[str, list[KeptRegression]]:
        """The newest first, of each paper; papers by name."""
        found: dict[str, list[KeptRegression]] = {}
        for path in sorted((self.outputs / REGRESSIONS).glob(f"*/*/{RECORD}"), reverse=True):
            try:
                folder = regression_folder(self.outputs, path.parent.parent.name, path.parent.name)
            except InputError:
                continue
            found.setdefault(folder.parent.name, []).append(self._of(folder))
        return {
            paper: sorted(each, key=lambda one: one.name, reverse=True)
            for paper, each in sorted(found.items())
        }

    def _of(self, folder: Path) -> KeptRegression:
        mark = tuple(
            (folder / name).stat().st_mtime_ns for name in (RECORD, RESULT) if (folder / name).is_file()
        )
        with self._lock:
            known = self._known.get(folder)
        if known is None or known[0] != mark:
            known = (mark, read_regression(folder))
            with self._lock:
                self._known[folder] = known
        return known[1]


def read_regression(folder: Path) -> KeptRegression:
    """A regression as its files tell it; one whose files do not fit is told as such."""
    try:
        record = RegressionRecord.model_validate_json(read_below(folder, RECORD, _MOST_BYTES))
        if not record.finished:
            return KeptRegression(folder, record.given, record.started, UNFINISHED)
        found = Regression.model_validate_json(read_below(folder, RESULT, _MOST_BYTES))
    except (Unopened, ValueError):
        return KeptRegression(folder, "", "", UNREADABLE, red=True)
    return KeptRegression(
        folder,
        record.given,
        record.started,
        "accepted" if found.accepted else found.outcome,
        red=found.failed and not found.accepted,
        counts=(found.count("unchanged"), found.count("drifted"), found.count("broken")),
        causes=() if found.verdict == "unchanged" else found.causes,
        baseline=found.baseline_accepted,
        targets=_targets(found),
        environment=tuple(record.environment.items()),
        report="REGRESSION.html" if (folder / "REGRESSION.html").is_file() else "",
    )


def _targets(found: Regression) -> tuple[tuple[str, Difference], ...]:
    chosen: dict[str, Difference] = {}
    for entry in found.differences:
        either = entry.before or entry.now
        if (
            either is not None
            and either.kind == "target"
            and either.name in _NUMBERS
            and either.value is not None
        ):
            known = chosen.get(either.of)
            if known is None or either.name == _NUMBERS[0]:
                chosen[either.of] = entry
    return tuple(chosen.items())
