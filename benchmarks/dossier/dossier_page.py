"""The page of the dossier, from its data."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.command import ROOT
from benchmarks.dossier.drawing_cases import FIXED_SEED, HALVES, Family
from benchmarks.dossier.judged_cases import FAR, Value, from_kept, written

PAGE = ROOT / "docs" / "measured" / "dossier.md"
DATA = ROOT / "docs" / "measured" / "dossier.jsonl"
COVERAGE, WIDTH = 0.95, 0.003


@dataclass(frozen=True)
class Dossier:
    """What was solved. seeds: every one drawn in the folder, the one that counts last."""

    where: str
    budget_s: float
    seeds: tuple[int, ...]
    entries: tuple[Mapping[str, Any], ...]

    @property
    def values(self) -> list[tuple[Mapping[str, Any], Value]]:
        """Each value with its case."""
        return [(entry, one) for entry in self.entries for one in from_kept(entry)]

    @property
    def met(self) -> bool:
        """Whether every aim is met."""
        found = measured([one for _, one in self.values], sum(bool(e["refused"]) for e in self.entries))
        return found.coverage >= COVERAGE and found.width <= WIDTH and not found.far

    def written(self) -> str:
        """As it is kept: a line of what and where, then a line for each case."""
        head = {"where": self.where, "budget_s": self.budget_s, "seeds": list(self.seeds)}
        return (
            "\n".join(
                [
                    json.dumps(head),
                    *(written({k: v for k, v in entry.items() if k != "raw"}) for entry in self.entries),
                ]
            )
            + "\n"
        )


def read_dossier(text: str) -> Dossier:
    """Of what `Dossier.written` gave."""
    head, *rest = (json.loads(line) for line in text.splitlines())
    return Dossier(head["where"], head["budget_s"], tuple(head["seeds"]), tuple(rest))


@dataclass(frozen=True)
class Measured:
    """Of some values: how many, how many are stated with an uncertainty, within it, beyond three of them; the medians."""

    count: int
    stated: int
    within: int
    far: int
    width: float
    error: float

    @property
    def coverage(self) -> float:
        """Share of all values that is within; what has none is missed."""
        return self.within / max(self.count, 1)


def measured(values: Sequence[Value], refused: int = 0) -> Measured:
    """refused: cases that gave no values at all; each counts as one missed."""
    known = [one for one in values if one.ratio is not None]
    return Measured(
        len(values) + refused,
        len(known),
        sum(one.within for one in known),
        sum(one.ratio > FAR for one in known if one.ratio is not None),
        statistics.median([one.width for one in known if one.width is not None] or [1.0]),
        statistics.median([one.error for one in known if one.error is not None] or [1.0]),
    )


def summary(dossier: Dossier, families: Sequence[Family]) -> str:
    """The aims, met or missed, in a table."""
    every = len(HALVES) * sum(family.count for family in families)
    values = [one for _, one in dossier.values]
    refused = sum(bool(entry["refused"]) for entry in dossier.entries)
    found = measured(values, refused)
    without = found.count - found.stated
    told = measured([one for one in values if one.ratio is not None])
    unsettled = sum(bool(one.gap) and one.ratio is not None for one in values)
    rows = (
        ("cases solved", f"{len(dossier.entries)} of {every}", "150", len(dossier.entries) >= 150),
        ("values", str(found.count), "", None),
        (
            "within the stated uncertainty, of all values",
            _share(found.within, found.count),
            "95 %",
            found.coverage >= COVERAGE,
        ),
        ("within it, of values that state one", _share(told.within, told.count), "", None),
        ("beyond three times it", str(found.far), "0", not found.far),
        ("median stated uncertainty", _percent(found.width), _percent(WIDTH), found.width <= WIDTH),
        ("median error", _percent(found.error), "", None),
        ("without a value or an uncertainty", str(without), "", None),
        ("with one that is larger than was wanted", str(unsettled), "", None),
        (
            "CPU seconds of all simulations",
            f"{sum(entry['cpu_s'] for entry in dossier.entries):.0f}",
            "",
            None,
        ),
    )
    lines = ["| measure | value | aim | |", "|---|--:|--:|---|"]
    lines += [
        f"| {a} | {b} | {c} | {'' if met is None else 'met' if met else 'MISSED'} |" for a, b, c, met in rows
    ]
    return "\n".join(lines)


def page(dossier: Dossier, families: Sequence[Family]) -> str:
    """docs/measured/dossier.md."""
    return (
        "\n\n".join(
            [
                _HEAD.strip(),
                "## Failures",
                failures(dossier),
                "## Gaps",
                gaps(dossier, families),
                "## In all",
                f"{dossier.where}; Meep {_versions(dossier)}; fixed seed {FIXED_SEED}, drawn seed {dossier.seeds[-1]}"
                + (
                    f" (drawn before in the same folder: {', '.join(map(str, dossier.seeds[:-1]))})"
                    if dossier.seeds[1:]
                    else ""
                )
                + f"; at most {dossier.budget_s:g} CPU seconds a case by the model of costs.",
                summary(dossier, families),
                "## By family",
                table(dossier, families),
                "## Ranges",
                ranges(families),
                _TAIL.strip(),
            ]
        )
        + "\n"
    )


def failures(dossier: Dossier) -> str:
    """Every value outside its uncertainty, the farthest first."""
    found = [(entry, one) for entry, one in dossier.values if one.ratio is not None and not one.within]
    found.sort(key=lambda pair: -(pair[1].ratio or 0))
    some = [(e, one) for e, one in dossier.values if one.within and one.ratio is not None and one.ratio > FAR]
    if not found and not some:
        return "None: every stated uncertainty holds its exact value."
    lines = [
        "| case | value | error over uncertainty | points within | told | exact | stated | grids | order | how |",
        "|---|---|--:|--:|--:|--:|--:|---|--:|---|",
    ]
    for entry, one in [*found, *some]:
        place = "" if one.at is None else f" at {one.at:.5g}"
        cells = (
            f"{_case(entry)}: {entry['told']}",
            f"{one.id} ({one.kind}){place}",
            f"{one.ratio:.2f}" if (one.ratio or 0) < 1e6 else "no end",
            f"{one.held} of {one.points}",
            f"{one.value:.6g}",
            f"{one.exact:.6g}",
            f"{one.uncertainty:.2g}",
            ", ".join(f"{grid:.4g}" for grid in one.grids),
            "" if one.order is None else f"{one.order:.1f}",
            one.how,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def gaps(dossier: Dossier, families: Sequence[Family]) -> str:
    """What was refused, has no value, is not as well known as was wanted, and what has no case."""
    lines = [
        f"- {_case(entry)} ({entry['told']}): refused: {entry['refused']}"
        for entry in dossier.entries
        if entry["refused"]
    ]
    grouped: dict[str, list[str]] = {}
    for entry, one in dossier.values:
        if one.gap:
            grouped.setdefault(f"{_case(entry)} ({entry['told']})", []).append(
                f"{one.id} {one.status}: {one.gap}"
            )
    lines += [f"- {case}: {'; '.join(said)}" for case, said in grouped.items()]
    done = {(e["family"], e["half"], e["number"]) for e in dossier.entries}
    left = {
        family.name: sum((family.name, half, n) not in done for half in HALVES for n in range(family.count))
        for family in families
    }
    if any(left.values()):
        lines.append(
            "- not solved when this page was written: "
            + ", ".join(f"{name} ({n})" for name, n in left.items() if n)
        )
    return "\n".join([*(line.replace("\n", " ") for line in lines), *(f"- {line}" for line in _NO_CASE)])


def table(dossier: Dossier, families: Sequence[Family]) -> str:
    """A line for each family."""
    lines = [
        "| scene | cases | quantities | exact by | solved | values within | beyond three | largest error over uncertainty | "
        "median uncertainty | median error | order | CPU s a case |",
        "|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for family in families:
        entries = [entry for entry in dossier.entries if entry["family"] == family.name]
        values = [one for entry in entries for one in from_kept(entry)]
        found = measured(values, sum(bool(entry["refused"]) for entry in entries))
        orders = [one.order for one in values if one.order is not None]
        ratios = [one.ratio for one in values if one.ratio is not None]
        cells = (
            family.scene,
            family.name,
            family.quantity,
            family.theory,
            f"{len(entries)} of {len(HALVES) * family.count}",
            f"{found.within} of {found.count}",
            str(found.far),
            f"{max(ratios):.2f}" if ratios else "",
            _percent(found.width) if ratios else "",
            _percent(found.error) if ratios else "",
            f"{statistics.median(orders):.1f} ({len(orders)} of {len(values)})" if orders else "none",
            f"{statistics.median([entry['cpu_s'] for entry in entries]):.1f}" if entries else "",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def ranges(families: Sequence[Family]) -> str:
    """What is drawn from where."""
    lines = ["| cases | drawn |", "|---|---|"]
    for family in families:
        drawn = [f"{name} {one.words()}" for name, one in family.ranges.items() if one.low < one.high]
        chosen = [f"{name} {' or '.join(map(str, of))}" for name, of in family.choices.items() if len(of) > 1]
        lines.append(f"| {family.name} | {', '.join([*chosen, *drawn])} |")
    return "\n".join(lines)


def _case(entry: Mapping[str, Any]) -> str:
    return f"{entry['family']}, {entry['half']} {entry['number'] + 1}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}, {100 * part / max(whole, 1):.1f} %"


def _percent(value: float) -> str:
    return f"{100 * value:.2g} %"


def _versions(dossier: Dossier) -> str:
    return ", ".join(sorted({entry["meep"] for entry in dossier.entries if entry["meep"]}))


_HEAD = """# Verification dossier

