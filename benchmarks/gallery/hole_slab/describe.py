from simkit.describe import *


def describe(p):
    half = p.thickness / 2
    scene = Crystal(
        id="scene",
        lattice=Vectors(
            vectors=(
                (sin(p.corner) * p.a, cos(p.corner) * p.a, 0),
                (sin(p.corner) * p.a, -cos(p.corner) * p.a, 0),
                (0, 0, p.height),
            )
        ),
        bodies=(
            Block(id="slab", medium=Medium(epsilon=p.eps), z=(-half, half)),
            Cylinder(id="hole", medium=vacuum(), radius=p.radius, bounds=(-half, half)),
        ),
        background=vacuum(),
        polarization="all",
    )
    edge = (-p.k, p.k, 0)
    return Problem(
        scenes=(scene,),
        quantities=(
            BandFrequency(id="f1", scene="scene", band=1, k=edge, answers=("first",)),
            BandFrequency(id="f2", scene="scene", band=2, k=edge, answers=("second",)),
        ),
    )
