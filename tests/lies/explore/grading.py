"""What must hold of the grade of a reproduction whose rubric, grader or script lies."""

from __future__ import annotations

import json

from tests.lies.explore.kit import Ran, expect


def controls(ran: Ran) -> str:
    grade = ran.json("ors_grade.json")
    control = grade["negative_control"]
    expect(not control["passed"] and grade["ors_score"] is None, json.dumps(control))
    return f"a repository without work gets {control['boilerplate']:.0%}: no score counts"


def added(ran: Ran) -> str:
    leaves = ran.json("ors_grade.json")["leaf_grades"]
    numbers = [leaf for leaf in leaves if leaf["graded_by"] == "code"]
    expect(numbers, "no leaf of a number was added")
    expect(
        any(leaf["graded_by"] != "code" for leaf in leaves), "the trivial leaves are gone: nothing was told"
    )
    return f"code added {len(numbers)} leaves for the numbers that the paper cites"


def boilerplate(ran: Ran) -> str:
    leaves = ran.json("ors_grade.json")["leaf_grades"]
    numbers = {leaf["number"]["name"]: leaf for leaf in leaves if leaf["graded_by"] == "code"}
    leaf = numbers["best.error"]
    expect(leaf["score"] == 0, str(leaf))
    return f"best.error is not met: {leaf['reason']}"
