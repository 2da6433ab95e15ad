"""What the static checks see in generated code, and that sound code passes without a remark."""

from __future__ import annotations

import time

import pytest

from tasks.reproduce.lint import Finding, blocking, lint

pytestmark = pytest.mark.unit

GOOD = '''
"""Reflectance of a film."""
from __future__ import annotations
import meep as mp
import numpy as np
import simkit as sk
import matplotlib.pyplot as plt

run = sk.start()
for thickness_nm in (10, 20):
    result = sk.planewave_rt(run, layers=[("germanium", thickness_nm / 1000)], resolution=run.resolution(200))
    run.spectrum(f"R_{thickness_nm}nm", x=("wavelength", "wavelength", "nm", 1000 / result.frequencies),
                 y=[("R", "reflectance", "1", result.R)], targets={"R": f"fig2_R_{thickness_nm}nm"})
gold = run.medium("gold")
sim = mp.Simulation(cell_size=mp.Vector3(4, 4), resolution=run.resolution(40), boundary_layers=[mp.PML(1.0)])
sim.run(until_after_sources=sk.stop_when_decayed(mp.Ez, mp.Vector3(), by=1e-9))
harminv = mp.Harminv(mp.Ez, mp.Vector3(), 1.0, 0.1)
best = max(harminv.modes, key=lambda mode: mode.Q) if harminv.modes else None
figure, axes = plt.subplots()
figure.savefig("R.png")
run.finish()
'''
EXPECTED = ["fig2_R_10nm", "fig2_R_20nm"]
MATERIALS = ["gold", "germanium"]
NAMES = {
    "simkit": ["start", "planewave_rt", "stop_when_decayed"],
    "meep": ["Simulation", "Vector3", "PML", "Ez", "Harminv", "mpb"],
    "meep.mpb": ["ModeSolver"],
}


def found(addition: str, *, after: str = "run = sk.start()\n") -> list[Finding]:
    code = GOOD.replace(after, after + addition + "\n", 1)
    return lint(code, expected_targets=EXPECTED, known_materials=MATERIALS, known_names=NAMES)


def test_sound_code_passes_without_a_remark() -> None:
    assert found("") == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("def broken(:", "syntax"),
        ("import os", "process"),
        ("import requests", "import"),
        ("from . import helper", "import"),
        ("import subprocess as sp", "process"),
        ("import ctypes.util", "process"),
        ("import signal", "own-limits"),
        ("from resource import setrlimit", "own-limits"),
        ("run.params['time_limit_s'] = 1e9", "own-limits"),
        ("run.time_limit_s = 1e9", "own-limits"),
        ("mp.Simulation.run = print", "patching"),
        ("sk.start = None", "patching"),
        ("exec('x = 1')", "dynamic-code"),
        ("eval('1')", "dynamic-code"),
        ("__import__('os')", "dynamic-code"),
        ("plt.show()", "waits"),
        ("import matplotlib.pyplot\nmatplotlib.pyplot.show()", "waits"),
        ("input('go on?')", "waits"),
        ("breakpoint()", "waits"),
        ("import time\ntime.sleep(5)", "waits"),
        ("from time import sleep\nsleep(5)", "waits"),
        ("np.os.system('id')", "process"),
        ("open('/etc/passwd')", "path"),
        ("np.savetxt('../R.csv', [1])", "path"),
        ("plt.savefig(fname='~/R.png')", "path"),
        ("open('results.json', 'w')", "manifest"),
        ("np.load('x.npy', allow_pickle=True)", "pickle"),
        ("run.medium('golden')", "unknown-material"),
        ("while True:\n    pass", "endless"),
        ("mp.PML(0)", "pml"),
        ("sk.planewave_tr(run)", "unknown-name"),
        ("from meep import mpb\nmpb.Solver()", "unknown-name"),
        ("from meep import Hairminv", "unknown-name"),
    ],
)
def test_what_blocks(line: str, rule: str) -> None:
    findings = blocking(found(line))
    assert [item.rule for item in findings] == [rule], findings
    assert findings[0].fix
    assert findings[0].line > 0


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("from meep.materials import Au", "library-materials"),
        ("import meep.materials", "library-materials"),
        ("import warnings", "import"),
        ("sim0 = mp.Simulation(resolution=50)", "fixed-resolution"),
        ("grid = 50\nsim0 = mp.Simulation(resolution=grid)", "fixed-resolution"),
        ("r = sim0.get_eigenmode_coefficients(flux, [1]).alpha[0, 0, 1]", "backward-mode"),
    ],
)
def test_what_is_remarked(line: str, rule: str) -> None:
    findings = lint(
        GOOD.replace("run = sk.start()\n", "run = sk.start()\n" + line + "\n", 1),
        expected_targets=EXPECTED,
        known_materials=MATERIALS,
    )
    assert [(item.rule, item.severity) for item in findings] == [(rule, "warning")]


