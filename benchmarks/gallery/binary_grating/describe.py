from simkit.describe import *


def describe(p):
    glass = Medium(index=p.n)
    ridge = Bar(medium=glass, x=(-p.duty * p.period / 2, p.duty * p.period / 2))
    scene = UnitCell(
        id="scene",
        below=glass,
        layers=(Film(medium=vacuum(), thickness=p.height, pattern=(ridge,)),),
        above=vacuum(),
        period=(p.period,),
        light_from="below",
        polarization="y",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            OrderEfficiency(id="T1", scene="scene", side="transmitted", order=(1,), answers=("first",)),
            OrderEfficiency(id="T3", scene="scene", side="transmitted", order=(3,), answers=("third",)),
        ),
    )
