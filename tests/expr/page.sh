#!/bin/bash
# page.sh TOOL SOURCE - the calculator's page answers as the tool does, and holds what it was asked.
tool=$(realpath "$1") source=$(realpath "$2")
if ! command -v node >/dev/null; then
    echo "skipped: node is missing, which runs the page's scripts"
    exit 77
fi
here=$(mktemp -d) || exit 2
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 2
failed=0
seed=${CW_SEED:-$(date +%s%N)}
node "$source/tests/expr/page_answer.js" "$tool" "$source" "$seed" $((${CW_LONG:+1}0 ? 2000 : 150)) || failed=1

"$tool" conflicts 't * N' -D N=32 --block 32x2 --html page.html || failed=1
sed -n 's/.*id="clearway-question">\([A-Za-z0-9+\/=]*\)<.*/\1/p' page.html | base64 -d >question
grep -q '"text": "t \* N", "block": \[32, 2, 1\], "defines": \["N=32"\]' question ||
    { echo "FAILED: the page holds $(cat question)"; failed=1; }
grep -i 'https\?://' page.html | grep -qv 'http://www.w3.org/2000/svg";$' && { echo "FAILED: the page names an address"; failed=1; }
"$tool" conflicts --html - | tail -1 | grep -q '</html>' || { echo "FAILED: no page on stdout"; failed=1; }
"$tool" conflicts --html none/page.html 2>err && { echo "FAILED: writes nowhere"; failed=1; }
grep -q 'cannot write none/page.html' err || { echo "FAILED: says $(cat err)"; failed=1; }
exit $failed
