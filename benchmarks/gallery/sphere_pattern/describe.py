from simkit.describe import *


def describe(p):
    scene = Scatterer(
        id="scene",
        dimensions="3D",
        bodies=(Sphere(id="sphere", medium=Medium(index=p.n), radius=p.radius),),
        background=vacuum(),
        polarization="z",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            FarField(id="F", scene="scene", towards="y", over="incident", answers=("forward", "side")),
        ),
    )
