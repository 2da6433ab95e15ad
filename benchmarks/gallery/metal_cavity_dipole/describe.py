from simkit.describe import *


def describe(p):
    half, wall = p.side / 2, p.side / 2 + p.wall
    metal = PerfectConductor()
    bodies = (
        Block(id="box", medium=metal, x=(-wall, wall), y=(-wall, wall)),
        Block(id="inside", medium=vacuum(), x=(-half, half), y=(-half, half)),
        Block(id="opening", medium=vacuum(), x=(half, wall), y=(-p.opening / 2, p.opening / 2)),
    )
    scene = Emitter(
        id="scene",
        dimensions="2D",
        bodies=bodies,
        background=vacuum(),
        position=(0, 0, 0),
        orientation="z",
        band=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    return Problem(
        scenes=(scene,), quantities=(PurcellSpectrum(id="F", scene="scene", answers=("peak", "height")),)
    )
