from simkit.describe import *


def describe(p):
    ring = Ring(id="ring", medium=Medium(index=p.n), inner=p.inner, outer=p.outer, filling=vacuum())
    scene = Resonator(
        id="scene",
        dimensions="2D",
        field="Ez",
        bodies=(ring,),
        background=vacuum(),
        search=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            QualityFactor(id="Q", scene="scene", answers=("q",)),
            ResonanceFrequency(id="f", scene="scene", answers=("f",)),
        ),
    )
