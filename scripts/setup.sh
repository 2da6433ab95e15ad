#!/usr/bin/env bash
# Sets up what is missing: a virtual environment from requirements.lock, Meep, bubblewrap. Safe to run again.
# One line a step; everything the installers print goes to setup.log.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PYTHONHOME PYTHONPATH PIP_TARGET PIP_USER PIP_PREFIX VIRTUAL_ENV

LOG=$PWD/setup.log
say() { printf 'setup: %s\n' "$*" >&2; }
stop() { printf 'setup: %s\n' "$@" >&2; exit 4; }

alone() {  # one set-up at a time in this folder
    { exec 9>>"$LOG"; } 2>/dev/null || stop "cannot write $LOG" "fix: make the folder writable, or use a copy of it"
    command -v flock >/dev/null || return 0
    flock -n 9 || { say "waiting for another set-up in this folder"; flock 9; }
}

ticker() {  # the seconds of a long step, where a person looks on
    local from=$SECONDS
    [ -t 2 ] || return 0
    while sleep 1; do printf '\rsetup: %s ... %s s' "$1" "$((SECONDS - from))" >&2; done
}

step() {  # step LABEL COMMAND...: run it into the log; say how long it took, or how it failed
    local label=$1 from=$SECONDS status=0 clock
    shift
    printf 'setup: %s ...' "$label" >&2
    printf '\n==== %s: %s\n' "$(date '+%F %T')" "$label" >>"$LOG"
    ticker "$label" & clock=$!
    "$@" >>"$LOG" 2>&1 </dev/null 9>&- || status=$?
    kill "$clock" 2>/dev/null; wait "$clock" 2>/dev/null || true
    [ -t 2 ] && printf '\rsetup: %s ...' "$label" >&2
    if [ "$status" = 0 ]; then printf ' %s s\n' "$((SECONDS - from))" >&2; return 0; fi
    printf ' failed after %s s; the end of %s:\n' "$((SECONDS - from))" "$LOG" >&2
    tail -n 12 "$LOG" | sed 's/^/    /' >&2
    return "$status"
}

privileged() {  # run a command as root if we may without a question; fails otherwise
    local name kept=()
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -n "${!name:-}" ] && kept+=("$name=${!name}")
    done
    if [ "$(id -u)" = 0 ]; then env DEBIAN_FRONTEND=noninteractive "$@"
    else sudo -n env DEBIAN_FRONTEND=noninteractive "${kept[@]}" "$@"; fi
}

may_apt() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

