"""A paper nobody recorded (a quarter-wave antireflection coating) and a model that gets things wrong first.

Answers are derived from what each request says: who is asked, and what the feedback in the request contains.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

INDEX, GLASS, DESIGN_UM = 1.38, 1.52, 0.55
EXACT_R = (
    (GLASS - INDEX**2) / (GLASS + INDEX**2)
) ** 2  # 1.2601 %; Born and Wolf, Principles of Optics, sec. 1.6

TEXT = """# A quarter-wave coating of magnesium fluoride on glass

## Abstract
A single film of refractive index 1.38 and a quarter of the design wavelength thick reduces the reflectance of glass
of refractive index 1.52 from 4.3 % to about a third of that. We give the spectrum between 450 nm and 700 nm.

## Methods
The film has the optical thickness of a quarter of 550 nm; its thickness is 99.6 nm. Light comes from air at normal
incidence. All media are lossless and without dispersion. The spectrum was computed with the characteristic matrix.

## Results
At the design wavelength of 550 nm the reflectance is 1.26 %. It rises to both sides (figure 1). There is no absorption,
so that reflectance and transmittance add up to one at every wavelength.
"""


def exact(wavelength_um: np.ndarray) -> np.ndarray:
    """Reflectance of the coated glass at normal incidence, shape of the input (characteristic matrix)."""
    phase = 2 * np.pi * INDEX * (DESIGN_UM / 4 / INDEX) / wavelength_um
    r1, r2 = (1 - INDEX) / (1 + INDEX), (INDEX - GLASS) / (INDEX + GLASS)
    r = (r1 + r2 * np.exp(2j * phase)) / (1 + r1 * r2 * np.exp(2j * phase))
    return np.abs(r) ** 2


def write_paper(folder: Path) -> Path:
    """The paper's folder as a user would make it."""
    (folder / "data").mkdir(parents=True)
    wavelength = np.linspace(0.45, 0.70, 101)
    rows = "\n".join(f"{1000 * x:.1f},{y:.8f}" for x, y in zip(wavelength, exact(wavelength), strict=True))
    (folder / "data" / "fig1.csv").write_text("wavelength_nm,R\n" + rows + "\n")
    (folder / "paper.md").write_text(TEXT)
    (folder / "paper.json").write_text(
        json.dumps(
            {
                "paper_id": "coating",
                "title": "A quarter-wave coating of magnesium fluoride on glass",
                "citation": "M. Born, E. Wolf, Principles of Optics, section 1.6 (Cambridge University Press)",
                "domain": "thin_films",
                "figures": [
                    {
                        "figure_id": "fig1",
                        "caption": "Reflectance of the coated glass against wavelength.",
                        "data": [
                            {
                                "file": "data/fig1.csv",
                                "origin": "computed_from_exact_theory",
                                "source": "characteristic matrix of one film",
                            }
                        ],
                    }
                ],
            }
        )
    )
    return folder


