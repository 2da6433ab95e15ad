from simkit.describe import *


def describe(p):
    glass = Medium(index=p.n)
    across, along = p.a, p.a * tan(p.corner)
    rods = (
        Disk(medium=glass, radius=p.radius),
        Disk(medium=glass, center=(across / 2, along / 2), radius=p.radius),
    )
    scene = UnitCell(
        id="scene",
        below=glass,
        layers=(Film(medium=vacuum(), thickness=p.height, pattern=rods),),
        above=vacuum(),
        period=(across, along),
        light_from="below",
        polarization="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            OrderEfficiency(id="zero", scene="scene", side="transmitted", order=(0, 0), answers=("zero",)),
            OrderEfficiency(id="first", scene="scene", side="transmitted", order=(1, 1), answers=("first",)),
        ),
    )
