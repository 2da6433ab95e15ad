"""Tools of skills (MCP servers) as ordinary calls: bounded, checked, and allowed only where workflow.yaml says so."""

from tasks.core.tools.limits import ToolLimits
from tasks.core.tools.registry import Registry
from tasks.core.tools.toolbox import OnAsk, Toolbox

__all__ = ["OnAsk", "Registry", "ToolLimits", "Toolbox"]
