"""Taking what a sandboxed program left: by name, no link followed, and read as hostile until checked."""

from tasks.reproduce.collect.copying import (
    Collected,
    CollectedFile,
    CollectLimits,
    UnsafeOutput,
    collect,
    open_beneath,
)
from tasks.reproduce.collect.readers import (
    PROGRESS_FILE,
    Arrays,
    check_png,
    declared_files,
    read_csv,
    read_json,
    read_manifest,
    read_npz,
    read_progress,
)

__all__ = [
    "PROGRESS_FILE",
    "Arrays",
    "CollectLimits",
    "Collected",
    "CollectedFile",
    "UnsafeOutput",
    "check_png",
    "collect",
    "declared_files",
    "open_beneath",
    "read_csv",
    "read_json",
    "read_manifest",
    "read_npz",
    "read_progress",
]
