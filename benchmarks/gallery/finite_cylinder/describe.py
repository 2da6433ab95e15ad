from simkit.describe import *


def describe(p):
    half = p.height / 2
    scene = Scatterer(
        id="scene",
        dimensions="3D",
        bodies=(
            Cylinder(
                id="cylinder", medium=Medium(index=p.n), radius=p.radius, axis="x", bounds=(-half, half)
            ),
        ),
        background=vacuum(),
        direction="+x",
        polarization="z",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(CrossSection(id="C", scene="scene", process="scattering", answers=("area",)),),
    )
