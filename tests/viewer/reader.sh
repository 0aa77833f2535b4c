#!/bin/bash
# reader.sh TOOL SOURCE - the page's reader of traces takes no harm from damaged ones: 3 seconds of them, CW_LONG=1: 120.
# Skipped (77) without node.
command -v node >/dev/null || { echo "node is missing"; exit 77; }
source=$(realpath "$2") || exit 2
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"
for algorithm in transpose row-sort bitonic sort-wide permute partition; do
    works model $algorithm -w 4 -m 8 --trace $algorithm.cwt
done
works model sort -w 9 -m 3 --trace odd.cwt
seconds=3
[ -z "${CW_LONG:-}" ] || [ "$CW_LONG" = 0 ] || seconds=120
what="the page's reader"
checks=$((checks + 1))
node "$source/tests/viewer/fuzz_reader.js" "$source/viewer/trace.js" $seconds "${CW_SEED:-$RANDOM$RANDOM}" ./*.cwt ||
    bad "fails on a damaged trace"
finish
