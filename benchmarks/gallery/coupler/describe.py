from simkit.describe import *


def describe(p):
    silicon, near, far = Medium(epsilon=p.eps), p.gap / 2, p.gap / 2 + p.rise
    straight, end = p.length / 2, p.length / 2 + p.arm
    bodies = []
    for name, side in (("upper", 1), ("lower", -1)):
        y = (near, near + p.width) if side == 1 else (-near - p.width, -near)
        out = (far, far + p.width) if side == 1 else (-far - p.width, -far)
        bodies += [
            Block(id=name, medium=silicon, x=(-straight, straight), y=y),
            Prism(
                id=name + "_left",
                medium=silicon,
                vertices=((-straight, y[0]), (-straight, y[1]), (-end, out[1]), (-end, out[0])),
            ),
            Prism(
                id=name + "_right",
                medium=silicon,
                vertices=((straight, y[0]), (straight, y[1]), (end, out[1]), (end, out[0])),
            ),
            Block(id=name + "_in", medium=silicon, x=(-inf, -end), y=out),
            Block(id=name + "_out", medium=silicon, x=(end, inf), y=out),
        ]
    height = far + p.width / 2
    scene = Device(
        id="scene",
        dimensions="2D",
        bodies=tuple(bodies),
        background=vacuum(),
        polarization="Ez",
        ports=(
            Port(id="source", side="-x", center=height),
            Port(id="through", side="+x", center=height),
            Port(id="cross", side="+x", center=-height),
            Port(id="isolated", side="-x", center=-height),
        ),
        source="source",
        band=Line(wavelength=p.wavelength),
    )
    return Problem(
        scenes=(scene,),
        quantities=(
            PortTransmittance(id="T", scene="scene", port="through", mode=1, answers=("through",)),
            PortTransmittance(id="C", scene="scene", port="cross", mode=1, answers=("cross",)),
        ),
    )
