"""coding: write_code, run_code, read_file, run_bash in the directory of a node."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from schemas.explore.claims import ExecutionRecord, FileWritten
from schemas.reading.beneath import Unopened, parts_of, read_below
from skills import kit
from skills.coding.reading import page
from skills.executions.files import write_below
from skills.executions.record import Record
from skills.executions.running import NoBudget, execute, python
from tasks.explore.measuring.typed import numbers_in
from tasks.explore.nodes.node_files import snapshot

server = kit.skill("coding", "Write, run and read programs in your work directory; it is all you can reach.")
_MOST_BYTES = 1_000_000


@server.tool()
def write_code(
    file: kit.WorkPath, content: kit.Words, ctx: kit.Call, replaces: kit.Words = "", executable: bool = False
) -> str:
    """Write a text file below your work directory. With `replaces`, only that passage (it must occur exactly once) of an
    existing file becomes `content`."""
    work, context = kit.work_dir(ctx), kit.context(ctx)
    record = Record(work)
    if (said := record.answered(context.call_id)) is not None:
        return said
    try:
        name = "/".join(parts_of(file))
        text = _replaced(work, name, replaces, content) if replaces else content
        data = text.encode("utf-8", "replace")
        if len(data) > _MOST_BYTES:
            raise Unopened(
                f"would have {len(data)} bytes; at most {_MOST_BYTES} are written, larger ones by a program"
            )
        before = snapshot(work).get(name, "")
        write_below(work, name, data, executable=executable)
    except Unopened as error:
        raise kit.ToolError(f"{file} {error}") from None
    written = FileWritten(path=name, sha256=hashlib.sha256(data).hexdigest(), bytes=len(data), before=before)
    said = f"wrote {name}: {len(data)} bytes, {text.count(chr(10)) + (not text.endswith(chr(10)))} lines"
    record.keep(
        ExecutionRecord(
            number=len(record.executions()),
            kind="write",
            tool="write_code",
            written=(written,),
            typed=numbers_in(text),
        ),
        said,
        context.call_id,
        work,
    )
    return said


def _replaced(work: Path, name: str, old: str, new: str) -> str:
    text = read_below(work, name, _MOST_BYTES, one_name=False).decode("utf-8", "replace")
    if text.count(old) != 1:
        raise Unopened(f"holds the passage to replace {text.count(old)} times; it must occur exactly once")
    return text.replace(old, new)


@server.tool()
def run_code(file: kit.WorkPath, ctx: kit.Call, arguments: list[kit.Words] | None = None) -> str:
    """Run a program below your work directory: *.py with Python, *.sh with bash, others as they are. No network; you see its
    output, the CPU time and the files it wrote."""
    work = kit.work_dir(ctx)
    try:
        name = "/".join(parts_of(file))
    except Unopened as error:
        raise kit.ToolError(f"{file} {error}") from None
    if not (work / name).is_file():
        raise kit.ToolError(f"there is no file {name}; write it first")
    told = [str(argument) for argument in arguments or []]
    start = {".py": [python().path, name], ".sh": ["/bin/bash", name]}.get(
        Path(name).suffix, ["/usr/bin/env", f"./{name}"]
    )
    return _run([*start, *told], "run_code", " ".join([name, *told]), ctx)


@server.tool()
def run_bash(command: kit.Words, ctx: kit.Call) -> str:
    """Run a shell command in your work directory (bash, compilers, python3; no network). Files stay, processes end with it."""
    return _run(["/bin/bash", "-c", command], "run_bash", command, ctx)


@server.tool()
def read_file(file: kit.WorkPath, ctx: kit.Call, first_line: int = 1, lines: int = 400) -> Any:
    """Read a text file below your work directory page by page, or look at a picture (PNG, JPEG)."""
    try:
        return page(
            kit.work_dir(ctx), file, first_line, max(1, lines), kit.context(ctx).limits.output_kb * 1024
        )
    except Unopened as error:
        raise kit.ToolError(f"{file} {error}") from None


def _run(argv: list[str], tool: str, command: str, ctx: kit.Call) -> str:
    try:
        return execute(argv, tool=tool, command=command, work=kit.work_dir(ctx), context=kit.context(ctx))
    except NoBudget as error:
        raise kit.ToolError(str(error)) from None


if __name__ == "__main__":
    server.main()
