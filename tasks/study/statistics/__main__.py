"""Compute all numbers of a study again: python -m study_statistics raw_data.csv plan.json [codings.json] > numbers.json"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from .agreement import of_codings
from .analysis import analysed
from .model import Plan


def plan_text(plans: list[Plan], *, seed: int, correction: str) -> str:
    """plan.json: the hypotheses as columns of the data, with seed and correction."""
    return json.dumps(
        {"seed": seed, "correction": correction, "plans": [asdict(plan) for plan in plans]}, indent=1
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


def main(data: str, plan: str, codings: str = "") -> None:
    """Print every test as JSON, what cannot be tested with its reason, and of codings agreement and counts of codes."""
    plans, arguments = read_plan(Path(plan).read_text(encoding="utf-8"))
    frame = pd.read_csv(data, keep_default_na=False, na_values=[""])
    tests, cannot = analysed(plans, frame, **arguments)
    made: dict[str, Any] = {"tests": [asdict(item) for item in tests], "not_tested": cannot}
    if codings:
        told = json.loads(Path(codings).read_text(encoding="utf-8"))
        made |= of_codings([code["name"] for code in told["codes"]], told["coders"])
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:4])
