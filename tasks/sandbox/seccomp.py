"""The filter of kernel calls, as a classic BPF program.

Sources: linux/filter.h, linux/seccomp.h and the x86_64 and aarch64 system-call tables of Linux 6.x.
Namespaces keep files and network away. The filter removes kernel surface that no simulation needs (denied_calls.py),
what namespaces do not cover (vsock, injection of terminal input), and every way known to us to use memory, disk or
CPU time that the watchdog cannot see.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct

from tasks.sandbox.denied_calls import NUMBERS

_LD, _JEQ, _JGE, _AND, _RET = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NR, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data, little endian
_X32_BIT = 0x40000000
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# flags and values, the same on both architectures
_CLONE_NEW = 0x7E020000  # every kind of namespace
_CLONE_THREAD, _CLONE_FILES, _CLOSE_RANGE_UNSHARE = 0x10000, 0x400, 0x2
_TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_SHARED_ANONYMOUS, _HUGE_PAGES, _KEEP_SIZE = 0x21, 0x40000, 0x1
_RECORD_LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
_SET_DUMPABLE, _DUMPABLE, _CHILD_ENDED = 4, 1, 17  # prctl's option and value; SIGCHLD
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)  # 16: netlink, used by interface look-ups

_CLONE3, _CLOSE_RANGE = (435, 435), (436, 436)
_CLONE, _IOCTL, _PRCTL, _MMAP = (56, 220), (16, 29), (157, 167), (9, 222)
_SOCKET, _SOCKETPAIR, _FCNTL, _SIGACTION, _FALLOCATE = (41, 198), (53, 199), (72, 25), (13, 134), (285, 47)

MPI_ALLOWS = "ALLOWED: sockets, shared maps, record locks, pseudo-terminals, ignoring the end of a child (docs/reference/security.md)"


def seccomp_program(machine: str | None = None, *, mpi: bool = False) -> bytes | None:
    """The filter for `machine` (default: this one), as an array of struct sock_filter.

    mpi: the processes of MPI need sockets, shared maps, record locks and to hear when a child ends: these stay allowed.
    Returns None for an architecture without a table; the caller must say so.
    """
    machine = machine or platform.machine()
    if machine not in _AUDIT_ARCH:
        return None
    column = list(_AUDIT_ARCH).index(machine)
    code = [_op(_LD, _ARCH), _op(_JEQ, _AUDIT_ARCH[machine], 1, 0), _op(_RET, _KILL), _op(_LD, _NR)]
    if machine == "x86_64":
        code += [_op(_JGE, _X32_BIT, 0, 1), _fail(errno.EPERM)]
    for numbers in NUMBERS.values():
        number = numbers[column]
        if number is not None:
            code += [_op(_JEQ, number, 0, 1), _fail(errno.EPERM)]
    # glibc falls back from clone3 to clone, whose flags a filter can read
    code += [_op(_JEQ, _CLONE3[column], 0, 1), _fail(errno.ENOSYS)]
    for numbers, checks in [*_always(), *(_families() if mpi else _unless_mpi())]:
        code += [_op(_JEQ, numbers[column], 0, len(checks) + 1), *checks, _op(_RET, _ALLOW)]
    return b"".join([*code, _op(_RET, _ALLOW)])


_Rule = tuple[tuple[int, int], list[bytes]]


def _always() -> list[_Rule]:
    return [
        # a thread with descriptors of its own: /proc/PID/fd shows those of the first thread only
        (
            _CLONE,
            [*_refuse_any(0, _CLONE_NEW), *_refuse_masked(0, _CLONE_THREAD | _CLONE_FILES, _CLONE_THREAD)],
        ),
        (_CLOSE_RANGE, _refuse_any(2, _CLOSE_RANGE_UNSHARE)),
        (_IOCTL, _refuse_values(1, _TERMINAL_INJECTION, errno.EPERM)),
        # blocks beyond a file's end, which no limit on its size knows
        (_FALLOCATE, _refuse_any(1, _KEEP_SIZE, errno.EOPNOTSUPP)),
        # an undumpable process hides its descriptors from a watchdog that is an ordinary user
        (
            _PRCTL,
            [
                _load(0),
                _op(_JEQ, _SET_DUMPABLE, 0, 3),
                _load(1),
                _op(_JEQ, _DUMPABLE, 1, 0),
                _fail(errno.EPERM),
            ],
        ),
    ]


def _unless_mpi() -> list[_Rule]:
    return [
        # shared pages stay when they are unmapped, and huge pages never count as resident
        (_MMAP, [*_refuse_any(3, _HUGE_PAGES), *_refuse_masked(3, _SHARED_ANONYMOUS, _SHARED_ANONYMOUS)]),
        # buffers of sockets are the kernel's memory, and a descriptor in flight keeps a deleted file
        (_SOCKET, [_fail(errno.EACCES)]),
        (_SOCKETPAIR, [_fail(errno.EACCES)]),
        # each lock is memory of the kernel, and nothing limits their number
        (_FCNTL, _refuse_values(1, _RECORD_LOCKS, errno.ENOLCK)),
        # the CPU time of a child whose end is ignored is added to nobody's; asking (no new action) stays allowed
        (
            _SIGACTION,
            [
                _load(0),
                _op(_JEQ, _CHILD_ENDED, 0, 5),
                _load(1),
                _op(_JEQ, 0, 0, 2),
                _load(1, high=True),
                _op(_JEQ, 0, 1, 0),
                _fail(errno.EPERM),
            ],
        ),
    ]


def _families() -> list[_Rule]:
    tests = [_op(_JEQ, value, len(_FAMILIES) - index, 0) for index, value in enumerate(_FAMILIES)]
    return [(_SOCKET, [_load(0), *tests, _fail(errno.EACCES)])]


def _op(code: int, value: int, jump_true: int = 0, jump_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, jump_true, jump_false, value)


def _fail(number: int) -> bytes:
    return _op(_RET, _ERRNO | number)


def _load(argument: int, *, high: bool = False) -> bytes:
    return _op(_LD, _ARGUMENTS + 8 * argument + 4 * high)


def _refuse_any(argument: int, mask: int, number: int = errno.EPERM) -> list[bytes]:
    return [_load(argument), _op(_AND, mask), _op(_JEQ, 0, 1, 0), _fail(number)]


def _refuse_masked(argument: int, mask: int, value: int) -> list[bytes]:
    return [_load(argument), _op(_AND, mask), _op(_JEQ, value, 0, 1), _fail(errno.EPERM)]


def _refuse_values(argument: int, values: tuple[int, ...], number: int) -> list[bytes]:
    return [_load(argument), *(part for value in values for part in (_op(_JEQ, value, 0, 1), _fail(number)))]
