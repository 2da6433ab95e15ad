from simkit.describe import *


def describe(p):
    hole = Cylinder(id="hole", medium=vacuum(), radius=p.radius)
    scene = Crystal(
        id="scene",
        lattice=Hexagonal(period=p.a),
        bodies=(hole,),
        background=Medium(epsilon=p.eps),
        polarization="all",
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            Gap(id="lower", scene="scene", above=p.count("below"), what="lower_edge", answers=("lower",)),
            Gap(id="upper", scene="scene", above=p.count("below"), what="upper_edge", answers=("upper",)),
        ),
    )
