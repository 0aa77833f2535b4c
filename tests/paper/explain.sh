#!/bin/bash
# explain.sh TOOL SOURCE - clearway model explains its phases, takes the user's numbers, prints the result, and says
# whether the method it took is the paper's.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

# Every phase that an algorithm marks is explained, and the steps of phases add up.
for algorithm in $("$tool" model list --json | sed 's/.*"algorithm": *"\([^"]*\)".*/\1/'); do
    for shape in '-w 16 -m 16' '-w 4 -m 64' '-w 64 -m 8' '-w 256 -m 4'; do
        # shellcheck disable=SC2086 # two options
        run model "$algorithm" $shape --explain --json
        [ $status -eq 0 ] || continue # a shape that it does not take
        valid_json
        [[ $out == *'"phases": ['* ]] || bad "has no phases"
        [[ $out != *'"text": ""'* ]] || bad "has a phase that is not explained: $out"
    done
done
for name in $(grep -rhoE '(view_phase|phase_mark|all_phase)\(.*"' "$2/src/paper" | grep -o '"[^"]*"' | tr -d '"' | tr ' ' '_'); do
    what=${name##*:_}
    grep -q "\"${what//_/ }\"\|\"${name//_/ }\"" "$2/cli/model/explain.c" || bad "the phase '${name//_/ }' is not explained"
done
works model sort -w 32 -m 32 --explain
has "wide: one dirty row" "each with the steps"

# Numbers of the user, in the command, in a file, by a pipe.
works model sort -w 4 --input 5,3,9,1,7 --print
has $'1 3\n5 7\n9' "padding        3 of the 8 items" "not the paper's"
works model sort -w 4 -m 2 --input 8,7,6,5,4,3,2,1 --print
has $'1 2\n3 4\n5 6\n7 8'
echo 3 1 2 4 >numbers
works model sort -w 2 -m 2 --input numbers --print
has $'1 2\n3 4'
printf '5 3 9 # three\n1,7\n' >numbers
works model sort -w 4 --input numbers --print
has $'\n\n1 3\n5 7\n9' "padding        3 of the 8 items"
works model sort -w 4 --input '5 3 9 1 7' --print
has $'\n\n1 3\n5 7\n9'
: >none
refuses 2 "none holds no numbers" model sort -w 4 --input none
refuses 2 "--input 5,x: no such file, and no unsigned whole numbers" model sort -w 4 --input 5,x
refuses 2 "-m is missing" model sort -w 4 --input <(echo 5 3 9)
works generate few --n 4 -o keys.npy
refuses 2 "keys.npy is a .npy file: the model takes numbers as text" model sort -w 4 --input keys.npy
works model sort -w 32 -m 1024
hasnt() { [[ $out != *"$1"* ]] || bad "prints '$1'"; }
hasnt "not the paper's"
works model sort -w 32 -m 1024 --json
is of_the_paper true
works model sort -w 100 -m 7 --json
is of_the_paper false
refuses 2 "'x' is not" model sort -w 2 -m 2 --input <(echo 1 x 2 3)

finish
