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
        polarization="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            Transmittance(id="T", scene="scene", answers=("transmittance",)),
            Phase(id="phi", scene="scene", side="transmitted"),
        ),
        sweeps=(
            Sweep(id="phases", of="phi", parameter="duty", low=p.least, high=p.most, answers=("gained",)),
        ),
    )
