#!/bin/sh
# docs.sh TOOL SOURCE - what docs/paper.md names must exist: every test program, every test,
# every function, every algorithm.
tool=$1
source=$2
page=$source/docs/paper.md
bad=0

complain() {
    echo "docs/paper.md names $1, which does not exist" >&2
    bad=1
}

for program in $(grep -o 'test_[a-z0-9_]*' "$page" | sort -u); do
    [ -f "$(echo "$source"/tests/*/"$program".c)" ] || complain "the test program $program"
done

algorithms=$("$tool" model list --json | grep -o '"algorithm": *"[^"]*"' | sed 's/.*"\([^"]*\)"$/\1/')
[ -n "$algorithms" ] || complain "algorithms, and the tool lists none"

# Names in backticks: identifiers with an underscore are functions, tests or types;
# names with a hyphen are algorithms.
for name in $(grep -o '`[a-z][a-z0-9_]*_[a-z0-9_]*`' "$page" | tr -d '`' | sort -u); do
    grep -rqw -- "$name" "$source/src" "$source/tests" "$source/cli" || complain "$name"
done
for name in $(grep -o '`[a-z]*-[a-z-]*`' "$page" | tr -d '`' | sort -u); do
    case $name in
    -*) "$tool" model --help | grep -q -- "$name" || complain "the option $name" ;;
    *) echo "$algorithms" | grep -qx -- "$name" || complain "the algorithm $name" ;;
    esac
done
[ $bad = 0 ] && echo "1 passed, 0 failed"
exit $bad
