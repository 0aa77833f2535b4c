#!/bin/bash
# cli.sh TOOL SOURCE - what people see of the tool: its output and its exits.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

# ---- finding one's way ---------------------------------------------------------------

works --version
[[ $out =~ ^clearway\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || bad "prints $out"
works --help
has "usage:" model compare info
fits_80_columns
for command in sort argsort partition generate check permute transpose plan model compare \
    conflicts gallery verify info; do
    works $command --help
    has "usage: clearway $command"
    has "--json"
    fits_80_columns
    ! grep -E '^  -.{19}[^ ]' <<<"$out" || bad "an option is wider than its column" # its text would begin in another one
    help=$out
    works help $command
    [ "$out" = "$help" ] || bad "is not '$command --help'"
done
works view --help
has "usage: clearway view" "-o PAGE"
fits_80_columns
works info
has version compiler CUDA lanes kernels GPU limits
works info --json
valid_json

works --complete ""
has "model" "help" "--version"
works --complete model --key
has "--key-bits" "--input"
works --complete model sort-square --rows ""
[ "$out" = $'best\nmerge\nradix' ] || bad "offers $out"
works --complete verify --cases
case $out in *cases-on-gpu*) bad "offers what is not for people" ;; esac
works --complete frobnicate ""

refuses 2 "no command"
refuses 2 "unknown command 'modle': did you mean model?" modle
refuses 2 "unknown command" frobnicate
refuses 2 "unknown option '--frob'" --frob
refuses 2 "unknown command" help frobnicate
refuses 2 "help takes one command, got 'check' too" help sort check
refuses 2 "takes no argument" info more
refuses 2 "takes no argument" compare more

# ---- model list ----------------------------------------------------------------------

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

# ---- every algorithm -----------------------------------------------------------------

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
works model sort -w 2^5 -m 1e1 --json
is w 32
is m 10
works --help sort
has "usage: clearway sort FILE"
works version --json
[ "$(field version "$out")" != "" ] || bad "prints $out"
valid_json
works sort --n 1
has "sort of 1 u32 key"$'\n'
works model --json -w32 -m8 sort --seed=7
is seed 7
works model sort -m 8 --json --seed 7 -w 32 -w 16
is w 16

# ---- inputs --------------------------------------------------------------------------

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

# ---- modes and options ---------------------------------------------------------------

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
refuses 2 "plan is a plan for 33 x 8, not for -w 8 -m 33" \
    model permute-offline -w 8 -m 33 --plan plan
head -c 5000 /dev/zero >zeros
refuses 2 "zeros is not a plan" model permute-offline -w 33 -m 8 --plan zeros
head -c 100 plan >torn
refuses 2 "torn" model permute-offline -w 33 -m 8 --plan torn
refuses 2 "none" model permute-offline -w 33 -m 8 --plan none
refuses 1 "none/p" model permute-offline -w 33 -m 8 --save-plan none/p

# ---- compare -------------------------------------------------------------------------

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

finish
