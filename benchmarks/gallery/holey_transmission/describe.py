from simkit.describe import *


def describe(p):
    guide = Block(id="guide", medium=Medium(epsilon=p.eps), y=(-p.width / 2, p.width / 2))
    right = Cylinder(id="right", medium=vacuum(), center=(p.gap / 2, 0, 0), radius=p.radius)
    left = Cylinder(id="left", medium=vacuum(), center=(-p.gap / 2, 0, 0), radius=p.radius)
    scene = Device(
        id="scene",
        dimensions="2D",
        bodies=(
            guide,
            Repeat(body=right, count=p.count("holes"), step=(p.period, 0, 0)),
            Repeat(body=left, count=p.count("holes"), step=(-p.period, 0, 0)),
        ),
        background=vacuum(),
        polarization="Hz",
        ports=(Port(id="in", side="-x"), Port(id="out", side="+x")),
        source="in",
        band=Frequencies(lowest=p.lowest, highest=p.highest),
    )
    return Problem(
        scenes=(scene,),
        quantities=(PortTransmittance(id="T", scene="scene", port="out", answers=("peak", "height")),),
    )
