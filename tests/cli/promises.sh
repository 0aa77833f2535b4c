#!/bin/bash
# promises.sh TOOL SOURCE - scripts/promises on a machine whose GPU and benchmarks are made up: what they print is judged, a limit of
# time keeps what is done, a pack runs elsewhere; bench/promises.py speaks of columns that benchmarks have, and docs/measure.md shows what CSVs say.
# shellcheck disable=SC2016 # made-up programs expand for themselves
set -u
source=$2
command -v python3 >/dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export PYTHONDONTWRITEBYTECODE=1
wrong=0
calls=0

bad() # $1: what
{
    echo "WRONG: $1"
    printf '    %s\n' "$out"
    wrong=$((wrong + 1))
}

program() # $1: path; the rest: its lines
{
    mkdir -p "$(dirname "$1")"
    printf '%s\n' '#!/bin/bash' "${@:2}" >"$1"
    chmod +x "$1"
}

check() # $1: exit status; the rest: arguments.  Leaves what it says in out
{
    local want=$1
    shift
    calls=$((calls + 1))
    out=$(PATH=$dir/bin:$PATH timeout 60 "${script:-$source/scripts/promises}" "$@" 2>&1)
    status=$?
    [ $status -eq "$want" ] || bad "promises $*: exit $status, not $want"
}

says() # $1: a regular expression
{
    grep -qE -- "$1" <<<"$out" || bad "does not say '$1'"
}

csv() # $1: run; its lines from stdin
{
    mkdir -p "$dir/csv"
    cat >"$dir/csv/$1.csv"
}

judged() # $1: exit status; the rest: arguments besides
{
    check "$1" --report-only "$dir/csv" "${@:2}"
}

GRID=key,payload,order,n,input,us,cub_us,ratio

# ---- the judge ----------------------------------------------------------------------------------

csv grid <<END
# A GPU, driver 1, 1 May
$GRID
u32,0,any,4096,uniform,10.00,11.00,1.100
u32,0,any,4096,heavy3,20.00,40.00,2.000
u32,0,any,16384,uniform,10.00,40.00,4.000
END
judged 0 --part sort
says '^sort +sort +met +cw_sort is never slower .*\(1.1 of 0.97; worst: u32 payload 0 any 2\^12 uniform; 3 cells; hoped for 1.2: not reached'
says '^sort +sort-mean +met .*\(2.065 of 1.5; worst: u32 payload 0 any 2\^12 uniform, 1.1; 3 cells; hoped for 2: reached'
says '^sort +sort-flat +met so far .*\(2 of 3; worst: u32 payload 0 any 2\^12 heavy3; 3 cells; grid-inputs: not run; hoped for 1.5: not'
says '^sort +sort-short +met .*\(4 of 2\)' # one cell
says '^sort +sort-2.20 +not measured .*\(no such cells\)'
says '^sort +sort-splat +not measured .*\(not run\)'
says '^3 met, 1 met so far, 0 NOT met, 11 not measured$'
grep -q '^rows' <<<"$out" && bad "judges parts that were not asked for"
echo u8,4,stable,8192,equal,10.00,9.30,0.930 >>"$dir/csv/grid.csv"
judged 1 --part sort
says '^sort +sort +NOT met .*\(0.93 of 0.97; worst: u8 payload 4 stable 2\^13 equal; 1 of 4 cells'
judged 1 --part sort --markdown
says '^- `grid`: A GPU, driver 1, 1 May$'
says "^\| \[cw_sort is never slower .*\]\(sort.md\) \| 0.97 \| 0.93 \| \*\*NOT met\*\* \| u8 payload 4 stable 2\^13 equal; 1 of 4 cells \|"
grep -q 'splat' <<<"$out" && bad "the page tells of what was not measured"

