"""The folder of a study: layout, artifacts, state, what a node may see, and the final package."""

from tasks.study.workspace.workspace import Workspace

__all__ = ["Workspace"]
