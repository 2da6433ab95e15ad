"""What a node changed in its work directory, by sha256."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.explore.claims import ExecutionRecord, FileWritten
from schemas.explore.node_report import FilesChanged


def files_changed(before: Mapping[str, str], after: Mapping[str, str]) -> FilesChanged:
    """before: what the directory was seeded with; after: what it holds now (`files.snapshot`). `nothing` is: sterile.

    Compared with the seed, not with the parent's directory, which also holds results that no child gets.
    """
    return FilesChanged(
        added=tuple(sorted(set(after) - set(before))),
        deleted=tuple(sorted(set(before) - set(after))),
        modified=tuple(sorted(path for path in before if path in after and before[path] != after[path])),
        inherited_unchanged=tuple(sorted(path for path in before if after.get(path) == before[path])),
    )


def recorded(
    number: int, before: Mapping[str, str], after: Mapping[str, str], sizes: Mapping[str, int], **what: object
) -> ExecutionRecord:
    """The record of one execution from the directory before and after it. what: kind, tool, command and how it ended."""
    changed = files_changed(before, after)
    written = tuple(
        FileWritten(path=path, sha256=after[path], bytes=sizes.get(path, 0), before=before.get(path, ""))
        for path in sorted((*changed.added, *changed.modified))
    )
    return ExecutionRecord.model_validate(
        {"number": number, "written": written, "deleted": changed.deleted, **what}
    )
