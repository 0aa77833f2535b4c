#!/bin/bash
# cli_refusals.sh TOOL SOURCE - whatever goes wrong is told in one line, with its exit status.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

# ---- files ---------------------------------------------------------------------------

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

# ---- what is asked for wrongly -------------------------------------------------------

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
refuses 2 "-w must be between 1 and 1M, got -2" model sort -w -2 -m 2
refuses 2 "-w: '1.5' is not a whole number" model sort -w 1.5 -m 2
refuses 2 "-m: '' is not a whole number" model sort -w 2 -m ''
refuses 2 "-m: '-w' is not a whole number" model sort -m -w 2
refuses 2 "unknown option '--jsn': did you mean --json?" model sort -w 2 -m 2 --jsn
refuses 2 "unknown option '--frob=3'" model sort -w 2 -m 2 --frob=3
refuses 2 "unknown option '-x'" model sort -w 2 -m 2 -x
refuses 2 "unknown option '--trace'" compare -w 2 -m 2 --trace t
refuses 2 "--json takes no value" model sort -w 2 -m 2 --json=yes
refuses 2 "--seed: 'one' is not" model sort -w 2 -m 2 --seed one
refuses 2 "--seed must be between 0 and 18446744073709551615, got 18446744073709551616" model sort -w 2 -m 2 --seed 18446744073709551616
refuses 2 "--latency must be" model sort -w 2 -m 2 --latency 0
refuses 2 "--threads 3 is no multiple of -w 2" model sort -w 2 -m 2 --threads 3
refuses 2 "--rows: 'quick' is none of best, merge, radix" model row-sort -w 2 -m 2 --rows quick
refuses 2 "--ways must be between 2 and 16, got 17" model sort -w 2 -m 2 --ways 17
refuses 2 "--key-bits must be" model sort -w 2 -m 2 --key-bits 65
refuses 2 "--hash: 'md5' is none of" model permute -w 2 -m 2 --hash md5
refuses 2 "--alpha is an option of permute" model sort -w 2 -m 2 --alpha 2
refuses 2 "--plan is an option of permute-offline" model permute -w 2 -m 2 --plan p
refuses 2 "--rows is an option of row-sort, partition" model sort -w 2 -m 2 --rows radix
refuses 2 "--literal is an option of sort-short, " model sort -w 2 -m 2 --literal
refuses 2 "--key-bits is for keys" model permute -w 2 -m 2 --key-bits 4
refuses 2 "--input: the value is empty" model sort -w 2 -m 2 --input ''
refuses 2 "--input:1:3: '-3' is not an unsigned whole number" model sort -w 4 --input 5,-3,1
refuses 2 "--input:1:1: '-5' is not an unsigned whole number" model sort -w 4 --input -5,3
refuses 2 "sort-square" model sort-square -w 3 -m 4
refuses 2 "sort-wide" model sort-wide -w 4 -m 3
refuses 1 "cannot write folder: it is a directory" model sort -w 2 -m 2 --trace folder
refuses 1 "cannot write folder/none/t: there is no folder folder/none" model sort -w 2 -m 2 --trace folder/none/t
[ -z "$(ls folder)" ] || bad "leaves something behind: $(ls folder)"

# ---- slips of the first minute -------------------------------------------------------

