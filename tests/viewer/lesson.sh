#!/bin/bash
# lesson.sh - the pages by keyboard, by touch and by ear, in a real browser, on a desktop and a phone.
#   tests/viewer/lesson.sh TOOL SOURCE
tool=$1 source=$2
browser=${CW_BROWSER:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
    echo "skipped: the pages are tested with chromium and python3, and one is missing"
    exit 77
fi
python3 "$source/tests/viewer/lesson.py" "$tool" "$browser" && exec python3 "$source/tests/viewer/reach.py" "$tool" "$browser"
