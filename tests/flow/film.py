"""A paper that states its materials (a Sellmeier equation, a table handed in) and shows one figure without numbers.

The model goes wrong where only a person can say how to go on, once each: a run and a physics check of unknown cause.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tests.flow import coating
from tests.messages_server import label_of

WORDS = "a Sellmeier equation with one term of strength 1.28 and resonance 100 nm"
STAGE0, STAGE1 = "stage0_materials", "stage1_glass"


def exact(wavelength_um: np.ndarray | float) -> np.ndarray:
    """Reflectance of the bare glass at normal incidence (Sellmeier, Fresnel)."""
    n = np.sqrt(1 + 1.28 * np.square(wavelength_um) / (np.square(wavelength_um) - 0.1**2))
    return np.square((n - 1) / (n + 1))


PERCENT = round(100 * float(exact(0.55)), 2)
TEXT = f"""# Bare glass and a dye

## Abstract
We show how glass and a dye reflect light between 450 nm and 700 nm, without any coating on either of them.

## Methods
The glass obeys {WORDS}. The dye was measured by ellipsometry and is tabulated in the supplement. Light comes from air.

## Results
Figure 2 shows the spectrum of the bare glass, which falls towards long wavelengths. At 550 nm it reflects {PERCENT:.2f} %.
"""


def write_paper(folder: Path) -> Path:
    """The paper's folder: text, a table of n and k, and a picture without numbers."""
    (folder / "data").mkdir(parents=True)
    rows = [
        f"{x:g},{2.0 - 0.0003 * (x - 400):.5f},{0.4 + 0.0002 * (x - 400):.5f}" for x in range(400, 801, 10)
    ]
    (folder / "data" / "dye.csv").write_text("\n".join(["wavelength_nm,n,k", *rows]) + "\n")
    x = np.linspace(0.45, 0.70, 60)
    figure = Figure(figsize=(3, 2))
    figure.subplots().plot(1000 * x, exact(x))
    figure.savefig(folder / "fig2.png")
    (folder / "paper.md").write_text(TEXT)
    (folder / "paper.json").write_text(
        json.dumps(
            {
                "paper_id": "film",
                "title": "Bare glass and a dye",
                "citation": "nobody, nowhere (2020)",
                "domain": "thin_films",
                "figures": [
                    {"figure_id": "fig2", "caption": "Reflectance of the bare glass.", "image": "fig2.png"}
                ],
                "materials": [{"name": "dye", "file": "data/dye.csv", "source": "supplement, table S1"}],
            }
        )
    )
    return folder


def _number(name: str, value: float, unit: str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "quotation": WORDS}


PLAN: dict[str, Any] = {
    "plan": {
        "title": "Bare glass",
        "summary": "Check the media, then look at the glass.",
        "main_claim": f"Glass reflects {PERCENT} %.",
        "materials": [
            {
                "name": "glass",
                "band_um": [0.45, 0.70],
                "reason": "stated",
                "source": WORDS,
                "terms": [
                    {
                        "kind": "sellmeier",
                        "numbers": [_number("strength", 1.28, "1"), _number("resonance", 100, "nm")],
                    }
                ],
            },
            {
                "name": "dye",
                "table": "data/dye.csv",
                "band_um": [0.45, 0.70],
                "reason": "handed in",
                "source": "supplement",
            },
        ],
        "stages": [
            {
                "stage_id": STAGE0,
                "stage_type": "MATERIAL_VALIDATION",
                "name": "Bare media",
                "materials": ["glass", "dye"],
                "description": "Bare surfaces, by code.",
            },
            {
                "stage_id": STAGE1,
                "stage_type": "SINGLE_STRUCTURE",
                "name": "Glass",
                "materials": ["glass"],
                "description": "Reflectance of glass in air, over the band of the figure.",
                "dependencies": [STAGE0],
                "estimated_runtime_s": 5,
                "targets": [
                    {
                        "target_id": "fig2_look",
                        "figure_id": "fig2",
                        "kind": "image",
                        "quantity": "curve",
                        "description": "spectrum of the bare glass",
                        "reference": {"kind": "image"},
                        "looks": [
                            {"name": "fall", "kind": "trend", "expected": "falls towards long wavelengths"}
                        ],
                    },
                    {
                        "target_id": "R_550",
                        "figure_id": "text",
                        "kind": "scalar",
                        "quantity": "scalar",
                        "unit": "%",
                        "description": "reflectance of the glass in percent",
                        "reference": {
                            "kind": "quotation",
                            "value": PERCENT,
                            "place": "Results",
                            "quotation": f"At 550 nm it reflects {PERCENT:.2f} %.",
                        },
                    },
                ],
            },
        ],
    },
    "extracted_parameters": [],
    "assumptions": [],
}

