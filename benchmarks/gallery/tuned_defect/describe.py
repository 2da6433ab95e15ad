from simkit.describe import *


def describe(p):
    medium, far, near = Medium(epsilon=p.eps), 2 * p.a, p.a
    places = (-far, -near, 0, near, far)
    rods = tuple(
        Repeat(
            body=Cylinder(id="row" + str(j), medium=medium, center=(-far, y, 0), radius=p.radius),
            count=p.count("size"),
            step=(p.a, 0, 0),
        )
        for j, y in enumerate(places)
    )
    defect = Cylinder(id="defect", medium=Medium(epsilon=p.eps_defect), radius=p.radius)
    size = p.size * p.a
    scene = Crystal(
        id="scene",
        lattice=Vectors(vectors=((size, 0, 0), (0, size, 0))),
        bodies=(*rods, defect),
        background=vacuum(),
        polarization="tm",
    )
    return Problem(
        scenes=(scene,),
        quantities=(BandFrequency(id="f", scene="scene", band=p.count("band"), k=(1 / 2, 1 / 2, 0)),),
        sweeps=(
            Sweep(
                id="tuned",
                of="f",
                parameter="eps_defect",
                low=p.lowest,
                high=p.highest,
                answers=("eps",),
            ),
        ),
    )
