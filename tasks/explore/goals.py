"""Reading a goal: goal.md with its files beside it. Three lines suffice; sections say what else there is."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.explore.goal import Goal, GoalFile, MetricHint
from schemas.reading.beneath import Unopened, parts_of, read_below
from schemas.text.visible import one_visible_line, visible

FILE_NAME = "goal.md"
MAX_TEXT_BYTES, MAX_FILE_BYTES, MAX_TOTAL_BYTES, MAX_FILES = 200_000, 20_000_000, 100_000_000, 100
RESERVED = ("candidate", "measured.json", FILE_NAME)
_PROVIDED = ("provided files", "提供ファイル", "提供文件")
_OURS = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"##\s+(?P<title>[^#].*?)\s*#*\s*")
_ITEM = re.compile(r"\s*[-*+]\s+(?P<rest>.+)")
_FORM = (
    "three lines of text or more; optional sections: ## Provided Files (a list of paths beside goal.md), ## Measure (the "
    "path of a program), ## Metric (lines such as `name: time_s`, `unit: s`, `direction: lower`, `kind: timed`), ## Id"
)


def load_goal(location: Path) -> Goal:
    """The goal at a file, or at goal.md in a folder, with the digests of the files it names.

    Raises InputError listing every problem: a missing or unreadable file, a path outside the goal's folder, a link, a file
    too large, a metric that does not fit.
    """
    folder, name = (location, FILE_NAME) if location.is_dir() else (location.parent, location.name)
    text = _text(folder, name)
    sections = _sections(text)
    problems: list[str] = []
    if len([line for line in text.splitlines() if line.strip()]) < 3:
        problems.append(
            "it has fewer than three lines of text; say what is sought, of what, and what a good result is"
        )
    provided = _provided(folder, sections, problems)
    measure = _measure(folder, sections.get("measure", ""), problems)
    metric = _metric(sections.get("metric", ""), problems)
    title = _title(text, name)
    goal_id = _identifier(sections.get("id", "").strip() or title)
    if not goal_id:
        problems.append(
            "no identifier can be made of its title; give one in a section ## Id (letters, digits, -)"
        )
    if problems:
        found = "\n           ".join(visible(problem, 1000) for problem in problems)
        raise InputError(
            f"the goal at {location} cannot be used",
            found=found,
            allowed=_FORM,
            fix="mend these and start again; nothing was run",
        )
    return Goal(
        goal_id=goal_id,
        title=title,
        text=text,
        folder=str(folder.resolve()),
        provided=provided,
        measure=measure,
        metric=metric,
    )


def read_goal_file(goal: Goal, file: GoalFile) -> bytes:
    """The bytes of a provided file as it was when the goal was read. Raises InputError if it changed or is gone."""
    try:
        raw = _taken(Path(goal.folder), file.path)
    except Unopened as error:
        raise InputError(
            f"the goal's file {file.path!r} {error}", fix="put it back as it was, or start a new run"
        ) from None
    if hashlib.sha256(raw).hexdigest() != file.sha256:
        raise InputError(
            f"the goal's file {file.path!r} changed since the run began",
            allowed=f"sha256 {file.sha256}",
            fix="put it back as it was, or start a new run",
        )
    return raw


def _taken(folder: Path, name: str, most: int = MAX_FILE_BYTES) -> bytes:
    # installers link packages out of a cache, so the bundled goals may have several names
    return read_below(folder, name, most, one_name=not folder.resolve().is_relative_to(_OURS))


def _text(folder: Path, name: str) -> str:
    try:
        return _taken(folder, name, MAX_TEXT_BYTES).decode("utf-8-sig")
    except Unopened as error:
        raise InputError(
            f"the goal {folder / name} {error}",
            allowed=_FORM,
            fix="name a goal.md, or a folder that holds one",
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"the goal {folder / name} is no text in UTF-8",
            found=f"{error.reason} at byte {error.start}",
            fix="save it as UTF-8",
        ) from None


def _sections(text: str) -> dict[str, str]:
    """Section title in lower case -> its lines, without those in code fences; of two with one title, both."""
    found: dict[str, list[str]] = {}
    current, fenced = "", False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
            continue
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading:
            current = heading["title"].casefold()
        elif not fenced:
            found.setdefault(current, []).append(line)
    return {title: "\n".join(lines) for title, lines in found.items()}


def _title(text: str, name: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    heading = next((line.lstrip("# ") for line in lines if re.match(r"#\s+\S", line)), None)
    return one_visible_line(heading or (lines[0].lstrip("#-* ") if lines else name), 150) or name


def _identifier(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:48].rstrip("-")


def _named(body: str) -> list[str]:
    """Paths of a list: each item's code span, or its first word."""
    names = []
    for line in body.splitlines():
        item = _ITEM.fullmatch(line)
        rest = item["rest"].strip() if item else ""
        if rest:
            span = re.match(r"`([^`]+)`", rest)
            names.append(span[1] if span else re.split(r"\s+[-–—:]\s+|:\s+", rest)[0].strip())
    return names


def _file(folder: Path, name: str) -> GoalFile:
    path = "/".join(parts_of(name))
    raw = _taken(folder, path)
    return GoalFile(path=path, sha256=hashlib.sha256(raw).hexdigest(), bytes=len(raw))


def _provided(folder: Path, sections: dict[str, str], problems: list[str]) -> tuple[GoalFile, ...]:
    names = [name for title in _PROVIDED for name in _named(sections.get(title, ""))]
    if len(names) > MAX_FILES:
        problems.append(f"it provides {len(names)} files; at most {MAX_FILES}")
        return ()
    files: dict[str, GoalFile] = {}
    for name in names:
        try:
            file = _file(folder, name)
        except Unopened as error:
            problems.append(f"the provided file {name!r} {error}")
            continue
        if file.path.split("/")[0] in RESERVED:
            problems.append(
                f"the provided file {name!r} has a name that is taken ({', '.join(RESERVED)}); rename it"
            )
        files[file.path] = file
    if (total := sum(file.bytes for file in files.values())) > MAX_TOTAL_BYTES:
        problems.append(f"its files have {total} bytes together; at most {MAX_TOTAL_BYTES}")
    return tuple(files.values())


def _measure(folder: Path, body: str, problems: list[str]) -> GoalFile | None:
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    if not lines:
        return None
    names = _named(body) or re.findall(r"`([^`\n]+)`", body) or [lines[0]]
    name = names[0]
    if not name.endswith(".py"):
        problems.append(
            f"the section ## Measure names {name!r}; it must name one Python program (.py) beside goal.md"
        )
        return None
    try:
        return _file(folder, name)
    except Unopened as error:
        problems.append(f"the measure program {name!r} {error}")
        return None


def _metric(body: str, problems: list[str]) -> MetricHint:
    given: dict[str, object] = {}
    for line in body.splitlines():
        key, colon, value = line.strip().lstrip("-*+ ").replace("`", "").partition(":")
        key, value = key.strip().casefold(), value.strip()
        if not colon or key not in MetricHint.model_fields or not value:
            continue
        given[key] = value.split()[0].rstrip(",;.").casefold() if key in ("direction", "kind") else value
    try:
        return MetricHint.model_validate(given)
    except ValidationError as error:
        problems += [
            f"the section ## Metric: {'.'.join(map(str, item['loc']))}: {item['msg']} (found {item['input']!r})"
            for item in error.errors()
        ]
        return MetricHint()