Written by `make dossier` (`python -m benchmarks.dossier --write`), as it is; data: `docs/measured/dossier.jsonl`, a line for each case.

Each case is a description with numbers drawn at random within the ranges below. It is described, arranged, solved in the sandbox and given
an uncertainty as in a run's stage (usual aims: numbers to 0.5 %, curves to 1 %; no witnesses, no sensitivities). Half of the cases have a
fixed seed, half one that the run draws. Nothing is left out: a case that is refused, has no value or does not converge is a gap, and counts
as missed where no uncertainty is stated.

The exact values are computed from the drawn numbers alone (`benchmarks/dossier/closed_forms.py`, `benchmarks/dossier/sections.py`); those
of gratings and rods by ReproLab's expansions, called with the drawn numbers. Where "ReproLab's" stands, they are of the theory that a
report shows, which reads the described scene. A value is within its uncertainty if the error is not larger; a curve, if 95 % of its points
are. What an exact value leaves open itself (coupled waves, plane waves, pieces of guides: what the last step changes, or twice that) is
taken off the error first.
"""
_NO_CASE = (
    "no case, as none is cheap: spectra of unit cells with two periods, resonators and devices in three dimensions",
    "no case, as no exact value is at hand: guides with a rectangular cross-section, te bands of rods, patterns of devices, power through "
    "a line, metals with edges",
    "no case yet, though there is a theory: group delay, Kerr phase, maps, point fields, fields far from bodies, Purcell spectra, bands "
    "along a path, profiles, volumes, patterns and decays of modes, delays of devices, sweeps, slits in ideal metal",
)
_TAIL = """
Numbers are drawn in steps as papers state them: lengths of 5 to 100 nm, indices and shares of 0.01. Of guides only those are kept that have
the modes; of resonators those with a mode whose quality factor is 20 to 2000, up to 1 c/um (a ball: 1.2), in a band of 8 %.
"""