: >empty.npy
printf 'a,b\n1,2\n' >head.csv
works generate uniform --n 100 --type float32 -o f.npy # NumPy's names, and those of C
works generate uniform -n 100 --type uint32_t -o u.npy
works check u.npy --type uint32 --of u.npy
refuses 2 "empty.npy is empty: 0 bytes are no .npy file" sort empty.npy -o x.npy
refuses 2 "empty is empty: of which type?  (--type f32, or another)" sort empty -o x.npy
refuses 2 "the name of a file is empty" sort '' -o x.npy
refuses 2 "cannot read folder: it is a directory" sort folder -o x.npy
refuses 2 "head.csv: line 1: 'a' is no number (a header is not passed over: tail -n +2 does that)" sort head.csv --text -o x.npy
refuses 2 "one file, got 's.npy' too: -o FILE says where the result goes" sort f.npy s.npy
refuses 2 "one file, got 'u.npy' too: --index FILE" permute f.npy u.npy -o x.npy
refuses 2 "one file, got 'u.npy' too: --of FILE" check f.npy u.npy
refuses 2 "-o is missing: the file that the result goes to, - for standard output" sort f.npy
refuses 1 "--tmpdir nowhere: there is no such folder" sort f.npy -o x.npy --tmpdir nowhere
refuses 1 "--tmpdir empty: there is no such folder" check f.npy --tmpdir empty
refuses 2 "unknown option '--reverse': did you mean --descending?" sort f.npy -o x.npy --reverse
refuses 2 "unknown option '-r': did you mean --descending?" sort f.npy -o x.npy -r
refuses 2 "unknown option '--desc': did you mean --descending?" sort f.npy -o x.npy --desc
refuses 2 "unknown option '--size=9': did you mean --n?" sort --size=9
refuses 2 "unknown option '--gpu': did you mean --on gpu?" sort --n 9 --gpu
refuses 2 "unknown option '--bogus': 'clearway sort --help' lists them" sort --n 9 --bogus
refuses 2 "unknown option '--json': a command comes first" --json info
refuses 2 "'int' is none of u8, u16" sort --n 9 --type int # 32 bits, or 64?
refuses 2 "low-equal, nan, adversarial-merge, adversarial-radix: did you mean uniform?" sort --n 9 --input unifrom
refuses 2 "unknown kind 'foo': 'clearway generate --help'" generate foo --n 9 -o x.npy
refuses 2 "unknown kernel 'cw_paper': did you mean cw_paper_" verify --kernel cw_paper
refuses 2 "u.npy: label 0 is " partition u.npy -o x.npy --by label --buckets 2
refuses 2 "f.npy: --rows and --columns are missing: how do its 100 items lie?" transpose f.npy -o x.npy
refuses 2 "--input 1,2,x: no such file, and no unsigned whole numbers" model sort -w 2 -m 2 --input 1,2,x
refuses 2 "this computer has" sort --n 2^40
# Memory that others have is not there: 20 bytes a key.  (The limit is for a tool that tries; sanitizers need more.)
nearly=$(awk '/^MemTotal:/ { printf "%.0f", $2 * 1024 / 20 * 0.998 }' /proc/meminfo)
if (ulimit -v 4000000 && "$tool" version) >out 2>err; then
    what="sort of nearly all memory"
    (ulimit -v 4000000 && "$tool" sort --n "$nearly") >out 2>err && bad "works"
    grep -q "this needs about .* GiB of memory, and this computer has .* free" err || bad "says '$(<err)'"
fi
refuses 1 "folder/none/x.npy: there is no folder folder/none" sort f.npy -o folder/none/x.npy
refuses 1 "f.npy is a file, and -o is a folder here" gallery -o f.npy
refuses 2 "head.csv declares no array as __shared__; recorded addresses: --csv head.csv" conflicts head.csv
refuses 2 "cannot read none.cu: No such file" conflicts none.cu
printf '__shared__ float s[8];\nfor (int k = 0; k < 9; k++)\n    s[k] = 1;\n' >wide.cu
run conflicts wide.cu
[[ $status -eq 2 && $err == *"wide.cu: t = 0, line 3, column 7: subscript 8 is outside [8]"*"    s[k] = 1;"* ]] || bad "says '$err'"
sed -i 's/9/n/' wide.cu
works conflicts wide.cu
has "note: line 2: 'k < n' is not known: the loop is run once" "     3         1          1         1  s[k] = 1;"
works conflicts wide.cu -D n=8
has "     3         8          8         8  s[k] = 1;"
refuses 2 "'GPU' is none of auto, gpu, cpu, emu: did you mean gpu?" sort --n 9 --on GPU
refuses 2 "unknown option '-k': did you mean --by?" sort -k 2 head.csv
refuses 2 "sm_90 (H100, H200)" verify --as h100
run conflicts 't * N'
[[ $err == *"unknown name 'N'"*"-D gives one a value"* ]] || bad "says '$err'"
if ! nm "$tool" 2>/dev/null | grep -q __asan_init; then # which needs terabytes of addresses
    what="sort --n 1e8, with 300 MB"
    err=$( (ulimit -v 300000; "$tool" sort --n 1e8; "$tool" plan --n 5e7) 2>&1)
    [ "$(grep -c '^clearway: out of memory' <<<"$err")" = 2 ] || bad "says '$err'"
fi
if [ "$(field cuda "$("$tool" info --json)")" = false ]; then
    refuses 1 "--on gpu: this library was built without CUDA; --on cpu needs no GPU" sort --n 9 --on cuda
fi

# ---- output that does not arrive -----------------------------------------------------

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

finish
