"""What the user handed in, copied into input/."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from pathlib import Path

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.study.inputs import InputReport
from tasks.files.store import atomic_write
from tasks.study.inputs.input_files import LIMITS, files_of, notes_of, preparation_of
from tasks.study.workspace.file_steps import twice
from tasks.study.workspace.places import INPUT, META


def import_input(root: Path, source: Path, report: InputReport) -> list[Path]:
    """Copy the files of an input that was analysed into input/, and write meta.json beside them.

    Raises InputError if a file changed since it was analysed; then nothing is copied.
    """
    folder = source if source.is_dir() else source.parent
    known = {item.path: item.sha256 for item in report.files}
    found: dict[str, bytes] = {}
    kind, files = files_of(source)
    beside = [*notes_of(source), preparation_of(source)] if kind == "data" else []
    for file in filter(None, (*files, *beside)):
        try:
            found[file.name] = read_below(folder, file.name, LIMITS.bytes, one_name=False)
        except Unopened as error:
            raise InputError("an input file cannot be copied", found=f"{file.name} {error}") from None
    changed = [name for name, data in found.items() if known.get(name) != hashlib.sha256(data).hexdigest()]
    if changed or set(known) != set(found):
        raise InputError(
            "the input changed while it was read",
            found=", ".join(changed or sorted(set(known) ^ set(found))),
            fix="start again with files that nobody changes",
        )
    written = [
        twice(partial(atomic_write, root / INPUT / name, data), f"copying {name}")
        for name, data in found.items()
    ]
    meta = json.dumps(report.model_dump(mode="json"), indent=1, ensure_ascii=False)
    twice(lambda: atomic_write(root / INPUT / META, meta), "writing meta.json")
    return written
