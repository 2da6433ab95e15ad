from simkit.describe import *


def describe(p):
    rod = Cylinder(id="rod", medium=Medium(epsilon=p.eps), radius=p.radius)
    scene = Crystal(
        id="scene", lattice=Hexagonal(period=p.a), bodies=(rod,), background=vacuum(), polarization="tm"
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            Gap(id="lower", scene="scene", above=1, what="lower_edge", answers=("lower",)),
            Gap(id="upper", scene="scene", above=1, what="upper_edge", answers=("upper",)),
        ),
    )
