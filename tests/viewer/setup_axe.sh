#!/bin/bash
# setup_axe.sh - scripts/setup: axe-core that cannot be had leaves nothing behind, and is asked for again.
#   tests/viewer/setup_axe.sh TOOL SOURCE
set -u
setup=$(realpath "$2")/scripts/setup
here=$(mktemp -d) || exit 2
trap 'rm -rf "$here"' EXIT
mkdir "$here/scripts" "$here/bin" && cp "$setup" "$here/scripts/" && cd "$here" || exit 2

# A machine on which nothing is missing; its python3 is a pip that brings the script once the file "net" is there.
for name in dirname mkdir mv rm timeout tr bash sh; do
    ln -s "$(command -v $name)" bin/
done
for name in gcc cmake make g++ pkg-config mpicc clang clang-format chromium node doxygen zsh fish; do
    printf '#!/bin/sh\nexit 0\n' >bin/$name
done
cat >bin/python3 <<'END'
#!/bin/sh
[ "$1" != -c ] || exit 0
echo asked >>asked
while [ $# -gt 0 ]; do
    [ "$1" != --target ] || mkdir -p "$2/axe_playwright_python"
    [ "$1" != --target ] || [ ! -e net ] || : >"$2/axe_playwright_python/axe.min.js"
    shift
done
[ -e net ]
END
chmod +x bin/*
failures=0

asks() # $1: how often in all; $2: what is then in build/; $3: what is said
{
    local left
    PATH=$here/bin sh scripts/setup check >said 2>&1 || { echo "FAILED: setup fails: $(cat said)"; failures=1; }
    [ "$(wc -l <asked)" -eq "$1" ] || { echo "FAILED: asked $(wc -l <asked) times, not $1"; failures=1; }
    left=$(ls build)
    [ "$left" = "$2" ] || { echo "FAILED: in build/: '$left', not '$2'"; failures=1; }
    case $(cat said) in "$3" | "${3:-none}"*) ;; *) echo "FAILED: says '$(cat said)'" && failures=1 ;; esac
}

asks 1 "" "setup: axe-core cannot be had"
mkdir -p build/axe # as older versions left it
asks 2 "" "setup: axe-core cannot be had"
: >net
asks 3 axe ""
asks 3 axe ""
[ $failures -eq 0 ] && echo "axe-core is asked for until it is there"
exit $failures
