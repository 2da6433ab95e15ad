from simkit.describe import *


def describe(p):
    rod = Cylinder(id="rod", medium=Medium(index=p.n), radius=p.radius)
    scene = Scatterer(
        id="scene",
        dimensions="2D",
        bodies=(rod,),
        background=vacuum(),
        polarization="z",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(CrossSection(id="Q", scene="scene", process="scattering", per=2 * p.radius),),
    )
