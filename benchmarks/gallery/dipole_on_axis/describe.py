from simkit.describe import *


def describe(p):
    scene = Emitter(
        id="scene",
        dimensions="3D",
        background=vacuum(),
        position=(0, 0, 0),
        orientation="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(RadiationPattern(id="P", scene="scene", zero="z", towards="x", answers=("at",)),),
    )
