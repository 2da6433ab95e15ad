"""The honest runs: a suite of lies whose honest run fails proves nothing."""

from __future__ import annotations

from tests.lies.kit import Lie

HONEST = (
    Lie(
        "honest",
        "all",
        "honest",
        "a paper that is right is reproduced",
        edition="true",
        false=(),
        verdicts=("Reproduced",),
    ),
    Lie(
        "honest-half",
        "all",
        "honest",
        "a paper of which one figure is wrong is reproduced in part",
        edition="half",
        false=("R_s",),
        verdicts=("Partly reproduced",),
    ),
    Lie(
        "honest-failure",
        "all",
        "honest",
        "a paper whose results do not follow from its inputs is not",
        verdicts=("Not reproduced",),
    ),
)
