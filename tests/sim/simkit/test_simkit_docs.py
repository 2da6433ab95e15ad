"""Every Python fragment of docs/reference/simkit.md runs: prompts quote them to models."""

from __future__ import annotations

import re

import pytest

from tests.sim.simkit.simkit_script import ROOT, need_meep, run_script

pytestmark = pytest.mark.sim

TEXT = (ROOT / "docs/reference/simkit.md").read_text()
FRAGMENTS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)

# What a fragment takes from the script around it, by a word that only this fragment holds.
CONTEXT = {
    "planewave_rt": "",
    "EigenModeSource": """
f0, df = 0.65, 0.1
guide = [mp.Block(size=mp.Vector3(mp.inf, 0.5, mp.inf), material=mp.Medium(index=2))]
device = [mp.Block(size=mp.Vector3(0.4, 0.5, mp.inf))]
""",
    "run, build, mp.Hz": """
res, f0, df, cell = 10, 0.2345, 0.05, mp.Vector3(12.4, 10)
geometry = [mp.Block(size=mp.Vector3(mp.inf, 1.2, mp.inf), material=mp.Medium(epsilon=13))]
geometry += [mp.Cylinder(0.36, center=mp.Vector3(s * (0.7 + i))) for i in range(3) for s in (-1, 1)]
""",
    "ModeSolver": """
rods = [mp.Cylinder(0.2, material=mp.Medium(epsilon=8.9))]
ks = [mp.Vector3(0.5), mp.Vector3(0.5, 0.5)]
""",
}


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


def test_the_document_fits_a_prompt_and_has_known_fragments():
    assert len(TEXT.encode()) < 12_000
    assert len(FRAGMENTS) == len(CONTEXT)


@pytest.mark.parametrize("word", CONTEXT)
def test_fragment_runs_and_saves_a_dataset(tmp_path, word):
    [fragment] = [f for f in FRAGMENTS if word in f]
    fragment = fragment.replace("run = sk.start()", "run = run")
    end = "" if "run.finish()" in fragment else "\nrun.finish()\n"
    if "T = flux[1]" in fragment:
        end = (
            '\nrun.scalar("T", [("T", "transmittance", "1", float(T[50]))])\nassert 0.2 < T[50] < 1.01\n'
            + end
        )
    done = run_script(tmp_path, CONTEXT[word] + fragment + end, {"resolution_scale": 0.5})
    assert done.code == 0, done.stderr
    assert done.manifest["complete"] and done.manifest["simulations"] and done.manifest["datasets"]
    if "ModeSolver" in word:
        assert done.table("tm")["band_1"][1] == pytest.approx(0.3224, rel=0.01)
