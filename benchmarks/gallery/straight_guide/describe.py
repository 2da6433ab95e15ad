from simkit.describe import *


def describe(p):
    core = Block(id="core", medium=Medium(epsilon=p.eps), y=(-p.width / 2, p.width / 2))
    scene = Waveguide(
        id="scene",
        dimensions="2D",
        bodies=(core,),
        background=vacuum(),
        wavelength=p.wavelength,
        polarization="Ez",
    )
    return Problem(scenes=(scene,), quantities=(EffectiveIndex(id="n", scene="scene", answers=("index",)),))
