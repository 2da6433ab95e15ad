"""reproduce.sh as a Slurm job: Slurm says where, our sandbox still says what it may do.

The job is a script of ours that loads ReproLab from its own place, so nothing depends on where Slurm spools the script.
Source: sbatch(1), --wait.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from schemas.errors import ReproLabError
from schemas.explore.grade import Phase1
from schemas.text.visible import visible
from tasks.files.store import atomic_write

_ROOT = Path(__file__).resolve().parents[3]
_QUEUE_S = 24 * 3600
_START = (
    "import sys; sys.path.append(sys.argv[1]); from tasks.explore.ors.running import execute_order; "
    "from tasks.files.store import atomic_write; from pathlib import Path; "
    "atomic_write(Path(sys.argv[3]), execute_order(Path(sys.argv[2]).read_text()))"
)


class JobLost(ReproLabError):
    """The scheduler did not run the job, or lost it; run the stage again."""


def script(order: Path, outcome: Path) -> str:
    """The job's script."""
    words = [sys.executable, "-c", _START, str(_ROOT), str(order), str(outcome)]
    return "#!/bin/sh\nexec " + " ".join(shlex.quote(word) for word in words) + "\n"


def submitted(
    order: str, outputs: Path, *, partition: str, cpus: int, wall_s: float, job_memory_mb: int
) -> Phase1:
    """Submit, wait for the job's end, and read what it left. Raises JobLost with the scheduler's words."""
    order_file, outcome = outputs / "job.json", outputs / "job_outcome.json"
    atomic_write(order_file, order)
    job = atomic_write(outputs / "job.sh", script(order_file, outcome))
    minutes = int(wall_s // 60) + 2
    command = [
        "sbatch",
        "--wait",
        "--job-name=reprolab-reproduce",
        f"--partition={partition}",
        "--nodes=1",
        "--ntasks=1",
        f"--cpus-per-task={cpus}",
        f"--time={minutes}",
        f"--output={outputs / 'job.log'}",
        f"--chdir={outputs}",
        "--no-requeue",
        "--export=PATH,HOME,LANG,SLURM_CONF",
        *([f"--mem={job_memory_mb}"] if job_memory_mb else []),
        str(job),
    ]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=60 * minutes + _QUEUE_S,
        )
    except subprocess.TimeoutExpired:
        raise JobLost(
            "the Slurm job did not end",
            found=f"{_QUEUE_S // 3600} hours beyond its time",
            fix="look at squeue; or where: sandbox",
        ) from None
    if not outcome.is_file():
        raise JobLost(
            "the Slurm job left no outcome",
            found=visible(done.stderr or done.stdout, 400) or f"sbatch ended with {done.returncode}",
            fix="the run's folder must be on a disk that the nodes share; look at job.log in repro_outputs",
        )
    return Phase1.model_validate_json(outcome.read_bytes())
