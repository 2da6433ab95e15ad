from simkit.describe import *


def describe(p):
    rod = Cylinder(id="rod", medium=Medium(epsilon=p.eps), radius=p.radius)
    scene = Crystal(
        id="scene", lattice=Square(period=p.a), bodies=(rod,), background=vacuum(), polarization="te"
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            BandFrequency(id="f1", scene="scene", band=1, k="X", answers=("first",)),
            BandFrequency(id="f2", scene="scene", band=2, k="M", answers=("second",)),
        ),
    )