def test_forward_coefficients_and_scaled_grids_are_fine() -> None:
    assert (
        found("t = flux.alpha[0, 0, 0]\ngrid = run.resolution(50)\nsim0 = mp.Simulation(resolution=grid)")
        == []
    )


def test_modes_without_a_guard_and_fixed_stops_are_remarked() -> None:
    code = GOOD.replace(" if harminv.modes else None", "")
    assert [item.rule for item in lint(code, expected_targets=EXPECTED, known_materials=MATERIALS)] == [
        "empty-modes"
    ]
    code = GOOD.replace("until_after_sources=sk.stop_when_decayed(mp.Ez, mp.Vector3(), by=1e-9)", "until=200")
    assert [item.rule for item in lint(code, expected_targets=EXPECTED, known_materials=MATERIALS)] == [
        "fixed-stop"
    ]


def test_numbers_copied_from_the_paper_are_no_simulation() -> None:
    copied = "run.scalar('Q', values=[('Q', 'Q', '1', 77.3)], targets={'Q': 'tab1_Q'})\n"
    code = "import simkit as sk\nrun = sk.start()\n" + copied + "run.finish()\n"
    findings = lint(code, expected_targets=["tab1_Q"])
    assert [item.rule for item in findings] == ["nothing-simulated"]


def test_results_must_be_begun_and_finished() -> None:
    rules = {item.rule for item in lint("import meep as mp\nmp.Simulation()\n")}
    assert rules == {"never-started", "never-finished"}


@pytest.mark.parametrize(
    "text",
    ["'tab1_Q'", "f'tab{n}_Q'", "'tab{}_Q'.format(n)", "'tab%d_Q' % n", "'tab1_' + name", "'x, tab1_Q'"],
)
def test_targets_are_recognised_however_they_are_composed(text: str) -> None:
    assert "missing-target" not in {item.rule for item in lint(f"x = {text}", expected_targets=["tab1_Q"])}


@pytest.mark.parametrize(
    "text", ["'tab1_Q2'", "f'tab{n}_R'", "f'{n}'", "'tab2_' + name", "'fig{}_Q'.format(n)", "1\n'tab1_Q'"]
)
def test_a_target_nobody_answers_is_missing(text: str) -> None:
    findings = lint(f"x = {text}", expected_targets=["tab1_Q"])
    assert "missing-target" in {item.rule for item in findings}


def test_a_close_name_is_suggested() -> None:
    (finding,) = blocking(found("run.medium('germanum')"))
    assert "did you mean 'germanium'?" in finding.fix


@pytest.mark.parametrize(
    "code",
    [
        "x = '" + "a" * 500_000 + "'",
        "(" * 5000 + ")" * 5000,
        "x = \0",
        "x = f'" + "{a}b" * 3000 + "'",
        "\ud800",
        "a" + ".b" * 5000,
        "x = " + "-" * 5000 + "1",
    ],
)
def test_hostile_text_is_judged_quickly_and_never_raises(code: str) -> None:
    started = time.process_time()
    assert blocking(lint(code, expected_targets=["b" * 70 + "c"]))
    assert time.process_time() - started < 5
