"""`python -m tests.unit.house.docs_width` (in make format): prose of docs at most 140 wide; tables, code and what is generated stay."""

from __future__ import annotations

import re
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WIDTH = 140
GENERATED = (
    "docs/reference/specification/",
    "docs/reference/specification.md",
    "docs/measured/dossier.md",
    "docs/measured/faults.md",
    "docs/measured/lies",
    "docs/reference/cli.md",
)
_ITEM = re.compile(r"(\s*)([-*]|\d+\.)(\s+)")
_WHOLE = re.compile(r"!?\[[^\]]*\]\([^)]*\)|`[^`]*`")
_PLAIN = re.compile(r"^\s*(\||#|>|<!--|```|\[[^\]]+\]:|$)")


def pages() -> list[Path]:
    """The pages that people write."""
    listed = subprocess.run(
        ["git", "ls-files", "README.md", "CONTRIBUTING.md", "docs"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [
        ROOT / name
        for name in listed
        if name.endswith(".md") and not name.startswith(GENERATED) and not (ROOT / name).is_symlink()
    ]


def wrapped(text: str) -> str:
    """The page with each paragraph that has a line too wide filled anew; all others as they were."""
    out: list[str] = []
    for lines, prose in _parts(text.split("\n")):
        out += _filled(lines) if prose and any(len(line) > WIDTH for line in lines) else lines
    return "\n".join(out)


def _parts(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Paragraphs and items of lists (True), and what is between them."""
    held: list[str] = []
    fenced = generated = False
    for line in lines:
        generated = (
            "generated" in line and "begin" in line
            if not generated
            else not ("generated" in line and "end" in line)
        )
        fence = line.lstrip().startswith("```")
        apart = fenced or fence or generated or bool(_PLAIN.match(line)) or line.endswith("  ")
        fenced ^= fence
        if (apart or _ITEM.match(line)) and held:
            yield held, True
            held = []
        if apart:
            yield [line], False
        else:
            held.append(line)
    if held:
        yield held, True


def _filled(lines: list[str]) -> list[str]:
    item = _ITEM.match(lines[0])
    first = item[0] if item else lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    words = " ".join(line.strip() for line in lines)[len(first.strip()) :].strip()
    kept = _WHOLE.sub(lambda found: found[0].replace(" ", "\0"), words)
    kept = re.sub(r" (?=(?:[-+*#>]|\d+\.) )", "\0", kept)  # no line may begin like an item of a list
    filled = textwrap.wrap(
        kept,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\0", " ") for line in filled]


def main() -> None:
    """Fill what is too wide."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (new := wrapped(text)) != text:
            page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
