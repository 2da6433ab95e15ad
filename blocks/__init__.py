"""Where it runs and with which credentials: Prefect blocks, no logic. Register: prefect block register -m blocks."""

from blocks.meep_runtime import MeepRuntime
from blocks.model_endpoint import ModelEndpoint
from blocks.outputs_folder import OutputsFolder

__all__ = ["MeepRuntime", "ModelEndpoint", "OutputsFolder"]
