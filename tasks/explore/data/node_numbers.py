"""The numbers of one node, each read again from the file that holds it, whose digest is taken at that moment."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from schemas.errors import StateError
from schemas.explore.evaluation import Measured, MeasuredRecord, MetricSpec
from schemas.explore.science_data import Number
from schemas.explore.tree import Node
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.data.number_names import slug, slugs
from tasks.explore.nodes.provided import PROVIDED, RECORD, provided_record

_MOST = 4 << 20
_PARAMETERS = ("parameters.json", "params.json")
_MOST_PARAMETERS = 30


@dataclass
class NodeNumbers:
    """The typed split of a node. by_metric: the measured ones by the metric's own name."""

    measurements: list[Number] = field(default_factory=list)
    reported: list[Number] = field(default_factory=list)
    parameters: list[Number] = field(default_factory=list)
    scores: list[Number] = field(default_factory=list)
    by_metric: dict[str, Number] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def node_numbers(run_dir: Path, node: Node, tree_file: str, tree_sha256: str) -> NodeNumbers:
    """Raises StateError if the tree and the node's own record tell two stories."""
    found = NodeNumbers()
    if node.evaluation is not None:
        found.refused += node.evaluation.refused
    if node.works and node.evaluation is not None:
        _measurements(run_dir, node, found)
        _reported(run_dir, node, found)
    _parameters(run_dir, node, found)
    if node.evaluation is not None:
        shared = {"kind": "score", "file": tree_file, "sha256": tree_sha256, "node_id": node.id}
        found.scores.append(
            Number.model_validate(
                {
                    **shared,
                    "name": f"{slug(node.id)}.score",
                    "value": node.composite,
                    "what": "composite score of its axes, 0 to 1",
                }
            )
        )
        for axis, name in zip(
            node.evaluation.axes, slugs([axis.axis for axis in node.evaluation.axes]).values(), strict=False
        ):
            found.scores.append(
                Number.model_validate(
                    {
                        **shared,
                        "name": f"{slug(node.id)}.axis.{name}",
                        "value": axis.score,
                        "key": axis.axis,
                        "what": f"score of the axis {axis.axis}, 0 to 1, by {axis.by}",
                    }
                )
            )
    return found


def provided_numbers(run_dir: Path, spec: MetricSpec) -> NodeNumbers:
    """What was measured of the goal's files, unmodified; nothing where nothing was."""
    found, record = NodeNumbers(), provided_record(run_dir, spec)
    metrics = record.metrics if record else ()
    for metric, name in zip(metrics, slugs([metric.name for metric in metrics]).values(), strict=True):
        sha256 = hashlib.sha256(read_below(run_dir, RECORD, _MOST)).hexdigest()
        number = measured_number(f"{PROVIDED}.{name}", metric, PROVIDED, sha256)
        found.measurements.append(number)
        found.by_metric[metric.name] = number
    return found


def record_of(run_dir: Path, node: Node) -> tuple[MeasuredRecord, str]:
    """measured.json of a node and its sha256."""
    name = f"nodes/{node.id}/measured.json"
    try:
        raw = read_below(run_dir, name, _MOST)
        return MeasuredRecord.model_validate_json(raw), hashlib.sha256(raw).hexdigest()
    except (Unopened, ValidationError) as error:
        raise StateError(
            f"the measurements of node {node.id} cannot be read",
            found=f"{name}: {' '.join(str(error).split())[:300]}",
            fix="restore the file; it is evidence",
        ) from None


def _measurements(run_dir: Path, node: Node, found: NodeNumbers) -> None:
    record, sha256 = record_of(run_dir, node)
    assert node.evaluation is not None
    if record.node_id != node.id:
        raise StateError(
            f"measured.json of node {node.id} is another node's",
            found=record.node_id,
            fix="restore the file; it is evidence",
        )
    for metric, name in zip(
        record.metrics, slugs([metric.name for metric in record.metrics]).values(), strict=True
    ):
        judged = node.evaluation.metric(metric.name)
        if judged is not None and (judged.value, judged.unit) != (metric.value, metric.unit):
            raise StateError(
                f"the tree and the record of node {node.id} differ in {metric.name!r}",
                found=f"{judged.value} {judged.unit} in the tree, {metric.value} {metric.unit} in measured.json",
                fix="restore both files from one run",
            )
        number = measured_number(f"{slug(node.id)}.{name}", metric, node.id, sha256)
        found.measurements.append(number)
        found.by_metric[metric.name] = number


def measured_number(name: str, metric: Measured, node_id: str, sha256: str) -> Number:
    """A metric of a node's record under that name."""
    of = "the files as provided, unmodified" if node_id == PROVIDED else f"node {node_id}"
    return Number(
        name=name,
        value=metric.value,
        uncertainty=metric.uncertainty,
        unit=metric.unit,
        kind="measured",
        what=f"{metric.name} of {of}, measured {metric.n} times"
        if metric.n > 1
        else f"{metric.name} of {of}",
        file=f"nodes/{node_id}/measured.json",
        sha256=sha256,
        node_id=node_id,
        key=metric.name,
        values=metric.values,
        n=metric.n,
    )


def _reported(run_dir: Path, node: Node, found: NodeNumbers) -> None:
    """Secondary numbers that an execution of the node wrote, still in the file as it was then."""
    assert node.evaluation is not None
    taken = {number.name for number in found.measurements}
    for claim in node.evaluation.claims:
        name = f"nodes/{node.id}/work/{claim.file}"
        try:
            sha256 = hashlib.sha256(read_below(run_dir, name, 64 << 20)).hexdigest()
        except Unopened as error:
            found.refused.append(f"{claim.name}: {claim.file} {error}")
            continue
        if sha256 != claim.sha256:
            found.refused.append(f"{claim.name}: {claim.file} changed after it was resolved")
            continue
        own = f"{slug(node.id)}.{slug(claim.name, {known.partition('.')[2] for known in taken})}"
        taken.add(own)
        found.reported.append(
            Number(
                name=own,
                value=claim.value,
                unit=claim.unit,
                kind="reported",
                file=name,
                sha256=sha256,
                node_id=node.id,
                key=claim.where,
                what=f"{claim.name}, as the node's own program wrote it",
            )
        )


def _parameters(run_dir: Path, node: Node, found: NodeNumbers) -> None:
    """Flat numbers of a parameters.json that the node left: what it says of its own program."""
    for file in _PARAMETERS:
        name = f"nodes/{node.id}/work/{file}"
        try:
            raw = read_below(run_dir, name, 64_000)
            values = json.loads(raw)
        except (Unopened, ValueError, RecursionError):
            continue
        if not isinstance(values, dict):
            continue
        numbers = {
            key: value
            for key, value in values.items()
            if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        }
        for key, part in list(slugs(list(numbers)).items())[:_MOST_PARAMETERS]:
            found.parameters.append(
                Number(
                    name=f"{slug(node.id)}.param.{part}",
                    value=numbers[key],
                    kind="parameter",
                    file=name,
                    sha256=hashlib.sha256(raw).hexdigest(),
                    node_id=node.id,
                    key=key,
                    what=f"parameter {key[:60]} as the node set it",
                )
            )
        return
