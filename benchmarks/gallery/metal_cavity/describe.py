from simkit.describe import *


def describe(p):
    half, wall = p.side / 2, p.side / 2 + p.wall
    metal = PerfectConductor()
    bodies = (
        Block(id="box", medium=metal, x=(-wall, wall), y=(-wall, wall)),
        Block(id="inside", medium=vacuum(), x=(-half, half), y=(-half, half)),
        Block(id="opening", medium=vacuum(), x=(half, wall), y=(-p.opening / 2, p.opening / 2)),
    )
    scene = Resonator(
        id="scene",
        dimensions="2D",
        field="Ez",
        bodies=bodies,
        background=vacuum(),
        search=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    own = dict(scene="scene", parity_y="even")
    return Problem(
        scenes=(scene,),
        quantities=(
            QualityFactor(id="Q", answers=("q",), **own),
            ResonanceFrequency(id="f", answers=("f",), **own),
        ),
    )
