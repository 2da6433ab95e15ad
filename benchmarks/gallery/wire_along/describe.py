from simkit.describe import *


def describe(p):
    wire = Cylinder(id="wire", medium=Medium(index=p.n), radius=p.radius)
    scene = Scatterer(
        id="scene",
        dimensions="2D",
        bodies=(wire,),
        background=vacuum(),
        polarization="z",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    efficiency = CrossSection(
        id="Q", scene="scene", process="scattering", per=2 * p.radius, answers=("peak",)
    )
    return Problem(scenes=(scene,), quantities=(efficiency,))
