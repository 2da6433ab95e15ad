from simkit.describe import *


def describe(p):
    metal = Medium(epsilon=p.background, poles=(Pole(kind="drude", frequency=p.plasma, damping=p.damping),))
    scene = UnitCell(
        id="scene",
        below=vacuum(),
        layers=(Film(medium=metal, thickness=p.thickness),),
        above=Medium(index=p.substrate),
        light_from="below",
        polarization="x",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    return Problem(
        scenes=(scene,), quantities=(Transmittance(id="T", scene="scene", answers=("transmittance",)),)
    )
