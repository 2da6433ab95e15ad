"""What a user handed in: kind, mode, tables read with limits, profiles without rows, personal data flagged."""

from tasks.study.inputs.looked_at import analyse, for_models, read_all, read_declared

__all__ = ["analyse", "for_models", "read_all", "read_declared"]
