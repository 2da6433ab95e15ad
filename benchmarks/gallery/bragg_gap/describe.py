from simkit.describe import *


def describe(p):
    layer = Block(id="layer", medium=Medium(index=p.n), x=(-p.a / (1 + p.n) / 2, p.a / (1 + p.n) / 2))
    scene = Crystal(
        id="scene", lattice=Chain(period=p.a), bodies=(layer,), background=vacuum(), polarization="tm"
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            Gap(id="lower", scene="scene", above=1, what="lower_edge", answers=("lower",)),
            Gap(id="upper", scene="scene", above=1, what="upper_edge", answers=("upper",)),
        ),
    )
