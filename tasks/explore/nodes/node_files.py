"""Files of a work directory that agents and programs wrote: listed without following a link, named by what they are for."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import cast

from schemas.errors import InputError
from schemas.explore.node_report import ArtifactRole
from schemas.reading.beneath import MAX_PARTS, Unopened, open_below, parts_of

MOST_ENTRIES = 20_000
JUNK = ("__pycache__", ".cache", ".git", ".pytest_cache", ".mypy_cache", ".ipynb_checkpoints", ".matplotlib")
OUTPUTS = (
    "results.csv",
    "results_*.csv",
    "*_results.csv",
    "metrics.csv",
    "result.csv",
    "*.metrics.json",
    "metrics.json",
    "results.json",
    "result.json",
    "*_results.json",
    "results_*.json",
    "*.log",
    "slurm-*.out",
    "slurm-*.err",
    "stdout.txt",
    "stderr.txt",
    "out.txt",
    "err.txt",
    "node_report.json",
    "measured.json",
    "executions.json",
    "conversation.md",
)
"""Names that results have: never inherited, whoever wrote them. Lower case."""
META = (
    "experiment.md",
    "tree.json",
    "nodes_tree.json",
    "idea.json",
    "evaluation_criteria.json",
    "workflow.yaml",
    "run.json",
    "transcript.jsonl",
    "costs.json",
    "science_data.json",
    "memory.sqlite",
    "lineage_decisions.jsonl",
)
_SOURCES = frozenset(
    (
        ".py",
        ".c",
        ".cc",
        ".cpp",
        ".cxx",
        ".cu",
        ".h",
        ".hh",
        ".hpp",
        ".f",
        ".f90",
        ".f95",
        ".jl",
        ".rs",
        ".go",
        ".java",
        ".js",
        ".ts",
        ".r",
        ".m",
        ".sh",
        ".bash",
        ".mk",
        ".cmake",
        ".pyx",
        ".pxd",
        ".sql",
        ".md",
        ".toml",
        ".ini",
        ".cfg",
        ".yaml",
        ".yml",
        ".s",
        ".asm",
        ".cl",
        ".scm",
        ".ctl",
    )
)
_SOURCE_NAMES = ("makefile", "cmakelists.txt", "dockerfile", "requirements.txt")
_LOGS, _LOG_NAMES = (".log", ".out", ".err"), ("stdout.txt", "stderr.txt", "out.txt", "err.txt")
_FIGURES = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".eps", ".gif", ".webp")
_BINARIES = (".so", ".o", ".a", ".exe", ".bin", ".pyc", ".dylib", ".dll", ".wasm", ".class")
_DATA = (
    ".csv",
    ".tsv",
    ".json",
    ".jsonl",
    ".npy",
    ".npz",
    ".h5",
    ".hdf5",
    ".dat",
    ".txt",
    ".parquet",
    ".mat",
    ".nc",
    ".xml",
)


def regular_files(work: Path) -> Iterator[str]:
    """Paths of the regular files below a work directory, sorted by folder; no link is followed, caches are left out.

    Raises InputError for more than 20 000 entries.
    """
    seen = 0
    for folder, folders, names in os.walk(work, followlinks=False):
        folders[:] = sorted(
            name for name in folders if name not in JUNK and not os.path.islink(os.path.join(folder, name))
        )
        for name in sorted(names):
            seen += 1
            if seen > MOST_ENTRIES:
                raise InputError(
                    f"the work directory {work} holds too many files",
                    allowed=MOST_ENTRIES,
                    fix="remove what is not needed",
                )
            path = os.path.relpath(os.path.join(folder, name), work)
            if (
                not name.endswith(".pyc")
                and not os.path.islink(os.path.join(work, path))
                and os.path.isfile(os.path.join(work, path))
            ):
                yield path


def snapshot(work: Path, max_bytes: int = 4 << 30) -> dict[str, str]:
    """Path -> sha256 of what a work directory holds now. Links and files that cannot be opened safely are not in it."""
    found: dict[str, str] = {}
    for path in regular_files(work):
        try:
            with open_below(work, path, max_bytes) as stream:
                found[path] = hashlib.file_digest(cast(io.BufferedReader, stream), "sha256").hexdigest()
        except Unopened:
            continue
    return found


def usable_name(path: str) -> bool:
    """Whether a path may be a file's name at all: printable, short, inside its folder."""
    try:
        return len(parts_of(path)) <= MAX_PARTS
    except Unopened:
        return False


def is_output(path: str) -> bool:
    """Whether the name is one that results, logs or records of a run have."""
    name = PurePosixPath(path).name.lower()
    return name in META or any(fnmatchcase(name, pattern) for pattern in OUTPUTS)


def is_source(path: str) -> bool:
    """Whether the name is one that people and agents write programs, scripts and settings under."""
    name = PurePosixPath(path).name.lower()
    return PurePosixPath(name).suffix in _SOURCES or name in _SOURCE_NAMES


def role_of(path: str, *, typed: bool | None = None, start: bytes = b"") -> ArtifactRole:
    """What a file is for, by its name. typed: an agent wrote it (a data file that was typed is a source, no output);
    None where nobody recorded it. start: its first bytes, which tell a program without a suffix."""
    name = PurePosixPath(path).name.lower()
    suffix = PurePosixPath(name).suffix
    if suffix in _LOGS or name in _LOG_NAMES:
        return "log"
    if suffix in _FIGURES:
        return "figure"
    if suffix in _BINARIES or start.startswith(b"\x7fELF"):
        return "binary"
    if is_source(path):
        return "source"
    if suffix in _DATA:
        return "source" if typed and not is_output(path) else "data_output"
    return "unknown"
