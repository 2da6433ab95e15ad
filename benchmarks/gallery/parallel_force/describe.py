from simkit.describe import *


def describe(p):
    half, inner = p.side / 2, p.gap / 2
    silicon = Medium(index=p.n)
    scene = Waveguide(
        id="scene",
        dimensions="3D",
        bodies=(
            Block(id="left", medium=silicon, y=(-inner - p.side, -inner), z=(-half, half)),
            Block(id="right", medium=silicon, y=(inner, inner + p.side), z=(-half, half)),
        ),
        background=vacuum(),
        wavelength=p.wavelength,
        polarization="Hz",
    )
    return Problem(
        scenes=(scene,),
        quantities=(EffectiveIndex(id="n1", scene="scene"),),
        sweeps=(
            Sweep(
                id="indices",
                of="n1",
                parameter="gap",
                low=p.smallest,
                high=p.largest,
                answers=("force",),
            ),
        ),
    )
