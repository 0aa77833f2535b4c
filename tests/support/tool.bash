# tool.bash - what the shell tests of the tool share; sourced with the tool as $1.
#
# Calls are made in a scratch folder; each leaves status, out and err.
set -u

tool=$(realpath "$1") || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

mkdir json
checks=0
wrong=0
what=

bad() # $*: what is not as it should be
{
    wrong=$((wrong + 1))
    printf 'WRONG: clearway %s\n       %s\n' "$what" "$*"
}

# Run the tool; leaves status, out and err.
run()
{
    what=$*
    checks=$((checks + 1))
    "$tool" "$@" >out 2>err
    status=$?
    out=$(<out)
    err=$(<err)
}

# run, and it must work without a word on stderr.
works()
{
    run "$@"
    [ $status -eq 0 ] || bad "exit $status, not 0: $err"
    [ -z "$err" ] || bad "says on stderr: $err"
}

# refuses EXIT TEXT ARGUMENT...: nothing on stdout, one line on stderr that has TEXT.
refuses()
{
    local exit=$1 text=$2
    shift 2
    run "$@"
    [ $status -eq "$exit" ] || bad "exit $status, not $exit"
    [ "$(wc -l <err)" -eq 1 ] || bad "$(wc -l <err) lines on stderr, not 1: $err"
    [ ! -s out ] || bad "prints on stdout: $out"
    [[ $err == "clearway: "*"$text"* ]] || bad "says '$err', without '$text'"
}

has() # each argument is part of the output
{
    local text
    for text; do
        [[ $out == *"$text"* ]] || bad "prints no '$text': $out"
    done
}

field() # the value of key $1 in the JSON object $2
{
    sed -n "s/.*\"$1\": \(\"[^\"]*\"\|\[[^]]*\]\|[^,}]*\).*/\1/p" <<<"$2"
}

is() # is KEY VALUE: in the JSON object that was printed
{
    local value
    value=$(field "$1" "$out")
    [ "$value" = "$2" ] || bad "$1 is '$value', not '$2'"
}

valid_json() # looked at in the end, all at once
{
    cp out "json/$checks"
}

fits_80_columns()
{
    ! grep -qE '.{81}' out || bad "has a line of more than 80 columns"
}

finish() # look at the JSON of all calls, and say how it went
{
    local says
    what="--json"
    if command -v python3 >/dev/null && [ -n "$(ls json)" ]; then
        says=$(python3 - json/* 2>&1 <<'END'
import json, sys

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        text = file.read()
    try:
        json.loads(text.decode("utf-8"))
    except ValueError as why:
        print(why, "in", text)
END
        )
        [ -z "$says" ] || bad "$says"
    fi
    echo "$checks calls of the tool, $wrong not as they should be"
    [ $wrong -eq 0 ]
}
