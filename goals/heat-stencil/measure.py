"""Measures a candidate: `python measure.py` in a folder with candidate/kernel.py writes measured.json.

The candidate runs in a process of its own: inputs chosen now and handed over as files, results taken as files, the CPU time of
that process as the kernel counted it. Nothing the candidate says about itself is read. What protects this program from it: a
filter of kernel calls lets that process open no file for writing (and so no memory of another process either), start no process
or thread, and send no signal; nothing is imported after it ran; its results are opened without following links, as arrays
without objects; measured.json is written last. The caller must refuse a measurement that did not end with exit code 0.
"""

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != HERE]  # nothing left here is ever imported

import numpy as np  # noqa: E402
import numpy.lib.format  # noqa: E402

SHAPE, STEPS = (900, 1000), 80
SMALL = (((3, 3), 5), ((3, 40), 7), ((41, 3), 4), ((17, 23), 0), ((33, 29), 61), ((9, 200), 13))
TOLERANCE, CPU_S = 1e-10, 60
RUNNER = """
import ctypes, os, platform, resource, struct, sys
import numpy as np

def confine():
    # Source: seccomp(2), classic BPF. Numbers of calls: the kernel's tables for both processors.
    audit, opens, denied = {
        "x86_64": (0xC000003E, {2: 24, 257: 32}, (56, 57, 58, 62, 85, 101, 200, 302, 304, 311)),
        "aarch64": (0xC00000B7, {56: 32}, (117, 129, 130, 220, 261, 265, 271)),
    }[platform.machine()]  # processor: ({opening call: where its flags are}, calls refused)
    load, equal, least, both, end = 0x20, 0x15, 0x35, 0x54, 0x06
    allow, refuse = (end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050001)
    code = [(load, 0, 0, 4), (equal, 1, 0, audit), (end, 0, 0, 0x80000000), (load, 0, 0, 0), (least, 0, 1, 0x40000000), refuse]
    for number in (*denied, 424, 425, 434, 435, 437, 438):  # also: pidfds, io_uring, clone3, openat2
        code += [(equal, 0, 1, number), refuse]
    for number, flags in opens.items():  # neither for writing nor with O_CREAT or O_TRUNC
        code += [(equal, 0, 5, number), (load, 0, 0, flags), (both, 0, 0, 0o1103), (equal, 0, 1, 0), allow, refuse]
    code.append(allow)
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
    head = ctypes.create_string_buffer(struct.pack("HP", len(code), ctypes.addressof(program)))
    prctl = ctypes.CDLL(None).prctl
    if prctl(38, 1, 0, 0, 0) or prctl(22, 2, ctypes.c_void_p(ctypes.addressof(head)), 0, 0):
        sys.exit("the candidate cannot be confined here: no filter of kernel calls")

count, cpu_s = int(sys.argv[1]), int(sys.argv[2])
results = [open(f"out_{number}.npy", "wb") for number in range(count)]
resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
sys.path.insert(0, "candidate")
confine()
import kernel
for number, result in enumerate(results):
    given = np.load(f"in_{number}.npz")
    np.save(result, np.asarray(kernel.run(given["u"], given["a"], int(given["steps"])), dtype=np.float64))
    result.close()
"""


def expected(u, a, steps):
    """The field after the steps, written differently from the provided kernel: differences across the faces between points."""
    u = u.copy()
    for _ in range(steps):
        across, down = u[1:-1, 1:] - u[1:-1, :-1], u[1:, 1:-1] - u[:-1, 1:-1]
        u[1:-1, 1:-1] += a[1:-1, 1:-1] * (across[:, 1:] - across[:, :-1] + down[1:] - down[:-1])
    return u


def problems(random):
    """(u, a, steps) of each problem; the first one is what takes the time."""
    for shape, steps in ((SHAPE, STEPS), *SMALL):
        yield random.standard_normal(shape), random.uniform(0.0, 0.25, shape), steps


def timed(folder, count):
    """CPU seconds of a process that runs the candidate, and its exit code."""
    place = {**os.environ, **{name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}}
    process = subprocess.Popen([sys.executable, "-P", "-c", RUNNER, str(count), str(CPU_S)], cwd=folder, env=place,
                               stdin=subprocess.DEVNULL, stdout=sys.stderr)
    backstop = threading.Timer(20 * CPU_S, process.kill)
    backstop.daemon = True
    backstop.start()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    backstop.cancel()
    return used.ru_utime + used.ru_stime, process.returncode


def taken(path, shape):
    """The array of a file the candidate left; None where it is no plain array of that shape."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            size = 8 * shape[0] * shape[1] + 4096
            if not stat.S_ISREG(os.fstat(handle).st_mode) or os.fstat(handle).st_size > size:
                return None
            array = numpy.lib.format.read_array(io.BytesIO(file.read(size)), allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError, RecursionError, MemoryError):
        return None
    return array if array.shape == shape and array.dtype == np.float64 else None


def main():
    folder = os.path.join(HERE, "running")
    os.makedirs(os.path.join(folder, "candidate"))
    for name in sorted(os.listdir(os.path.join(HERE, "candidate"))):
        path = os.path.join(HERE, "candidate", name)
        if name.endswith(".py") and os.path.isfile(path) and not os.path.islink(path):
            shutil.copyfile(path, os.path.join(folder, "candidate", name))
    given = list(problems(np.random.default_rng()))
    for number, (u, a, steps) in enumerate(given):
        np.savez(os.path.join(folder, f"in_{number}.npz"), u=u, a=a, steps=steps)
    cpu_s, code = timed(folder, len(given))
    if code != 0:
        sys.exit(f"the candidate's process ended with {'signal' if code < 0 else 'exit code'} {abs(code)}")
    found = [taken(os.path.join(folder, f"out_{number}.npy"), u.shape) for number, (u, _, _) in enumerate(given)]
    right = [array is not None and bool(np.abs(array - expected(*problem)).max() <= TOLERANCE * np.abs(problem[0]).max())
             for array, problem in zip(found, given, strict=True)]
    checks = {"large_grid_right": right[0], "small_grids_right": all(right[1:])}
    updates = STEPS * (SHAPE[0] - 2) * (SHAPE[1] - 2)
    metrics = {"ns_per_update": {"value": 1e9 * cpu_s / updates, "unit": "ns"}}
    draft = os.path.join(HERE, ".measured.json")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644), "w") as file:
        json.dump({"metrics": metrics, "checks": checks}, file)
    os.replace(draft, os.path.join(HERE, "measured.json"))


if __name__ == "__main__":
    main()