PLAN: dict[str, Any] = {
    "plan": {
        "title": "Antireflection coating",
        "summary": "Check the media, then the coated glass.",
        "main_claim": "The coating lowers the reflectance at 550 nm to 1.26 %.",
        "not_reproducible": ["text: the 4.3 % of bare glass would take a run of its own"],
        "materials": [
            {
                "name": "glass",
                "index": GLASS,
                "band_um": [0.45, 0.70],
                "reason": "stated",
                "source": "index 1.52",
            },
            {
                "name": "film",
                "index": INDEX,
                "band_um": [0.45, 0.70],
                "reason": "stated",
                "source": "index 1.38",
            },
        ],
        "stages": [
            {
                "stage_id": "stage0_materials",
                "stage_type": "MATERIAL_VALIDATION",
                "name": "Materials",
                "description": "Bare surfaces, by code.",
                "materials": ["glass", "film"],
            },
            {
                "stage_id": "stage1_coating",
                "stage_type": "SINGLE_STRUCTURE",
                "name": "Coated glass",
                "description": "The film on glass, light from air at normal incidence, over the band of the figure.",
                "dependencies": ["stage0_materials"],
                "materials": ["glass", "film"],
                "expected_balance": "lossless",
                "estimated_runtime_s": 10,
                "targets": [
                    {
                        "target_id": "R_550",
                        "figure_id": "fig1",
                        "kind": "scalar",
                        "quantity": "scalar",
                        "description": "reflectance at 550 nm in percent",
                        "unit": "%",
                        "reference": {
                            "kind": "quotation",
                            "value": 1.26,
                            "place": "Results",
                            "quotation": "At the design wavelength of 550 nm the reflectance is 1.26 %.",
                        },
                    },
                    {
                        "target_id": "R_curve",
                        "figure_id": "fig1",
                        "kind": "curve",
                        "quantity": "curve",
                        "x_unit": "nm",
                        "description": "reflectance spectrum",
                        "reference": {
                            "kind": "data",
                            "file": "data/fig1.csv",
                            "x_column": "wavelength_nm",
                            "y_column": "R",
                        },
                    },
                ],
            },
        ],
    },
    "extracted_parameters": [
        {
            "name": "design_wavelength",
            "value": "550",
            "unit": "nm",
            "role": "input",
            "quotation": "a quarter of 550 nm",
            "place": "Methods",
        },
        {
            "name": "R_550",
            "value": "1.26",
            "unit": "%",
            "role": "result",
            "quotation": "the reflectance is 1.26 %",
            "place": "Results",
        },
    ],
    "assumptions": [
        {
            "assumption_id": "A1",
            "category": "geometry",
            "parameter": "glass thickness",
            "value": "infinite",
            "source": "convention",
            "reason": "a half-space",
            "sensitivity": "low",
        }
    ],
}


# A cheap stage for tests that want one more, or nothing but one.
BARE_STAGE: dict[str, Any] = {
    "stage_id": "stage1_bare",
    "stage_type": "SINGLE_STRUCTURE",
    "name": "Bare glass",
    "description": "Reflectance of a half-space of glass in air, normal incidence, over the band of the figure.",
    "dependencies": ["stage0_materials"],
    "materials": ["glass"],
    "expected_balance": "lossless",
    "estimated_runtime_s": 5,
    "targets": [
        {
            "target_id": "glass_bare",
            "figure_id": "text",
            "kind": "scalar",
            "quantity": "scalar",
            "unit": "%",
            "description": "reflectance of bare glass at 550 nm in percent",
            "reference": {
                "kind": "quotation",
                "value": 4.3,
                "place": "Abstract",
                "quotation": "reduces the reflectance of glass of refractive index 1.52 from 4.3 %",
            },
        }
    ],
}


