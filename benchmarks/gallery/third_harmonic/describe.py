from simkit.describe import *


def describe(p):
    kerr_film = Film(medium=Medium(index=p.n, chi3=p.chi3), thickness=p.length)
    around = Medium(index=p.n)
    scene = UnitCell(
        id="scene",
        below=around,
        layers=(kerr_film,),
        above=around,
        light_from="below",
        polarization="x",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            HarmonicEfficiency(
                id="third",
                scene="scene",
                harmonic=p.count("harmonic"),
                side="transmitted",
                intensity=p.intensity,
                answers=("third",),
            ),
        ),
    )
