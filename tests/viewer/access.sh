#!/bin/bash
# access.sh - accessibility of the pages, judged by axe-core in a real browser; skipped (77) where one of them is missing.
#   tests/viewer/access.sh TOOL SOURCE
tool=$1 source=$2
browser=${CW_BROWSER:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
    echo "skipped: the pages are tested with chromium and python3, and one is missing"
    exit 77
fi
python3 "$source/tests/viewer/access.py" "$tool" "$browser"
status=$?
[ $status -eq 0 ] || exit $status
CW_AXE=none python3 "$source/tests/viewer/access.py" "$tool" "$browser" >/dev/null
[ $? -eq 77 ] || { echo "FAILED: without axe-core it says that all is well"; exit 1; }
