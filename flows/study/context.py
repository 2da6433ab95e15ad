"""A study's live objects: what every run has, and the input, the workspace and the graph at work."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from flows.run import context as shared
from flows.run.context import ACTIVE
from schemas.base import Model
from schemas.study.artifacts import Artifact, ArtifactFormat, ArtifactType
from schemas.study.exclusion import Exclusions
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.inputs import InputAnswer, InputReport, TableProfile
from schemas.study.literature import Literature
from schemas.study.pipeline import InputType, PipelineMode
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import ResearchPlan
from schemas.study.settings import StudySettings
from schemas.study.state import StudyState
from schemas.study.statement import EXPLORATORY
from tasks.literature.of_run import SETTINGS
from tasks.study.graph import Graph
from tasks.study.participants.real_data import open_answers
from tasks.study.phases import latest, reopened
from tasks.study.results_file import labelled, reopened_warning
from tasks.study.workspace import Workspace

__all__ = ["ACTIVE", "Course", "Run", "active", "place"]


class Course:
    """The workspace with the graph at work: every change is in pipeline.json before anything follows from it. Branches of a
    run share it. report: of the input."""

    def __init__(self, space: Workspace, report: InputReport):
        self.space, self.report = space, report
        state, self.graph = space.resumed()
        self.input_type, self._lock = state.input_type, threading.RLock()

    def moved(self, graph: Graph, input_type: InputType | None = None) -> None:
        """Go on with another graph."""
        with self._lock:
            self.graph, self.input_type = graph, input_type or self.input_type
            state = self.space.load()
            assert state is not None
            self.space.save(state.model_copy(update={"nodes": graph.nodes(), "input_type": self.input_type}))


@dataclass(kw_only=True)
class Run(shared.Run):
    """A study. classified: what the classifier said of a text."""

    settings: StudySettings
    state: StudyState
    course: Course
    classified: InputAnswer | None = None

    @property
    def subject(self) -> tuple[str, str]:
        """The study."""
        return "study", self.state.study_id

    @property
    def space(self) -> Workspace:
        """The study's folder."""
        return self.course.space

    @property
    def report(self) -> InputReport:
        """What the input was found to be."""
        return self.course.report

    @property
    def simulated(self) -> bool:
        """Whether a language model stands in for participants."""
        return self.space.mode is PipelineMode.SIMULATED

    @property
    def domain(self) -> str:
        """The field of research, as the user or the classifier names it."""
        return self.settings.domain or (self.classified.domain if self.classified else "")

    @property
    def searches_literature(self) -> bool:
        """Whether the run began with a corpus or a catalogue to search; kept in its folder, resuming changes nothing."""
        return (self.run_dir / SETTINGS).is_file()

    @property
    def existing_data(self) -> bool:
        """Whether the input itself is data, not a question whose data were handed in after the design."""
        return bool(self.report.tables) and not self.report.text

    def open_answers(self, profile: TableProfile) -> tuple[str, ...]:
        """Columns of a table of real data whose texts stay in the data for coders: where the user allows that models
        read rows, and the study is not quantitative. Of a study that asked, those of its text items; of data that existed, those in
        which people wrote at length. No column that is marked as naming people in another way."""
        if self.simulated or not self.settings.allow_rows or self.settings.paradigm == "quantitative":
            return ()
        top = f"{self.top(PhaseType.DESIGN)}/questionnaire"
        if all(item.id != top for item in self.space.manifest().artifacts):
            return open_answers(profile)
        asked = self.space.read(top)
        assert isinstance(asked, Questionnaire)
        return open_answers(profile, {item.id for item in asked.items if item.kind == "text"})

    def reopened(self) -> tuple[str, ...]:
        """Phases that were decided again after results were known."""
        return reopened(self.course.graph.nodes())

    def rules_are_late(self) -> bool:
        """Whether the rules of exclusion, as they count now, were made when the data were known."""
        return self.existing_data or self.top(PhaseType.DESIGN) != PhaseType.DESIGN

    def exclusions(self) -> Exclusions | None:
        """Who was left out of the data as they count now; None before they are there, and in a workspace of before it was
        recorded."""
        name = f"{self.top(PhaseType.COLLECT)}/exclusions"
        if all(item.id != name for item in self.space.manifest().artifacts):
            return None
        found = self.space.read(name)
        assert isinstance(found, Exclusions)
        return found

    def exploratory_because(self) -> tuple[str, ...]:
        """Why no hypothesis is confirmatory, whatever an agent says; empty where some may be."""
        found, again = self.exclusions(), self.reopened()
        return tuple(
            why
            for why in (
                EXPLORATORY if self.simulated else "",
                reopened_warning(again) if again else "",
                found.decided_late if found else "",
            )
            if why
        )

    def plan(self) -> ResearchPlan:
        """The plan as it counts now; exploratory where something speaks against confirmation."""
        found = self.read(PhaseType.SCOPE, "research_plan")
        assert isinstance(found, ResearchPlan)
        return labelled(found, self.exploratory_because())

    def literature(self) -> Literature | None:
        """What was found in the literature, as it counts now; None where none is searched."""
        if not self.searches_literature:
            return None
        found = self.read(PhaseType.SCOPE, "literature")
        assert isinstance(found, Literature)
        return found

    def top(self, kind: PhaseType) -> str:
        """The phase as it counts now: its name, with the number of its last revision."""
        return latest(self.course.graph.nodes(), kind).id

    def read(self, kind: PhaseType, name: str, reader: PhaseNode | None = None) -> Model:
        """An artifact of the phase as it counts now. reader: the node that may see only what it depends on."""
        return self.space.read(
            f"{self.top(kind)}/{name}", reader, self.course.graph.nodes() if reader else ()
        )

    def read_bytes(self, kind: PhaseType, name: str) -> bytes:
        """The bytes of one."""
        return self.space.read_bytes(f"{self.top(kind)}/{name}")

    def write(
        self,
        node: PhaseNode,
        name: str,
        kind: ArtifactType,
        path: str,
        content: bytes | str | Model,
        caption: str = "",
    ) -> Artifact:
        """Write what a node made. name: of the artifact below the phase or part; path: in the workspace."""
        return self.space.write(
            Artifact(
                id=name,
                type=kind,
                format=ArtifactFormat(path.rsplit(".", 1)[1]),
                path=path,
                produced_by=node.id,
                caption=caption,
            ),
            content,
        )


def place(node: PhaseNode) -> str:
    """A node's name as requests, files and questions hold it."""
    return node.id.replace("/", "-")


def parts(names: Iterable[str]) -> str:
    """Names in a line, not without end."""
    listed = list(names)
    return ", ".join(listed[:8]) + (f" and {len(listed) - 8} more" if listed[8:] else "")


def active(run_id: str) -> Run:
    """The run, or branch of a run, of that handle in this process."""
    return cast(Run, shared.active(run_id))
