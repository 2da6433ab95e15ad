"""Findings that differ in their numbers alone are told once, whatever their order; nothing else is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.reproduce.designing.describing import told_once
from schemas.talking.review import Issue

pytestmark = pytest.mark.unit


@given(
    st.lists(
        st.tuples(st.sampled_from(["major", "minor"]), st.sampled_from("ab"), st.floats(-9, 9)), max_size=40
    )
)
def test_alike_findings_are_one(found: list[tuple[str, str, float]]) -> None:
    issues = [
        Issue(
            severity=severity,
            where=f"bar[{n}]",
            description=f"{what} leaves the cell by {by:.4g}",
            fix="look",
        )  # type: ignore[arg-type]
        for n, (severity, what, by) in enumerate(found)
    ]
    told = told_once(issues)
    kinds = {(severity, what) for severity, what, _ in found}
    assert len(told) <= 2 * len(kinds)  # a sign may tell two of them apart
    assert {(issue.severity, issue.description[0]) for issue in told} == kinds
    named = sum(
        issue.where.count("bar[") + int((issue.where.split(" and ") + ["0"])[1].split()[0]) for issue in told
    )
    assert named == len(issues)
