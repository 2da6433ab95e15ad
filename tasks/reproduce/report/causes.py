"""Error output shortened to its cause: the last line, and the line of generated code that led to it."""

from __future__ import annotations

import re

_FRAME = re.compile(r'File "(?P<file>[^"\n]*)", line (?P<line>\d+)(?:, in (?P<name>\S+))?')
_SCRIPT = "simulation.py"
_START = "Traceback (most recent call last)"


def shortened(text: str) -> str:
    """`text` with every traceback replaced by its cause; text without one is returned as it is."""
    if _START not in text and not _FRAME.search(text):
        return text
    before = text.partition(_START)[0].strip()
    place = cause_place(text)
    last = [line.strip() for line in text.splitlines() if line.strip()]
    reason = next(
        (
            line
            for line in reversed(last)
            if re.match(r"[\w.]+(Error|Exception|Interrupt|Exit|Warning)\b", line)
        ),
        last[-1] if last else "",
    )
    return " ".join(part for part in (" ".join(before.split())[:300], reason[:400], place) if part)


def cause_place(text: str) -> str:
    """`(line 12 of the simulation: <the line>)`, of the last frame in generated code; empty if there is none."""
    lines = text.splitlines()
    found = ""
    for number, line in enumerate(lines):
        frame = _FRAME.search(line)
        if frame and frame["file"].endswith(_SCRIPT):
            code = lines[number + 1].strip()[:120] if number + 1 < len(lines) else ""
            found = f"(line {frame['line']} of the simulation" + (f": {code})" if code else ")")
    return found
