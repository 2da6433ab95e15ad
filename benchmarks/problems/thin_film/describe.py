from simkit.describe import *


def describe(p):
    film = UnitCell(
        id="film",
        below=vacuum(),
        layers=(Film(medium=Medium(index=p.n), thickness=p.t),),
        above=vacuum(),
        light_from="below",
        polarization="x",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    return Problem(scenes=(film,), quantities=(Reflectance(id="R", scene="film"),))
