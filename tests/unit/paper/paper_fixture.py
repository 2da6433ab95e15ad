"""A small run's science data, references and paper, as the paper's tests use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from schemas.explore.paper import SECTIONS, PaperSource, Section
from schemas.explore.reviewing import Scale, Venue
from schemas.explore.science_data import Configuration, Fact, Number, ScienceData, SummaryStats
from schemas.literature.found_works import Bibliography, Reference

SHA = "ab" * 32


def number(
    name: str, value: float, uncertainty: float | None = None, unit: str = "ms", **more: Any
) -> Number:
    node = more.pop("node_id", "n001")
    usual = {
        "kind": "measured",
        "what": "a time",
        "file": f"nodes/{node}/measured.json",
        "sha256": SHA,
        "node_id": node,
        "key": "time",
    }
    return Number(**{"name": name, "value": value, "uncertainty": uncertainty, "unit": unit, **usual, **more})


def science_data() -> ScienceData:
    found = tuple(
        Configuration(
            node_id=f"n00{rank}",
            rank=rank,
            label=label,
            against_parent=against,  # type: ignore[arg-type]
            direction="swap the loops",
            measurements=(number(f"n00{rank}.time", 8.0 + 4.1 * rank, 0.12, node_id=f"n00{rank}"),),
        )
        for rank, label, against in ((1, "improve", "better"), (2, "draft", ""), (3, "ablation", "worse"))
    )
    return ScienceData(
        goal_id="stencil",
        title="A faster stencil",
        question="Make the stencil on float64 data faster.",
        configurations=found,
        derived=(
            number("best.time", 12.1, 0.12),
            number("best.speedup", 3.2134, 0.05, "1", kind="derived", key=""),
        ),
        facts=(
            Fact(
                name="machine.cpu",
                text="Intel Xeon at 2.2 GHz & co_",
                what="processor",
                file="environment.json",
                sha256=SHA,
            ),
        ),
        summary_stats=SummaryStats(
            count=3,
            primary_metric="time",
            direction="lower",
            primary_metric_best=12.1,
            primary_metric_n=3,
            typed_split_coverage=1,
        ),
    )


def with_parameters() -> ScienceData:
    """The same; each node has a parameter that it set itself, and a number that its own program reported."""
    data = science_data()
    return data.model_copy(
        update={
            "configurations": tuple(
                found.model_copy(
                    update={
                        "parameters": (
                            number(
                                f"{found.node_id}.param.speedup",
                                37.0 + at,
                                unit="",
                                kind="parameter",
                                node_id=found.node_id,
                            ),
                        ),
                        "reported": (
                            number(
                                f"{found.node_id}.ratio",
                                5.0 + at,
                                unit="",
                                kind="reported",
                                node_id=found.node_id,
                            ),
                        ),
                    }
                )
                for at, found in enumerate(data.configurations)
            )
        }
    )


def bibliography() -> Bibliography:
    return Bibliography(
        references=(
            Reference(
                key="smith2020stencil",
                title=r"Cache {blocking} of 100% \input{/etc/passwd} $x_1$",
                year=2020,
                authors=("Ann Smith", "Łukasz Żak", "Research and Company"),
                venue="J. of HPC & friends",
                source="corpus",
                entry_type="article",
                doi="10.1000/abc_d",
            ),
            Reference(
                key="lee2019roofline",
                title="Roofline models",
                authors=("Bo Lee",),
                year=2019,
                source="corpus",
                url="https://example.org/a_b?c=d&e=f",
            ),
        )
    )


TEXT = (
    "A stencil moves more data than it computes [@smith2020stencil; @lee2019roofline]. *Blocking* makes it "
    "{{best.speedup}} times as fast on {{machine.cpu}}, at {{best.time}}; see [tab:results] and [sec:method]. It costs "
    '$O(n^2 \\log n)$ and calls `np.add_reduce`, with "quotes" & text: \\input{/etc/group} ~ ^ # { } < >.'
)


def source(venue: str = "plain") -> PaperSource:
    formula = "\n\n$$T(n) = \\alpha n^2 + \\frac{\\beta}{n_0}$$\n\n- one thing\n- another *thing*"
    return PaperSource(
        title="Blocking a stencil",
        venue=venue,
        sections=tuple(
            Section(name=name, text=TEXT + (formula if name == "method" else "")) for name in SECTIONS
        ),
    )


def venue(columns: int = 1) -> Venue:
    scales = tuple(
        Scale(name=name, asks="how good", lowest=1, highest=4, anchors={1: "poor", 4: "excellent"})
        for name in ("soundness", "clarity")
    )
    return Venue(
        venue="plain",
        title="Plain",
        kind="anything",
        columns=columns,
        scales=scales,  # type: ignore[arg-type]
        accept_at=0.7,
        borderline_at=0.5,
    )


def run_folder(folder: Path) -> Path:
    """A run's folder with the data and the references of a paper."""
    (folder / "science_data.json").write_text(science_data().model_dump_json())
    (folder / "related_refs.json").write_text(bibliography().model_dump_json())
    return folder
