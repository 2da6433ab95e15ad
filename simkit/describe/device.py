"""Guides that lead into a structure and out of it: bends, crossings, splitters, couplers, cavities and gratings in guides."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import INF, Coordinate, Described, Point
from simkit.describe.handed import Pattern
from simkit.describe.light import Band
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import NAME, Quantity, Scene, Spanned
from simkit.describe.shapes import Block, Cylinder, Ellipsoid, Prism, Repeat, Ring, Sphere

DeviceBody = Annotated[
    Block | Cylinder | Ring | Sphere | Ellipsoid | Prism | Repeat | Pattern, Field(discriminator="type")
]


class Port(Described):
    """A guide that leaves on `side`, centred at `center` (y of a guide along x, x of one along y), in 3D at z = `height`."""

    id: str = Field(pattern=NAME)
    side: Literal["-x", "+x", "-y", "+y"]
    center: Coordinate = 0
    height: Coordinate = 0


class Device(Scene):
    """Bodies in `background` with guides along x or y that leave through `ports`; light comes in by guided mode number `mode`
    (1 has the highest index) of port `source`.

    A guide is one or more bodies without a bound on its port's side: Block(x=(-inf, 2), y=(-p.w / 2, p.w / 2)) leaves on '-x'. It is of
    lossless dielectrics, denser than the background: guides between walls of ideal metal are not computed.
    An arc is a Ring, overpainted with background where it does not belong. 2D: nothing changes along z. polarization: 'Ez' (E
    along z) or 'Hz'; in 3D the mode's main field, for bodies symmetric about z = 0 ('Hz' quasi-TE), or 'all'.
    """

    type: Literal["device"] = "device"
    dimensions: Literal["2D", "3D"]
    bodies: tuple[DeviceBody, ...] = Field(min_length=1)
    background: AnyMedium
    polarization: Literal["Ez", "Hz", "all"]
    ports: tuple[Port, ...] = Field(min_length=1)
    source: str = Field(description="id of a port")
    mode: int = Field(1, ge=1, le=20)
    band: Band

    @model_validator(mode="after")
    def _fits(self) -> Device:
        names = [port.id for port in self.ports]
        if len(set(names)) < len(names):
            raise ValueError(f"ports share an id: {', '.join(names)}")
        if self.source not in names:
            raise ValueError(f"source {self.source!r} is no port; ports: {', '.join(names)}")
        if self.dimensions == "2D" and self.polarization == "all":
            raise ValueError("in 2D the polarization is 'Ez' or 'Hz'")
        if isinstance(self.background, PerfectConductor):
            raise ValueError("light cannot travel in a perfect conductor")
        for port in self.ports:
            if not any(leaves(body, port.side) and _near(body, port) for body in self.bodies):
                across = "y" if port.side[1] == "x" else "x"
                raise ValueError(
                    f"port {port.id}: no guide at {across} = {float(port.center):g} leaves on side {port.side}; "
                    f"give its body {port.side[1]}=({'-inf, ...' if port.side[0] == '-' else '..., inf'})"
                )
        return self

    def port(self, name: str) -> Port:
        """The port of that id. Raises ValueError."""
        for port in self.ports:
            if port.id == name:
                return port
        raise ValueError(f"no port {name!r} in {self.id}; ports: {', '.join(port.id for port in self.ports)}")


def leaves(body: Any, side: str) -> bool:
    """Whether a body has no bound on a side."""
    shape = body.body if body.type == "repeat" else body
    if shape.type == "block":
        bounds = getattr(shape, side[1])
    elif shape.type in ("cylinder", "prism") and shape.axis == side[1]:
        bounds = shape.bounds
    else:
        return False
    return float(bounds[0]) <= -INF if side[0] == "-" else float(bounds[1]) >= INF


def _near(body: Any, port: Port) -> bool:
    """Whether a block has the port's centre between its faces, or a finite face at all; true of other bodies."""
    shape = body.body if body.type == "repeat" else body
    if shape.type != "block" or body.type == "repeat":
        return True
    low, high = (float(v) for v in (shape.y if port.side[1] == "x" else shape.x))
    return low > -INF or high < INF


