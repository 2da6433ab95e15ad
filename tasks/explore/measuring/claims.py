"""Secondary metrics that an agent claims: each must stand in a file that an execution of its own node wrote."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from schemas.explore.claims import Claim, ExecutionRecord, NodeRecord, RefusedClaim, ResolvedClaim
from schemas.reading.beneath import Unopened, parts_of, read_below
from schemas.reading.strict_json import parse_json
from schemas.text.visible import one_visible_line
from tasks.explore.measuring.typed import typed_numbers
from tasks.explore.nodes.node_files import role_of
from tasks.files.tables import TableLimits, parse_table

_MAX_BYTES, _MOST_CLAIMS = 8 << 20, 50


class _NotResolved(ValueError):
    """Why a claim does not count."""


def resolve_claims(
    claims: Sequence[Claim],
    work: Path,
    record: NodeRecord,
    *,
    measured_by_us: Sequence[str] = (),
    results_of_others: Mapping[str, str] | None = None,
) -> tuple[tuple[ResolvedClaim, ...], tuple[RefusedClaim, ...]]:
    """The claims that stand, with the numbers code read, and those that do not, each with its reason.

    measured_by_us: names the harness measures; those need no claim. results_of_others: sha256 -> node id of files that
    executions of other nodes wrote; the same bytes are a copy.
    """
    literals = typed_numbers(work, record)
    resolved: dict[str, ResolvedClaim] = {}
    refused: list[RefusedClaim] = []
    for place, claim in enumerate(claims):
        try:
            if place >= _MOST_CLAIMS:
                raise _NotResolved(f"at most {_MOST_CLAIMS} numbers of a node are looked up")
            if claim.name in measured_by_us:
                raise _NotResolved("the harness measures it; a node's own number of it does not count")
            if claim.name in resolved:
                raise _NotResolved("it was claimed twice")
            resolved[claim.name] = _resolved(claim, work, record, literals, results_of_others or {})
        except _NotResolved as error:
            refused.append(RefusedClaim(name=one_visible_line(claim.name, 80), reason=str(error)))
    return tuple(resolved.values()), tuple(refused)


def _resolved(
    claim: Claim, work: Path, record: NodeRecord, literals: Mapping[float, str], others: Mapping[str, str]
) -> ResolvedClaim:
    try:
        path = "/".join(parts_of(claim.file))
    except Unopened as error:
        raise _NotResolved(f"{one_visible_line(claim.file, 100)!r} {error}") from None
    last = _last_writer(path, record)
    if last is None:
        raise _NotResolved(
            f"{path} was inherited from the parent unchanged"
            if path in record.inherited
            else f"no execution of this node wrote {path}"
        )
    if last.kind == "write":
        raise _NotResolved(
            f"{path} was typed by the agent ({last.tool or 'write_code'}), not written by a program that ran"
        )
    if role_of(path) == "log":
        raise _NotResolved(f"{path} is a log; let the program write the number to a JSON or CSV file")
    if not path.lower().endswith((".json", ".csv")):
        raise _NotResolved(f"{path} is neither JSON nor CSV")
    try:
        raw = read_below(work, path, _MAX_BYTES)
    except Unopened as error:
        raise _NotResolved(f"{path} {error}") from None
    found = sha256(raw).hexdigest()
    if found != next(file.sha256 for file in last.written if file.path == path):
        raise _NotResolved(f"{path} changed after execution {last.number} wrote it")
    if found in others:
        raise _NotResolved(f"{path} is byte for byte a result of node {others[found]}")
    value, where = _json_number(raw, claim) if path.lower().endswith(".json") else _csv_number(raw, claim)
    if abs(value) in literals:
        raise _NotResolved(
            f"{value!r} stands as a literal in {literals[abs(value)]}; what is typed is not measured"
        )
    return ResolvedClaim(
        name=claim.name,
        value=value,
        unit=claim.unit,
        file=path,
        where=where,
        sha256=found,
        execution=last.number,
    )


def _last_writer(path: str, record: NodeRecord) -> ExecutionRecord | None:
    for execution in reversed(record.executions):
        if path in execution.deleted:
            return None
        if any(file.path == path for file in execution.written):
            return execution
    return None


def _json_number(raw: bytes, claim: Claim) -> tuple[float, str]:
    """By a JSON pointer (RFC 6901)."""
    try:
        value = parse_json(raw.decode("utf-8"))
    except ValueError as error:
        raise _NotResolved(f"{claim.file} is not valid JSON: {one_visible_line(str(error), 160)}") from None
    if not claim.pointer.startswith("/"):
        raise _NotResolved(f"{claim.pointer!r} is no JSON pointer, such as /speed/mean")
    for part in claim.pointer[1:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and re.fullmatch(r"0|[1-9][0-9]{0,8}", key) and int(key) < len(value):
            value = value[int(key)]
        else:
            raise _NotResolved(f"nothing stands at {claim.pointer!r} in {claim.file}")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise _NotResolved(f"what stands at {claim.pointer!r} in {claim.file} is no finite number")
    return float(value), claim.pointer


def _csv_number(raw: bytes, claim: Claim) -> tuple[float, str]:
    try:
        table = parse_table(raw.decode("utf-8"), limits=TableLimits(bytes=_MAX_BYTES))
    except ValueError as error:
        raise _NotResolved(
            f"{claim.file} is no CSV of numbers: {one_visible_line(str(error), 160)}"
        ) from None
    if claim.column not in table.columns:
        raise _NotResolved(f"{claim.file} has no column {claim.column!r}; it has {list(table.columns)[:10]}")
    if not -len(table) <= claim.row < len(table):
        raise _NotResolved(f"{claim.file} has {len(table)} rows, and row {claim.row} was named")
    return float(table[claim.column].iloc[claim.row]), f"column {claim.column}, row {claim.row % len(table)}"
