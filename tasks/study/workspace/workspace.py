"""One study's folder: created, written, read, resumed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from schemas.base import Model
from schemas.errors import InputError, StateError
from schemas.reading.beneath import Unopened, read_below
from schemas.study.artifacts import Artifact, Manifest
from schemas.study.graph import PhaseNode
from schemas.study.pipeline import InputType, PhaseStatusFile, PipelineMode, PipelineState
from tasks.files.store import atomic_write, private_folder
from tasks.study.graph import Graph
from tasks.study.wording import notice
from tasks.study.workspace.artifact_checks import MAX_BYTES, checked
from tasks.study.workspace.file_steps import locked, twice
from tasks.study.workspace.mounts import Mounts, dependencies_of, mounts_of
from tasks.study.workspace.places import (
    ARTIFACTS,
    MANIFEST,
    PHASES,
    PIPELINE,
    STATUS,
    below,
    output_path,
    phase_of,
    skeleton,
    work_path,
)


class Workspace:
    """The folder of one project. Several processes may hold the same one; two projects share nothing.

    root: the folder. mode: who takes part, which never changes in a study.
    """

    def __init__(self, root: Path):
        """Open an existing workspace. Raises InputError if there is none."""
        self.root = root.absolute()
        state = self.load()
        if state is None:
            raise InputError(
                "there is no study in this folder", found=str(root), fix="start one, or name its folder"
            )
        self.project_id, self.mode = state.project_id, state.mode

    @classmethod
    def create(
        cls,
        base: Path,
        project_id: str,
        *,
        mode: PipelineMode,
        input_type: InputType,
        nodes: Iterable[PhaseNode] = (),
    ) -> Workspace:
        """A new workspace `base/project_id` with all folders. Raises InputError if the project exists or its name is odd."""
        now = datetime.now(UTC)
        try:
            state = PipelineState(
                project_id=project_id,
                mode=mode,
                input_type=input_type,
                created_at=now,
                updated_at=now,
                nodes=tuple(nodes),
            )
        except ValidationError:
            raise InputError(
                "the project's name does not fit",
                found=project_id[:100],
                allowed="small letters, digits, - and _, at most 60",
            ) from None
        root = private_folder(base) / project_id
        if (root / PIPELINE).exists():
            raise InputError(
                "the project exists already", found=str(root), fix="resume it, or give another name"
            )
        twice(
            lambda: _made([root / name for name in skeleton()]),
            "making the workspace",
        )
        manifest = Manifest(project_id=project_id, mode=mode)
        twice(
            lambda: atomic_write(root / ARTIFACTS / MANIFEST, manifest.model_dump_json(indent=1)),
            "writing manifest.json",
        )
        twice(lambda: atomic_write(root / PIPELINE, state.model_dump_json(indent=1)), "writing pipeline.json")
        return cls(root)

    def work_dir(self, node_id: str) -> Path:
        """The node's own folder."""
        return below(self.root, work_path(node_id))

    def output_dir(self, node_id: str) -> Path:
        """Where the node's results lie."""
        return below(self.root, output_path(node_id))

    def readable_paths(self, node: PhaseNode, nodes: Iterable[PhaseNode]) -> tuple[Path, ...]:
        """What the node may read beside its own folder: outputs of what it depends on, and input/."""
        return tuple(mounts_of(self.root, node, nodes).readonly)

    def mounts(self, node: PhaseNode, nodes: Iterable[PhaseNode]) -> Mounts:
        """The same as mounts of a sandbox."""
        return mounts_of(self.root, node, nodes)

    def manifest(self) -> Manifest:
        """Every artifact written so far. Raises StateError if the file is broken."""
        text = twice(lambda: (self.root / ARTIFACTS / MANIFEST).read_bytes(), "reading manifest.json")
        try:
            return Manifest.model_validate_json(text)
        except ValidationError as error:
            raise StateError("manifest.json does not fit", found=str(error.errors()[0]["msg"])) from None

    def write(self, artifact: Artifact, content: bytes | str | Model) -> Artifact:
        """Write an artifact and its line in the manifest, replacing an earlier one of the same node.

        With simulated participants the statement that says so is put in. Raises InputError if the content is not what
        its type says, StateError for another node's artifact or place.
        """
        if isinstance(content, Model):
            content = content.model_dump_json(indent=1)
        data = content.encode() if isinstance(content, str) else content
        path = below(self.root, artifact.path)
        places = [below(self.root, place(artifact.produced_by)) for place in (work_path, output_path)]
        if not any(path.is_relative_to(place) for place in places):
            raise StateError(
                f"{artifact.produced_by} may not write there",
                found=artifact.path,
                allowed=f"below {work_path(artifact.produced_by)}/",
            )
        checked(artifact, data)
        if self.mode is PipelineMode.SIMULATED:
            data = notice.stamped(artifact.format, data)
            checked(artifact, data)
        twice(lambda: atomic_write(path, data), f"writing {artifact.path}")
        written = artifact.model_copy(
            update={"created_at": datetime.now(UTC), "sha256": _sha256(data), "bytes": len(data)}
        )
        with locked(self.root):
            known = self.manifest()
            for other in known.artifacts:
                if other.id != artifact.id and other.path == artifact.path:
                    raise StateError("another artifact lies there", found=f"{artifact.path}: {other.id}")
                if other.id == artifact.id and other.produced_by != artifact.produced_by:
                    raise StateError(
                        "another node made this artifact", found=f"{artifact.id}: {other.produced_by}"
                    )
            rest = tuple(other for other in known.artifacts if other.id != artifact.id)
            text = known.model_copy(update={"artifacts": (*rest, written)}).model_dump_json(indent=1)
            twice(lambda: atomic_write(self.root / ARTIFACTS / MANIFEST, text), "writing manifest.json")
        return written

    def artifact(self, artifact_id: str) -> Artifact:
        """An artifact's line in the manifest. Raises StateError if it was not written."""
        found = next((item for item in self.manifest().artifacts if item.id == artifact_id), None)
        if found is None:
            raise StateError(
                "the artifact was not written yet",
                found=artifact_id,
                allowed=", ".join(item.id for item in self.manifest().artifacts) or "none so far",
            )
        return found

    def read_bytes(
        self, artifact_id: str, reader: PhaseNode | None = None, nodes: Iterable[PhaseNode] = ()
    ) -> bytes:
        """The bytes of an artifact, if they are those that were written and still fit their type.

        reader: the node for which it is read; it gets only what it depends on and its own. Raises StateError.
        """
        artifact = self.artifact(artifact_id)
        if reader is not None:
            own = work_path(artifact.produced_by) == work_path(reader.id)
            if not own and artifact.produced_by not in self._reachable(reader, nodes):
                raise StateError(
                    f"{reader.id} may not read {artifact_id}",
                    found=f"made by {artifact.produced_by}",
                    allowed="what it depends on",
                )
        try:
            data = twice(lambda: read_below(self.root, artifact.path, MAX_BYTES), f"reading {artifact.path}")
        except Unopened as error:
            raise StateError(
                f"the artifact {artifact_id} cannot be read", found=f"{artifact.path} {error}"
            ) from None
        if _sha256(data) != artifact.sha256:
            raise StateError(
                f"the artifact {artifact_id} was changed after it was written",
                found=artifact.path,
                fix=f"let {artifact.produced_by} run again, or put the file back",
            )
        checked(artifact, data)
        return data

    def read(
        self, artifact_id: str, reader: PhaseNode | None = None, nodes: Iterable[PhaseNode] = ()
    ) -> Model:
        """An artifact as its model. Raises StateError as `read_bytes`, and for a type that has none."""
        found = checked(self.artifact(artifact_id), self.read_bytes(artifact_id, reader, nodes))
        if found is None:
            raise StateError("this type of artifact has no model", found=artifact_id, fix="read its bytes")
        return found

    def take(self, artifact: Artifact, produced: str) -> Artifact:
        """Take over what a node's program wrote: the file `produced` in the node's folder, through no link."""
        try:
            data = read_below(self.work_dir(artifact.produced_by), produced, MAX_BYTES)
        except Unopened as error:
            raise InputError(
                f"{artifact.produced_by} did not write {produced}",
                found=f"it {error}",
                fix="write the file into its own folder",
            ) from None
        return self.write(artifact, data)

    def save(self, state: PipelineState) -> None:
        """Write pipeline.json and the phases' status.json; called after every node. The first is the truth.

        Each node has the ids of the artifacts that it made, and of those that it may read.
        """
        if (state.project_id, state.mode) != (self.project_id, self.mode):
            raise StateError(
                "the state is another study's",
                found=f"{state.project_id}, mode {state.mode}",
                allowed=f"{self.project_id}, mode {self.mode}",
            )
        known = self.manifest().artifacts
        state = state.model_copy(
            update={
                "updated_at": datetime.now(UTC),
                "artifacts": known,
                "nodes": with_artifacts(state.nodes, known),
            }
        )
        with locked(self.root):
            twice(
                lambda: atomic_write(self.root / PIPELINE, state.model_dump_json(indent=1)),
                "writing pipeline.json",
            )
            for status in _statuses(state):
                path = below(self.root, f"{PHASES}/{status.phase}/{STATUS}")
                twice(
                    partial(atomic_write, path, status.model_dump_json(indent=1)),
                    f"writing {path.name}",
                )

    def load(self) -> PipelineState | None:
        """The saved state; None for a folder without one. Raises InputError if pipeline.json is broken."""
        path = self.root / PIPELINE
        if not path.is_file():
            return None
        try:
            return PipelineState.model_validate_json(twice(path.read_bytes, "reading pipeline.json"))
        except ValidationError as error:
            raise InputError(
                "pipeline.json does not fit",
                found=str(error.errors()[0]["msg"])[:300],
                fix="put back the file as ReproLab wrote it",
            ) from None

    def resumed(self) -> tuple[PipelineState, Graph]:
        """State and graph to go on with: what ran when it was interrupted is pending, what was completed stays."""
        state = self.load()
        assert state is not None  # opening the workspace read it
        graph = Graph(state.nodes).resumed()
        return state.model_copy(update={"nodes": graph.nodes()}), graph

    def _reachable(self, reader: PhaseNode, nodes: Iterable[PhaseNode]) -> set[str]:
        """The nodes whose outputs a node may read: its dependencies, and of those that are parents the joining part."""
        nodes = tuple(nodes)
        names = set(dependencies_of(reader, nodes))
        return names | {
            item.id
            for item in nodes
            if item.parent in names and output_path(item.id) == output_path(str(item.parent))
        }


