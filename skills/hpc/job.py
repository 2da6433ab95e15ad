"""What the scheduler runs: a node's script, in the sandbox and recorded as everything the node executes.

Started as `python -m skills.hpc.job ORDER`, where ORDER is a file beside the work directory that we wrote; the script itself
never runs outside the sandbox.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from schemas.errors import ReproLabError
from schemas.talking.tools import ToolContext
from skills.executions.running import NoBudget, execute
from tasks.files.store import atomic_write


def main(order: Path) -> int:
    """Run the order's script; how it ended stands in the file beside the order, `<name>.end`."""
    said = json.loads(order.read_text(encoding="utf-8"))
    context = ToolContext.model_validate(said["context"])
    try:
        text = execute(
            ["/bin/bash", said["script"], *said["arguments"]],
            tool="slurm_submit",
            command=said["command"],
            work=Path(context.work_dir),
            context=context,
        )
    except (NoBudget, ReproLabError) as error:
        text = f"not run: {error}"
    atomic_write(order.with_suffix(".end"), text)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
