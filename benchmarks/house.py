"""`python -m benchmarks.house`: the house in numbers, as it was before it was sorted by subject and as it is now.

`--write` keeps the table in docs/measured/house.md; `--now` measures the working tree alone.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/measured/house.md"
MARKS = ("<!-- house: begin -->", "<!-- house: end -->")
BEFORE = "ca493310"  # the first commit of the work; its parent is measured
ROOMS = ("reprolab", "flows", "agents", "tasks", "prompts", "blocks", "schemas", "simkit", "skills")
STRICT = ("tasks", "flows", "simkit")
SHORT = 30
_GRAPH = """
import json, sys
import grimp
rooms = json.loads(sys.argv[1])
for lazily in (True, False):
    graph = grimp.build_graph(*rooms, exclude_type_checking_imports=not lazily, cache_dir=None)
    print(json.dumps({module: sorted(graph.find_modules_directly_imported_by(module)) for module in sorted(graph.modules)}))
"""


def main() -> int:
    """Measure, print, and keep."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/house.md")
    parser.add_argument("--now", action="store_true", help="the working tree alone, without its history")
    given = parser.parse_args()
    now = measured(ROOT)
    if given.now:
        print("\n".join(f"{name:60} {value}" for name, value in now.items()))
        return 0
    with tempfile.TemporaryDirectory(prefix="reprolab-house-") as folder:
        packed = subprocess.run(
            ["git", "archive", f"{BEFORE}^"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "x", "-C", folder], input=packed, check=True)
        before = measured(Path(folder))
    text = "\n".join(
        (
            "| | before | now |",
            "|---|---:|---:|",
            *(f"| {name} | {before[name]} | {now[name]} |" for name in now),
        )
    )
    print(text)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        head, _, rest = page.partition(MARKS[0])
        PAGE.write_text(
            f"{head}{MARKS[0]}\n{text}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}", encoding="utf-8"
        )
    return 0


def measured(root: Path) -> dict[str, str]:
    """What is measured of a tree, in words."""
    rooms = [room for room in ROOMS if (root / room).is_dir()]
    files = [path for room in rooms for path in sorted((root / room).rglob("*.py"))]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    lines = sorted(len(text.splitlines()) for text in texts.values())
    names = Counter(path.stem for path in files if not path.stem.startswith("__"))
    shared = sum(count for count in names.values() if count > 1)
    classes = Counter(
        node.name
        for text in texts.values()
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef)
    )
    most = ", ".join(f"{count} `{name}`" for name, count in classes.most_common(3))
    eager, lazy = graphs(root, rooms)
    single = single_importers(lazy, root)
    folders = Counter(path.parent for path in files if not path.stem.startswith("__"))
    pages = [page for page in (root / "docs").rglob("*.md") if "specification" not in page.parts]
    wide = [
        line for page in pages for line in page.read_text(encoding="utf-8").splitlines() if len(line) > 140
    ]
    return {
        "modules": f"{len(files)}",
        "lines of a module: median, 90th percentile": f"{statistics.median(lines):g}, {lines[int(0.9 * len(lines))]}",
        f"modules of at most {SHORT} lines": f"{sum(count <= SHORT for count in lines)}",
        "modules that a single other imports": f"{len(single)} ({100 * len(single) / len(files):.0f} %)",
        "modules that share their file's name with another": f"{shared} of {sum(names.values())}",
        "the fullest folder of the four rooms, modules": str(
            max(count for folder, count in folders.items() if _of_four(folder, root))
        ),
        "names of classes that occur more than once": f"{sum(count > 1 for count in classes.values())} ({most})",
        "circles of imports": f"{len(circles(eager))} ({len(circles(lazy))} with imports for types only)",
        "modules in them": f"{sum(map(len, circles(lazy)))}",
        "imports, of all lines": f"{100 * _imports(texts) / sum(lines):.1f} %",
        "files that the formatter would change": unformatted(root),
        "errors of strict types in tasks, flows, simkit": strict(root),
        "functions over 15 by C901 (McCabe)": tangled(root),
        "pages of docs, lines": f"{len(pages)}, {sum(len(p.read_text(encoding='utf-8').splitlines()) for p in pages)}",
        "lines of docs over 140 characters, tables too": f"{len(wide)}",
    }


def _of_four(folder: Path, root: Path) -> bool:
    return folder.relative_to(root).parts[0] in ("flows", "agents", "tasks", "schemas")


def _imports(texts: dict[Path, str]) -> int:
    """Lines of import statements, also those over several lines."""
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for text in texts.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def graphs(root: Path, rooms: list[str]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Module -> what it imports, also within functions: without and with imports that only types need."""
    done = subprocess.run(
        [sys.executable, "-c", _GRAPH, json.dumps(rooms)],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    lazy, eager = (json.loads(line) for line in done.stdout.splitlines())
    return eager, lazy


def single_importers(imports: dict[str, list[str]], root: Path) -> list[str]:
    """Modules, not packages, that exactly one other module imports."""
    counted = Counter(one for found in imports.values() for one in found)
    return [
        name for name in imports if counted[name] == 1 and (root / f"{name.replace('.', '/')}.py").is_file()
    ]


def circles(imports: dict[str, list[str]]) -> list[list[str]]:
    """Groups of modules that import one another, by whatever way round."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    place = {name: number for number, name in enumerate(imports)}
    pairs = [(place[name], place[one]) for name, found in imports.items() for one in found]
    ends = ([a for a, _ in pairs], [b for _, b in pairs])
    matrix = csr_array(([True] * len(pairs), ends), shape=(len(place), len(place)))
    _, label = connected_components(matrix, connection="strong")
    groups: dict[int, list[str]] = {}
    for name in imports:
        groups.setdefault(int(label[place[name]]), []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _lines(root: Path, *command: str) -> Iterator[str]:
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-500:]}")
    yield from done.stdout.splitlines()


def unformatted(root: Path) -> str:
    """By the formatter's settings of that tree."""
    said = "\n".join(_lines(root, "ruff", "format", "--check", "."))
    would, already = (re.search(rf"(\d+) files? {words}", said) for words in ("would be", "already"))
    there = int(would[1] if would else 0), int(already[1] if already else 0)
    return f"{there[0]} of {sum(there)}"


def strict(root: Path) -> str:
    """Errors of mypy --strict by room, also in modules that the tree's own settings let pass."""
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as own:
        own.write(
            "[mypy]\nplugins = pydantic.mypy\nexplicit_package_bases = true\nignore_missing_imports = true\n"
        )
        own.flush()
        said = [*_lines(root, "mypy", "--strict", "--no-incremental", "--config-file", own.name, *STRICT)]
    found = [line for line in said if ": error:" in line and line.startswith(STRICT)]
    by_room = Counter(line.partition("/")[0] for line in found)
    return f"{len(found)} ({', '.join(f'{room} {by_room[room]}' for room in STRICT)})"


def tangled(root: Path) -> str:
    """Functions with more than 15 ways through them, also those that the tree's own settings let pass."""
    limit = "lint.mccabe.max-complexity=15"
    wanted = ("--isolated", "--select", "C901", "--config", limit, "--output-format", "json")
    said: list[dict[str, Any]] = json.loads("\n".join(_lines(root, "ruff", "check", *wanted)))
    return str(len(said))


if __name__ == "__main__":
    raise SystemExit(main())
