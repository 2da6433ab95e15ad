"""Why a piece of evidence could not be computed. The message becomes a reason in the evidence itself."""

from __future__ import annotations

from schemas.errors import ReproLabError


class EvidenceError(ReproLabError):
    """A value that should judge cannot be had; the target fails with this message."""


class FileChanged(EvidenceError):
    """A collected file is missing, lies elsewhere, or is not the file that was hashed after the run."""


class UnitError(EvidenceError):
    """Two units that do not measure the same thing."""
