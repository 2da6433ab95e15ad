from simkit.describe import *


def describe(p):
    quartz = Medium(
        epsilon=1,
        poles=(
            Pole(kind="lorentz", frequency=1 / p.l1, damping=0, strength=p.s1),
            Pole(kind="lorentz", frequency=1 / p.l2, damping=0, strength=p.s2),
            Pole(kind="lorentz", frequency=1 / p.l3, damping=0, strength=p.s3),
        ),
    )
    scene = UnitCell(
        id="scene",
        below=vacuum(),
        layers=(),
        above=quartz,
        light_from="below",
        polarization="x",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    return Problem(
        scenes=(scene,), quantities=(Reflectance(id="R", scene="scene", answers=("at450", "at750")),)
    )
