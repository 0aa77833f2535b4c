#!/bin/bash
# reference.sh TOOL SOURCE - the API reference is made from the header without a warning, with a page for every
# function; the plots are what their figures give.
source=$2
command -v python3 >/dev/null || exit 77
python3 "$source/scripts/plots.py" check || exit 1
command -v doxygen >/dev/null || exit 77
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
exec "$source/scripts/reference" "$out/docs"
