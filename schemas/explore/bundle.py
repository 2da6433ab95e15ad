"""The published bundle of an exploration: what may go into it, what it is compared with, and where it was published."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model
from schemas.bundle import EXECUTABLE, License, Sha256
from schemas.explore.goal import MetricKind

Backend = Literal["local-tarball", "registry", "zenodo", "github"]
Visibility = Literal["staged", "public"]

RULES = "publish.yaml"
WITHIN = {"REPROLAB_UNISOLATED": "1"}
"""Environment of a reproduce.sh that we isolate ourselves: a bundle's own isolation does not work within another."""
EXPECTED = "expected.json"
RESULTS = "results.json"


class PublishRules(Model):
    """`publish.yaml`: which files of ear/ may be published. A pattern's `**` reaches over folders, `*` does not.

    The built-in deny list cannot be switched off. holder: who holds the copyright, as it stands in LICENSE.
    """

    license: License = "MIT"
    title: str = Field("", max_length=300)
    holder: str = Field("The authors", max_length=200)
    year: int | None = Field(None, ge=1970, le=2200)
    creators: tuple[str, ...] = Field((), description="as Zenodo lists them: Family, Given")
    description: str = Field("", max_length=5000)
    include: tuple[str, ...] = Field(
        (
            "README.md",
            "LICENSE",
            EXECUTABLE,
            EXPECTED,
            "code/**",
            "baseline/**",
            "measure/**",
            "library/**",
            "data/**",
            "figures/**",
        ),
        min_length=1,
    )
    exclude: tuple[str, ...] = ()


class PublishTarget(Model):
    """Where to publish. token_variable: the environment variable that holds the token; never the token itself.

    url: of a registry; of another instance of Zenodo or GitHub. repository: owner/name, GitHub alone.
    """

    backend: Backend = "local-tarball"
    url: str = Field("", max_length=300)
    token_variable: str = Field("", max_length=100)
    repository: str = Field("", pattern=r"^([A-Za-z0-9_.-]{1,80}/[A-Za-z0-9_.-]{1,100})?$")


class PublishRecord(Model):
    """`publish_record.json`. Always staged first; `public` only after a person said so.

    ref: what `reprolab clone` takes. archive_sha256 and archive_size: of bundle.tar.gz.
    """

    backend: Backend
    target: PublishTarget = Field(
        default_factory=PublishTarget, description="with the name of the token's variable"
    )
    ref: str
    url: str = ""
    doi: str = ""
    visibility: Visibility = "staged"
    bundle_sha256: Sha256
    archive: str = "bundle.tar.gz"
    archive_sha256: Sha256
    archive_size: int = Field(ge=0)
    remote_id: str = Field(
        "", description="deposition, release or entry at the backend: what `make public` addresses"
    )


class ExpectedNumber(Model):
    """A number of the paper that can be measured again.

    metric: as the measure program names it. kind: what its repeats are taken for; of a secondary metric random. of: the
    bundle's folder it is measured on; or both: ratio is the program's over the baseline's, inverse the baseline's over the
    program's, change the percentage by which the ratio differs from 1. value ± uncertainty (one standard uncertainty) in
    `unit`, as the paper states it. floor: distance in `unit` that is allowed whatever the uncertainties. judged: whether
    reproduce.sh's exit code depends on it; a time in seconds is another computer's, and is shown beside ours.
    """

    name: str
    metric: str
    kind: MetricKind
    of: Literal["code", "baseline", "ratio", "inverse", "change"] = "code"
    value: float = Field(allow_inf_nan=False)
    uncertainty: float = Field(ge=0, allow_inf_nan=False)
    floor: float = Field(0.0, ge=0, allow_inf_nan=False)
    unit: str = ""
    judged: bool = True
    why: str = Field("", description="where it is not judged, the reason")


class Expected(Model):
    """`expected.json` of the bundle: what reproduce.sh compares with, and how often each program is measured."""

    format: Literal["reprolab-expected/1"] = "reprolab-expected/1"
    program: str = "measure/measure.py"
    program_sha256: Sha256
    repeats: int = Field(3, ge=1, le=99)
    inputs: tuple[str, ...] = Field(
        (), description="files of data/ laid beside the program as the goal names them"
    )
    numbers: tuple[ExpectedNumber, ...] = ()


class CuratedBundle(Model):
    """What curating found. refused: path and reason; nothing refused is in the bundle."""

    bundle_sha256: Sha256
    files: int
    size: int
    refused: tuple[tuple[str, str], ...] = ()


class EarManifest(Model):
    """`ear_manifest.json`: what generate_ear made, outside the bundle. best, baseline: the nodes its programs come from."""

    best: str
    baseline: str = ""
    files: tuple[str, ...]
    numbers: tuple[str, ...] = Field(
        (), description="names of the paper's numbers that reproduce.sh measures again"
    )
    left_out: tuple[tuple[str, str], ...] = ()