STAGE1_CODE = """import numpy as np
import simkit as sk
run = sk.start()
run.expect(runs=2)
r = sk.planewave_rt(run, [], substrate="glass", band_um=(0.45, 0.70), nfreq=31, resolution=run.resolution(200))
x, R = r.wavelength_nm[::-1], r.R[::-1]
run.spectrum("curve", ("wavelength", "wavelength", "nm", x), [("R", "reflectance", "1", R)], targets={"R": "fig2_look"},
             description="bare glass")
run.scalar("r550", [("R_percent", "reflectance", "%", 100 * float(np.interp(550.0, x, R)))], targets={"R_percent": "R_550"})
run.finish()
"""
SPECTRUM = ["wavelength (wavelength, nm)", "R (reflectance, 1)"]
LOOKS = [{"target_id": "fig2_look", "looks": [{"name": "fall", "verdict": "agree", "reason": "both fall"}]}]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer of a model."""
    label = label_of(request)
    agent, stage, attempt, number = label.split(".")[:4]
    if agent == "planner":
        return PLAN
    found = _judged(agent, stage, attempt, number) or coating.answer(request)
    if agent == "simulation_designer":
        found = coating.design(
            stage,
            [0.5, 1.0],
            [
                {"dataset_id": "curve", "kind": "spectrum", "columns": SPECTRUM, "targets": ["fig2_look"]},
                {
                    "dataset_id": "r550",
                    "kind": "scalar",
                    "columns": ["R_percent (reflectance, %)"],
                    "targets": ["R_550"],
                },
            ],
        )
        found["design"] |= {"materials": ["glass"], "geometry": ["half-space"], "resolution": 200}
    if agent == "code_generator":
        found = {"code": STAGE1_CODE, "expected_outputs": [], "explanation": "follows"}
    return found


def _judged(agent: str, stage: str, attempt: str, number: str) -> dict[str, Any] | None:
    """Judgements: of the second stage a run and a physics check of unknown cause, then a supervisor that asks."""
    if stage != STAGE1:
        return None
    if agent == "execution_validator" and (attempt, number) == ("1", "1"):
        return {
            "verdict": "fail",
            "recoverable": False,
            "issues": [],
            "advice": "the pulse is strange, nobody knows why",
        }
    if agent == "physics_sanity" and (attempt, number) == ("1", "1"):
        return {"verdict": "fail", "cause_known": False, "issues": [], "advice": "R is odd, nobody knows why"}
    if agent == "results_analyzer":
        return _analysis(["R_550"]) | {"visual_reports": LOOKS}
    if agent == "comparison_validator":
        return {"verdict": "approve", "issues": [], "feedback": "", "visual_reports": LOOKS}
    if agent == "supervisor" and attempt == "1":
        return {
            "verdict": "ask_user",
            "feedback": "is it enough?",
            "question": "Is it enough?",
            "assessment": "good",
        }
    return None


def _analysis(names: list[str]) -> dict[str, Any]:
    return {
        "reports": [
            {"target_id": name, "classification": "SUCCESS", "explanation": "compared"} for name in names
        ],
        "discrepancies": [],
        "summary": "compared",
    }
