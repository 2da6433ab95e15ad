from simkit.describe import *


def describe(p):
    high, low = Medium(index=p.high), Medium(index=p.low)
    pair = (
        Film(medium=high, thickness=p.wavelength / 2 / 2 / p.high),
        Film(medium=low, thickness=p.wavelength / 2 / 2 / p.low),
    )
    back = (pair[1], pair[0])
    scene = UnitCell(
        id="scene",
        below=vacuum(),
        layers=(
            *(pair * p.count("pairs")),
            Film(medium=high, thickness=p.wavelength / 2 / p.high),
            *(back * p.count("pairs")),
        ),
        above=vacuum(),
        light_from="below",
        polarization="x",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    return Problem(
        scenes=(scene,), quantities=(Transmittance(id="T", scene="scene", answers=("peak", "width")),)
    )