csv grid <<END
$GRID
u32,0,any,4096,uniform,10.00,11.00,1.100
u32,0,any,16384,uniform
u32,0,any,65536,uniform,10.00,11.00,nan
u32,0,any,1048576,power,5.00,11.00,2.200,WRONG
END
judged 1 --part sort
says '^sort +sort +NOT met .*\(wrong output: u32 payload 0 any 2\^20 power\)'
says '^sort +sort-short +not measured .*\(no such cells\)'
says '^grid.csv: 1 lines left out'
printf '%s\nu32,0,any,4096,uniform,10.00,17.00,1.700\nu32,0,any,4096,power,10.00,17.00,0.1' $GRID | csv grid
judged 0 --part sort # half a line
says '^sort +sort +met .*\(1.7 of 0.97; hoped'
csv grid </dev/null
judged 0 --part sort
says '^sort +sort +not measured .*\(no cells\)'
echo key,payload,order,n,input,us | csv grid
echo u8,0,any,4096,uniform,5.0 >>"$dir/csv/grid.csv"
judged 0 --part sort
says '^sort +sort +not measured .*\(grid.csv has no column ratio\)'
rm "$dir/csv/grid.csv"
judged 0
says '^0 met, 0 met so far, 0 NOT met'
echo "$GRID" | csv grid-of-mine # longest name of a run that it begins with
echo u32,0,any,4096,uniform,10.00,17.00,1.700 >>"$dir/csv/grid-of-mine.csv"
judged 0 --part sort
says '^sort +sort +met'
rm "$dir"/csv/*

csv rows-lengths <<END
gpu,driver,commit,n,type,length,method,shape,gkeys,ratio
G,1,abc,67108864,u32,256,clearway,one length,400.00,1.00
G,1,abc,67108864,u32,256,clearway,offsets,380.00,1.00
G,1,abc,67108864,u32,256,cub segmented sort,offsets,100.00,3.80
G,1,abc,67108864,u32,129,clearway,one length,210.00,1.00
G,1,abc,67108864,u32,129,cub segmented sort,offsets,110.00,1.9
G,1,abc,67108864,u32,0-49,clearway,offsets,200.00,1.00
G,1,abc,67108864,u32,0-49,cub segmented radix,offsets,100.00,2.00
END
judged 1 --part rows --markdown
says '^- `rows-lengths`: G, driver 1, commit abc$'
judged 1 --part rows
says '^rows +rows +met .*\(1.909 of 0.97; worst: u32 129 one length; 3 cells'
says '^rows +rows-keys +NOT met .*\(1.909 of 2; worst: 129 one length; 1 of 3 cells'
says '^rows +rows-share +NOT met .*\(0.525 of 0.6; worst: u32 129 one length; 1 of 3 cells'
says '^rows +rows-mixes +met .*\(2 of 1.5\)'
says '^rows +rows-offsets +hoped for .*\(0.95 of 0.92\)'
csv transpose <<END
place,bytes,rows,columns,batch,GB/s,copy GB/s,ratio,output
out of place,4,16384,16384,1,4000,4200,0.952,right
out of place,4,1000,1000,256,400,4200,0.095,right
out of place,3,100,100,1,2000,4000,0.500,right
in place,4,16384,16416,1,1600,4000,0.4,right
END
csv python <<END
what,n,input,us,peer_us,peer,ratio
"overhead, empty NumPy array",0,host,3.10,1.09,numpy,0.35
host's side of a call,512,gpu,10.00,4.50,cw_sort from C,0.45
rows f32+i64,65536x1024,gauss,1.00,3.00,torch,3.000
END
judged 1
says '^moves +transpose +met .*\(0.952 of 0.85\)'
says '^moves +transpose-odd +met .*\(0.5 of 0.5\)'
says '^python +overhead +NOT met .*\(3.1 of 3;'
says '^python +overhead-gpu +met .*\(5.5 of 6\)'
says '^python +python-rows +met .*\(3 of 3\)'

# ---- runs: made-up benchmarks -------------------------------------------------------------------

program "$dir/bin/nvidia-smi" 'echo "A GPU, 1.2"'
program "$dir/b/bench/bench_grid" "echo $GRID" 'for ((k = 12; k < 20; k++)); do' \
    '    echo "u32,0,any,$((1 << k)),uniform,10.00,30.00,3.000"; [[ $* != *splat* ]] || sleep 0.2; done'
program "$dir/b/bench/bench_sort" 'echo "bench_sort: what is -c?" >&2' 'exit 1'
echo abc1234 >"$dir/b/commit"
check 1 -f "$dir/b" --part sort --csv "$dir/out"
says '^on A GPU, driver 1.2, commit abc1234; CSVs in'
says '^sort +grid +[0-9.]+ s  ok, 8 cells$'
says '^sort +sort +[0-9.]+ s  failed \(1\) bench_sort: what is -c\?$'
says '^sort +sort +met .*\(3 of 0.97; worst: .*; 8 cells'
says '^sort +compare +not measured .*\(failed \(1\) bench_sort: what is -c\?\)'
grep -qx '# promises: A GPU, driver 1.2, commit abc1234, 20[0-9-]*; bench_grid --quick .*' "$dir/out/grid.csv" ||
    bad "the CSV does not say where it comes from"
tail -n 1 "$dir/out/grid.csv" | grep -qx '# ended: ok' || bad "the CSV does not say that it is whole"
check 1 --report-only "$dir/out" # the same again
says '^sort: failed \(1\) bench_sort: what is -c\?$'
sed -i '$d' "$dir/out/grid.csv" # the machine went away
check 1 --report-only "$dir/out"
says '^sort +sort +met so far .*grid: stopped in the middle'

program "$dir/b/bench/bench_sort" 'echo "bench_sort: memory: out of memory" >&2' 'exit 1' # of a smaller GPU
check 0 -f "$dir/b" --part sort --csv "$dir/out"
says '^sort +sort +[0-9.]+ s  not enough memory$'
says '^sort +compare +not measured .*\(not enough memory\)'

rm "$dir/b/bench/bench_sort"
program "$dir/b/bench/bench_grid" "echo $GRID" 'echo u32,0,any,4096,splat,10.00,30.00,3.000' \
    '[[ $* != *splat* ]] || { printf u32,0,any,8192,splat,10.00,1.00,0.1; exec sleep 30; }'
check 0 -f "$dir/b" --part sort --seconds 5 --csv "$dir/out"
says '^sort +grid-splat +[0-9.]+ s  out of time \([1-5] s\), 1 cells$'
says '^sort +grid-inputs +[0-9.]+ s  not begun: 5 s are over$'
says '^sort +sort-splat +met so far .*\(3 of 1.5; grid-splat: out of time \([1-5] s\)'
says '^sort +sort-inputs +not measured .*\(not begun: 5 s are over\)'
says '^sort +compare +not measured .*\((bench_sort is not built|not begun)'

program "$dir/b/bench/bench_grid" "echo \$\$ >$dir/pid" 'exec sleep 30'
PATH=$dir/bin:$PATH "$source/scripts/promises" -f "$dir/b" --part sort >/dev/null 2>&1 &
for ((k = 0; k < 300; k++)); do
    [ -s "$dir/pid" ] && break
    sleep 0.1
done
kill $!
wait $!
[ $? -eq 143 ] || bad "is not ended by a signal"
! kill -0 "$(cat "$dir/pid")" 2>/dev/null || bad "a benchmark goes on after a signal"
program "$dir/b/bench/bench_grid" "echo $GRID"

mkdir "$dir/py"
echo 'raise ImportError("no torch here")' >"$dir/py/torch.py"
PYTHONPATH=$dir/py check 0 -f "$dir/b" --part python
says '^python +argsort +not measured .*\(ImportError: no torch here\)'

program "$dir/bin/nvidia-smi" false
check 0 -f "$dir/b" --part sort
says '^sort +grid +[0-9.]+ s  no GPU$'
check 1 --part sort
says 'no GPU here'
check 2 --part none
check 2 -f "$dir/none"
says 'there is no folder'
check 2 --report-only "$dir/none"

# ---- packed for another machine, and unpacked ---------------------------------------------------

program "$dir/bin/cmake" true
rm "$dir/b/commit"
# shellcheck disable=SC2013 # words
for name in $(grep -oE 'bench_[a-z_]+' "$source/bench/promises.py" | sort -u); do
    program "$dir/b/bench/$name" "echo $GRID" 'echo u32,0,any,4096,uniform,10.00,30.00,3.000'
done
check 0 -f "$dir/b" -p "$dir/gpu.tar.xz"
says 'gpu.tar.xz: [0-9]+ bytes, unpacked [0-9]+$'
mkdir "$dir/there"
tar -C "$dir/there" -xJf "$dir/gpu.tar.xz" || bad "cannot be unpacked"
program "$dir/bin/nvidia-smi" 'echo "Another GPU, 3.4"'
program "$dir/bin/git" 'exit 1'
script=$dir/there/gpu/scripts/promises check 0 --part sort
says '^on Another GPU, driver 3.4, commit [^;]+; CSVs in .*/there/gpu/promises$'
says '^sort +sort +met'

