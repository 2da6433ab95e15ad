"""`python -m tests.flow.settings_read HOME`: what Prefect reads of an environment that is made just before it is imported."""

from __future__ import annotations

import json
import logging
import os
import sys

from flows.serving.runtime import under_worker

if __name__ == "__main__":
    before = sorted(name for name in sys.modules if name.partition(".")[0] == "prefect")
    worker = under_worker()
    os.environ |= {
        "PREFECT_HOME": sys.argv[1],
        "PREFECT_API_URL": "http://127.0.0.1:9/api",
        "PREFECT_LOGGING_LEVEL": "ERROR",
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        "PREFECT_CLIENT_MAX_RETRIES": "3",
    }
    from prefect.logging.configuration import PROCESS_LOGGING_CONFIG
    from prefect.settings import get_current_settings

    import flows.reproduce.terminal

    handlers = {
        name: [(type(handler).__name__, handler.level) for handler in logging.getLogger(name).handlers]
        for name in (None, "prefect", "prefect.flow_runs")
    }
    told = {
        "before": before,
        "worker": worker,
        "settings": get_current_settings().model_dump(mode="json"),
        "logging": PROCESS_LOGGING_CONFIG,
        "handlers": {str(name): found for name, found in handlers.items()},
        "levels": [logging.getLogger(name).level for name in ("prefect", "prefect.flow_runs")],
        "ours": flows.reproduce.terminal.__spec__.name,
        "package": sys.modules["prefect"].__spec__.name,
    }
    print(json.dumps(told, sort_keys=True, default=str))
