"""Compute all numbers of a study again: python -m study_statistics raw_data.csv plan.json [codings.json [themes.json]] > numbers.json"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from .analysis import analysed
from .measures.coded_texts import of_kept
from .measures.describing import correlations, descriptives
from .measures.reliability import of_scales
from .model import Plan


def plan_text(
    plans: list[Plan], *, seed: int, correction: str, scales: Mapping[str, Mapping[str, Any]] | None = None
) -> str:
    """plan.json: the hypotheses as columns of the data, with seed, correction and the items of scales."""
    return json.dumps(
        {"seed": seed, "correction": correction, "plans": [asdict(plan) for plan in plans]}
        | ({"scales": dict(scales)} if scales else {}),
        indent=1,
    )


def read_plan(text: str) -> tuple[list[Plan], dict[str, Any]]:
    """The hypotheses, and the arguments of `analysed`."""
    found = json.loads(text)
    items: list[dict[str, Any]] = [
        {name: tuple(value) if isinstance(value, list) else value for name, value in item.items()}
        for item in found["plans"]
    ]
    plans = [Plan(**item) for item in items]
    return plans, {"seed": found["seed"], "correction": found["correction"]}


def main(data: str, plan: str, codings: str = "", themes: str = "") -> None:
    """Print every test as JSON, what cannot be tested with its reason, and of scales their consistency, of codings
    agreement and counts of codes and themes. Raises ValueError for segments and quotations that do not stand in the data."""
    text = Path(plan).read_text(encoding="utf-8")
    plans, arguments = read_plan(text)
    frame = pd.read_csv(data, keep_default_na=False, na_values=[""])
    tests, cannot = analysed(plans, frame, **arguments)
    made: dict[str, Any] = {"tests": [asdict(item) for item in tests], "not_tested": cannot}
    made["descriptives"] = [asdict(item) for item in descriptives(plans, frame)]
    made["correlations"] = [asdict(item) for item in correlations(plans, frame)]
    if scales := json.loads(text).get("scales"):
        made["reliability"] = [asdict(item) for item in of_scales(scales, frame, arguments["seed"])]
    if codings:
        with Path(data).open(encoding="utf-8-sig", newline="") as rows:
            made |= of_kept(_read(codings), list(csv.DictReader(rows)), _read(themes) if themes else None)
    print(json.dumps(made, indent=1))


def _read(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    main(*sys.argv[1:5])
