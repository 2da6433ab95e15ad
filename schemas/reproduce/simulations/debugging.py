"""What a debug run finds: the cell as the simulation built it, and the diagnostic summary of the specification."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from schemas.base import Model

Status = Literal["success", "failed", "not_run"]
Coordinate = float | None


class _Recorded(Model):
    """Something simkit wrote in the sandbox; fields this version does not know are passed over."""

    model_config = ConfigDict(extra="ignore")


class CellObject(_Recorded):
    """One object of the geometry: corners in um, None where it is unbounded."""

    kind: str = Field(max_length=60)
    low: tuple[Coordinate, Coordinate, Coordinate]
    high: tuple[Coordinate, Coordinate, Coordinate]
    material: str = Field("", max_length=120)
    radius: float | None = None
    height: float | None = None


class CellSource(_Recorded):
    """One source: place in um, frequency and width in c/um, spectrum as (frequency, relative power) pairs."""

    kind: str = Field(max_length=60)
    component: str = Field("", max_length=40)
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    frequency: float | None = None
    fwidth: float | None = None
    spectrum: tuple[tuple[float, float], ...] = Field((), max_length=2000)


class CellMonitor(_Recorded):
    """One region of a monitor: place in um, band in c/um."""

    name: str = Field(max_length=80)
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    frequencies: int = 0
    band: tuple[float, ...] = Field((), max_length=2)


class Cell(_Recorded):
    """The cell of one Meep run as Meep built it, lengths in `unit`. interior: axis -> (low, high) without absorbing layers.
    designed: bodies of a description with the lengths that it gives them."""

    label: str = Field(max_length=200)
    unit: str = Field("um", max_length=4)
    size: tuple[float, float, float] = (0, 0, 0)
    resolution: float = 0
    cylindrical: bool = False
    interior: dict[str, tuple[float, float]] = Field(default_factory=dict, max_length=3)
    object_count: int = 0
    objects: tuple[CellObject, ...] = Field((), max_length=500)
    sources: tuple[CellSource, ...] = Field((), max_length=500)
    monitors: tuple[CellMonitor, ...] = Field((), max_length=500)
    designed: tuple[tuple[str, tuple[float, ...]], ...] = Field((), max_length=2000)
    picture: str = Field("", max_length=120)
    fault: str = Field("", max_length=400)


class PaperLoading(Model):
    """Was the paper read?"""

    status: Status
    text_chars: int
    figures_found: int
    figures_loaded: int = Field(description="figures whose picture or data could be read")
    issues: tuple[str, ...] = ()


class MaterialDiagnosis(Model):
    """Are the materials there, and did stage 0 run?"""

    status: Status
    stage_id: str = ""
    materials_tested: tuple[str, ...] = ()
    simulation_ran: bool = False
    confirmed: bool = Field(
        False, description="a person, or a recorded or given answer, approved the materials"
    )
    output_files_created: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    remarks: tuple[str, ...] = Field((), description="fits, ranges, stability")


class StageDiagnosis(Model):
    """Did a minimal stage 1 run, and is there a resonance in what it saved?"""

    status: Status
    stage_id: str = ""
    simulation_ran: bool = False
    output_files_created: tuple[str, ...] = ()
    resonance_found: bool | None = Field(None, description="None: nothing was saved that could show one")
    resonance_wavelength_nm: float | None = None
    resolution: float | None = Field(None, description="pixels per um that were used")
    resolution_designed: float | None = Field(
        None, description="of a script; of a description the harness chooses"
    )
    described: bool = False
    issues: tuple[str, ...] = ()


class GeometryCheck(Model):
    """What the simulation built, against what the design says."""

    structures_created: int = 0
    structure_types: tuple[str, ...] = ()
    dimensions_match_design: bool | None = Field(None, description="None: nothing could be compared")
    notes: tuple[str, ...] = ()


class DebugPicture(Model):
    """One of the four pictures, or why it could not be had."""

    name: str
    made: bool
    why_not: str = ""


class DebugSummary(Model):
    """debug_summary.json. A diagnosis, never a reproduction."""

    paper_id: str
    run_id: str
    debug_run_timestamp: str
    total_runtime_seconds: float
    diagnostic: Literal[True] = True
    complete: bool = Field(description="the diagnosis came to its end")
    stop_reason: str = ""
    paper_loading: PaperLoading
    stage0_material_validation: MaterialDiagnosis
    stage1_minimal: StageDiagnosis
    geometry_check: GeometryCheck
    pictures: tuple[DebugPicture, ...] = ()
    recommendations: tuple[str, ...] = ()