class _OfDevice(Quantity):
    of_scene: ClassVar[str] = "device"
    curve: ClassVar[bool] = True


class PortTransmittance(_OfDevice):
    """Power that leaves through `port` over the power that comes in, over the band; with `mode` in that guided mode alone. Without,
    all that crosses a plane there: the guide's width and a wavelength (or three decay lengths of its modes) on either side. Of
    several ports, `port=("upper", "lower")`, together."""

    type: Literal["port_transmittance"] = "port_transmittance"
    port: str | tuple[str, ...] = Field(min_length=1)
    mode: int | None = Field(None, ge=1, le=20)

    @property
    def ports(self) -> tuple[str, ...]:
        """The ids of the ports, each once."""
        return (self.port,) if isinstance(self.port, str) else tuple(dict.fromkeys(self.port))


class PortReflectance(_OfDevice):
    """Power that goes back through the source's port over the power that comes in; with `mode` in that guided mode alone."""

    type: Literal["port_reflectance"] = "port_reflectance"
    mode: int | None = Field(None, ge=1, le=20)


class Loss(_OfDevice):
    """Power that crosses no port's plane, over the power that comes in: radiated elsewhere, or absorbed. What is in no guided mode
    is 1 less the PortTransmittance and PortReflectance of the modes."""

    type: Literal["loss"] = "loss"


class PortPhase(_OfDevice):
    """Phase of guided mode `mode` leaving through `port`, where it crosses the plane `end` (a coordinate along the port's
    guide), over that of the incoming mode at the plane `start` along the source's guide; radian, unwrapped over the band, up to
    whole turns. It grows with the way: beta L of a straight guide.
    """

    type: Literal["port_phase"] = "port_phase"
    port: str
    mode: int = Field(1, ge=1, le=20)
    start: Coordinate
    end: Coordinate


class PortDelay(_OfDevice):
    """Delay of a pulse between the same planes: d(phase)/d(angular frequency), a length over c."""

    type: Literal["port_delay"] = "port_delay"
    power: ClassVar[int] = 1
    port: str
    mode: int = Field(1, ge=1, le=20)
    start: Coordinate
    end: Coordinate


class DeviceField(_OfDevice, Spanned):
    """E in and around the structure over the incoming mode's E across its guide, where that is largest inside the guide. start
    and end apart along one axis: a line, curve over the position from `origin` towards `end`; along two: corners of a rectangle, a map.

    field: 'intensity' (|E|^2 over that one) or the magnitude of one component over that one. The band is one Line.
    """

    type: Literal["device_field"] = "device_field"
    needs_line: ClassVar[bool] = True
    field: Literal["intensity", "Ex", "Ey", "Ez"] = "intensity"


class PowerThrough(_OfDevice):
    """Power that crosses a line in or beside the structure over the power that comes in (what a grating coupler radiates up or down). The
    line runs from `start` to `end`, along x or along y; net power, counted towards `towards`; 2D."""

    type: Literal["power_through"] = "power_through"
    start: Point
    end: Point
    towards: Literal["-x", "+x", "-y", "+y"]


class DevicePattern(_OfDevice):
    """Power radiated far away per angle on `side`, where no guide leaves (a grating coupler's beam), over the angle from that
    side's normal: -90 to 90 degrees, positive towards +x (of sides '-x' and '+x' towards +y).

    over: 'maximum', or 'incoming': per radian, over the power that comes in, so that its integral is the share radiated there.
    2D. The band is one Line.
    """

    type: Literal["device_pattern"] = "device_pattern"
    needs_line: ClassVar[bool] = True
    side: Literal["-x", "+x", "-y", "+y"]
    over: Literal["maximum", "incoming"] = "maximum"


DeviceQuantity = (
    PortTransmittance
    | PortReflectance
    | Loss
    | PowerThrough
    | PortPhase
    | PortDelay
    | DeviceField
    | DevicePattern
)
__all__ = [
    "Device",
    "DeviceField",
    "DevicePattern",
    "DeviceQuantity",
    "Loss",
    "Port",
    "PortDelay",
    "PortPhase",
    "PortReflectance",
    "PortTransmittance",
    "PowerThrough",
]
