"""One grid of a device or scatterer: plain numbers in, powers out, at each frequency; alone in the sandbox."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .finite_elements import (
    Complex,
    Mode,
    Nodes,
    NoField,
    amplitude,
    cells,
    line,
    lit,
    matrix,
    modes,
    passed,
    plane_wave,
    stretched,
)
from .outlines import shares


def fields(job: Mapping[str, Any]) -> dict[str, Any]:
    """Nodes, CPU seconds, and of each line what planes.py reads; a line of None could not be solved."""
    began = time.process_time()
    count = [job["nodes"][0] - 1, job["nodes"][1] - 1]
    share = shares(job["bodies"], job["media"], job["origin"], job["pixel"], count)
    guides = [_across(job, port) for port in job.get("ports", ())]
    lines: list[Any] = []
    for told in job["lines"]:
        try:
            lines.append(_line(job, told, share, guides))
        except NoField:
            lines.append(None)
    nodes = job["nodes"][0] * job["nodes"][1]
    return {"nodes": nodes, "lines": lines, "cpu_s": time.process_time() - began}


def _across(job: Mapping[str, Any], port: Mapping[str, Any]) -> NDArray[np.float64]:
    """Shares of media in two cells along a port's guide and all across it."""
    axis, pixel = port["axis"], job["pixel"]
    origin, count = list(job["origin"]), [job["nodes"][0] - 1, job["nodes"][1] - 1]
    origin[axis], count[axis] = origin[axis] + (port["plane"] - 1) * pixel, 2
    return shares(port["bodies"], job["media"], origin, pixel, count)


def _line(
    job: Mapping[str, Any], told: Mapping[str, Any], share: NDArray[np.float64], guides: list[Any]
) -> Any:
    epsilon = np.array([complex(*value) for value in told["epsilon"]])
    side, around = 2 * np.pi * told["frequency"] * job["pixel"], complex(epsilon[0])
    index = float(np.sqrt(around).real)
    pulled = [
        stretched(n - 1, tuple(ends), side, index)
        for n, ends in zip(job["nodes"], job["absorbing"], strict=True)
    ]
    a = matrix(cells(share, epsilon, job["polarization"], side), *pulled)
    node = np.arange(a.shape[0]).reshape(job["nodes"])
    if "wave" in job:
        return _scattered(job, a, node, plane_wave(side, around, job["polarization"]))
    found = [
        _guided(job, port, guide, epsilon, side, pulled)
        for port, guide in zip(job["ports"], guides, strict=True)
    ]
    port, (_, own) = job["ports"][job["source"]["port"]], found[job["source"]["port"]]
    if len(own) < job["source"]["mode"]:
        return {"guided": [len(of) for _, of in found], "modes": [], "power": []}
    mode: Mode = own[job["source"]["mode"] - 1]
    # It comes in one line nearer to the structure than where light that goes back is looked at.
    before, first = (port["plane"] - port["out"] * step for step in (1, 2))
    u = np.zeros(node.size, complex)
    u[line(node, port["axis"], before)] = mode.u / mode.turn
    u[line(node, port["axis"], first)] = mode.u
    inside = np.zeros(node.shape)
    beyond = slice(first, None) if port["out"] < 0 else slice(None, first + 1)
    line_of = (beyond, slice(None)) if port["axis"] == 0 else (slice(None), beyond)
    inside[line_of] = 1
    u = lit(a, u, inside.ravel())
    power, parts = [], []
    for one, (c, of) in zip(job["ports"], found, strict=True):
        here = line(node, one["axis"], one["plane"])
        there = line(node, one["axis"], one["plane"] + one["out"])
        low, high = one["window"]
        power.append(passed(a, u, here[low : high + 1], there))
        parts.append([abs(amplitude(c, each, u[here], u[there])) ** 2 for each in of])
    return {"guided": [len(of) for _, of in found], "modes": parts, "power": power}


def _guided(
    job: Mapping[str, Any],
    port: Mapping[str, Any],
    guide: NDArray[np.float64],
    epsilon: Complex,
    side: float,
    pulled: list[Complex],
) -> tuple[Any, list[Mode]]:
    """The matrix between two lines across a port's guide alone, and its modes."""
    axis, other = port["axis"], 1 - port["axis"]
    along: list[Any] = [None, None]
    along[axis], along[other] = np.ones(2, complex), pulled[other]
    a = matrix(cells(guide, epsilon, job["polarization"], side), *along)
    node = np.arange(a.shape[0]).reshape([len(pull) + 1 for pull in along])
    here, there = line(node, axis, 1), line(node, axis, 2)
    epsilon_across = np.asarray(np.tensordot(epsilon, guide, 1)).take(0, axis)
    index = np.sqrt(np.maximum(epsilon_across.real, 0))
    room = (
        side * float(np.sum(np.sqrt(np.maximum(index**2 - index.min() ** 2, 0)))) / np.pi
    )  # modes, of a film
    ends = [plane_wave(side, epsilon_across[end].real, job["polarization"])[0] for end in (0, -1)]
    d, c = a[here][:, here], a[here][:, there]
    return c, modes(d, c, side * float(index.max()), float(np.max(np.angle(ends))), int(room) + 2)


def _scattered(job: Mapping[str, Any], a: Any, node: Nodes, wave: tuple[complex, float]) -> dict[str, float]:
    """Scattered and absorbed power over the incident power through a line as long as a pixel."""
    turn, power = wave
    axis, sign = job["wave"]["axis"], job["wave"]["sign"]
    along = np.arange(node.shape[axis]) - node.shape[axis] // 2
    shape = (-1, 1) if axis == 0 else (1, -1)
    u = np.broadcast_to((turn ** (sign * along)).reshape(shape), node.shape).ravel()

    def box(ends: Any) -> NDArray[np.float64]:
        out = np.zeros(node.shape)
        (left, right), (low, high) = ends
        out[left : right + 1, low : high + 1] = 1
        return out.ravel()

    u = lit(a, u, box(job["wave"]["lit"]))

    def leaves(ends: Any) -> float:
        inside = box(ends)
        return -float(np.vdot(inside * u, a @ ((1 - inside) * u)).imag)

    return {
        "scattered": leaves(job["wave"]["around"]) / power,
        "absorbed": -leaves(job["wave"]["within"]) / power,
    }
