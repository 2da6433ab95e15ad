from simkit.describe import *


def describe(p):
    rod = Cylinder(id="rod", medium=Medium(epsilon=p.eps), radius=p.radius)
    scene = Crystal(
        id="scene", lattice=Hexagonal(period=p.a), bodies=(rod,), background=vacuum(), polarization="tm"
    )
    return Problem(
        scenes=(scene,),
        quantities=(Gap(id="gap", scene="scene", above=1, what="ratio"),),
        sweeps=(
            Sweep(
                id="gaps",
                of="gap",
                parameter="radius",
                low=p.smallest,
                high=p.largest,
                answers=("radius", "gap"),
            ),
        ),
    )
