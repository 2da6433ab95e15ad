"""A revised design as a small difference: each edit replaces one place of the description before."""

from __future__ import annotations

from schemas.reproduce.simulations.design import Design, DesignEdits
from schemas.talking.review import Issue


def edited(before: Design | None, edits: DesignEdits) -> tuple[Design | None, tuple[Issue, ...]]:
    """The description before with the edits applied in order, or why they do not fit; then nothing of them is applied."""
    if before is None or not before.described:
        return before, (
            _refused("there is no description of this stage to edit", "answer with a whole `design`"),
        )
    code = before.code
    for number, edit in enumerate(edits.edits, 1):
        count = code.count(edit.find)
        if count != 1:
            found = "is not in `previous_code`" if not count else f"stands {count} times in `previous_code`"
            return before, (
                _refused(
                    f"edit {number}: {edit.find[:160]!r} {found}; it must stand there once (edits before it are applied first)",
                    "copy it with as many lines around it as make it unique, or answer with a whole `design`",
                ),
            )
        code = code.replace(edit.find, edit.replace)
    names = {parameter.id for parameter in edits.parameters}
    kept = tuple(parameter for parameter in before.parameters if parameter.id not in {*names, *edits.without})
    ids = {assumption.assumption_id for assumption in edits.new_assumptions}
    assumptions = tuple(a for a in before.new_assumptions if a.assumption_id not in ids)
    return Design.model_validate(
        before.model_dump()
        | {
            "code": code,
            "parameters": (*kept, *edits.parameters),
            "summary": edits.summary or before.summary,
            "materials": edits.materials or before.materials,
            "new_assumptions": (*assumptions, *edits.new_assumptions),
        }
    ), ()


def _refused(description: str, fix: str) -> Issue:
    return Issue(severity="blocking", where="edits", description=description, fix=fix)
