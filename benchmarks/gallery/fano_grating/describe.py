from simkit.describe import *


def describe(p):
    slab = Film(
        medium=vacuum(),
        thickness=p.depth,
        pattern=(Bar(medium=Medium(index=p.n), x=(-p.width / 2, p.width / 2)),),
    )
    scene = UnitCell(
        id="scene",
        below=vacuum(),
        layers=(slab,),
        above=vacuum(),
        period=(p.period,),
        light_from="below",
        polarization="y",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    return Problem(scenes=(scene,), quantities=(Transmittance(id="T", scene="scene", answers=("dip",)),))
