from simkit.describe import *


def describe(p):
    glass = Medium(
        epsilon=1, poles=(Pole(kind="lorentz", frequency=1 / p.line, damping=p.damping, strength=p.strength),)
    )
    scene = Scatterer(
        id="scene",
        dimensions="2D",
        bodies=(Cylinder(id="cylinder", medium=glass, radius=p.radius),),
        background=vacuum(),
        polarization="z",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(CrossSection(id="C", scene="scene", process="absorption", answers=("width",)),),
    )
