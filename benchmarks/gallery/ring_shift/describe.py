from simkit.describe import *


def describe(p):
    ring = Ring(id="ring", medium=Medium(index=p.n), inner=p.inner, outer=p.inner + p.width, filling=vacuum())
    scene = Resonator(
        id="scene",
        dimensions="2D",
        field="Ez",
        m=p.count("m"),
        bodies=(ring,),
        background=vacuum(),
        search=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    return Problem(
        scenes=(scene,),
        quantities=(ResonanceFrequency(id="f", scene="scene"),),
        sweeps=(
            Sweep(
                id="shift",
                of="f",
                parameter="inner",
                low=p.smallest,
                high=p.largest,
                answers=("slope",),
            ),
        ),
    )