def design(stage: str, scales: list[float], outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """A complete design of a stage."""
    return {
        "design": {
            "stage_id": stage,
            "summary": "1D, normal incidence, planewave_rt",
            "dimensions": "1D",
            "length_unit": "1 um",
            "geometry": [
                "film 0.0996 um on a half-space of glass" if "coating" in stage else "half-space of glass"
            ],
            "materials": ["glass", "film"] if "coating" in stage else ["glass"],
            "sources": ["pulse, 0.45 to 0.70 um, from air"],
            "boundaries": ["PML at both ends"],
            "monitors": ["flux before and behind"],
            "resolution": 200,
            "resolution_reason": "90 pixels per wavelength in glass",
            "convergence_scales": scales,
            "stop": "fields decayed to 1e-9",
            "outputs": outputs,
            "estimated_cpu_s": 3,
        }
    }


BARE_OUT = [
    {
        "dataset_id": "glass",
        "kind": "spectrum",
        "columns": ["wavelength (wavelength, nm)", "R (reflectance, 1)"],
    },
    {
        "dataset_id": "r_glass",
        "kind": "scalar",
        "columns": ["R_percent (reflectance, %)"],
        "targets": ["glass_bare"],
    },
]
STAGE1_OUT = [
    {
        "dataset_id": "curve",
        "kind": "spectrum",
        "columns": ["wavelength (wavelength, nm)", "R (reflectance, 1)"],
        "targets": ["R_curve"],
    },
    {"dataset_id": "r550", "kind": "scalar", "columns": ["R_percent (reflectance, %)"], "targets": ["R_550"]},
]

BARE_CODE = """import numpy as np
import simkit as sk
run = sk.start()
run.expect(runs=2)
r = sk.planewave_rt(run, [], substrate="glass", band_um=(0.45, 0.70), nfreq=41, resolution=run.resolution(200))
run.spectrum("glass", ("wavelength", "wavelength", "nm", r.wavelength_nm[::-1]),
             [("R", "reflectance", "1", r.R[::-1]), ("T", "transmittance", "1", r.T[::-1])], description="bare glass")
at_550 = 100 * float(np.interp(550.0, r.wavelength_nm[::-1], r.R[::-1]))
run.scalar("r_glass", [("R_percent", "reflectance", "%", at_550)], targets={"R_percent": "glass_bare"})
run.finish()
"""
STAGE1_CODE = """import numpy as np
import simkit as sk
run = sk.start()
run.expect(runs=2)
r = sk.planewave_rt(run, [("film", 0.55 / 4 / 1.38)], substrate="glass", band_um=(0.45, 0.70), nfreq=101,
                    resolution=run.resolution(200))
x, R, T = r.wavelength_nm[::-1], r.R[::-1], r.T[::-1]
run.spectrum("curve", ("wavelength", "wavelength", "nm", x), [("R", "reflectance", "1", R), ("T", "transmittance", "1", T)],
             targets={"R": "R_curve"}, description="coated glass")
run.scalar("r550", [("R_percent", "reflectance", "%", 100 * float(np.interp(550.0, x, R)))], targets={"R_percent": "R_550"})
run.finish()
"""
# The first code: a name misremembered, found only when it runs (photonics notes, first mistakes).
BROKEN_CODE = STAGE1_CODE.replace("r.wavelength_nm[::-1], r.R", "r.wavelengths_nm[::-1], r.R")
APPROVE = {"verdict": "approve", "issues": [], "checklist": ["all points checked"], "feedback": ""}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer of a model that reads the request; wrong at first in design, code and analysis."""
    text = json.dumps(request)
    label = text.split("Request: ", 1)[1].split("\\n", 1)[0].split('"', 1)[0].strip()
    agent, stage = label.split(".")[:2]
    coated = stage == "stage1_coating"
    if agent == "prompt_adaptor":
        return {"domain": "thin_films", "materials": ["glass"], "techniques": ["FDTD"], "adaptations": []}
    if agent == "planner":
        return PLAN
    if agent == "simulation_designer":
        outputs = STAGE1_OUT if coated else BARE_OUT
        if coated and "# reviewer_feedback" not in text:
            return design(stage, [0.5, 1.0], outputs[:1])  # forgets a dataset: code finds it
        return design(stage, [0.5, 1.0], outputs)
    if agent == "code_generator":
        if coated and "did not run correctly" not in text:
            return {"code": BROKEN_CODE, "expected_outputs": ["curve.csv"], "explanation": "first version"}
        return {
            "code": STAGE1_CODE if coated else BARE_CODE,
            "explanation": "follows",
            "expected_outputs": ["curve.csv", "r550.csv"] if coated else ["glass.csv", "r_glass.csv"],
        }
    if agent == "execution_validator":
        return {"verdict": "pass", "recoverable": True, "issues": [], "advice": ""}
    if agent == "physics_sanity":
        return {"verdict": "pass", "issues": [], "advice": ""}
    if agent == "results_analyzer":
        targets = ["R_550", "R_curve"] if coated else ["glass_bare"]
        if coated and "# reviewer_feedback" not in text:
            targets = targets[:1]  # forgets a target: the comparison check finds it
        return {
            "reports": [
                {"target_id": name, "classification": "SUCCESS", "explanation": "agrees with the paper"}
                for name in targets
            ],
            "discrepancies": [],
            "summary": "agrees",
        }
    if agent == "comparison_validator":
        return {"verdict": "approve", "issues": [], "feedback": ""}
    if agent == "supervisor":
        if stage == "report":
            return {
                "executive_summary": "The coating was reproduced.",
                "key_findings": ["reflectance at 550 nm"],
                "systematic_discrepancies": [],
                "final_statement": "Reproduced.",
            }
        return {"verdict": "ok_continue", "feedback": "", "assessment": "on course"}
    return APPROVE
