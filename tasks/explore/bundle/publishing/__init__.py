"""Publishing a curated bundle: one interface, four backends, always staged first; made public only when a person said so."""

from tasks.explore.bundle.publishing.publish import make_public, publish, target_of

__all__ = ["make_public", "publish", "target_of"]
