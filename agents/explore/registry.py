"""All agents of an exploration by name: every module of this folder that declares an AGENT.

To add one: a module here, a line in roster.py, a prompt in prompts/explore/.
"""

from __future__ import annotations

import importlib
import pkgutil

from agents import explore
from agents.core.agent import Agent
from schemas.core.base import Model

_MODULES = (
    importlib.import_module(f"agents.explore.{found.name}")
    for found in pkgutil.iter_modules(explore.__path__)
    if found.name != "registry"
)
AGENTS: dict[str, Agent] = {
    module.AGENT.name: module.AGENT for module in _MODULES if hasattr(module, "AGENT")
}
ANSWERS: dict[str, type[Model]] = {agent.answer.__name__: agent.answer for agent in AGENTS.values()}