apt_install() {
    privileged apt-get -o DPkg::Lock::Timeout=300 update || echo "(the lists could not all be renewed; going on with what there is)"
    privileged apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

apt() {  # install Debian or Ubuntu packages if we may
    may_apt && step "$1 with apt" apt_install "$@"
}

fits() { "$1" -c "${2:-}import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))" 2>/dev/null; }

find_python() {  # the newest Python that fits, first of those that can make an environment by themselves
    local also candidate
    for also in 'import ensurepip, venv; ' ''; do
        for candidate in "${REPROLAB_PYTHON:-}" python3.13 python3.12 python3.11 python3 /usr/bin/python3; do
            [ -n "$candidate" ] && command -v "$candidate" >/dev/null && fits "$candidate" "$also" || continue
            command -v "$candidate"
            return
        done
    done
    return 1
}

with_uv() {
    [ -x .venv/bin/python ] || uv venv -p "$1" .venv
    touch .venv/.reprolab-unfinished
    uv pip sync --python .venv/bin/python --compile-bytecode --only-binary :all: --require-hashes requirements.lock
    uv pip install --python .venv/bin/python --no-deps --no-build-isolation -e .
    uv pip check --python .venv/bin/python
}

new_venv() { rm -rf .venv; "$1" -m venv .venv && touch .venv/.reprolab-unfinished; }

# --no-deps: the lock names every package. A pip that resolves (those of Python 3.11 do) would look for newer ones.
with_pip() {
    .venv/bin/python -m pip install --disable-pip-version-check --no-deps --no-compile --only-binary :all: --require-hashes -r requirements.lock
    [ -n "${PIP_NO_COMPILE:-}" ] || .venv/bin/python -m compileall -q -j 0 -x '/tests/' .venv/lib || true  # pip would use one core
    .venv/bin/python -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e .
    .venv/bin/python -m pip check
}

environment() {
    local want python
    want=$(cat requirements.lock pyproject.toml | sha256sum | cut -c1-16)
    if [ "$want" = "$(cat .venv/.reprolab-lock 2>/dev/null)" ] && .venv/bin/python -c 'import flows.serving.runtime' 2>/dev/null; then
        return
    fi
    if [ -e .venv ] && ! { [ -d .venv ] && { [ -e .venv/pyvenv.cfg ] || [ -z "$(ls -A .venv)" ]; }; }; then
        stop "$PWD/.venv is not a virtual environment" "fix: move it away, then run this again"
    fi
    if [ -e .venv/.reprolab-unfinished ] || ! fits .venv/bin/python; then rm -rf .venv; fi
    python=$(find_python) || apt python3 python3-venv || true
    python=$(find_python) || stop "no Python 3.11 to 3.13 found" "fix: install one (apt-get install python3 python3-venv), or set REPROLAB_PYTHON"
    rm -f .venv/.reprolab-lock
    [ -d .venv ] && touch .venv/.reprolab-unfinished
    if command -v uv >/dev/null && step "Python packages from requirements.lock with uv" bash -ec "$(declare -f with_uv); with_uv '$python'"; then
        :
    else
        if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
            step "virtual environment with $python" new_venv "$python" \
                || { apt python3-venv && step "virtual environment with /usr/bin/python3" new_venv /usr/bin/python3; } \
                || stop "$python cannot make a virtual environment" "fix: apt-get install python3-venv, or install uv"
        fi
        step "Python packages from requirements.lock (one to three minutes)" bash -ec "$(declare -f with_pip); with_pip" \
            || stop "the Python packages could not be installed" \
                    "fix: what the lines above say (often the network or a proxy: set https_proxy), then run this again"
    fi
    rm -f .venv/.reprolab-unfinished
    echo "$want" >.venv/.reprolab-lock
    say "the command is $PWD/.venv/bin/reprolab; make link puts it on your PATH (~/.local/bin)"
}

has_meep() { .venv/bin/python -c 'from tasks.reproduce.meep_interpreter import find_meep; find_meep()' 2>>"$LOG"; }

conda_meep() {
    local conda
    for conda in "${CONDA_EXE:-}" "${MAMBA_EXE:-}" conda mamba micromamba; do
        [ -n "$conda" ] && command -v "$conda" >/dev/null || continue
        step "Meep with $(basename "$conda") into the environment reprolab-meep (some minutes)" \
            "$conda" create -y -q -n reprolab-meep -c conda-forge pymeep matplotlib-base scipy h5py && return
    done
    return 1
}

meep() {
    has_meep && return
    if [ -n "${REPROLAB_MEEP_PYTHON:-}" ]; then
        stop "REPROLAB_MEEP_PYTHON names an interpreter without Meep: $REPROLAB_MEEP_PYTHON" \
             "fix: correct it, or unset it and run this again"
    fi
    if apt python3-meep python3-matplotlib python3-scipy python3-h5py && has_meep; then return; fi
    if conda_meep && has_meep; then return; fi
    stop "Meep is missing and could not be installed without a password" \
         "fix: sudo apt-get install python3-meep python3-matplotlib python3-scipy python3-h5py" \
         "or:  conda create -n reprolab-meep -c conda-forge pymeep" \
         "(never pip install meep: that is an unrelated program; where it looked: $LOG)"
}

bubblewrap() {
    command -v bwrap >/dev/null && return
    apt bubblewrap || say "bubblewrap is missing: generated code cannot be isolated (apt-get install bubblewrap)," \
                          "or run with --allow-degraded-sandbox"
}

trap 'jobs -p | xargs -r kill 2>/dev/null || true' EXIT
trap 'say "interrupted; nothing is broken, run it again"; exit 130' INT TERM
alone
environment
meep
bubblewrap
