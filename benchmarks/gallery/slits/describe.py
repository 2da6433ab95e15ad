from simkit.describe import *


def describe(p):
    wall = Film(
        medium=PerfectConductor(),
        thickness=p.depth,
        pattern=(Bar(medium=vacuum(), x=(-p.slit / 2, p.slit / 2)),),
    )
    scene = UnitCell(
        id="scene",
        below=vacuum(),
        layers=(wall,),
        above=vacuum(),
        period=(p.period,),
        light_from="below",
        polarization="x",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    return Problem(
        scenes=(scene,), quantities=(Transmittance(id="T", scene="scene", answers=("peak", "height")),)
    )
