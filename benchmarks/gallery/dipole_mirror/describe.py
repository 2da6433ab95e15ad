from simkit.describe import *


def describe(p):
    scene = Emitter(
        id="scene",
        dimensions="3D",
        bodies=(Block(id="slab", medium=Medium(index=p.n), z=(-inf, 0)),),
        background=vacuum(),
        position=(0, 0, p.height),
        orientation="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(scenes=(scene,), quantities=(PurcellFactor(id="F", scene="scene", answers=("factor",)),))
