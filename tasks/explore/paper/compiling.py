"""LaTeX to PDF with latexmk of Debian's texlive, in the sandbox: no shell escape, no file outside, limits on time and size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tasks.documents.typesetting import LATEX, latexmk
from tasks.sandbox import Limits, run_sandboxed, scratch

LIMITS = Limits(
    wall_s=600, cpu_s=60, memory_mb=2048, processes=32, file_mb=64, disk_mb=256, files=400, output_mb=16
)
# formats, font maps and configuration of Debian's TeX, outside /usr; without its index of files, so trees are searched
_STATE = {Path("/var/lib/texmf"): "/sandbox/tex/var", Path("/etc/texmf"): "/sandbox/tex/config"}
_TREES = "/sandbox/tex/var,/sandbox/tex/config,/usr/share/texmf,/usr/share/texlive/texmf-dist"
_COMMAND = (
    "-pdf",
    "-norc",
    "-interaction=nonstopmode",
    "-halt-on-error",
    "-file-line-error",
    "-pdflatex=pdflatex -no-shell-escape %O %S",
    "full_paper.tex",
)
_MOST_BYTES = 64 << 20
_ERROR = re.compile(r"^(?:!|\S*full_paper\.tex:\d+:)\s*(.{1,300})", re.MULTILINE)
_PAGES = re.compile(r"Output written on full_paper\.pdf \((\d{1,4}) page")
_LATER = re.compile(
    r"(?:Citation|Reference) `[^']{1,100}'[^\n]{0,40} undefined|"
    r"Overfull \\hbox \((?:[2-9]\d|\d{3,})\.\d+pt[^\n]{0,60}"
)


@dataclass(frozen=True)
class Compiled:
    """pdf: its bytes, or None with `why` in words. warnings: what the last run complained of."""

    pdf: bytes | None
    why: str = ""
    pages: int = 0
    warnings: tuple[str, ...] = ()


def compile_latex(
    files: Mapping[str, bytes], *, limits: Limits = LIMITS, allow_degraded: bool = False
) -> Compiled:
    """The PDF of full_paper.tex among `files` (relative path -> bytes). Raises what the sandbox raises, nothing else."""
    program = latexmk()
    if program is None:
        return Compiled(None, f"latexmk and pdflatex are not installed: {LATEX}")
    with scratch("reprolab-tex-") as folder:
        work = folder / "work"
        for name, data in files.items():
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        for path in (work, *work.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o644)
        result = run_sandboxed(
            [str(program), *_COMMAND],
            work,
            limits=limits,
            readonly={path: inside for path, inside in _STATE.items() if path.is_dir()},
            env={
                "openin_any": "p",
                "openout_any": "p",
                "shell_escape": "f",
                "SOURCE_DATE_EPOCH": "0",
                "FORCE_SOURCE_DATE": "1",
                "TEXMFSYSVAR": "/sandbox/tex/var",
                "TEXMFSYSCONFIG": "/sandbox/tex/config",
                "TEXMF": f"{{{_TREES}}}",
                "max_print_line": "1000",
            },
            allow_degraded=allow_degraded,
        )
        log = _read(work / "full_paper.log").decode("utf-8", "replace")
        pdf = _read(work / "full_paper.pdf") if result.ok else b""
    if result.stop_reason:
        return Compiled(None, f"LaTeX was stopped at its limit on {result.stop_reason}")
    if not pdf.startswith(b"%PDF-"):
        errors = _ERROR.findall(log) or [" ".join((result.stderr_tail or result.stdout_tail).split())[-300:]]
        return Compiled(None, "LaTeX ended with an error: " + "; ".join(dict.fromkeys(errors[:3])))
    pages = _PAGES.search(log)
    warnings = tuple(dict.fromkeys(found[0] for found in _LATER.finditer(log)))
    return Compiled(pdf, "", int(pages[1]) if pages else 0, warnings[:20])


def _read(path: Path) -> bytes:
    """A file that the run left, if it is one of ours to read: no link, not too large."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _MOST_BYTES:
        return b""
    return path.read_bytes()
