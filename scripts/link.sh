#!/usr/bin/env bash
# The command reprolab of this checkout on PATH: a link in ~/.local/bin; another program of that name is left alone.
set -euo pipefail
own="$(cd "$(dirname "$0")/.." && pwd)/.venv/bin/reprolab"
link="$HOME/.local/bin/reprolab"
if { [ -e "$link" ] || [ -L "$link" ]; } && [ "$(readlink "$link" || true)" != "$own" ]; then
    echo "link: $link is there already and is not of this checkout ($(readlink "$link" || echo 'a file')); fix: remove it, then make link" >&2
    exit 4
fi
mkdir -p "$HOME/.local/bin"
ln -sfn "$own" "$link"
case ":$PATH:" in
    *":$HOME/.local/bin:"*) echo "reprolab is $link" ;;
    *) echo "reprolab is $link; that folder is not on PATH yet: export PATH=\"\$HOME/.local/bin:\$PATH\"" ;;
esac
