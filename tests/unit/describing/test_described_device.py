"""Devices: what ports and guides must be, where planes and straight guides lie, powers from recorded fields, remarks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from simkit.arrange import Arrangement, Numerics, arrange, needs
from simkit.arrange.placing import moved
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import Run, dump, load
from tasks.reproduce.describing.lint_devices import device_findings
from tasks.reproduce.measuring import Curve, NotMeasured, measure
from tasks.reproduce.oracles import oracle

pytestmark = pytest.mark.unit
FAR = 1e20
LINE = {"type": "line", "wavelength": 1.55}
PASSED = {"type": "port_transmittance", "id": "T", "port": "out", "mode": 1}
BACK = {"type": "port_reflectance", "id": "R", "mode": 1}


def block(name: str, x: tuple[float, float], y: tuple[float, float], index: float = 2.0) -> dict[str, Any]:
    return {
        "type": "block",
        "id": name,
        "medium": {"kind": "medium", "index": index},
        "x": list(x),
        "y": list(y),
        "z": [-FAR, FAR],
    }


BEND = [block("in", (-FAR, 0.2), (-0.2, 0.2)), block("up", (-0.2, 0.2), (-0.2, FAR))]
STRAIGHT = [block("guide", (-FAR, FAR), (-0.2, 0.2))]
PORTS = [{"id": "in", "side": "-x"}, {"id": "out", "side": "+y"}]
AHEAD = [{"id": "in", "side": "-x"}, {"id": "out", "side": "+x"}]


def made(*quantities: dict[str, Any], **scene: Any) -> Problem:
    whole = {
        "type": "device",
        "id": "s",
        "dimensions": "2D",
        "bodies": BEND,
        "polarization": "Ez",
        "ports": PORTS,
        "background": {"kind": "medium", "index": 1.444},
        "source": "in",
        "band": LINE,
        **scene,
    }
    return Problem.model_validate(
        {"scenes": [whole], "quantities": [{"scene": "s", **q} for q in quantities or (PASSED,)]},
        context=RESOLVED,
    )


def arranged(problem: Problem, resolution: float = 20.0, **more: Any) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(resolution, **more), {})


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"source": "left"}, "source 'left' is no port; ports: in, out"),
        ({"polarization": "all"}, "in 2D the polarization is"),
        ({"ports": [{"id": "in", "side": "+x"}]}, r"no guide at y = 0 leaves on side \+x; give its body x="),
        ({"ports": [*PORTS, PORTS[0]]}, "ports share an id"),
        ({"background": {"kind": "perfect_conductor"}}, "cannot travel"),
    ],
)
def test_what_no_device_is(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        made(**scene)


@pytest.mark.parametrize(
    ("quantity", "scene", "words"),
    [
        ({**PASSED, "port": "up"}, {}, "no port 'up' in s; ports: in, out"),
        (
            {"type": "power_through", "id": "U", "start": [0, 1, 0], "end": [2, 1, 0], "towards": "+x"},
            {},
            "towards a side across it",
        ),
        ({**PASSED, "port": "in"}, {}, "is a PortReflectance"),
        (
            PASSED,
            {"bodies": [*BEND, {**BEND[0], "medium": {"kind": "medium", "epsilon": -3}}]},
            "lossless dielectrics",
        ),
        (
            PASSED,
            {"bodies": [{**b, "medium": {"kind": "medium", "index": 1.2}} for b in BEND]},
            "guides nothing",
        ),
        (
            PASSED,
            {"dimensions": "3D", "bodies": [{**b, "z": [0, 0.2]} for b in BEND]},
            "not symmetric about z = 0",
        ),
    ],
)
def test_what_cannot_be_arranged(quantity: dict[str, Any], scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        arranged(made(quantity, **scene))


def test_a_bend_has_a_straight_guide_for_each_port() -> None:
    runs = arranged(made(PASSED, BACK)).runs
    assert list(runs) == ["straight", "guide_1", "device"]
    first, second, device = (runs[name] for name in runs)
    assert isinstance(first, Run) and isinstance(second, Run) and isinstance(device, Run)
    assert first.cell[1] == device.cell[1] and first.resolution == device.resolution
    assert [b["id"] for b in first.geometry] == ["in"] and first.geometry[0]["x"] == (-FAR, FAR)
    assert len(second.geometry) == 1 and second.geometry[0]["y"] == (-FAR, FAR)
    assert first.sources[0].wave_vector == (1, 0, 0) and second.sources[0].wave_vector == (0, 1, 0)
    assert device.subtract == {"flux_in": (first.digest(), "flux_in")}
    for run in runs.values():
        assert load(dump(run)).digest() == run.digest()
        assert all(round(side * run.resolution) % 2 == 0 for side in run.cell[:2])


def test_planes_lie_between_the_structure_and_the_absorbers() -> None:
    for padding in (1.0, 1.4):
        run = arranged(made(PASSED), padding=padding).runs["device"]
        middle = np.array(run.cell) / 2 - run.layers[0].thickness
        plane, source = run.monitors["flux_in"], run.sources[0]
        corner = run.geometry[0]["x"][1] - 0.4  # the bend's outer corner, moved with the cell
        assert -middle[0] < source.center[0] < plane.center[0] < corner
        assert plane.size[0] == 0 and plane.size[1] > 0.4 + 1.55 / 1.444
        assert run.monitors["flux_out"].size[1] == 0
    assert needs(made().scenes[0], {}).whole == (0.2,)


def test_straight_on_the_source_s_own_guide_is_the_reference() -> None:
    arrangement = arranged(made(PASSED, BACK, bodies=STRAIGHT, ports=AHEAD))
    assert list(arrangement.runs) == ["straight", "device"]
    assert arrangement.facts["pure"] == {"out/1": "straight", "in/1": "straight"}


def test_windows_end_half_way_to_the_next_port() -> None:
    two = [block("a", (-FAR, FAR), (0.15, 0.55)), block("b", (-FAR, FAR), (-0.55, -0.15))]
    ports = [
        {"id": "in", "side": "-x", "center": 0.35},
        {"id": "out", "side": "+x", "center": 0.35},
        {"id": "over", "side": "+x", "center": -0.35},
    ]
    run = arranged(made(PASSED, bodies=two, ports=ports)).runs["device"]
    out, over = run.monitors["flux_out"], run.monitors["flux_over"]
    assert out.center[1] - out.size[1] / 2 == pytest.approx(0) and over.center[1] + over.size[
        1
    ] / 2 == pytest.approx(0)


def splitter(length: float) -> list[dict[str, Any]]:
    arms = [
        block(name, (length / 2, FAR), (y - 0.2, y + 0.2)) for name, y in (("upper", 0.8), ("lower", -0.8))
    ]
    return [
        block("in", (-FAR, -length / 2), (-0.2, 0.2)),
        block("wide", (-length / 2, length / 2), (-1.5, 1.5)),
        *arms,
    ]


def test_guides_that_are_alike_are_solved_once_for_all_ports_and_lengths() -> None:
    """Of a splitter with three guides of one width five runs were dearer than the device, at each length of a sweep."""
    ports = [
        {"id": "in", "side": "-x", "center": 0},
        {"id": "up", "side": "+x", "center": 0.8},
        {"id": "down", "side": "+x", "center": -0.8},
    ]
    quantities = [{**PASSED, "id": port, "port": port} for port in ("up", "down")]
    found = [
        arranged(made(*quantities, bodies=splitter(length), ports=ports), 20.0).runs for length in (4.0, 5.0)
    ]
    assert [list(runs) for runs in found] == [["straight", "guide_1", "device"]] * 2
    one, other = (runs["guide_1"] for runs in found)
    assert one.digest() == other.digest() and isinstance(one, Run)
    assert found[0]["straight"].digest() == found[1]["straight"].digest()
    assert len(one.geometry) == 2 and {"fields_up", "fields_down"} <= set(one.monitors)
    assert one.mirrors == (("y", 1),) and one.sources[0].parity == "ODD_Z+EVEN_Y"
    device = found[0]["device"]
    assert isinstance(device, Run)
    for port in ("up", "down"):
        assert one.monitors[f"fields_{port}"].size == pytest.approx(device.monitors[f"fields_{port}"].size)


def test_a_thin_wire_is_solved_in_half_its_cell() -> None:
    wire = [{**block("wire", (-FAR, FAR), (-0.225, 0.225), 3.48), "z": [-0.11, 0.11]}]
    run = arranged(made(PASSED, dimensions="3D", polarization="Hz", bodies=wire, ports=AHEAD)).runs["device"]
    assert (
        run.mirrors == (("y", -1), ("z", 1))
        and run.sources[0].parity == "EVEN_Z"
        and run.monitors["flux_in"].size[2] > 0.22
    )
    assert run.monitors["fields_in"].components == ("Ey", "Ez", "Hy", "Hz")


def test_moved_bodies_keep_their_infinite_bounds() -> None:
    prism = {
        "type": "prism",
        "id": "p",
        "axis": "z",
        "vertices": [(1, 0), (2, 0), (2, 1)],
        "bounds": (-FAR, 1.0),
        "rotation": np.pi / 2,
    }
    found = moved(prism, (1, 0, 1))
    assert (
        found["vertices"][0] == pytest.approx((1, 1))
        and found["bounds"] == (-FAR, 2.0)
        and found["rotation"] == 0
    )
    assert moved(
        {"type": "repeat", "body": block("b", (-FAR, 0), (0, 1)), "count": 2, "step": [0, 1, 0]}, (1, 2, 0)
    )["body"]["y"] == (2, 3)


def plane(amplitude: complex, power: float, port: str, back: complex = 0.0) -> dict[str, Any]:
    """A plane with a mode of that amplitude outwards along y or x and `back` the other way."""
    shape, weights = np.array([1.0, 2.0, 1.0]), np.full(3, 0.5)
    e = np.outer([amplitude + back], shape)
    h = np.outer([amplitude - back], shape)
    fields = {"Ez": e, "Hx": h} if port == "out" else {"Ez": e, "Hy": h if port == "in" else -h}
    return {
        f"flux_{port}/flux": np.array([power]),
        f"flux_{port}/frequency": np.array([1 / 1.55]),
        f"fields_{port}/weights": weights,
        **{f"fields_{port}/{name}": v.astype(complex) for name, v in fields.items()},
    }


def raw(transmitted: float, reflected: float, check: complex = 1.0) -> dict[str, dict[str, Any]]:
    straight = plane(0.0, 6.0, "in", back=1.0) | plane(check, 6.0, "check")
    other = plane(1.0, 3.0, "out")
    other |= {
        f"fields_check_out/{key.split('/')[1]}": value for key, value in other.items() if "fields" in key
    }
    device = plane(np.sqrt(reflected), -6 * reflected, "in", back=1.0)
    return {
        "straight": straight,
        "guide_1": other,
        "device": device | plane(np.sqrt(2 * transmitted), 6 * transmitted, "out"),
    }


def test_powers_come_from_overlaps_with_straight_guides() -> None:
    problem = made(PASSED, BACK, {"type": "loss", "id": "L"}, {**PASSED, "id": "all", "mode": None})
    arrangement = arranged(problem)
    found = [measure(problem.scenes[0], q, arrangement, raw(0.6, 0.1)).value for q in problem.quantities]
    assert found == pytest.approx([0.6, 0.1, 0.3, 0.6])
    with pytest.raises(NotMeasured, match="more light leaves s than comes in"):
        measure(problem.scenes[0], problem.quantities[0], arrangement, raw(0.9, 0.2))


def test_light_that_changes_in_a_straight_guide_is_no_mode() -> None:
    problem = made(PASSED)
    given = raw(0.6, 0.1)
    given["straight"]["fields_check/Ez"] = given["straight"]["fields_check/Ez"] * np.array([1, -0.5, 1])
    with pytest.raises(NotMeasured, match="no single guided mode"):
        measure(problem.scenes[0], problem.quantities[0], arranged(problem), given)


def test_only_a_straight_device_has_an_oracle() -> None:
    problem = made(PASSED, BACK, {**PASSED, "id": "T2", "mode": 2}, bodies=STRAIGHT, ports=AHEAD)
    assert [oracle(problem.scenes[0], q, {})[1].value for q in problem.quantities] == [1, 0, 0]
    assert oracle(made().scenes[0], made().quantities[0], {}) is None
    band = made(
        PASSED, bodies=STRAIGHT, ports=AHEAD, band={"type": "wavelengths", "shortest": 1.5, "longest": 1.6}
    )
    assert isinstance(oracle(band.scenes[0], band.quantities[0], {}, np.array([0.6, 0.7]))[1], Curve)


def test_spectra_at_a_line_are_numbers_and_can_be_swept() -> None:
    sweep = {"id": "over", "of": "T", "parameter": "gap", "low": 1.0, "high": 2.0}
    plain = made(PASSED).model_dump(mode="json")
    assert Problem.model_validate({**plain, "sweeps": [sweep]}, context=RESOLVED)
    plain["scenes"][0]["band"] = {"type": "wavelengths", "shortest": 1.5, "longest": 1.6}
    assert Problem.model_validate(
        {**plain, "sweeps": [sweep]}, context=RESOLVED
    )  # of a band the sweep is a map
    with pytest.raises(ValidationError, match="'no' is no single number and no spectrum; those are: T"):
        Problem.model_validate({**plain, "sweeps": [{**sweep, "of": "no"}]}, context=RESOLVED)


def test_remarks_name_guides_without_a_port() -> None:
    split = [*BEND, block("down", (-0.2, 0.2), (-FAR, 0.2))]
    texts = [f"{f.where}: {f.text}" for f in device_findings(made(bodies=split).scenes[0], {})]
    assert texts == ["s down: it leaves on side -y without a port: its light counts as lost"]
    long = [block("guide", (-FAR, FAR), (-0.2, 0.2)), block("other", (0, 100), (0.4, 0.8))]
    assert (
        "over 20 wavelengths"
        in next(iter(device_findings(made(bodies=long, ports=AHEAD).scenes[0], {}))).text
    )


def test_phases_are_counted_between_planes_of_the_guides() -> None:
    turned = {"type": "port_phase", "id": "phi", "port": "out", "start": -0.5, "end": 0.7}
    problem = made(turned)
    runs, mark = arranged(problem).runs, problem.quantities[0].mark
    start = runs["straight"].monitors[f"fields_{mark}_start"]
    end = runs["device"].monitors[f"fields_{mark}_end"]
    corner = (
        runs["device"].geometry[0]["x"][1] - 0.4,
        runs["device"].geometry[1]["y"][0],
    )  # both -0.2, moved with the cell
    assert start.center[0] - corner[0] == pytest.approx(-0.3) and end.center[1] - corner[1] == pytest.approx(
        0.9
    )
    assert runs["guide_1"].monitors["fields_out"].size == end.size
    assert f"fields_{mark}_start" not in runs["device"].monitors
    for change, words in (({"end": 40}, "end = 40 lies beyond"), ({"port": "in"}, "is a PortReflectance")):
        with pytest.raises(ValueError, match=words):
            arranged(made({**turned, **change}))
    wire = [{**block("wire", (-FAR, FAR), (-0.225, 0.225), 3.48), "z": [-0.11, 0.11]}]
    with pytest.raises(ValueError, match="a phase needs polarization"):
        arranged(made({**turned}, dimensions="3D", polarization="all", bodies=wire, ports=AHEAD))


def test_what_leaves_through_several_ports_is_one_quantity() -> None:
    """As a function of one's own it was PARTIAL at most: the sum was taken for 1 less the loss."""
    both = {**PASSED, "id": "both", "port": ["out", "out"]}
    problem = made(PASSED, both)
    arrangement = arranged(problem)
    one, twice = (measure(problem.scenes[0], q, arrangement, raw(0.6, 0.1)).value for q in problem.quantities)
    assert one == twice == pytest.approx(0.6)
    with pytest.raises(ValueError, match="no port 'up'"):
        arranged(made({**PASSED, "port": ["out", "up"]}))
