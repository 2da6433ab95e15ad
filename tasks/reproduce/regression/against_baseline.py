"""Baseline and today, entry by entry: unchanged, drifted or broken."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.reproduce.judging.regression import (
    ORDER,
    Baseline,
    Conditions,
    Difference,
    EnvironmentChange,
    Quantity,
    Regression,
    Verdict,
)
from tasks.reproduce.regression.environment import CODE

_COMPUTER = ("processor", "system", "threads")
_TOLD = ("commit", "reprolab", "prefect", "pydantic")  # no number comes from them
ROUNDING = 1e-6
"""Relative. The same computation twice on one computer gives the same digits; other libraries, threads or processors move the
last ones, and differences of close values magnify that. No change of an input worth a name is as small (docs/guide/regression.md)."""
_CONDITIONS = {
    "transcript": "the recorded decisions",
    "paper": "the paper's files",
    "settings": "thresholds or scope",
}


def compare(before: Iterable[Quantity], now: Iterable[Quantity]) -> tuple[Difference, ...]:
    """Every entry of either side once, the baseline's in its order, then those it does not have."""
    old, new = ({entry.key: entry for entry in side} for side in (before, now))
    values = {
        (entry.kind, entry.of): abs(entry.value)
        for entry in old.values()
        if entry.name == "value" and entry.value is not None
    }
    return (
        *(
            _difference(entry, new.get(key), _rounded_from(entry, values.get((entry.kind, entry.of), 0.0)))
            for key, entry in old.items()
        ),
        *(
            Difference(key=key, now=entry, state="drifted", reason="the baseline has no such number")
            for key, entry in new.items()
            if key not in old
        ),
    )


def _rounded_from(entry: Quantity, value: float) -> float:
    """The size of the numbers whose difference this one is: their rounding is its own.

    Percentages are of 1; parts, uncertainties and errors are differences of the value's size; a sensitivity divides one by a
    step of 5 % at least; a fit's errors and those of a bare surface are differences of numbers about 1.
    """
    if entry.name.startswith("sensitivity"):
        return 1 / 0.05
    if entry.kind == "material":
        return 1.0 if entry.name.startswith(("fit error", "bare surface")) else 0.0
    return max(value, 100.0 if entry.unit == "%" else 0.0)


def _difference(before: Quantity, now: Quantity | None, rounded_from: float) -> Difference:
    """A missing number is broken; a changed word is broken; a changed number is broken beyond the baseline's uncertainty.

    A number without an uncertainty of its own can only drift: what is made of it (a class, a finding) breaks.
    """
    state: Verdict = "unchanged"
    change, reason = None, ""
    if now is None:
        state, reason = "broken", "it is missing now"
    elif before.value is None or now.value is None:
        if (before.value, before.word) != (now.value, now.word):
            state, reason = "broken", "it is another one now"
    elif before.value != now.value:
        step, size = (
            abs(now.value - before.value),
            max(abs(before.value), abs(now.value), before.uncertainty or 0.0, rounded_from),
        )
        change = step / abs(before.value) if before.value else None
        if before.unit != now.unit:
            state, reason = "broken", "it has another unit now"
        elif step > ROUNDING * size:
            inside = before.uncertainty is None or step <= before.uncertainty
            state = "drifted" if inside else "broken"
            reason = (
                "no uncertainty is stated for it"
                if before.uncertainty is None
                else f"{step / before.uncertainty:.2g} times its uncertainty"
                if before.uncertainty
                else "it had none"
            )
    return Difference(key=before.key, before=before, now=now, state=state, change=change, reason=reason)


def conditions_changed(before: Conditions, now: Conditions) -> tuple[Difference, ...]:
    """Other decisions, another paper or other settings: each is broken, as the numbers are of something else."""
    found = []
    for name, words in _CONDITIONS.items():
        one, other = getattr(before, name), getattr(now, name)
        found.append(
            Difference(
                key=f"conditions {name}",
                state="unchanged" if one == other else "broken",
                before=Quantity(kind="course", of="conditions", name=name, word=one[:16]),
                now=Quantity(kind="course", of="conditions", name=name, word=other[:16]),
                reason=""
                if one == other
                else f"{words} changed since the baseline; accept a new one if that was on purpose",
            )
        )
    return tuple(found)


def environment_changes(before: dict[str, str], now: dict[str, str]) -> tuple[EnvironmentChange, ...]:
    """What the results may depend on and is not as it was."""
    return tuple(
        EnvironmentChange(name=name, before=before.get(name, ""), now=now.get(name, ""))
        for name in dict.fromkeys((*before, *now))
        if before.get(name, "") != now.get(name, "")
    )


def our_code(changes: Iterable[EnvironmentChange]) -> tuple[str, ...]:
    """Folders that compute and are not the baseline's; of one that is older than these digests, whole packages."""
    found = [change for change in changes if change.name.startswith(CODE)]
    if all(change.before for change in found):
        return tuple(change.name.removeprefix(CODE) for change in found)
    return tuple(change.name for change in changes if change.name in ("simkit/", "tasks/"))


def causes(changes: tuple[EnvironmentChange, ...]) -> tuple[str, ...]:
    """What a drift may come from: our code, libraries, the computer; that nothing of them differs is said as well."""
    ours = our_code(changes)
    library = [
        f"{c.name} {c.before or 'not known'} -> {c.now or 'not known'}"
        for c in changes
        if not (c.name in (*_COMPUTER, *_TOLD) or c.name.startswith(CODE) or c.name.endswith("/"))
    ]
    computer = [f"{c.name} {c.before} -> {c.now}" for c in changes if c.name in _COMPUTER and c.before]
    found = [f"our code ({', '.join(ours)})"] if ours else []
    found += [f"libraries ({', '.join(library)})"] if library else []
    found += [f"the computer ({', '.join(computer)})"] if computer else []
    return tuple(found) or ("nothing that is known differs: rounding, or what no digest covers",)


def course_changed(notes: Iterable[str]) -> tuple[Difference, ...]:
    """Where the replay left the recorded course: each is at least a drift, whatever the numbers say."""
    return tuple(
        Difference(key=f"course {number}", state="drifted", reason=note)
        for number, note in enumerate(notes, 1)
    )


def worst(differences: Iterable[Difference]) -> Verdict:
    """The worst of all; broken when there is nothing, because nothing was shown."""
    return max((entry.state for entry in differences), key=ORDER.index, default="broken")


def judged(
    found: Regression,
    baseline: Baseline,
    now: tuple[Quantity, ...],
    conditions: Conditions,
    environment: dict[str, str],
) -> Regression:
    """The regression with its table and its verdict."""
    differences = (
        *conditions_changed(baseline.conditions, conditions),
        *course_changed(found.course),
        *compare(baseline.quantities, now),
    )
    changes = environment_changes(baseline.environment, environment)
    return found.model_copy(
        update={
            "causes": causes(changes),
            "our_code": our_code(changes),
            "differences": differences,
            "verdict": worst(differences),
            "baseline_reason": baseline.reason,
            "baseline_accepted": baseline.accepted,
            "environment": changes,
        }
    )
