"""What can go wrong with optical constants; the messages follow schemas.errors."""

from __future__ import annotations

from schemas.errors import InputError, PrerequisiteError


class MaterialError(InputError):
    """Base of every error about a material that somebody chose."""


class UnknownMaterial(MaterialError):
    """A page that the database does not hold. `suggestions`: existing pages with similar names."""

    def __init__(
        self,
        what: str,
        *,
        found: object = None,
        allowed: object = None,
        fix: str | None = None,
        suggestions: tuple[str, ...] = (),
    ) -> None:
        super().__init__(what, found=found, allowed=allowed, fix=fix)
        self.suggestions = suggestions

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.what, self.found, self.allowed, self.fix, self.suggestions)


def _rebuild(
    what: str, found: object, allowed: object, fix: str | None, suggestions: tuple[str, ...]
) -> UnknownMaterial:
    return UnknownMaterial(what, found=found, allowed=allowed, fix=fix, suggestions=suggestions)


class MaterialDataError(MaterialError):
    """A page or table whose numbers cannot be used (no n, not finite, not ascending)."""


class WavelengthOutOfRange(MaterialError):
    """A wavelength or band outside the range that the table covers."""


class FitFailed(MaterialError):
    """No usable Drude-Lorentz model was found, or the request for one makes no sense."""


class MeepLibraryError(PrerequisiteError):
    """Meep's own material library could not be read with the given interpreter."""
