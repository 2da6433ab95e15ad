from simkit.describe import *


def describe(p):
    rod = Cylinder(id="rod", medium=Medium(index=p.n), radius=p.radius)
    scene = Resonator(
        id="scene",
        dimensions="2D",
        field="Ez",
        bodies=(rod,),
        background=vacuum(),
        periodic=(Periodic(axis="x", period=p.a), Periodic(axis="y", period=p.a)),
        search=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    return Problem(
        scenes=(scene,),
        quantities=(ResonanceFrequency(id="f", scene="scene", choose="strongest", answers=("frequency",)),),
    )
