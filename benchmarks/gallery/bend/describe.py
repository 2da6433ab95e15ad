from simkit.describe import *


def describe(p):
    half = p.width / 2
    medium = Medium(epsilon=p.eps)
    scene = Device(
        id="scene",
        dimensions="2D",
        bodies=(
            Block(id="in", medium=medium, x=(-inf, half), y=(-half, half)),
            Block(id="up", medium=medium, x=(-half, half), y=(-half, inf)),
        ),
        background=vacuum(),
        polarization="Ez",
        ports=(Port(id="in", side="-x"), Port(id="out", side="+y")),
        source="in",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            PortTransmittance(id="T", scene="scene", port="out", answers=("t",)),
            PortReflectance(id="R", scene="scene", answers=("r",)),
        ),
    )
