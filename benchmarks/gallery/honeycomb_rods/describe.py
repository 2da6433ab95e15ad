from simkit.describe import *


def describe(p):
    medium, place = Medium(epsilon=p.eps), p.bond / 2
    scene = Crystal(
        id="scene",
        lattice=Hexagonal(period=p.a),
        bodies=(
            Cylinder(id="right", medium=medium, center=(place, 0, 0), radius=p.radius),
            Cylinder(id="left", medium=medium, center=(-place, 0, 0), radius=p.radius),
        ),
        background=vacuum(),
        polarization="all",
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            Gap(id="lower", scene="scene", above=p.count("below"), what="lower_edge", answers=("lower",)),
            Gap(id="upper", scene="scene", above=p.count("below"), what="upper_edge", answers=("upper",)),
        ),
    )
