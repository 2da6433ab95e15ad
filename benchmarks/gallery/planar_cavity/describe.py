from simkit.describe import *


def describe(p):
    half = p.thickness / 2
    scene = Emitter(
        id="scene",
        dimensions="3D",
        bodies=(
            Block(id="above", medium=PerfectConductor(), z=(half, inf)),
            Block(id="below", medium=PerfectConductor(), z=(-inf, -half)),
        ),
        background=Medium(index=p.n),
        position=(0, 0, 0),
        orientation="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(scenes=(scene,), quantities=(PurcellFactor(id="F", scene="scene", answers=("factor",)),))
