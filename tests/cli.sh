#!/bin/bash
# cli.sh TOOL SOURCE - what people see of the tool: its output, its complaints, its exits.
set -u

tool=$1
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
    [ -z "$(grep -E '.{81}' out)" ] || bad "has a line of more than 80 columns"
}

# ---- finding one's way ----------------------------------------------------------

works --version
[[ $out =~ ^clearway\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || bad "prints $out"
works --help
has "usage:" model compare info
fits_80_columns
for command in model compare info; do
    works $command --help
    has "usage: clearway $command" "--json"
    fits_80_columns
    help=$out
    works help $command
    [ "$out" = "$help" ] || bad "is not '$command --help'"
done
works info
has version compiler CUDA lanes
works info --json
valid_json

refuses 2 "no command"
refuses 2 "unknown command 'modle': did you mean model?" modle
refuses 2 "unknown command" frobnicate
refuses 2 "unknown option '--frob'" --frob
refuses 2 "unknown command" help frobnicate
refuses 2 "takes no argument" info more
refuses 2 "takes no argument" compare more

# ---- model list ------------------------------------------------------------------

works model list
fits_80_columns
listed=$out
for name in transpose row-sort sort sort-short sort-square sort-wide sort-tall sort-tall-cole \
    shearsort bitonic odd-even padded-bitonic padded-odd-even blocked-bitonic merge \
    partition partition-tall sort-integers sort-tall-recursive permute permute-offline; do
    grep -q "^$name " <<<"$listed" || bad "does not list $name"
done
works model list --json
valid_json
names=$(sed -n 's/.*"algorithm": "\([^"]*\)".*/\1/p' out)
free=$(sed -n 's/.*"algorithm": "\([^"]*\)".*"conflict_free": true.*/\1/p' out)
[ "$(wc -l <<<"$names")" -eq "$(grep -c '^[a-z]' <<<"$listed")" ] || bad "lists differ"

# ---- every algorithm -------------------------------------------------------------

keys='^{"algorithm": .*, "w": .*, "m": .*, "n": .*, "input": .*, "seed": .*, "steps": .*,'
keys+=' "work": .*, "accesses": .*, "conflicts": .*, "extra_words_per_row": .*, "bound": .*,'
keys+=' "ratio": .*, "verified": .*, "bound_text": .*, "mode": .*}$'

one() # one NAME W M: a run that works in full, or a shape that is refused
{
    run model "$1" -w "$2" -m "$3" --json
    if [ $status -eq 2 ]; then
        [ "$(wc -l <err)" -eq 1 ] || bad "refuses the shape in other than one line: $err"
        return 1
    fi
    [ $status -eq 0 ] || bad "exit $status: $err"
    grep -q "$keys" out || bad "keys are not as promised: $out"
    valid_json
    is algorithm "\"$1\""
    is w "$2"
    is m "$3"
    is n $(($2 * $3))
    is seed 1
    is verified true
    is work $(($2 * $(field steps "$out")))
    is time "$(field steps "$out")"
    if grep -qx "$1" <<<"$free"; then
        is mode '"strict"'
        is conflicts 0
        is worst_degree "$([ "$(field steps "$out")" -eq 0 ] && echo 0 || echo 1)"
    else
        is mode '"count"'
    fi
}

for name in $names; do
    took=0
    for shape in "8 8" "4 32" "64 8" "33 8" "100 7" "1 16" "5 1" "1 1"; do
        # shellcheck disable=SC2086 # two numbers
        one "$name" $shape && took=$((took + 1))
    done
    [ $took -gt 0 ] || bad "$name takes none of the shapes"
done

works model sort -w 32 -m 32
fits_80_columns
has "sort" "32 x 32" "uniform, seed 1" "steps / m" "bound" "conflicts      0" "verified       yes"
[[ $out == *"took "* ]] || bad "does not say which algorithm it took"
works model sort -w 32 -m 32 --json
[ -n "$(field chosen "$out")" ] || bad "does not say which algorithm it took"

# Options in any order and either spelling.
works model --json -w32 -m8 sort --seed=7
is seed 7
works model sort -m 8 --json --seed 7 -w 32 -w 16
is w 16

# ---- inputs ------------------------------------------------------------------------

for kind in uniform sorted reverse equal zeroone few organ; do
    works model sort -w 9 -m 5 --input $kind --json
    is input "\"$kind\""
    is verified true
done
for kind in random identity reverse transpose bit-reversal rotate blocks; do
    for name in partition permute permute-offline; do
        works model $name -w 9 -m 5 --input $kind --json
        is input "\"$kind\""
        is verified true
    done
done
refuses 2 "no kind of input (uniform," model sort -w 9 -m 5 --input random
refuses 2 "no kind of input (random," model permute -w 9 -m 5 --input uniform
refuses 2 "did you mean sorted?" model sort -w 9 -m 5 --input sorte

# The same seed gives the same run, another seed another.
traced() # traced FILE SEED
{
    works model sort-wide -w 4 -m 4 --seed "$2" --trace "$1"
}
traced a 1
traced b 1
traced c 2
works model sort-wide -w 4 -m 4 --trace d
cmp -s a b || bad "two runs with one seed differ"
cmp -s a d || bad "the seed is not 1 when none is given"
cmp -s a c && bad "two seeds give one run"
[ "$(head -c 7 a)" = CWTRACE ] || bad "the trace is none"

# ---- files -------------------------------------------------------------------------

printf '# four keys\n3, 1\r\n\t2 # two\n\n18446744073709551615,,' >good
printf '3 1\n 2 0x2\n' >hex
printf '3 1\n2 -2\n' >minus
printf '3 1 2.5 4' >point
printf '1 2 3 18446744073709551616' >large
printf '1 2 3' >short
printf '1 2 3 4\n5' >long
printf '' >empty
head -c 100 /dev/zero >zeros
head -c 100000 /dev/zero | tr '\0' 7 >digits
printf '1 1 1 1' >ones
printf '0 1 1 2' >row2
printf '0 1 1 1' >row1
printf '3 1 0 1' >twice
printf '3 1 0 4' >outside
mkdir folder

works model sort -w 2 -m 2 --input good --json
is input '"good"'
is verified true
run model sort -w 2 -m 2 --input - --json <good
is input '"-"'
is verified true
refuses 2 "hex:2:4: '0x2' is not an unsigned" model sort -w 2 -m 2 --input hex
refuses 2 "minus:2:3: '-2'" model sort -w 2 -m 2 --input minus
refuses 2 "point:1:5: '2.5'" model sort -w 2 -m 2 --input point
refuses 2 "large:1:7: 18446744073709551616 does not fit" model sort -w 2 -m 2 --input large
refuses 2 "digits:1:1: " model sort -w 2 -m 2 --input digits
refuses 2 "zeros:1:1: " model sort -w 2 -m 2 --input zeros
refuses 2 "short holds 3 numbers, -w 2 -m 2 needs 4" model sort -w 2 -m 2 --input short
refuses 2 "empty holds 0 numbers" model sort -w 2 -m 2 --input empty
refuses 2 "long:2:1: more than the 4 numbers" model sort -w 2 -m 2 --input long
refuses 2 "cannot read folder: Is a directory" model sort -w 2 -m 2 --input folder
refuses 2 "no such file" model sort -w 2 -m 2 --input folder/none
refuses 2 "short holds 3" compare -w 2 -m 2 --input short
refuses 2 "item 3: key 18446744073709551615 is not below 2^8" \
    model sort -w 2 -m 2 --input good --key-bits 8
if [ "$(id -u)" != 0 ]; then
    cp good locked
    chmod 0 locked
    refuses 2 "cannot read locked: Permission denied" model sort -w 2 -m 2 --input locked
fi
# A name that would break the line, or the JSON.
refuses 2 "no such file" model sort -w 2 -m 2 --input $'two\nlines'
cp good $'a "b"\\\n\xff'
works model sort -w 2 -m 2 --json --input $'a "b"\\\n\xff'
valid_json

refuses 2 "row2: item 3: label 2 is no row" model partition -w 2 -m 2 --input row2
refuses 2 "row1: item 3: label 1 once too often" model partition -w 2 -m 2 --input row1
refuses 2 "twice: item 3: label 1, row 0 and column 1, is item 1's" \
    model permute -w 2 -m 2 --input twice
refuses 2 "outside: item 3: label 4 is no place" model permute-offline -w 2 -m 2 --input outside
works model sort -w 2 -m 2 --input ones

# ---- what is asked for wrongly --------------------------------------------------------

refuses 2 "which algorithm?" model
refuses 2 "did you mean sort-square?" model sort-sqare -w 2 -m 2
refuses 2 "'clearway model list' names them" model quicksilver -w 2 -m 2
refuses 2 "one algorithm at a time" model sort sort -w 2 -m 2
refuses 2 "-w is missing" model sort -m 2
refuses 2 "-m is missing" model sort -w 2
refuses 2 "-m is missing" compare -w 2
refuses 2 "-w needs a value" model sort -m 2 -w
refuses 2 "--seed needs a value" model sort -m 2 -w 2 --seed
refuses 2 "-w must be between 1 and" model sort -w 0 -m 2
refuses 2 "-m must be between 1 and" model sort -w 2 -m 0
refuses 2 "-w must be between 1 and" model sort -w 1048577 -m 1
refuses 2 "-m must be between 1 and" model sort -w 1 -m 18446744073709551617
refuses 2 "at most 2^30 words" model sort -w 1048576 -m 1025
refuses 2 "at most 2^30 words" compare -w 1048576 -m 1025
refuses 2 "-w: '12x' is not a whole number" model sort -w 12x -m 2
refuses 2 "-w: '-2' is not a whole number" model sort -w -2 -m 2
refuses 2 "-m: '' is not a whole number" model sort -w 2 -m ''
refuses 2 "-m: '-w' is not a whole number" model sort -m -w 2
refuses 2 "unknown option '--jsn': did you mean --json?" model sort -w 2 -m 2 --jsn
refuses 2 "unknown option '--frob=3'" model sort -w 2 -m 2 --frob=3
refuses 2 "unknown option '-x'" model sort -w 2 -m 2 -x
refuses 2 "unknown option '--trace'" compare -w 2 -m 2 --trace t
refuses 2 "--json takes no value" model sort -w 2 -m 2 --json=yes
refuses 2 "--seed: 'one' is not" model sort -w 2 -m 2 --seed one
refuses 2 "--seed must be between" model sort -w 2 -m 2 --seed 18446744073709551616
refuses 2 "--latency must be" model sort -w 2 -m 2 --latency 0
refuses 2 "--threads 3 is no multiple of -w 2" model sort -w 2 -m 2 --threads 3
refuses 2 "--rows: 'quick' is none of best, merge, radix" model row-sort -w 2 -m 2 --rows quick
refuses 2 "--ways must be between 2 and 16" model sort -w 2 -m 2 --ways 17
refuses 2 "--key-bits must be" model sort -w 2 -m 2 --key-bits 65
refuses 2 "--hash: 'md5' is none of" model permute -w 2 -m 2 --hash md5
refuses 2 "--alpha is an option of permute" model sort -w 2 -m 2 --alpha 2
refuses 2 "--plan is an option of permute-offline" model permute -w 2 -m 2 --plan p
refuses 2 "--rows is an option of row-sort, partition" model sort -w 2 -m 2 --rows radix
refuses 2 "--literal is an option of sort-short, " model sort -w 2 -m 2 --literal
refuses 2 "--key-bits is for keys" model permute -w 2 -m 2 --key-bits 4
refuses 2 "--input: the value is empty" model sort -w 2 -m 2 --input ''
refuses 2 "sort-square" model sort-square -w 3 -m 4
refuses 2 "sort-wide" model sort-wide -w 4 -m 3
refuses 2 "folder" model sort -w 2 -m 2 --trace folder
refuses 2 "folder/none/t" model sort -w 2 -m 2 --trace folder/none/t
[ -z "$(ls folder)" ] || bad "leaves something behind: $(ls folder)"

# ---- modes and options -------------------------------------------------------------------

works model sort-wide -w 8 -m 8 --count --json
is mode '"count"'
is conflicts 0
works model bitonic -w 32 -m 32 --json
is mode '"count"'
[[ $(field conflicts "$out") =~ ^[1-9] ]] || bad "bitonic has no conflicts"
works model transpose -w 8 -m 8 --latency 5 --json
is latency 5
is threads 8
is time $((5 * $(field steps "$out"))) # one warp: each access waits for the one before
works model transpose -w 8 -m 8 --latency 5 --threads 40
has "(latency 5, threads 40)"
works model row-sort -w 8 -m 64 --rows merge --key-bits 5 --json
is extra_words_per_row 64
works model row-sort -w 8 -m 64 --rows radix --key-bits 5 --json
is extra_words_per_row 96 # with a counter for each of 32 keys
is verified true
refuses 2 "key bits" model row-sort -w 8 -m 64 --rows radix
works model partition -w 8 -m 64 --rows merge --json
merged=$(field steps "$out")
works model partition -w 8 -m 64 --rows radix --json
is verified true
[ "$(field steps "$out")" != "$merged" ] || bad "radix and merge take the same steps"
[ -n "$(field path "$out")" ] || bad "does not say which path ran"
works model sort -w 8 -m 64 --ways 2 --json
is verified true

for hash in table pagh tabulation mixer; do
    works model permute -w 33 -m 8 --hash $hash --alpha 2 --json
    is verified true
    [[ $(field iterations "$out") =~ ^[1-9] ]] || bad "no iteration"
    [[ $(field leftovers "$out") =~ ^\[([0-9]+, )*0\]$ ]] || bad "leftovers do not end with 0"
    [[ $(field random_words "$out") =~ ^[1-9] ]] || bad "nothing random"
done
works model permute -w 64 -m 32 --finish --json
is verified true
works model permute -w 33 -m 8
has "iterations" "random words"
fits_80_columns

works model permute-offline -w 33 -m 8 --save-plan plan --json
is steps 16
is plan_steps 8
works model permute-offline -w 33 -m 8 --plan plan --json
is steps 16
is verified true
refuses 2 "plan: " model permute-offline -w 33 -m 8 --plan plan --seed 2
refuses 2 "plan is a plan for 33 x 8, not for -w 8 -m 33" model permute-offline -w 8 -m 33 --plan plan
refuses 2 "good" model permute-offline -w 33 -m 8 --plan good
refuses 2 "none" model permute-offline -w 33 -m 8 --plan none
refuses 2 "folder/none/p" model permute-offline -w 33 -m 8 --save-plan folder/none/p

# ---- compare --------------------------------------------------------------------------------

for shape in "32 32" "4 64" "64 4" "1 1"; do
    # shellcheck disable=SC2086 # two numbers
    set -- $shape
    works compare -w "$1" -m "$2"
    fits_80_columns
    has "blocked-bitonic" "sort took" "not for this shape"
    [[ $out != *" NO"* ]] || bad "something is not verified"
    works compare -w "$1" -m "$2" --json
    valid_json
    steps=$(sed -n 's/.*"steps": \([0-9]*\),.*/\1/p' out)
    [ "$steps" = "$(sort -n <<<"$steps")" ] || bad "is not in the order of steps"
    [ "$(grep -c '"verified": true' out)" -eq "$(wc -l <<<"$steps")" ] || bad "not all verified"
    for name in sort blocked-bitonic shearsort bitonic merge; do
        has "\"algorithm\": \"$name\""
    done
    [[ $out != *'"permute"'* && $out != *'"transpose"'* ]] || bad "holds what does not sort"
    # sort takes no more steps than anything that never has a conflict
    first=$(grep '"mode": "strict"' out | head -1)
    best=$(field steps "$first")
    [ "$(sed -n 's/.*"algorithm": "sort", .*"steps": \([0-9]*\), "work".*/\1/p' out)" = "$best" ] ||
        bad "sort is not the best"
done
works compare -w 8 -m 8 --input equal --seed 5 --ways 2
has "input equal, seed 5"

# ---- output that does not arrive ----------------------------------------------------------------

lost() # lost ARGUMENT...: stdout is full, closed, or a pipe that nobody reads
{
    local kind
    for kind in full closed pipe; do
        what="$* ($kind)"
        checks=$((checks + 1))
        case $kind in
        full)
            [ -c /dev/full ] || continue
            "$tool" "$@" >/dev/full 2>err
            status=$?
            ;;
        closed)
            "$tool" "$@" >&- 2>err
            status=$?
            ;;
        pipe)
            { sleep 0.2; "$tool" "$@" 2>err; echo $? >status; } | true
            status=$(<status)
            ;;
        esac
        [ "$status" -eq 1 ] || bad "exit $status, not 1"
        [ "$(wc -l <err)" -eq 1 ] || bad "$(wc -l <err) lines on stderr, not 1"
        [[ $(<err) == "clearway: cannot write the output: "* ]] || bad "says '$(<err)'"
    done
}

lost --help
lost model sort -w 4 -m 4 --json
lost model list
lost compare -w 4 -m 4
# A trace must not land where stdout was.
"$tool" model sort -w 4 -m 4 --trace t >&- 2>/dev/null
[ "$(head -c 7 t)" = CWTRACE ] || bad "the trace and stdout are mixed"

# ---- all JSON of above ----------------------------------------------------------------------------

what="--json"
if command -v python3 >/dev/null; then
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
