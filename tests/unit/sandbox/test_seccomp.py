"""The system-call filter, run by a small interpreter of classic BPF on both architectures."""

from __future__ import annotations

import errno
import struct

import pytest

from tasks.sandbox.seccomp import seccomp_program

pytestmark = pytest.mark.unit

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CALLS = {
    "x86_64": {
        "read": 0,
        "mmap": 9,
        "sigaction": 13,
        "ioctl": 16,
        "shmget": 29,
        "socket": 41,
        "socketpair": 53,
        "clone": 56,
        "fcntl": 72,
        "ptrace": 101,
        "prctl": 157,
        "mount": 165,
        "memfd": 319,
    },
    "aarch64": {
        "read": 63,
        "mmap": 222,
        "sigaction": 134,
        "ioctl": 29,
        "shmget": 194,
        "socket": 198,
        "socketpair": 199,
        "clone": 220,
        "fcntl": 25,
        "ptrace": 117,
        "prctl": 167,
        "mount": 40,
        "memfd": 279,
    },
}
THREAD = 0x3D0F00  # what glibc gives clone for a thread
SHARED, PRIVATE, ANONYMOUS, HUGE, SIGCHLD = 0x01, 0x02, 0x20, 0x40000, 17


def judged(machine: str, number: int, *arguments: int, arch: int | None = None, mpi: bool = False) -> int:
    """What the kernel would do with a call; Linux, Documentation/networking/filter.rst."""
    program = seccomp_program(machine, mpi=mpi)
    assert program is not None
    data = struct.pack("=IIQ6Q", number, arch or ARCH[machine], 0, *arguments, *[0] * (6 - len(arguments)))
    code = list(struct.iter_unpack("=HBBI", program))
    accumulator = counter = 0
    while True:
        operation, yes, no, value = code[counter]
        counter += 1
        if operation == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif operation == 0x54:
            accumulator &= value
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value}[operation]
            counter += yes if holds else no


@pytest.mark.parametrize("machine", ARCH)
def test_what_is_allowed_and_refused(machine: str) -> None:
    call = CALLS[machine]
    refused = ERRNO | errno.EPERM
    assert judged(machine, call["read"]) == ALLOW
    assert {judged(machine, call[name]) for name in ("ptrace", "mount", "memfd")} == {refused}
    assert judged(machine, 435) == ERRNO | errno.ENOSYS
    assert judged(machine, call["clone"], 0x11) == ALLOW
    assert judged(machine, call["clone"], 0x10000011) == refused
    assert judged(machine, call["ioctl"], 0, 0x5413) == ALLOW
    assert {judged(machine, call["ioctl"], 0, code) for code in (0x5412, 0x541C)} == {refused}
    assert {judged(machine, call["socket"], family) for family in (1, 2, 10, 16, 17, 40)} == {
        ERRNO | errno.EACCES
    }
    assert judged(machine, call["socketpair"], 1) == ERRNO | errno.EACCES


@pytest.mark.parametrize("machine", ARCH)
def test_what_the_watchdog_could_not_see_is_refused(machine: str) -> None:
    call = CALLS[machine]
    refused = ERRNO | errno.EPERM

    def mapped(flags: int) -> int:
        return judged(machine, call["mmap"], 0, 1 << 20, 3, flags)

    assert judged(machine, call["shmget"]) == refused
    assert {
        mapped(flags) for flags in (SHARED | ANONYMOUS, 0x03 | ANONYMOUS, PRIVATE | ANONYMOUS | HUGE)
    } == {refused}
    assert {mapped(flags) for flags in (SHARED, PRIVATE, PRIVATE | ANONYMOUS)} == {ALLOW}
    assert judged(machine, call["clone"], THREAD) == ALLOW
    assert judged(machine, call["clone"], THREAD & ~0x400) == refused  # a thread with descriptors of its own
    assert judged(machine, 436, 3, 5, 2) == refused
    assert judged(machine, 436, 3, 5, 4) == ALLOW
    fallocate = {"x86_64": 285, "aarch64": 47}[machine]
    assert [judged(machine, fallocate, 3, mode) for mode in (0, 1, 3)] == [
        ALLOW,
        *[ERRNO | errno.EOPNOTSUPP] * 2,
    ]
    assert [judged(machine, call["prctl"], 4, value) for value in (0, 1, 2)] == [refused, ALLOW, refused]
    assert judged(machine, call["prctl"], 38, 1) == ALLOW
    assert [judged(machine, call["fcntl"], 3, command) for command in (5, 6, 38)] == [
        ALLOW,
        *[ERRNO | errno.ENOLCK] * 2,
    ]
    asked, low, high = (judged(machine, call["sigaction"], SIGCHLD, action) for action in (0, 4096, 1 << 32))
    assert (asked, low, high) == (ALLOW, refused, refused)
    assert judged(machine, call["sigaction"], 2, 4096) == ALLOW


@pytest.mark.parametrize("machine", ARCH)
def test_mpi_keeps_what_it_needs(machine: str) -> None:
    call = CALLS[machine]
    assert {judged(machine, call["socket"], family, mpi=True) for family in (1, 2, 10, 16)} == {ALLOW}
    assert {judged(machine, call["socket"], family, mpi=True) for family in (0, 17, 38, 40)} == {
        ERRNO | errno.EACCES
    }
    assert judged(machine, call["socketpair"], 1, mpi=True) == ALLOW
    assert judged(machine, call["mmap"], 0, 4096, 3, SHARED | ANONYMOUS, mpi=True) == ALLOW
    assert judged(machine, call["sigaction"], SIGCHLD, 4096, mpi=True) == ALLOW
    assert judged(machine, call["shmget"], mpi=True) == ERRNO | errno.EPERM
    assert judged(machine, call["clone"], THREAD & ~0x400, mpi=True) == ERRNO | errno.EPERM


def test_calls_of_another_architecture_are_refused() -> None:
    assert judged("x86_64", 0, arch=0x40000003) == KILL
    assert judged("x86_64", 0x40000000 | 101) == ERRNO | errno.EPERM


def test_an_unknown_architecture_has_no_filter() -> None:
    assert seccomp_program("riscv64") is None
