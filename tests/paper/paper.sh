#!/bin/bash
# paper.sh TOOL SOURCE - results of the model out of the tool: files, the screen, text traces, padding;
# the errata to see; and the numbers of docs/paper.md, recomputed.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

numbers() # FILE: the numbers of a .npy file of u64, one a line
{
    python3 - "$1" <<'PYTHON'
import ast, struct, sys
data = open(sys.argv[1], "rb").read()
size = struct.unpack("<H", data[8:10])[0]
head = ast.literal_eval(data[10:10 + size].decode())
assert data[:6] == b"\x93NUMPY" and head["descr"] == "<u8" and not head["fortran_order"], head
print(head["shape"])
for (x,) in struct.iter_unpack("<Q", data[10 + size:]):
    print(x)
PYTHON
}

# ---- a result that does not fill the matrix -----------------------------------------------------

seq 100 -3 1 >keys.txt # 34 keys
for algorithm in sort sort-wide sort-tall sort-tall-cole blocked-bitonic bitonic merge shearsort; do
    shape="-w 5"
    case $algorithm in sort-tall*) shape="-w 9" ;; esac
    works model $algorithm $shape -n 34 --input keys.txt --output out.txt
    has "padding  "
    [ "$(tr ' ' '\n' <out.txt | tr '\n' ' ')" = "$(sort -n keys.txt | tr '\n' ' ')" ] || bad "out.txt is not sorted"
