from simkit.describe import *


def describe(p):
    half, off = p.a / 2, p.a / 2 / 2 / 2
    medium = Medium(epsilon=p.eps)
    scene = Crystal(
        id="scene",
        lattice=Vectors(vectors=((0, half, half), (half, 0, half), (half, half, 0))),
        bodies=(
            Sphere(id="first", medium=medium, center=(off, off, off), radius=p.radius),
            Sphere(id="second", medium=medium, center=(-off, -off, -off), radius=p.radius),
        ),
        background=vacuum(),
        polarization="all",
        path=(
            (0, 1 / 2, 1 / 2),
            (0, p.u, 1 - p.u),
            (0, 1 / 2, 0),
            (0, 0, 0),
            (0, 1 / 2, 1 / 2),
            (p.w, 1 - p.w, 1 / 2),
            (p.k, 2 * p.k, p.k),
        ),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            Gap(id="lower", scene="scene", above=2, what="lower_edge", answers=("lower",)),
            Gap(id="upper", scene="scene", above=2, what="upper_edge", answers=("upper",)),
        ),
    )
