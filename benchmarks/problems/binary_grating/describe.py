from simkit.describe import *


def describe(p):
    ridge = Film(
        medium=vacuum(),
        thickness=p.depth,
        pattern=(Bar(medium=Medium(index=p.n), x=(-p.period / 2 / 2, p.period / 2 / 2)),),
    )
    grating = UnitCell(
        id="grating",
        below=Medium(index=p.n),
        layers=(ridge,),
        above=vacuum(),
        period=(p.period,),
        light_from="below",
        polarization="y",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(grating,),
        quantities=(OrderEfficiency(id="T1", scene="grating", side="transmitted", order=(1,)),),
    )