done
works model sort -w 5 -n 34 --input keys.txt --output out.npy --json
has '"padding": 1'
[ "$(numbers out.npy)" = "(34,)
$(sort -n keys.txt)" ] || bad "out.npy is not sorted"
works model sort -w 5 -n 34 --input keys.txt --print
[ "$(tail -n 5 out | tr ' ' '\n')" = "$(sort -n keys.txt)" ] || bad "what is printed is not sorted"
what="model sort -w 5 --input -"
"$tool" model sort -w 5 --input - --print <keys.txt >out || bad "fails" # as many items as there are numbers
[ "$(tail -n 5 out | tr ' ' '\n')" = "$(sort -n keys.txt)" ] || bad "standard input is not sorted"
# shellcheck disable=SC2002 # a pipe is meant
cat keys.txt | "$tool" model sort -w 5 --input - --print >piped || bad "fails from a pipe"
cmp -s out piped || bad "a pipe gives another result"
run model sort -w 5 --input - </dev/null
[[ $status -eq 2 && $err == *"standard input holds no numbers"* ]] || bad "exit $status: $err"
works compare -w 4 --input 3,9,1,7,2
has "4 x 2 (w x m), n = 5" "padding: 3 of the 8 items fill the matrix" "yes"
works compare -w 5 --input keys.txt --json
has '"padding": 1'
works model sort -w 4 -m 3 --print --json
has '"result": ['
refuses 2 "takes whole matrices" model partition -w 4 -n 7
refuses 2 "more than the 9 places" model sort -w 3 -m 3 -n 70
refuses 2 "goes with a file" model permute -w 3 -n 8

# ---- labels: where each item came from ------------------------------------------------------------

echo 6 5 4 3 2 1 0 >labels.txt
works model permute -w 4 -n 7 --input labels.txt --output came.txt
[ "$(tr '\n' ' ' <came.txt)" = "6 5 4 3 2 1 0 " ] || bad "came.txt is $(<came.txt)"
works model permute-offline -w 4 -n 7 --input labels.txt --output came.npy
[ "$(numbers came.npy | tr '\n' ' ')" = "(7,) 6 5 4 3 2 1 0 " ] || bad "came.npy has the padding"
refuses 2 "item 0: label 7 is no place, there are 7" model permute -w 4 --input 7,5,4,3,2,1,0
works model partition -w 3 -m 2 --output came.npy
numbers came.npy >came
[ "$(head -n 1 came)" = "(3, 2)" ] || bad "came.npy has another shape"
[ "$(tail -n +2 came | sort -n | tr '\n' ' ')" = "0 1 2 3 4 5 " ] || bad "items are lost"
seq 1 6 >six.txt
works model transpose -w 2 -m 3 --input six.txt --output turned.txt
[ "$(tr '\n' ' ' <turned.txt)" = "1 3 5 2 4 6 " ] || bad "turned.txt is $(<turned.txt)"

# ---- files that cannot be written leave nothing, and say so --------------------------------------

run model sort -w 4 -m 4 --output missing/out.txt
[ $status -eq 1 ] || bad "exit $status, not 1"
[[ $err == *"missing/out.txt"* ]] || bad "does not name the file: $err"
run model sort -w 4 -m 4 --trace-text missing/out.txt
[ $status -eq 1 ] || bad "exit $status, not 1"
echo old >old.txt
for option in --output --trace-text; do
    run model sort -w 4 -m 4 $option /dev/full --trace old.txt
    [ $status -eq 1 ] || bad "exit $status, not 1: $err"
    [ "$(<old.txt)" = old ] || bad "one output failed, and the other was written"
done
refuses 2 "old.txt" model sort -w 4 -m 4 --output old.txt --trace-text old.txt
refuses 2 "keys.txt" model sort -w 5 -n 34 --input keys.txt --output keys.txt
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo old >old.txt
    run model sort-short -w 2 -m 5 --as-printed --seed $seed -o old.txt --trace-text wrong.txt
    [ $status -eq 0 ] || break
done
[ $status -eq 1 ] || bad "exit $status, not 1"
[ "$(<old.txt)" = old ] || bad "a wrong result was kept"
[ -s wrong.txt ] || bad "no trace of a run that went wrong"
works model sort -w 4 -m 4 -o /dev/stdout
has "verified"

# ---- a trace as text: a line a step ----------------------------------------------------------------

works model sort -w 4 -m 6 --trace-text trace.txt --json
steps=$(sed 's/.*"steps": *\([0-9]*\).*/\1/' out)
[ "$(grep -vc '^#' trace.txt)" -eq "$steps" ] || bad "$(grep -vc '^#' trace.txt) lines for $steps steps"
grep -q '^0r(0,0)=' trace.txt || bad "no first read in the trace"
accesses=$(sed 's/.*"accesses": *\([0-9]*\).*/\1/' out)
[ "$(grep -v '^#' trace.txt | grep -o '[rw](' | wc -l)" -eq "$accesses" ] || bad "not $accesses accesses in the trace"
works model bitonic -w 4 -m 4 --trace-text trace.txt
grep -q ' x[2-9]$' trace.txt || bad "no step of the trace cost more than one"

# ---- other rules ------------------------------------------------------------------------------------

works model transpose -w 4 -m 4 --rule umm
has "a warp asked for 4 address groups"
works model transpose -w 8 -m 4 --banks 4
has "a bank asked for 2 words at once"
works model sort-wide -w 4 -m 8 --banks 2
has "a bank asked for 1 word"

# ---- the errata --------------------------------------------------------------------------------------

wrong_of() # ARGUMENT...: how many of 12 seeds come out wrong
{
    local seed count=0
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
        run model "$@" --as-printed --seed $seed
        [ $status -eq 1 ] && count=$((count + 1))
        [ $status -gt 1 ] && bad "exit $status: $err"
    done
    echo $count
}

[ "$(wrong_of sort-short -w 2 -m 5)" -gt 0 ] || bad "lemma 1 as printed sorts 2 x 5"
[ "$(wrong_of sort-square -w 32 -m 32 --group 5)" -gt 0 ] || bad "theorem 1 sorts 32 x 32 by groups of 5"
[ "$(wrong_of partition-tall -w 256 -m 8)" -gt 0 ] || bad "lemma 2 as printed partitions 256 x 8"
refuses 2 "powers of two" model partition-tall -w 100 -m 8 --as-printed
refuses 2 "--as-printed is an option of" model sort -w 4 -m 4 --as-printed

# ---- the page's numbers ----------------------------------------------------------------------------------

checks=$((checks + 1))
what="numbers of docs/paper.md"
"$2/scripts/paper.py" check "$tool" >out 2>&1 || bad "$(tail -n 20 out)"

echo "$((checks - wrong)) passed, $wrong failed"
[ $wrong -eq 0 ]
