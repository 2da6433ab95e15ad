"""The parts of simkit that need no Meep: grid arithmetic and the cost model."""

from __future__ import annotations

from itertools import pairwise

import pytest

import simkit as sk

pytestmark = pytest.mark.unit


def test_whole_pixels_refuses_and_offers_resolutions():
    assert sk.whole_pixels(0.325, 40) == 13
    with pytest.raises(sk.GeometryError, match=r"19.5000 pixels at resolution 60.*\[.*80.*\]"):
        sk.whole_pixels(0.325, 60)


@pytest.mark.parametrize("edges", [[0.01, 0.015], [0.075, 0.325], [0.5], [0.134, 0.3]])
def test_aligned_resolutions_keep_the_sub_pixel_position(edges):
    found = sk.aligned_resolutions(edges, around=100, n=3)
    assert len(set(found)) == 3
    for edge in edges:
        positions = [edge * r for r in found]
        offsets = [abs((p - positions[0] + 0.5) % 1 - 0.5) for p in positions]
        assert max(offsets) <= 0.04
        assert all(b >= 1.15 * a for a, b in pairwise(found))


def test_edges_without_common_resolutions_are_refused():
    with pytest.raises(sk.GeometryError, match="no 3 resolutions between 50 and 600"):
        sk.aligned_resolutions([0.01, 0.0175], around=100)


def test_even_cell_is_an_even_number_of_pixels():
    size = sk.even_cell(3.333, 30)
    assert size >= 3.333 and round(size * 30) % 2 == 0 and abs(size * 30 - round(size * 30)) < 1e-9


def test_estimate_scales_as_the_method_does():
    coarse = sk.estimate((8, 8), 20, 200, absorber=(2, 2))
    fine = sk.estimate((8, 8), 40, 200, absorber=(2, 2))
    assert fine.steps == 2 * coarse.steps and fine.pixels == 4 * coarse.pixels
    assert 5 < fine.run_s / coarse.run_s < 12
    assert sk.estimate((8, 8), 40, 200, absorber=(2, 2), mirrors="y").run_s < 0.7 * fine.run_s
    # 100 x 2 = 400 Mpixel-steps at 220-340 million a second.
    assert 0.3 < sk.estimate((10, 10), 20, 250).run_s * 1e6 * 300 / (40_000 * 10_000) < 3


def test_estimate_refuses_impossible_numbers():
    with pytest.raises(sk.GeometryError, match="courant 2"):
        sk.estimate((1, 1), 10, 10, courant=2)


def test_unknown_name_lists_what_exists():
    with pytest.raises(AttributeError, match="planewave_rt"):
        sk.plane_wave  # noqa: B018
