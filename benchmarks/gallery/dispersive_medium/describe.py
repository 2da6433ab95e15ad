from simkit.describe import *


def describe(p):
    medium = Medium(
        epsilon=p.eps, poles=(Pole(kind="lorentz", frequency=p.line, damping=p.damping, strength=p.strength),)
    )
    scene = Resonator(
        id="scene",
        dimensions="2D",
        field="Ez",
        bodies=(Block(id="everywhere", medium=medium),),
        background=vacuum(),
        periodic=(Periodic(axis="x", period=p.period, k=p.k), Periodic(axis="y", period=p.period)),
        search=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    return Problem(scenes=(scene,), quantities=(ResonanceFrequency(id="f", scene="scene", answers=("f",)),))
