"""The work directory as a file system of limited size: what it refuses, what comes out of it, where it is not used."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tasks.sandbox import SandboxLost, run_sandboxed, scratch
from tasks.sandbox.work_disk import affordable
from tests.sim.sandbox.sandbox_kit import LIMITS, PYTHON, attacker, gone, said

pytestmark = pytest.mark.sim

FILL = """
written = 0
def fill(number):
    global written
    with open("f%d" % number, "wb", buffering=0) as handle:
        while True:
            written += handle.write(bytes(1 << 20))
for number in range(9):
    try:
        fill(number)
    except OSError as error:
        last = error.errno
"""


@pytest.fixture
def work():
    with scratch("reprolab-disk-") as folder:
        yield folder / "work"


@pytest.mark.attack("sandbox", "refused by the kernel: not one page more than the limit, however fast")
def test_nobody_writes_faster_than_the_limit(work: Path) -> None:
    result = attacker(work)(
        FILL + "report(written=written, last=last == errno.ENOSPC)\nsys.exit(os.strerror(last))"
    )
    seen = said(result)
    assert result.own_disk and result.stop_reason == "disk"
    assert LIMITS.disk_mb <= int(str(seen["written"])) / 2**20 <= LIMITS.disk_mb + 1 and seen["last"]


def test_what_a_program_leaves_comes_out(work: Path) -> None:
    code = """
        os.makedirs("a/b")
        open("a/b/data.csv", "w").write("x,y\\n1,2\\n")
        open("hole.npz", "w").truncate(30 << 20)
        open("hole.npz", "r+b").write(b"begin")
        os.symlink("/etc/passwd", "link")
        """
    assert attacker(work)(code).ok
    assert (work / "a/b/data.csv").read_text() == "x,y\n1,2\n"
    hole = work / "hole.npz"
    assert (
        hole.stat().st_size == 30 << 20
        and hole.stat().st_blocks < 100
        and hole.read_bytes()[:6] == b"begin\0"
    )
    assert os.readlink(work / "link") == "/etc/passwd"  # as a link, which `collect` refuses


@pytest.mark.attack("sandbox", "limited outside too: many names of one file are not as many copies of it")
def test_hard_links_do_not_multiply_what_comes_out(work: Path) -> None:
    """One file of 40 MB with sixteen names is 40 MB inside; 640 MB were left on the host, with 60 allowed."""
    code = """
        open("data00", "wb").write(bytes(40 << 20))
        for number in range(1, 16):
            os.link("data00", "data%02d" % number)
        """
    result = attacker(work)(code)
    left = sum(path.stat().st_blocks * 512 for path in work.rglob("*"))
    assert result.own_disk and result.stop_reason == "disk"
    assert left <= (LIMITS.disk_mb + 1) << 20
    assert sum(path.stat().st_size == 40 << 20 for path in work.iterdir()) == 1  # no half of a file


def test_a_file_with_two_names_comes_out_under_both(work: Path) -> None:
    result = attacker(work)("open('a.csv', 'w').write('1'); os.link('a.csv', 'b.csv')")
    assert result.ok and [(work / name).read_text() for name in ("a.csv", "b.csv")] == ["1", "1"]


@pytest.mark.attack("sandbox", "stays inside: pipes, sockets and the rights of files")
def test_special_files_stay_behind(work: Path) -> None:
    code = """
        os.mkfifo("pipe.csv")
        open("rights.csv", "w").close()
        os.chmod("rights.csv", 0o6777)
        """
    assert attacker(work)(code).ok
    assert sorted(os.listdir(work)) == ["rights.csv"]
    assert (work / "rights.csv").stat().st_mode & 0o7777 == 0o644


def test_progress_is_seen_while_the_program_runs(work: Path) -> None:
    seen: list[bytes] = []

    def look(_elapsed: float) -> None:
        found = work / "progress.jsonl"
        seen.extend([found.read_bytes()] if found.is_file() else [])

    code = "import time\nfor _ in range(202):\n open('progress.jsonl', 'a').write('{}\\n'); time.sleep(0.01)"
    result = run_sandboxed([PYTHON, "-c", code], work, limits=LIMITS, live=["progress.jsonl"], on_poll=look)
    assert result.ok and seen and all(set(part) <= set(b"{}\n") for part in seen)
    assert len((work / "progress.jsonl").read_bytes()) == 3 * 202  # the whole file at the end


def test_a_folder_that_holds_something_is_used_itself(work: Path) -> None:
    (work / "given.txt").write_text("mine")
    (work / "given.txt").chmod(0o644)
    result = attacker(work)("report(text=open('given.txt').read()); open('made.txt', 'w').close()")
    assert said(result) == {"text": "mine"} and not result.own_disk and (work / "made.txt").exists()


def test_a_limit_beyond_what_memory_can_spare_is_kept_by_the_watchdog(work: Path) -> None:
    assert affordable(LIMITS) and not affordable(replace(LIMITS, disk_mb=4_000_000))
    result = attacker(work)("open('made.txt', 'w').close()", limits={"disk_mb": 4_000_000})
    assert result.ok and not result.own_disk and (work / "made.txt").exists()


def test_no_room_for_what_comes_out_is_nobodys_result(monkeypatch: pytest.MonkeyPatch, work: Path) -> None:
    """The disk of the host is full: the run is to be repeated, and no half of its files is taken for all of them."""
    from tasks.sandbox import supervised

    real = supervised._watched
    monkeypatch.setattr(supervised, "_watched", lambda *given: {**real(*given), "lost": os.strerror(28)})
    with pytest.raises(SandboxLost, match="No space left"):
        run_sandboxed([PYTHON, "-c", "pass"], work, limits=LIMITS)


def test_the_program_waits_until_its_folder_is_held(work: Path) -> None:
    """Its first instruction finds it mounted, and the descriptors of the wait are closed."""
    seen = said(
        attacker(work)(
            "report(handles=sorted(map(int, os.listdir('/proc/self/fd'))), free=os.statvfs('.').f_blocks)"
        )
    )
    assert seen["handles"] == [0, 1, 2, 3]  # 3 is the listing's own
    assert seen["free"] == (LIMITS.disk_mb + 1) * 2**20 // os.sysconf("SC_PAGE_SIZE")


def test_nothing_is_left_of_a_cancelled_program(work: Path) -> None:
    tag, stop = f"reprolab-test-{time.monotonic_ns()}", threading.Event()
    result = run_sandboxed(
        [PYTHON, "-c", "import time; open('kept', 'w').write('x'); time.sleep(60)", tag],
        work,
        limits=LIMITS,
        cancel=stop,
        on_poll=lambda elapsed: stop.set() if elapsed > 0.5 else None,
    )
    assert result.stop_reason == "cancelled" and gone(tag) and (work / "kept").read_text() == "x"
