from simkit.describe import *


def describe(p):
    scene = Emitter(
        id="scene",
        dimensions="2D",
        bodies=(Block(id="ground", medium=PerfectConductor(), y=(-inf, 0)),),
        background=Medium(index=p.n),
        position=(0, p.height, 0),
        orientation="z",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            RadiationPattern(id="P", scene="scene", zero="y", towards="x", answers=("at20", "at35")),
        ),
    )
