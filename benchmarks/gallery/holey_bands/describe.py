from simkit.describe import *


def describe(p):
    guide = Block(id="guide", medium=Medium(epsilon=p.eps), y=(-p.width / 2, p.width / 2))
    hole = Cylinder(id="hole", medium=vacuum(), radius=p.radius)
    scene = Resonator(
        id="scene",
        dimensions="2D",
        field="Hz",
        bodies=(guide, hole),
        background=vacuum(),
        periodic=(Periodic(axis="x", period=p.period, k=1 / 2 / p.period),),
        search=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    own = dict(scene="scene", parity_y="odd")
    return Problem(
        scenes=(scene,),
        quantities=(
            ResonanceFrequency(
                id="first",
                answers=("first",),
                within=Frequencies(lowest=p.lowest, highest=p.between),
                **own,
            ),
            ResonanceFrequency(
                id="second",
                answers=("second",),
                within=Frequencies(lowest=p.between, highest=p.highest),
                **own,
            ),
        ),
    )
