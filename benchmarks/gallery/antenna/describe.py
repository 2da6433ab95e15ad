from simkit.describe import *


def describe(p):
    scene = Emitter(
        id="scene",
        dimensions="2D",
        background=vacuum(),
        position=(0, 0, 0),
        orientation="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(RadiationPattern(id="P", scene="scene", zero="x", towards="y", answers=("at",)),),
    )
