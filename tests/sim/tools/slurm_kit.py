"""A cluster of one node for tests: Debian's Slurm, its daemons in the foreground, without systemd and without munge."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PROGRAMS = ("sbatch", "scontrol", "sinfo", "slurmctld", "slurmd")
_CONFIG = """
ClusterName=reprolab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={first}
SlurmdPort={second}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=10 State=UP
"""


def installed() -> bool:
    """Whether Slurm is here, and we may start its daemons."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    return os.getuid() == 0 and all(shutil.which(name, path=path) for name in _PROGRAMS)


def _free_ports() -> list[int]:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return [one.getsockname()[1], other.getsockname()[1]]


@contextmanager
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    """The variables with which Slurm's commands reach the cluster. Raises RuntimeError with the logs if it does not come up."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    first, second = _free_ports()
    config = folder / "slurm.conf"
    config.write_text(
        _CONFIG.format(
            host=socket.gethostname().split(".")[0],
            first=first,
            second=second,
            folder=folder,
            cpus=os.cpu_count(),
            user="root",
        )
    )
    env = {**os.environ, "SLURM_CONF": str(config), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    with (folder / "daemons.log").open("w") as log:
        daemons = [
            subprocess.Popen(
                command, env=env, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
            )
            for command in (["slurmctld", "-D", "-i"], ["slurmd", "-D"])
        ]
        try:
            deadline = time.monotonic() + 90
            while (
                "idle"
                not in subprocess.run(
                    ["sinfo", "--noheader", "--format=%t"],
                    env=env,
                    capture_output=True,
                    text=True,
                    timeout=60,
                    check=False,
                ).stdout
            ):
                if time.monotonic() > deadline:
                    logs = [
                        (folder / name).read_text()[-1500:]
                        for name in ("ctld.log", "slurmd.log", "daemons.log")
                        if (folder / name).exists()
                    ]
                    raise RuntimeError("Slurm did not come up:\n" + "\n".join(logs))
                time.sleep(0.2)
            yield {"SLURM_CONF": str(config)}
        finally:
            for daemon in reversed(daemons):
                daemon.terminate()
            for daemon in daemons:
                try:
                    daemon.wait(15)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()
