"""Several computers on one: network namespaces with hosts' names, processes, folders and homes of their own, and one folder that all see.

Commands are run in them as a person types them, those of the guide's blocks included. When a computer's first process ends, all of it
ends: its processes, its network, its mounts; nothing of it is left on the computer that they are on.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.flow.deployed import ROOT
from tests.flow.kit import wait_until

CHECKOUT, SHARED = "/opt/reprolab", "/srv/reprolab"  # as the guide names them
_NETWORK = "10.31.0."
_OWN = ["--net", "--mount", "--uts", "--pid", "--ipc"]
# A computer of its own: the checkout and the shared folder where the guide has them, a home; what the others have is hidden.
_START = """
set -e
hostname NAME
mount -t proc proc /proc
mount --bind FOLDER/hosts /etc/hosts
mount -t tmpfs -o mode=755 tmpfs /srv
mkdir /srv/reprolab /srv/home /srv/.upper /srv/.work
mount --bind FOLDER/shared /srv/reprolab
mount --bind FOLDER/NAME /srv/home
mount -t overlay overlay -o lowerdir=/opt,upperdir=/srv/.upper,workdir=/srv/.work /opt
mkdir -p /opt/reprolab
mount --bind ROOT /opt/reprolab
mount -t tmpfs -o mode=700 tmpfs FOLDER
ip link set lo up
touch /srv/home/begun
exec sleep infinity
"""
_ASK = """
import json, sys, urllib.request
method, address, password, content = json.loads(sys.stdin.read())
import base64
headers = {"content-type": "application/json", "authorization": "Basic " + base64.b64encode(password.encode()).decode()}
asked = urllib.request.Request(address, method=method, headers=headers, data=json.dumps(content).encode() if content is not None else None)
sys.stdout.write(urllib.request.urlopen(asked, timeout=60).read().decode())
"""


def what_is_missing() -> str:
    """Why this computer cannot be several, in words; empty where it can."""
    for program in ("ip", "unshare", "nsenter"):
        if shutil.which(program) is None:
            return f"there is no {program}"
    if postgres() is None:
        return "there is no PostgreSQL"
    tried = subprocess.run(
        ["unshare", *_OWN, "--fork", "sh", "-c", "mount -t tmpfs tmpfs /srv && hostname one"],
        capture_output=True,
        text=True,
    )
    return f"namespaces cannot be made here: {tried.stderr.strip()[:200]}" if tried.returncode else ""


def postgres() -> Path | None:
    """The folder of PostgreSQL's programs, the newest that is here."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


def block_of_guide(after: str) -> str:
    """The commands of the guide on deployment that follow these words."""
    said = (ROOT / "docs/guide/deployment.md").read_text(encoding="utf-8")
    found = re.search(re.escape(after) + r".*?\n```\n(.*?)```", said, re.DOTALL)
    assert found is not None, f"the guide no longer says {after!r}"
    return found[1]


@dataclass
class Computer:
    """One that is on. process: its first."""

    name: str
    folder: Path
    process: subprocess.Popen[bytes]

    @property
    def home(self) -> Path:
        """Its home, from outside."""
        return self.folder / self.name

    def run(self, script: str, stdin: str = "") -> str:
        """What a script prints there, its errors too."""
        done = subprocess.run(
            self._inside(["bash", "-ec", script]),
            input=stdin,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=_environment(),
        )
        assert done.returncode == 0, f"{self.name}: {script}\n{done.stdout}"
        return done.stdout

    def leave(self, script: str, log: str) -> None:
        """Start what goes on there, in a session of its own, with its words in a file of the home."""
        with (self.home / log).open("ab") as stream:
            subprocess.Popen(
                self._inside(["bash", "-ec", script]),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
                env=_environment(),
            )

    def said(self, log: str) -> str:
        """What it has said so far."""
        return (self.home / log).read_text(encoding="utf-8", errors="replace")

    def ask(self, method: str, address: str, password: str, content: Any = None) -> Any:
        """The JSON that a server answers this computer."""
        told = json.dumps([method, address, password, content])
        said = self.run(f"exec {CHECKOUT}/.venv/bin/python -I -c '{_ASK}'", told)
        return json.loads(said) if said else None

    def cable(self, plugged: bool) -> None:
        """Pull its cable or plug it in."""
        self.run(f"ip link set eth0 {'up' if plugged else 'down'}")

    def off(self) -> None:
        """As when its power is cut."""
        self.process.kill()
        self.process.wait()

    @property
    def first(self) -> str:
        """Its first process, as it is called outside."""
        return Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()[0]

    def _inside(self, command: list[str]) -> list[str]:
        return ["nsenter", "--target", self.first, "--all", "--wd=/", *command]


def _on(folder: Path, name: str) -> Computer:
    """Switch one on."""
    (folder / name).mkdir()
    script = _START.replace("NAME", name).replace("FOLDER", str(folder)).replace("ROOT", str(ROOT))
    with (folder / name / "start.log").open("wb") as log:
        process = subprocess.Popen(
            ["unshare", *_OWN, "--fork", "--kill-child", "bash", "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    computer = Computer(name, folder, process)

    def begun() -> bool:
        assert process.poll() is None, (folder / name / "start.log").read_text()
        return (folder / name / "begun").exists()

    wait_until(begun, f"the start of {name}", 60)
    return computer


def _environment() -> dict[str, str]:
    return {
        "HOME": "/srv/home",
        "LANG": "C.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "REPROLAB_MEEP_PYTHON": os.environ.get("REPROLAB_MEEP_PYTHON", ""),
    }


@contextmanager
def computers(folder: Path, *names: str) -> Iterator[list[Computer]]:
    """Computers that reach each other by these names; the first one is the switch that the others are plugged into."""
    folder.mkdir()
    (folder / "shared").mkdir()
    addresses = {name: f"{_NETWORK}{number}" for number, name in enumerate(names, 1)}
    (folder / "hosts").write_text(
        "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in addresses.items())
    )
    found: list[Computer] = []
    try:
        for name in names:
            found.append(_on(folder, name))
        hub = found[0]
        hub.run(
            f"ip link add switch type bridge; ip link set switch up; ip addr add {addresses[hub.name]}/24 dev switch"
        )
        for number, other in enumerate(found[1:]):
            ends = f"port{number} netns {hub.first} type veth peer name eth0 netns {other.first}"
            subprocess.run(["ip", "link", "add", *ends.split()], check=True)
            hub.run(f"ip link set port{number} master switch up")
            other.run(f"ip addr add {addresses[other.name]}/24 dev eth0; ip link set eth0 up")
        yield found
    finally:
        for computer in found:
            computer.off()
