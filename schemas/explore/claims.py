"""Which file of a node came from where, and secondary metrics that an agent claims: where in which file a number stands."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model


class FileWritten(Model):
    """A file that changed during an execution. before: sha256 before it ran, '' when there was no such file."""

    path: str
    sha256: str
    bytes: int
    before: str = ""


class ExecutionRecord(Model):
    """One execution of a node: what ran, how it ended, which files of the work directory it wrote. Written by our code.

    kind: `write` for a file that the agent typed (write_code), `run` for a program that ran. command: whole, as numbers
    typed into it are looked for there. typed: the numbers in what write_code wrote, which later versions may no longer hold.
    """

    number: int = Field(ge=0)
    kind: Literal["run", "write"]
    tool: str = ""
    command: str = Field("", max_length=200_000)
    exit_code: int | None = None
    stop_reason: str = ""
    cpu_s: float = 0.0
    written: tuple[FileWritten, ...] = ()
    typed: tuple[float, ...] = ()
    deleted: tuple[str, ...] = ()


class NodeRecord(Model):
    """executions.json beside a node's work directory: all that changed it, in order. inherited: path -> sha256 at the start."""

    node_id: str
    inherited: dict[str, str] = Field(default_factory=dict)
    executions: tuple[ExecutionRecord, ...] = ()


class Claim(Model):
    """A number an agent says its experiment gave. pointer: JSON pointer (RFC 6901); column: of a CSV, with its row."""

    name: str = Field(min_length=1, max_length=80)
    file: str = Field(min_length=1, max_length=300)
    pointer: str = Field("", max_length=300)
    column: str = Field("", max_length=80)
    row: int = Field(-1, description="of the CSV, from 0; -1 the last")
    unit: str = Field("1", max_length=40)


class ResolvedClaim(Model):
    """A claim that stands: the number code read, and the file that an execution wrote."""

    name: str
    value: float
    unit: str
    file: str
    where: str
    sha256: str
    execution: int


class RefusedClaim(Model):
    """A claim that does not count, and why."""

    name: str
    reason: str
