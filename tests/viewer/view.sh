#!/bin/bash
# view.sh - clearway view and model --html: a page holds what it was made from, byte for byte, and
# what cannot be made leaves one line and no file.  viewer.sh looks at pages in a browser.
#   tests/viewer/view.sh TOOL SOURCE
set -u
tool=$1
here=$(mktemp -d) || exit 2
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 2
failures=0

bad()
{
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

refused() # $1: exit status; $2: what the line must say; the rest: the command
{
    local status=$1 says=$2
    shift 2
    "$tool" "$@" >out 2>err
    local got=$?
    [ $got -eq "$status" ] || bad "$*: exit $got, not $status"
    [ "$(wc -l <err)" -eq 1 ] || bad "$*: $(wc -l <err) lines on stderr"
    grep -q -e "$says" err || bad "$*: says '$(cat err)', not '$says'"
    [ ! -e page.html ] || bad "$*: left a page"
    rm -f page.html
}

held() # $1: the page; $2: which trace; prints its bytes
{
    sed -n "s/.*id=\"clearway-trace-$2\">\([A-Za-z0-9+\/=]*\)<.*/\1/p" "$1" | base64 -d
}

"$tool" model sort-square -w 8 -m 8 --trace a.cwt >/dev/null || bad "no trace"
"$tool" model bitonic -w 8 -m 9 --input zeroone --trace b.cwt >/dev/null || bad "no second trace"

# one run, two runs
"$tool" view a.cwt -o one.html || bad "view a"
"$tool" view a.cwt b.cwt -o two.html || bad "view a b"
held one.html 0 | cmp -s - a.cwt || bad "the page does not hold the trace"
held two.html 0 | cmp -s - a.cwt || bad "the page does not hold the first trace"
held two.html 1 | cmp -s - b.cwt || bad "the page does not hold the second trace"
tail -1 two.html | grep -q '</html>' || bad "the page does not end"
grep -qi 'https\?://' one.html && bad "the page names an address"

# model --html: the same run, whether or not the trace is kept
"$tool" model sort-square -w 8 -m 8 --html m.html >said || bad "model --html"
held m.html 0 | cmp -s - a.cwt || bad "model --html holds another run"
grep -q '^verified *yes' said || bad "model --html hides the result"
"$tool" model sort-square -w 8 -m 8 --html n.html --trace n.cwt >/dev/null || bad "--html --trace"
cmp -s n.cwt a.cwt && cmp -s n.html m.html || bad "--html --trace: something else"
left=$(ls | grep -v -x -e '[abn].cwt' -e '.*\.html' -e said)
[ -z "$left" ] || bad "left behind: $left"

# kernels
"$tool" view --kernel cw_paper_warp4 --source "$2" -o k.html || bad "view --kernel"
sed -n 's/.*id="clearway-index">\([A-Za-z0-9+\/=]*\)<.*/\1/p' k.html | base64 -d >index
grep -q '"name": "cw_paper_warp4", "marked": true' index || bad "the kernel is not in its page"
grep -q '"site": "src/paper/warp/kernel.h:[0-9]*"' index || bad "no source line in the page"
grep -q 'bank_write(s, row, c' index || bad "no source in the page"
"$tool" view --kernel cw_paper_warp4 --source nowhere -o no.html 2>said && bad "takes a folder without sources"
grep -q -- '--source nowhere: no sources of Clearway are there' said && [ ! -e no.html ] || bad "--source nowhere: $(<said)"

# the gallery: all pages or none
"$tool" gallery -o g >said || bad "gallery"
[ "$(ls g | wc -l)" -eq 12 ] || bad "gallery: $(ls g | wc -l) files"
[ "$(grep -c '<li><a href="' g/index.html)" -eq 11 ] || bad "gallery: its index leads elsewhere"
for page in $(sed -n 's/.*<li><a href="\([^"#]*\).*/\1/p' g/index.html); do
    [ -s "g/$page" ] || bad "gallery: $page is not there"
done
"$tool" model sort-square -w 16 -m 16 --trace s.cwt >/dev/null || bad "no third trace"
held g/2-theorem-1.html 0 | cmp -s - s.cwt || bad "gallery: a page holds another run"
"$tool" gallery -o g --json | grep -q '"pages": 12' || bad "gallery again"
grep -qi 'https\?://' g/[0-9]*.html g/index.html && bad "a page of the gallery names an address"
mkdir full && : >full/index.html && mkdir full/3-proof.html
"$tool" gallery -o full >said 2>err && bad "gallery writes over a folder"
[ "$(ls full | wc -l)" -eq 2 ] && [ ! -s full/index.html ] || bad "gallery: half of it is left"
"$tool" gallery -o new/deep >said 2>err && bad "gallery makes folders in folders"
grep -q 'cannot make the folder new/deep' err || bad "gallery says $(cat err)"
"$tool" gallery -o a.cwt >said 2>err && bad "gallery takes a file for a folder"
rm -rf full g s.cwt

# refusals
cp a.cwt cut.cwt && truncate -s -5 cut.cwt
printf 'CWTRACE' >short.cwt
: >empty.cwt
refused 2 "which trace" view -o page.html
refused 2 "-o is missing" view a.cwt
refused 2 "-o is missing" gallery
refused 2 "cannot read the trace none.cwt" view none.cwt -o page.html
refused 2 "checksum" view cut.cwt -o page.html
refused 2 "checksum" view a.cwt cut.cwt -o page.html
refused 2 "not a trace" view short.cwt -o page.html
refused 2 "not a trace" view empty.cwt -o page.html
refused 2 "at most two" view a.cwt a.cwt a.cwt -o page.html
refused 2 "cannot read the trace ." view . -o page.html
refused 1 "cannot write none/page.html" view a.cwt -o none/page.html
refused 1 "cannot write none/page.html" model sort-square -w 8 -m 8 --html none/page.html
refused 2 "did you mean cw_paper_warp4" view --kernel cw_paper_warp -o page.html
refused 2 "one of them" view a.cwt --kernel all -o page.html
refused 2 "sort-square" model sort-square -w 8 -m 9 --html page.html
left=$(ls | grep -e part -e 'page\.')
[ -z "$left" ] || bad "left behind: $left"
full=/dev/full
[ "$(id -u)" -ne 0 ] || { full=full; mknod full c 1 7 2>err; }
if [ -c $full ]; then # one of our own, since root could replace the system's
    refused 1 "cannot write $full" view a.cwt -o $full
fi

[ $failures -eq 0 ] && echo "pages hold what they were made from"
exit $((failures > 0))
