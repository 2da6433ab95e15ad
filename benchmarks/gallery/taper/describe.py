from simkit.describe import *


def describe(p):
    half, narrow, wide = p.length / 2, p.narrow / 2, p.wide / 2
    medium = Medium(epsilon=p.eps)
    scene = Device(
        id="scene",
        dimensions="2D",
        bodies=(
            Block(id="in", medium=medium, x=(-inf, -half), y=(-narrow, narrow)),
            Prism(
                id="taper",
                medium=medium,
                vertices=((-half, -narrow), (half, -wide), (half, wide), (-half, narrow)),
            ),
            Block(id="out", medium=medium, x=(half, inf), y=(-wide, wide)),
        ),
        background=vacuum(),
        polarization="Ez",
        ports=(Port(id="in", side="-x"), Port(id="out", side="+x")),
        source="in",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,), quantities=(PortReflectance(id="R", scene="scene", mode=1, answers=("r",)),)
    )
