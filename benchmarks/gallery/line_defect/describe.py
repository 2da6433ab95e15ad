from simkit.describe import *


def describe(p):
    medium, a = Medium(epsilon=p.eps), p.a
    across = (sin(p.corner) * a, -cos(p.corner) * a, 0)
    above = Cylinder(id="above", medium=medium, center=across, radius=p.radius)
    below = Cylinder(id="below", medium=medium, center=(-across[0], -across[1], 0), radius=p.radius)
    rows = 2 * p.rows + 1
    scene = Crystal(
        id="scene",
        lattice=Vectors(vectors=((across[0], -across[1], 0), (rows * across[0], rows * across[1], 0))),
        bodies=(
            Repeat(body=above, count=p.count("rows"), step=across),
            Repeat(body=below, count=p.count("rows"), step=(-across[0], -across[1], 0)),
        ),
        background=vacuum(),
        polarization="tm",
    )
    middle = (p.k, 0, 0)
    return Problem(
        scenes=(scene,),
        quantities=(
            BandFrequency(id="f", scene="scene", band=p.count("band"), k=middle, answers=("frequency",)),
        ),
    )
