"""All agents of a study by name: every module of this folder that declares an AGENT.

To add one: a module here, a line in roster.py, a prompt in prompts/study/.
"""

from __future__ import annotations

import importlib
import pkgutil

from agents import study
from agents.core.agent import Agent
from schemas.core.base import Model

_MODULES = (
    importlib.import_module(f"agents.study.{found.name}")
    for found in pkgutil.iter_modules(study.__path__)
    if found.name != "registry"
)
AGENTS: dict[str, Agent] = {
    module.AGENT.name: module.AGENT for module in _MODULES if hasattr(module, "AGENT")
}
ANSWERS: dict[str, type[Model]] = {agent.answer.__name__: agent.answer for agent in AGENTS.values()}
