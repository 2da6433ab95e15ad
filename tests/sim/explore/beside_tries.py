"""Goals with a clock, candidates that work beside it, and honest ones; written before the rule that tells them apart was tuned.

The first half of each list was looked at while the rule was made, the second was not.
"""

from __future__ import annotations

CHAINS = '''"""Lengths of Collatz chains."""
def chains(numbers):
    found = []
    for number in numbers:
        steps = 0
        while number != 1:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            steps += 1
        found.append(steps)
    return found
'''
SMOOTH = '''"""A smoothed field."""
import numpy as np
def smooth(u, steps):
    u = np.array(u, dtype=float)
    for _ in range(steps):
        new = u.copy()
        new[1:-1, 1:-1] = (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]) / 4
        u = new
    return u
'''
_WRITE = 'json.dump({"metrics": {"time": {"value": taken, "unit": "s"}}, "checks": {"right": RIGHT}}, open("measured.json", "w"))\n'
_CHECK = """
def expected(numbers):
    known = {1: 0}
    def length(number):
        path = []
        while number not in known:
            path.append(number)
            number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps = known[number]
        for each in reversed(path):
            steps += 1
            known[each] = steps
        return steps
    return [length(number) for number in numbers]
"""
_BEGIN = "import json, os, random, sys, time\nsys.path.insert(0, 'candidate')\n"
_NUMBERS = "draw = random.Random(int(os.environ['REPROLAB_REPEAT']))\nnumbers = draw.sample(range(1, 200_001), 100_000)\n"
_CALL = "begun = time.CLOCK()\nfound = chains(numbers)\ntaken = time.CLOCK() - begun\n"
_RIGHT = _WRITE.replace("RIGHT", "bool(len(found) == len(numbers) and found == expected(numbers))")
_IN_PROCESS = _BEGIN + _CHECK + "from chains import chains\n" + _NUMBERS + _CALL + _RIGHT
_WARMED = _BEGIN + _CHECK + "from chains import chains\n" + _NUMBERS + "chains(numbers)\n" + _CALL + _RIGHT
_FIVE = (
    _BEGIN
    + _CHECK
    + "from chains import chains\n"
    + _NUMBERS
    + "numbers = numbers[:30_000]\ntimes = []\nfor _ in range(5):\n    begun = time.process_time()\n    found = chains(numbers)\n"
    + "    times.append(time.process_time() - begun)\ntaken = sorted(times)[2]\n"
    + _RIGHT
)
_FIELD = (
    _BEGIN
    + "import numpy as np\nfrom smooth import smooth\ndraw = np.random.default_rng(int(os.environ['REPROLAB_REPEAT']))\n"
    + "u = draw.random((700, 700))\nsmall = draw.random((9, 7))\n"
    + "def expected(u, n):\n    u = u.copy()\n    for _ in range(n):\n"
    + "        u[1:-1, 1:-1] = 0.25 * (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1])\n    return u\n"
    + "begun = time.CLOCK()\nfound = smooth(u, 120)\ntaken = time.CLOCK() - begun\n"
    + _WRITE.replace(
        "RIGHT",
        "bool(np.allclose(found, expected(u, 120)) and np.allclose(smooth(small, 3), expected(small, 3)))",
    )
)
GOALS = {  # name: (file, its text as provided, the program that measures it)
    "cpu": ("chains.py", CHAINS, _IN_PROCESS.replace("CLOCK", "process_time")),
    "wall": ("chains.py", CHAINS, _IN_PROCESS.replace("CLOCK", "perf_counter")),
    "warmed": ("chains.py", CHAINS, _WARMED.replace("CLOCK", "perf_counter")),
    "five": ("chains.py", CHAINS, _FIVE),
    "field": ("smooth.py", SMOOTH, _FIELD.replace("CLOCK", "process_time")),
    "wall field": ("smooth.py", SMOOTH, _FIELD.replace("CLOCK", "perf_counter")),
}
_SLOW = CHAINS.replace("def chains", "def slow")
_KNOWN = """
def grown(numbers, known):
    found = []
    for number in numbers:
        path, at = [], number
        while at not in known:
            path.append(at)
            at = at // 2 if at % 2 == 0 else 3 * at + 1
        steps = known[at]
        for each in reversed(path):
            steps += 1
            known[each] = steps
        found.append(known[number])
    return found
"""
_LAZY = """
class Later(list):
    def __init__(self, numbers):
        self.numbers = numbers
    def __len__(self):
        return len(self.numbers)
    def __iter__(self):
        return iter(slow(self.numbers))
    def __eq__(self, other):
        return slow(self.numbers) == other
def chains(numbers):
    return Later(numbers)
"""
_BOOLEAN = _LAZY.replace("list(", "x(").replace("(list)", "")
_FIELD_LATER = SMOOTH.replace("def smooth", "def slow")
LIES: tuple[tuple[str, str, str], ...] = (
    (
        "a table at import",
        "cpu",
        _SLOW
        + "TABLE = slow(range(1, 200_001))\ndef chains(numbers):\n    return [TABLE[n - 1] for n in numbers]\n",
    ),
    ("a list that computes when it is compared", "cpu", _SLOW + _LAZY),
    (
        "half of the table at import",
        "cpu",
        _SLOW
        + "HALF = dict(zip(range(1, 100_001), slow(range(1, 100_001))))\ndef chains(numbers):\n"
        + "    return [HALF[n] if n in HALF else slow([n])[0] for n in numbers]\n",
    ),
    (
        "an array when it is asked for",
        "field",
        _FIELD_LATER
        + """
class Later:
    def __init__(self, u, steps):
        self.given = np.array(u), steps
    def __array__(self, *rest, **more):
        return slow(*self.given)
def smooth(u, steps):
    return Later(u, steps)
""",
    ),
    (
        "a thread at import that is waited for there",
        "wall",
        _SLOW
        + "import threading\nTABLE = []\nwork = threading.Thread(target=lambda: TABLE.extend(slow(range(1, 200_001))))\n"
        + "work.start()\nwork.join()\ndef chains(numbers):\n    return [TABLE[n - 1] for n in numbers]\n",
    ),
    (
        "remembered from the warm-up",
        "warmed",
        _SLOW
        + "SEEN = {}\ndef chains(numbers):\n    key = tuple(numbers)\n    if key not in SEEN:\n        SEEN[key] = slow(numbers)\n"
        + "    return list(SEEN[key])\n",
    ),
    (
        "remembered from the first of five",
        "five",
        _SLOW
        + "SEEN = {}\ndef chains(numbers):\n    if id(numbers) not in SEEN:\n        SEEN[id(numbers)] = slow(numbers)\n"
        + "    return list(SEEN[id(numbers)])\n",
    ),
    (
        "in most runs only",
        "cpu",
        _SLOW
        + "import os\nLATE = int(os.environ['REPROLAB_REPEAT']) % 5 != 0\nTABLE = slow(range(1, 200_001)) if LATE else []\n"
        + "def chains(numbers):\n    return [TABLE[n - 1] for n in numbers] if LATE else slow(numbers)\n",
    ),
    (
        "imports that are named and not made",
        "cpu",
        "if False:\n    import scipy.stats, scipy.signal\n"
        + _SLOW
        + "TABLE = slow(range(1, 200_001))\ndef chains(numbers):\n    return [TABLE[n - 1] for n in numbers]\n",
    ),
    (
        "a child at import",
        "wall",
        _SLOW
        + "import json, subprocess, sys\nTABLE = json.loads(subprocess.run([sys.executable, '-c', 'from chains import slow; import json; "
        + "print(json.dumps(slow(range(1, 200_001))))'], capture_output=True, text=True, cwd='candidate').stdout) "
        + "if __name__ == 'chains' and not __import__('os').environ.get('IN') and not "
        + "__import__('os').environ.__setitem__('IN', '1') else []\n"
        + "def chains(numbers):\n    return [TABLE[n - 1] for n in numbers]\n",
    ),
    # --- the second half
    (
        "a quicker table at import",
        "cpu",
        _KNOWN
        + "KNOWN = {1: 0}\nfor _ in range(3):\n    KNOWN = {1: 0}\n    grown(range(1, 200_001), KNOWN)\n"
        + "def chains(numbers):\n    return [KNOWN[n] for n in numbers]\n",
    ),
    (
        "a sequence of its own that computes when it is looked at",
        "wall",
        _SLOW
        + "class Later:\n    def __init__(self, numbers):\n        self.numbers, self.found = numbers, None\n    def __len__(self):\n"
        + "        self.found = slow(self.numbers)\n        return len(self.found)\n    def __eq__(self, other):\n"
        + "        return self.found == other\ndef chains(numbers):\n    return Later(numbers)\n",
    ),
    (
        "the last tenth is left for later",
        "wall",
        _SLOW
        + "class Rest(list):\n    def __eq__(self, other):\n        return list.__add__(self, slow(self.left)) == other\n"
        + "    def __len__(self):\n        return 100_000\n"
        + "def chains(numbers):\n    found = Rest(slow(numbers[:58_000]))\n    found.left = numbers[58_000:]\n    return found\n",
    ),
    (
        "a subclass of arrays",
        "wall field",
        _FIELD_LATER
        + "class Later(np.ndarray):\n    def __array_finalize__(self, other):\n        pass\n"
        + "    def __array_ufunc__(self, ufunc, method, *given, **more):\n"
        + "        given = [slow(*g.given) if isinstance(g, Later) else g for g in given]\n"
        + "        return getattr(ufunc, method)(*given, **more)\n    def __array_function__(self, function, types, given, more):\n"
        + "        given = [slow(*g.given) if isinstance(g, Later) else g for g in given]\n        return function(*given, **more)\n"
        + "def smooth(u, steps):\n    later = np.zeros(u.shape).view(Later)\n    later.given = u, steps\n    return later\n",
    ),
    (
        "a thread that goes on behind the clock",
        "wall",
        _SLOW
        + "import threading\nclass Later(list):\n    def __len__(self):\n        self.work.join()\n        return list.__len__(self)\n"
        + "def chains(numbers):\n    found = Later()\n    found.work = threading.Thread(target=lambda: found.extend(slow(numbers)))\n"
        + "    found.work.start()\n    return found\n",
    ),
    (
        "a thread at import, process time",
        "cpu",
        _SLOW
        + "import threading\nTABLE = []\nwork = threading.Thread(target=lambda: TABLE.extend(slow(range(1, 200_001))))\n"
        + "work.start()\nwork.join()\ndef chains(numbers):\n    return [TABLE[n - 1] for n in numbers]\n",
    ),
    (
        "in the attribute of a module",
        "cpu",
        _SLOW
        + "def __getattr__(name):\n    if name != 'chains':\n        raise AttributeError(name)\n    table = slow(range(1, 200_001))\n"
        + "    return lambda numbers: [table[n - 1] for n in numbers]\n",
    ),
    (
        "an import that never ends in one",
        "cpu",
        _SLOW
        + "try:\n    raise ValueError\n    import scipy.stats\nexcept ValueError:\n    TABLE = slow(range(1, 200_001))\n"
        + "def chains(numbers):\n    return [TABLE[n - 1] for n in numbers]\n",
    ),
    (
        "from the warm-up, in part",
        "warmed",
        _SLOW
        + "SEEN = {}\ndef chains(numbers):\n    for n in numbers[:66_000]:\n        if n not in SEEN:\n            SEEN[n] = slow([n])[0]\n"
        + "    return [SEEN[n] for n in numbers[:66_000]] + slow(numbers[66_000:])\n",
    ),
    (
        "a fork at import that is asked later",
        "wall",
        _SLOW
        + "import json, os\nr, w = os.pipe()\nif not os.fork():\n    os.write(w, b'x')\n"
        + "    t = json.dumps(slow(range(1, 200_001))).encode()\n"
        + "    os.write(w, t[:60_000]); os.write(w, t[60_000:]); os.close(w)\n    os.kill(os.getpid(), 9)\nos.read(r, 1)\n"
        + "os.close(w)\nimport time\ntext = b''\nwhile part := os.read(r, 65536):\n    text += part\nTABLE = json.loads(text)\n"
        + "def chains(numbers):\n    return [TABLE[n - 1] for n in numbers]\n",
    ),
)
_CACHED = _KNOWN + "def chains(numbers):\n    return grown(numbers, {1: 0})\n"
_VECTOR = """import numpy as np
def chains(numbers):
    at = np.array(numbers, dtype=np.int64)
    steps = np.zeros(len(at), dtype=np.int64)
    while (going := at != 1).any():
        at = np.where(going, np.where(at % 2 == 0, at // 2, 3 * at + 1), at)
        steps += going
    return [int(each) for each in steps]
"""
_IN_PLACE = """import numpy as np
def smooth(u, steps):
    old, new = np.array(u, dtype=float), np.array(u, dtype=float)
    for _ in range(steps):
        inner = new[1:-1, 1:-1]
        np.add(old[1:-1, :-2], old[1:-1, 2:], out=inner)
        inner += old[:-2, 1:-1]
        inner += old[2:, 1:-1]
        inner *= 0.25
        old, new = new, old
    return old
"""
_POOL = """
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
def chains(numbers):
    with KIND(2) as pool:
        a, b = pool.map(slow, (numbers[::2], numbers[1::2]))
    found = [0] * len(numbers)
    found[::2], found[1::2] = a, b
    return found
"""
_ODD = CHAINS.replace(
    "number = number // 2 if number % 2 == 0 else 3 * number + 1\n            steps += 1",
    "if number % 2:\n                number = (3 * number + 1) >> 1\n                steps += 2\n            else:\n"
    "                number >>= 1\n                steps += 1",
)
HONEST: tuple[tuple[str, str, str], ...] = (
    ("as provided", "cpu", CHAINS),
    ("a cache for each call", "cpu", _CACHED),
    ("vectors", "wall", _VECTOR),
    ("statistics are imported", "cpu", "import scipy.stats\nfrom scipy import signal\n" + _CACHED),
    (
        "a small table at import",
        "cpu",
        _KNOWN
        + "SMALL = {1: 0}\ngrown(range(1, 400), SMALL)\ndef chains(numbers):\n    return grown(numbers, dict(SMALL))\n",
    ),
    (
        "twice as slow",
        "cpu",
        CHAINS.replace("steps += 1", "steps += 1; sum((1, 2, 3, 4, 5, 6, 7, 8, 9)); str(steps)"),
    ),
    ("in place", "field", _IN_PLACE),
    ("cached, after a warm-up", "warmed", _CACHED),
    ("cached, five times", "five", _CACHED),
    ("two processes on a wall clock", "wall", _SLOW + _POOL.replace("KIND", "ProcessPoolExecutor")),
    # --- the second half
    (
        "compiled when it is imported",
        "cpu",
        "import re\nPARTS = [re.compile(f'{n}+(a|b)*{n}') for n in range(60)]\n"
        "exec(compile('''" + _ODD + "''', 'made', 'exec'))\n",
    ),
    ("shifts", "wall", _ODD),
    ("shifts, after a warm-up", "warmed", _ODD),
    ("vectors, five times", "five", _VECTOR),
    ("threads on a wall clock", "wall", _SLOW + _POOL.replace("KIND", "ThreadPoolExecutor")),
    (
        "a kernel of scipy's",
        "field",
        "import numpy as np\nfrom scipy.ndimage import convolve\nK = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]) / 4\n"
        "def smooth(u, steps):\n    u = np.array(u, dtype=float)\n    for _ in range(steps):\n        new = convolve(u, K)\n"
        "        new[0], new[-1], new[:, 0], new[:, -1] = u[0], u[-1], u[:, 0], u[:, -1]\n        u = new\n    return u\n",
    ),
    ("in place on a wall clock", "wall field", _IN_PLACE),
    (
        "imported in the call",
        "wall",
        "def chains(numbers):\n    import numpy, statistics, decimal\n    return kept(numbers)\n"
        + _CACHED.replace("chains", "kept"),
    ),
    (
        "without collection of garbage",
        "cpu",
        "import gc\n"
        + _SLOW
        + "def chains(numbers):\n    gc.disable()\n    found = slow(numbers)\n    gc.enable()\n    return found\n",
    ),
    (
        "half as fast in the field",
        "field",
        SMOOTH.replace("new = u.copy()", "new = u.copy().copy().copy(); np.sqrt(new)"),
    ),
)
