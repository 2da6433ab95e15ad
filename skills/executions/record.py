"""The record of what was executed in a directory, beside it: no program and no tool of a model writes there.

executions.jsonl: one `ExecutionRecord` a line. outputs.jsonl: what each answered. `.pending`: a result that is complete and
only has to be taken over; a server that is killed in between takes it over when it is called again, so nothing runs twice.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from schemas.explore.claims import ExecutionRecord
from schemas.reading.beneath import open_below, read_below
from skills.executions.files import remove_below, write_below
from tasks.explore.nodes.executions import FILE, read_executions
from tasks.files.store import remove_tree

_LARGEST = 1 << 40


class Record:
    """The record beside the directory `work` (executions.jsonl in the same folder)."""

    def __init__(self, work: Path):
        self.work, self.folder = work, work.parent
        self.path, self._answers = self.folder / FILE, self.folder / "outputs.jsonl"
        self._pending = self.folder / ".pending"
        with self._alone():
            if self._pending.is_dir():
                self._take_over()

    def executions(self) -> tuple[ExecutionRecord, ...]:
        """All so far, in their order."""
        return read_executions(self.folder)

    def answered(self, call_id: str) -> str | None:
        """What the call of that key answered, if it was made before."""
        if not call_id:
            return None
        for line in _lines(self._answers):
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if said.get("call_id") == call_id:
                return str(said["text"])
        return None

    def keep(self, record: ExecutionRecord, text: str, call_id: str, result: Path) -> None:
        """Take over what an execution did to `result`, a copy of the work directory: all of it, or nothing.

        Executions that ran side by side (jobs of a cluster) come one after another; the record's number is given here.
        """
        with self._alone():
            if self._pending.is_dir():
                self._take_over()
            self._prepare(record.model_copy(update={"number": len(self.executions())}), text, call_id, result)
            self._take_over()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folder / ".lock").open("a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)  # ends with the process, however that ends
            yield

    def _prepare(self, record: ExecutionRecord, text: str, call_id: str, result: Path) -> None:
        draft = Path(tempfile.mkdtemp(dir=self.folder, prefix=".draft-"))
        try:
            for number, file in enumerate(record.written):
                source = open_below(result, file.path, _LARGEST, one_name=False)
                with source as stream, (draft / str(number)).open("xb") as copy:
                    shutil.copyfileobj(stream, copy)
                    status = os.fstat(stream.fileno())
                    os.fchmod(copy.fileno(), 0o755 if status.st_mode & 0o100 else 0o644)
                os.utime(draft / str(number), ns=(status.st_atime_ns, status.st_mtime_ns))
            (draft / "record.json").write_text(record.model_dump_json())
            (draft / "answer.json").write_text(
                json.dumps({"number": record.number, "call_id": call_id, "text": text})
            )
            draft.rename(self._pending)
        except BaseException:
            remove_tree(draft)
            raise

    def _take_over(self) -> None:
        pending = self._pending
        record = ExecutionRecord.model_validate_json((pending / "record.json").read_text())
        for number, file in enumerate(record.written):
            source = pending / str(number)
            status = source.stat()
            write_below(
                self.work,
                file.path,
                source.read_bytes(),
                executable=bool(status.st_mode & 0o100),
                times=(status.st_atime_ns, status.st_mtime_ns),
            )
        for path in record.deleted:
            remove_below(self.work, path)
        said = json.loads((pending / "answer.json").read_text())
        if record.number not in {one.number for one in self.executions()}:
            _append(self._answers, json.dumps(said, ensure_ascii=False))
            _append(self.path, record.model_dump_json())
        remove_tree(pending)


def _lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    return read_below(path.parent, path.name, 1 << 30).decode("utf-8", "replace").splitlines()


def _append(path: Path, line: str) -> None:
    if path.exists():
        whole = path.read_bytes()
        if not whole.endswith(b"\n"):
            os.truncate(path, whole.rfind(b"\n") + 1)  # a line that a crash cut short
    with path.open("a", encoding="utf-8", errors="replace") as stream:
        stream.write(line + "\n")
        stream.flush()
        os.fsync(stream.fileno())
