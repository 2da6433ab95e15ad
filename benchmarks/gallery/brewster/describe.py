from simkit.describe import *


def describe(p):
    scene = UnitCell(
        id="scene",
        below=vacuum(),
        layers=(),
        above=Medium(index=p.n),
        light_from="below",
        angle=p.angle,
        polarization="p",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(Reflectance(id="R", scene="scene"),),
        sweeps=(
            Sweep(id="angles", of="R", parameter="angle", low=p.least, high=p.most, answers=("angle", "r")),
        ),
    )
