from simkit.describe import *


def describe(p):
    guide = Block(id="guide", medium=Medium(epsilon=p.eps), y=(-p.width / 2, p.width / 2))
    right = Cylinder(id="right", medium=vacuum(), center=(p.gap / 2, 0, 0), radius=p.radius)
    left = Cylinder(id="left", medium=vacuum(), center=(-p.gap / 2, 0, 0), radius=p.radius)
    scene = Resonator(
        id="scene",
        dimensions="2D",
        field="Hz",
        bodies=(
            guide,
            Repeat(body=right, count=p.count("holes"), step=(p.period, 0, 0)),
            Repeat(body=left, count=p.count("holes"), step=(-p.period, 0, 0)),
        ),
        background=vacuum(),
        search=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    own = dict(scene="scene", parity_x="odd", parity_y="odd", choose="highest_q")
    return Problem(
        scenes=(scene,),
        quantities=(
            QualityFactor(id="Q", answers=("q",), **own),
            ResonanceFrequency(id="f", answers=("f",), **own),
        ),
    )