def with_artifacts(nodes: Sequence[PhaseNode], artifacts: Iterable[Artifact]) -> tuple[PhaseNode, ...]:
    """The nodes with the ids of what each made (a phase: what the part that joins it made), and of what each may read."""
    made: dict[str, list[str]] = {}
    for artifact in artifacts:
        made.setdefault(artifact.produced_by, []).append(artifact.id)
    known = {node.id: node for node in nodes}
    for node in nodes:
        if node.parent in known and output_path(node.id) == output_path(str(node.parent)):
            made.setdefault(str(node.parent), []).extend(made.get(node.id, ()))

    def given(node: PhaseNode) -> tuple[str, ...]:
        names, above = list(node.depends_on), node
        while above.parent in known:
            above = known[str(above.parent)]
            names += above.depends_on
        return tuple(item for name in dict.fromkeys(names) for item in made.get(name, ()))

    return tuple(
        node.model_copy(
            update={"output_artifacts": tuple(made.get(node.id, ())), "input_artifacts": given(node)}
        )
        for node in nodes
    )


def _made(folders: Iterable[Path]) -> None:
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)


def _statuses(state: PipelineState) -> list[PhaseStatusFile]:
    tops = [node for node in state.nodes if len(PurePosixPath(node.id).parts) == 1]
    return [
        PhaseStatusFile(
            phase=phase_of(node.id)[0],
            status=node.status,
            updated_at=state.updated_at,
            error=node.error,
            parts={item.id: item.status for item in state.nodes if item.id.startswith(node.id + "/")},
        )
        for node in tops
    ]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
