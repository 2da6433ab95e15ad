"""From proposals to ideas: checked against the references and the ideas of ancestors, and written for the run."""

from tasks.explore.ideas.experiment import EXPERIMENT, IDEAS, write_ideas
from tasks.explore.ideas.idea_checks import checked_ideas

__all__ = ["EXPERIMENT", "IDEAS", "checked_ideas", "write_ideas"]
