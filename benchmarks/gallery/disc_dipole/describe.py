from simkit.describe import *


def describe(p):
    scene = Emitter(
        id="scene",
        dimensions="3D",
        bodies=(
            Block(id="mirror", medium=PerfectConductor(), z=(-inf, 0)),
            Cylinder(id="disc", medium=Medium(index=p.n), radius=p.radius, bounds=(0, p.thickness)),
        ),
        background=vacuum(),
        position=(0, 0, p.height * p.thickness),
        orientation="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(scenes=(scene,), quantities=(PurcellFactor(id="F", scene="scene", answers=("factor",)),))