# ---- the table ----------------------------------------------------------------------------------

out=$(python3 - "$source" <<'END'
import os
import re
import sys

root = sys.argv[1]
sys.path[:0] = [root + "/scripts", root + "/bench"]
import judge
from promises import PARTS, PROMISES, RUNS


def heads(program):
    """The columns that its source, or a header of it, prints: every string, put together."""
    found = []
    for folder in ("bench/", "bench/mpi/"):
        for end in (".cu", ".c"):
            path = root + "/" + folder + program + end
            if os.path.exists(path):
                with open(path, encoding="utf-8") as text:
                    source = text.read()
                for name in re.findall(r'#include "(\w+\.h)"', source):
                    if os.path.exists(root + "/bench/" + name):
                        with open(root + "/bench/" + name, encoding="utf-8") as text:
                            source += text.read()
                source = re.sub(r'"\s*"', "", source.replace("ORIGIN_HEAD", '""'))
                found += [x.replace("\\n", "").split(",") for x in re.findall(r'"((?:[^"\\\n]|\\.)*)"', source)]
    return found


names = [x.name for x in PROMISES]
if len(set(names)) < len(names) or len({x.name for x in RUNS}) < len(RUNS):
    print("a name twice")
for part in PARTS:
    if sum(x.seconds for x in RUNS if x.part == part) >= 540:
        print(part, "may take nine minutes")
for run in RUNS:
    program = re.search(r"bench_\w+|[\w/]+\.py", run.command)[0]
    if program.endswith(".py"):
        with open(root + "/" + program, encoding="utf-8") as text:
            columns = [x.split(",") for x in re.findall(r'"(what,[^"]*)"', text.read())]
    else:
        columns = heads(program)
    wanted = set(run.cell.split()).union(*(judge.columns_of(x) for x in PROMISES if run.name in x.runs.split()))
    if not any(wanted <= set(x) for x in columns):
        print(f"{run.name}: {program} prints no line with the columns {sorted(wanted)}")
    if not any(run.name in x.runs.split() for x in PROMISES):
        print(f"no promise needs the run {run.name}")
for promise in PROMISES:
    if not set(promise.runs.split()) <= {x.name for x in RUNS}:
        print(f"{promise.name}: no such run")
    if not os.path.exists(f"{root}/docs/{promise.page}"):
        print(f"{promise.name}: there is no page {promise.page}")
END
) || bad "the table cannot be read"
[ -z "$out" ] || bad "bench/promises.py"

# The page shows what the CSVs of docs/data say.
out=$(diff <("$source/scripts/promises" --report-only "$source/docs/data" --markdown 2>/dev/null) \
    <(sed -n '/<!-- promises -->/,/<!-- .promises -->/p' "$source/docs/measure.md" | sed '1d;$d')) ||
    bad "docs/measure.md is not what scripts/promises --report-only docs/data --markdown prints"

echo "$calls calls, $wrong not as they should be"
[ $wrong -eq 0 ]
