from simkit.describe import *


def describe(p):
    scene = Waveguide(
        id="scene",
        dimensions="3D",
        bodies=(
            Block(id="substrate", medium=Medium(index=p.n_low), z=(-inf, -p.height / 2)),
            Block(
                id="strip",
                medium=Medium(index=p.n_high),
                y=(-p.width / 2, p.width / 2),
                z=(-p.height / 2, p.height / 2),
            ),
        ),
        background=vacuum(),
        wavelength=p.wavelength,
        polarization="all",
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            EffectiveIndex(id="n", scene="scene", answers=("index",)),
            GroupIndex(id="ng", scene="scene", answers=("group",)),
        ),
    )
