"""Tools of skills (MCP servers) as ordinary calls: bounded, checked, and allowed only where workflow.yaml says so."""

from tasks.tools.registry import Registry
from tasks.tools.tool_limits import ToolLimits
from tasks.tools.toolbox import OnAsk, Toolbox

__all__ = ["OnAsk", "Registry", "ToolLimits", "Toolbox"]
