"""The scales of a study: which items make them, as the questionnaire or the user's declared steps say."""

from __future__ import annotations

from typing import Any

from schemas.study.preparation import Preparation
from schemas.study.questionnaire import Questionnaire
from tasks.study.participants.real_data import plain_name
from tasks.study.statistics.measures.scoring import SUS_TURNED, UEQ, UEQ_TURNED

_SUS_ENDS, _UEQ_ENDS = 6, 8  # smallest and greatest answer together


def scales_of(questionnaire: Questionnaire | None, declared: Preparation | None) -> dict[str, dict[str, Any]]:
    """Scale -> items, as columns of the raw data; of these the reversed ones, and the sum of both ends of an answer."""
    found: dict[str, dict[str, Any]] = {}
    for item in questionnaire.items if questionnaire else ():
        if item.scale and item.minimum is not None and item.maximum is not None:
            scale = found.setdefault(
                item.scale, {"items": [], "reversed": [], "ends": item.minimum + item.maximum}
            )
            scale["items"].append(item.id)
            scale["reversed"] += [item.id] if item.reverse else []
    for step in declared.steps if declared else ():
        columns, name = [plain_name(column) for column in step.columns], plain_name(step.into or "x")
        if step.kind in ("mean", "sum"):
            found[name] = {"items": columns, "reversed": [], "ends": 0}
        elif step.kind == "sus":
            turned = [column for place, column in enumerate(columns, 1) if place in SUS_TURNED]
            found[name] = {"items": columns, "reversed": turned, "ends": _SUS_ENDS}
        elif step.kind == "ueq":
            for part, places in UEQ.items():
                found[f"{name}_{part}"] = {
                    "items": [columns[place - 1] for place in places],
                    "reversed": [columns[place - 1] for place in places if place in UEQ_TURNED],
                    "ends": _UEQ_ENDS,
                }
    return {name: scale for name, scale in found.items() if len(scale["items"]) > 1}
