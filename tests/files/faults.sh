#!/bin/bash
# faults.sh TOOL SOURCE - file calls that fail, a tool that is killed, power that is lost; see
# support/faults.py.  Skipped (77) where there is no python3 or no library to load before the C library.
tool=$(realpath "$1") && source=$(realpath "$2") || exit 2
shim=$(dirname "$tool")/tests/file_calls.so
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
[ -f "$shim" ] || { echo "$shim was not built"; exit 77; }
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 2 # in memory: a thousand runs flush
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
PYTHONDONTWRITEBYTECODE=1 python3 "$source/tests/support/faults.py" "$tool" "$shim"
