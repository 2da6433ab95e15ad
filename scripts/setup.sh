#!/usr/bin/env bash
# Sets up what is missing: a virtual environment from requirements.lock, Meep, bubblewrap. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
stop() { printf 'setup: %s\n' "$@" >&2; exit 4; }

privileged() {  # run a command as root if we may without a question; fails otherwise
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo -n "$@"
    else return 1; fi
}

apt() {  # install Debian or Ubuntu packages if we may
    command -v apt-get >/dev/null || return 1
    say "installing with apt: $*"
    privileged env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || return 1
    privileged env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

find_python() {
    local candidate
    for candidate in "${REPROLAB_PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null || continue
        if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

environment() {
    local want have python
    want=$(cat requirements.lock pyproject.toml | sha256sum | cut -c1-16)
    have=$(cat .venv/.reprolab-lock 2>/dev/null || true)
    [ "$want" = "$have" ] && .venv/bin/python -c '' 2>/dev/null && return
    python=$(find_python) || apt python3 python3-venv || true
    python=$(find_python) || stop "no Python 3.11 to 3.13 found" "fix: install one (apt-get install python3 python3-venv), or set REPROLAB_PYTHON"
    say "virtual environment from requirements.lock with $python"
    if command -v uv >/dev/null; then
        [ -x .venv/bin/python ] || uv venv --quiet -p "$python" .venv
        uv pip sync --quiet --python .venv/bin/python --require-hashes requirements.lock
        uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation -e .
    else
        if ! [ -x .venv/bin/pip ]; then
            rm -rf .venv
            "$python" -m venv .venv 2>/dev/null || { rm -rf .venv; apt python3-venv && "$python" -m venv .venv; } \
                || stop "$python cannot make a virtual environment" "fix: apt-get install python3-venv, or install uv"
        fi
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
    fi
    echo "$want" >.venv/.reprolab-lock
}

has_meep() { .venv/bin/python -c 'from tasks.meep_interpreter import find_meep; find_meep()' 2>/dev/null; }

meep() {
    has_meep && return
    if apt python3-meep python3-matplotlib python3-scipy python3-h5py && has_meep; then return; fi
    if command -v conda >/dev/null; then
        say "installing Meep with conda into the environment reprolab-meep"
        conda create -y -q -n reprolab-meep -c conda-forge pymeep matplotlib scipy h5py >&2 && has_meep && return
    fi
    .venv/bin/reprolab doctor >&2 || true
    stop "Meep is missing and could not be installed without a password" \
         "fix: sudo apt-get install python3-meep python3-matplotlib python3-scipy python3-h5py" \
         " or: conda create -n reprolab-meep -c conda-forge pymeep" \
         "(never pip install meep: that is an unrelated program)"
}

bubblewrap() {
    command -v bwrap >/dev/null && return
    apt bubblewrap || say "bubblewrap is missing: generated code cannot be isolated (apt-get install bubblewrap)," \
                          "or run with --allow-degraded-sandbox"
}

environment
meep
bubblewrap
