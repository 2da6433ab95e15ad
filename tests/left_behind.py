"""A candidate that prints its answer and leaves a process behind, which halts the measure program and overwrites its file."""

from __future__ import annotations

import json

_PROGRAM = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    name, mine = "measu" + "red.json", os.getpid()
    others = [int(one) for one in os.listdir("/proc") if one.isdigit() and int(one) not in (1, mine)]
    end, done = time.time() + 10, False
    while time.time() < end and not done:
        for what in (signal.SIGSTOP, signal.SIGCONT):
            if what == signal.SIGCONT and os.path.exists(name) and os.path.getsize(name):
                open(name, "w").write(MEASURED)
                done = True
            for other in others:
                try:
                    os.kill(other, what)
                except OSError:
                    pass
    raise SystemExit
print(ANSWER)
"""


def left_behind(answer: str, **checks: bool) -> str:
    """The program: it prints `answer`, and what it leaves behind writes an error of 0 with these checks held."""
    measured = json.dumps({"metrics": {"error": {"value": 0.0}}, "checks": checks})
    return _PROGRAM.replace("MEASURED", repr(measured)).replace("ANSWER", repr(answer))
