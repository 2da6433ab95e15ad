"""A person's corrections of materials: what they mean for the plan, and that they hold for the rest of the run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from schemas.base import digest
from schemas.errors import InputError
from schemas.reading.beneath import read_below
from schemas.reproduce.materials.prepared_material import MaterialChange, MaterialChoice
from schemas.reproduce.planning.plan import Plan, Stage
from schemas.text.visible import one_visible_line
from tasks.files.store import atomic_write
from tasks.reproduce.materials.checkpoint_words import Correction
from tasks.reproduce.materials.errors import MaterialDataError
from tasks.reproduce.materials.handed_tables import LIMITS, read_nk_table
from tasks.reproduce.materials.material_findings import check_choice
from tasks.reproduce.materials.names import BOOKS, common_name
from tasks.reproduce.materials.sources import table_path

HANDED_IN = "handed_in"


def settled_materials(
    materials: Sequence[MaterialChoice], changes: Sequence[MaterialChange]
) -> tuple[MaterialChoice, ...]:
    """The plan's materials with every correction of a person, whatever a later plan says.

    Each keeps the name and band of the plan.
    """
    found = []
    for material in materials:
        for change in changes:
            if material.name in (change.replaced, change.choice.name):
                material = change.choice.model_copy(
                    update={"name": material.name, "band_um": material.band_um}
                )
        found.append(material)
    return tuple(found)


def material_change(
    kind: Literal["change_database", "change_material"],
    correction: Correction,
    plan: Plan,
    in_use: MaterialChoice,
    *,
    folders: Sequence[Path],
    handed_in: Path,
) -> MaterialChange:
    """A correction, checked against the data there are, with its new name and the stages it concerns.

    folders: where tables are looked for. handed_in: folder of the run that takes a table which lies elsewhere.
    Raises InputError: unknown page, unusable table or model, band not covered, name taken.
    """
    choice = correction.choice
    if choice.table:
        choice = choice.model_copy(update={"table": hand_in(choice.table, folders, handed_in)})
    others = {material.name for material in plan.materials} - {correction.replaced}
    if choice.axes:
        if absent := sorted(set(choice.axes) - others):
            raise InputError(
                f"{correction.replaced} along axes needs other materials of the plan",
                found=", ".join(absent),
                allowed=", ".join(sorted(others)) or "the plan has no other",
                fix="name one for each of x, y, z",
            )
    else:
        check_choice(choice, (*folders, handed_in.parent))
    if kind == "change_database" and correction.named:
        raise InputError(
            "another database is the same material and keeps its name",
            found=f"as {choice.name}",
            allowed="change_material, to rename it",
            fix="leave the name out or use change_material",
        )
    if kind == "change_material" and not correction.named:
        choice = choice.model_copy(update={"name": _new_name(correction.replaced, choice, others)})
    if choice.name in others:
        raise InputError(
            f"the plan has another material {choice.name!r}",
            found=choice.name,
            allowed="a name of its own",
            fix="write a different one after 'as'",
        )
    stages = tuple(stage.stage_id for stage in plan.stages if _uses(stage, correction.replaced, plan))
    return MaterialChange(
        kind=kind,
        replaced=correction.replaced,
        choice=choice,
        planned=in_use.words(),
        stages=stages,
        reason=correction.reason or "no reason given",
    )


def changed_plan(plan: Plan, change: MaterialChange) -> Plan:
    """The plan with another material: its entry, its name in every stage, reference and text, and the reason."""
    old, new = change.replaced, change.choice.name
    said = f"A person replaced {old} ({change.planned}) by {new} ({change.choice.words()}): {change.reason}."

    def text(value: str) -> str:
        return re.sub(
            rf"(?<![\w-]){re.escape(old)}(?![\w-])",
            lambda match: new[:1].upper() + new[1:] if match[0][0].isupper() else new,
            value,
            flags=re.IGNORECASE,
        )

    def stage(entry: Stage) -> Stage:
        if entry.stage_id not in change.stages:
            return entry
        targets = tuple(
            target.model_copy(
                update={
                    "description": text(target.description),
                    "reference": target.reference.model_copy(update={"material": new})
                    if target.reference.material == old
                    else target.reference,
                }
            )
            for target in entry.targets
        )
        return entry.model_copy(
            update={
                "materials": tuple(new if name == old else name for name in entry.materials),
                "targets": targets,
                "name": text(entry.name),
                "description": f"{text(entry.description)} {said}",
                "validation_criteria": tuple(text(item) for item in entry.validation_criteria),
            }
        )

    def material(entry: MaterialChoice) -> MaterialChoice:
        if entry.name == old:
            return change.choice
        axes = tuple(new if name == old else name for name in entry.axes)
        return entry if axes == entry.axes else entry.model_copy(update={"axes": axes})

    return plan.model_copy(
        update={
            "materials": tuple(material(entry) for entry in plan.materials),
            "stages": tuple(stage(entry) for entry in plan.stages),
            "summary": f"{plan.summary} {said}",
        }
    )


def hand_in(name: str, folders: Sequence[Path], target: Path) -> str:
    """The name of a table that a person gives: in one of the folders, or any CSV of theirs, checked and copied to `target`.

    A run that is continued uses the copy, so that the answer means what it meant. Raises MaterialDataError.
    """
    try:
        table_path(name, folders)
        return name
    except MaterialDataError:
        copy = target / f"{digest(name, 8)}.csv"
    if not copy.is_file():
        try:
            path = Path(name).expanduser().resolve()
            content = read_below(path.parent, path.name, LIMITS.bytes, one_name=False)
        except (OSError, ValueError, RuntimeError):
            raise MaterialDataError(
                "no such table of optical constants",
                found=one_visible_line(name, 200),
                allowed=f"a CSV of at most {LIMITS.bytes} bytes in the paper's folder, or a path to one",
                fix="check the path",
            ) from None
        read_nk_table(content, path.name)
        atomic_write(copy, content)
    return f"{target.name}/{copy.name}"


def _uses(stage: Stage, name: str, plan: Plan) -> bool:
    names = {name, *(material.name for material in plan.materials if name in material.axes)}
    return bool(names & set(stage.materials)) or any(
        target.reference.material in names for target in stage.targets
    )


def _new_name(old: str, choice: MaterialChoice, others: set[str]) -> str:
    """The common name of the new material where the old name is that of another one; else the old name (substrate, film)."""
    if choice.page is None or common_name(choice.page) == old:
        return old
    named = {name.replace(" ", "_").lower() for names in BOOKS.values() for name in names} | {
        book.partition("/")[2].lower() for book in BOOKS
    }
    same_book = {word.lower() for word in BOOKS.get("/".join(choice.page.split("/")[:2]), ())}
    if old.lower() not in named or old.lower().replace("_", " ") in same_book:
        return old
    new = common_name(choice.page)
    return new if new not in others else f"{new}_2"
