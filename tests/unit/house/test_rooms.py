"""The house by subject: every room stands behind a wall, none is crowded, and a file's name is its own."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.house import circles, graphs
from flows.serving.runtime import PACKAGES
from tests.flow.test_regressing import SOLVES

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("flows", "agents", "tasks", "schemas")
WORKFLOWS = ("reproduce", "explore", "study")
APART = {"flows.cli", "flows.commands", "flows.results"}  # where everything is put together
MOST = 25  # files of a folder
SAME = {  # names that two files of a workflow in one room may have, each with its reason
    ("flows", "reproduce", "flow"): "a deployment's entry point",
}
ALONE = (
    "tasks/study/statistics",
    "tasks/documents/pdf_reader",
    "tasks/documents/picture_reader",
    "tasks/explore/bundle/bundled",
)  # ships, or runs, alone


ROUND = {  # what imports one another, each with its reason
    "simkit.describe": "the vocabulary's parts; their code is in the keys of kept runs",
    "simkit.diagnosis": "what records and what it diagnoses; likewise",
    "simkit.solve": "the server of runs and its entry; likewise",
}


UNTYPED = 46  # modules whose types are not strict; their number only falls


def modules(room: str) -> list[Path]:
    return [
        path.relative_to(ROOT)
        for path in sorted((ROOT / room).rglob("*.py"))
        if not path.stem.startswith("__")
    ]


def walls() -> dict[str, dict[str, list[str]]]:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    return {contract["name"]: contract for contract in found}


def test_every_room_is_a_workflow_or_behind_the_wall_of_the_shared_ones() -> None:
    there = {
        f"{room}.{path.stem}"
        for room in ROOMS
        for path in (ROOT / room).iterdir()
        if (path.is_dir() and any(path.glob("*.py")))
        or (path.suffix == ".py" and not path.stem.startswith("__"))
    }
    workflows = {f"{room}.{name}" for room in ROOMS for name in WORKFLOWS}
    shared = walls()["shared rooms know no workflow"]
    assert set(shared["source_modules"]) == there - workflows - APART, (
        "pyproject.toml: list the room in the contract"
    )
    assert workflows | {"flows.commands", "simkit", "skills"} <= set(shared["forbidden_modules"])


@pytest.mark.parametrize("room", ROOMS)
def test_no_folder_is_crowded(room: str) -> None:
    crowded = {
        str(folder): count
        for folder, count in Counter(path.parent for path in modules(room)).items()
        if count > MOST
    }
    assert not crowded, "split it by subject"


@pytest.mark.parametrize("room", ROOMS)
def test_a_name_is_one_file_s_of_its_workflow(room: str) -> None:
    """Parts of the three workflows and of what they share are called alike, as each has them."""
    named = Counter(
        (room, path.parts[1] if path.parts[1] in WORKFLOWS else "shared", path.stem)
        for path in modules(room)
        if not str(path).startswith(ALONE)
    )
    assert [name for name, count in named.items() if count > 1 and name not in SAME] == []


def test_the_door_is_a_room_above_the_others_and_installed_with_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    layers = next(c["layers"] for c in walls().values() if c["type"] == "layers")
    assert layers[:2] == ["reprolab", "flows"]
    assert "reprolab" in project["importlinter"]["root_packages"] and "reprolab" in PACKAGES
    assert {f"{name}*" for name in PACKAGES} <= set(project["setuptools"]["packages"]["find"]["include"])
    assert len(modules("reprolab")) <= MOST
    there = [path for room in (*ROOMS, "prompts", "simkit", "skills") for path in modules(room)]
    opened = [path for path in there if "import reprolab" in (ROOT / path).read_text(encoding="utf-8")]
    assert not opened, "the door is opened from outside"


def test_only_what_is_in_keys_is_not_strictly_typed_yet() -> None:
    """Annotations there would make every kept run and baseline anew."""
    [loose] = [
        one["module"]
        for one in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"][
            "overrides"
        ]
        if one.get("ignore_errors")
    ]
    keyed = ("simkit.", *(f"{folder.replace('/', '.')}." for folder in SOLVES))
    assert [name for name in loose if not name.startswith(keyed)] == []
    assert len(loose) <= UNTYPED, "mend its types instead"


def test_nobody_says_core_of_a_room() -> None:
    there = [
        path
        for room in (*ROOMS, "prompts")
        for path in (ROOT / room).rglob("core/*")
        if path.suffix in (".py", ".md")
    ]
    assert not there


def test_commands_on_a_run_are_printed_as_they_can_be_pasted() -> None:
    """With the folder of results where it is not the usual one. Not those in pages that leave the computer."""
    leaves = {"tasks/reproduce/report", "agents/models/manual", "tasks/explore/paper"}
    bare = re.compile(r"reprolab (?:resume|answer|status|report|fork|checkpoints|regress) \{")
    found = [
        str(path)
        for room in (*ROOMS, "reprolab")
        for path in modules(room)
        if bare.search((ROOT / path).read_text(encoding="utf-8"))
        and not any(str(path).startswith(place) for place in leaves)
    ]
    assert not found, "use schemas/run/pasted.py"


def test_no_modules_import_one_another() -> None:
    """Not within functions nor for types either: what needs both is handed in, or a leaf of its own."""
    _, imports = graphs(ROOT, [*PACKAGES])
    found = [circle for circle in circles(imports) if not circle[0].startswith(tuple(ROUND))]
    assert found == []
    gone = [room for room in ROUND if not any(c[0].startswith(room) for c in circles(imports))]
    assert gone == [], "take them off the list"
