"""Measures a coating: `python measure.py` in a folder with candidate/design.toml writes measured.json.

The candidate is a list of numbers; nothing of it is executed. Light is solved by Meep through simkit (on PYTHONPATH), at two
resolutions; the finer one counts. Checks: both resolutions agree, energy is conserved, and the
theory of films (this program's own transfer matrix) gives the same reflectance, so that no design gains by the grid's errors.
"""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).absolute().parent
INDICES, GLASS = (1.38, 1.46, 1.65, 1.95, 2.30), 1.52
MOST, THINNEST_NM, THICKEST_NM, ALL_NM = 4, 10.0, 300.0, 600.0
BAND_UM, COUNT, RESOLUTIONS = (0.4, 0.7), 151, (400, 800)
FIXED, SHARE, ANYWHERE = 2e-5, 5e-4, 1e-3  # mean: 0.002 % and 0.05 % of itself; the spectra anywhere: 0.1 %


def layers_of(path):
    """[(index, thickness in um)] of a design. Raises ValueError for anything else, in words."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle) as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("design.toml is no regular file")
        design = tomllib.loads(file.read(20_000))
    if not isinstance(design.get("layers"), list):
        raise ValueError("design.toml has no [[layers]]")
    layers = []
    for number, layer in enumerate(design["layers"], 1):
        values = [layer.get(name) for name in ("index", "thickness_nm")] if isinstance(layer, dict) else [None]
        if any(isinstance(value, bool) or not isinstance(value, (int, float)) for value in values):
            raise ValueError(f"layer {number} has no numbers index and thickness_nm")
        index, thickness = values
        if index not in INDICES:
            raise ValueError(f"layer {number}: index {index} is none of {INDICES}")
        if not THINNEST_NM <= thickness <= THICKEST_NM:
            raise ValueError(f"layer {number}: {thickness} nm is outside {THINNEST_NM} to {THICKEST_NM} nm")
        layers.append((float(index), thickness / 1000))
    if not 1 <= len(layers) <= MOST or sum(thickness for _, thickness in layers) > ALL_NM / 1000 + 1e-12:
        raise ValueError(f"{len(layers)} layers of {1000 * sum(t for _, t in layers):g} nm: 1 to {MOST}, at most {ALL_NM:g} nm")
    return layers


def by_theory(layers, frequency):
    """Reflectance of the films by transfer matrices (n,). Source: Born and Wolf, Principles of Optics, 1.6."""
    import numpy as np

    matrix = np.broadcast_to(np.eye(2, dtype=complex), (len(frequency), 2, 2))
    for index, thickness in layers:
        phase = 2 * np.pi * frequency * index * thickness
        cosine, sine = np.cos(phase), np.sin(phase)
        film = np.array([[cosine, -1j * sine / index], [-1j * sine * index, cosine]]).transpose(2, 0, 1)
        matrix = matrix @ film
    electric = matrix[:, 0, 0] + matrix[:, 0, 1] * GLASS
    magnetic = matrix[:, 1, 0] + matrix[:, 1, 1] * GLASS
    return np.abs((electric - magnetic) / (electric + magnetic)) ** 2


def by_meep(layers):
    """The films' reflectance and transmittance at each resolution: {"frequency": [n], "R": [[n], [n]], "T": [[n], [n]]}.

    In a process of its own: Meep writes to standard output until the very end, which is the caller's.
    """
    place = HERE / "solving"
    place.mkdir()
    (place / "params.json").write_text(json.dumps({"paper_id": "antireflection", "stage_id": "measure"}))
    (place / "layers.json").write_text(json.dumps(layers))
    subprocess.run([sys.executable, HERE / "measure.py", "--solve"], cwd=HERE, stdout=sys.stderr, check=True,
                   env={**os.environ, "SIMKIT_INPUTS": str(place), "SIMKIT_OUTPUT": str(place)})
    return json.loads((place / "spectra.json").read_text())


def solve(place):
    """In that process: the spectra of layers.json into spectra.json."""
    import simkit

    run = simkit.start()
    layers = [tuple(layer) for layer in json.loads((place / "layers.json").read_text())]
    found = [simkit.planewave_rt(run, layers, substrate=GLASS, band_um=BAND_UM, nfreq=COUNT, resolution=resolution,
                                 label=f"coating at {resolution} pixels per um") for resolution in RESOLUTIONS]
    spectra = {"frequency": found[0].frequency, "R": [each.R for each in found], "T": [each.T for each in found]}
    (place / "spectra.json").write_text(json.dumps(spectra, default=lambda values: values.tolist()))


def measured(layers):
    """Metrics and checks of a design within the limits."""
    import numpy as np

    found = {name: np.array(values) for name, values in by_meep(layers).items()}
    (coarse, fine), transmitted = found["R"], found["T"][1]
    theory = by_theory(layers, found["frequency"])
    mean, allowed = float(fine.mean()), FIXED + SHARE * theory.mean()
    checks = {"resolutions_agree": bool(abs(coarse.mean() - mean) <= 4 * allowed),
              "energy_conserved": bool(np.abs(fine + transmitted - 1).max() <= ANYWHERE),
              "theory_agrees": bool(abs(theory.mean() - mean) <= allowed and np.abs(theory - fine).max() <= ANYWHERE)}
    metrics = {"mean_reflectance": {"value": 100 * mean, "unit": "%"},
               "largest_reflectance": {"value": 100 * float(fine.max()), "unit": "%"},
               "mean_reflectance_by_theory": {"value": 100 * float(theory.mean()), "unit": "%"}}
    return metrics, checks


def main():
    if sys.argv[1:] == ["--solve"]:
        return solve(HERE / "solving")
    try:
        layers = layers_of(HERE / "candidate" / "design.toml")
    except (OSError, ValueError, RecursionError) as error:
        sys.exit(f"the design cannot be measured: {error}")
    metrics, checks = measured(layers)
    (HERE / "measured.json").write_text(json.dumps({"metrics": metrics, "checks": checks}))


if __name__ == "__main__":
    main()
