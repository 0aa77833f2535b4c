#!/bin/bash
# viewer.sh - the pages of clearway view in a real browser: load, play, scrub, compare.
#   tests/viewer/viewer.sh TOOL SOURCE
tool=$1 source=$2
browser=${CW_BROWSER:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
    echo "skipped: the viewer is tested with chromium and python3, and one is missing"
    exit 77
fi
exec python3 "$source/tests/viewer/viewer.py" "$tool" "$browser"
