#!/bin/bash
# performance.sh TOOL SOURCE - scripts/performance makes the tables of docs/performance.md from the CSV that
# benchmarks write; figures here are made up.
# shellcheck disable=SC2016 # backquotes of the document
set -u
source=$2
command -v python3 >/dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export PYTHONDONTWRITEBYTECODE=1
wrong=0

bad()
{
    echo "WRONG: $1"
    wrong=$((wrong + 1))
}

has() # $1: file; the rest: lines that it must have
{
    local file=$1
    shift
    for line in "$@"; do
        grep -qxF -- "$line" "$file" || bad "$file has no line '$line'"
    done
}

heads() # $1: source; prints the head of the CSV that it writes
{
    tr '\n' ' ' <"$source/bench/$1" | grep -oE 'ORIGIN_HEAD +"[^"]*"( *"[^"]*")*' |
        sed 's/" *"//g; s/ORIGIN_HEAD *"/gpu,driver,commit,/; s/\\n"$//'
}

at='GPU,1.2,abc'
{
    heads sort_table.h
    echo "$at,268435456,u32,array,clearway,uniform,80.000,1.000"
    echo "$at,268435456,u32,array,clearway conflict-free,uniform,30.000,2.667"
    echo "$at,268435456,u32,array,cub radix,uniform,50.000,1.600"
    echo "$at,268435456,u32,array,cub merge,uniform,20.000,4.000"
    echo "$at,268435456,u32,array,clearway,zipf,40.000,1.000"
    echo "$at,268435456,u32,array,clearway conflict-free,zipf,29.000,1.379"
    echo "$at,268435456,u32,array,cub radix,zipf,50.000,0.800"
} >sort.csv
{
    echo gpu,driver,commit,n,type,length,method,shape,gkeys,ratio
    echo "$at,268435456,u32,array,torch.sort,uniform,22.500,3.556"
    echo "$at,268435456,u32,array,cupy.sort,uniform,39.600,2.020"
} >sort_torch.csv
{
    heads bench_partition.cu
    echo "$at,u32+u32,uniform,268435456,256,unstable,1.6000,167.8,CUB radix sort,2.3000,116.7,1.438,right"
    echo '#   count 0.266'
    echo "$at,u32+u32,uniform,268435456,256,stable,3.0000,89.5,CUB radix sort,2.3000,116.7,0.767,right"
} >partition.csv
{
    heads bench_permute.cu
    echo "$at,scatter,4,4,268435456,place,78.90,15.90,4.962,4200,right"
} >permute.csv
{
    heads bench_transpose.cu
    echo "$at,in place,4,16381,16411,1,1200,4200,0.286,WRONG"
} >transpose.csv
{
    heads bench_plan.cu
    echo "$at,67108864,4,random,two passes,4096,0.6,110.0,39.0,16.0,500.0,2.82,6.88,0.220,50.0,0.3,0.3,0.0,right"
} >plan.csv

cp "$source/docs/performance.md" doc.md
"$source/scripts/performance" -d doc.md ./*.csv none.csv >out || bad "exit $?"
has doc.md \
    '| u32 2^28 | 80.0 |  | 50.0 | 1.60 | 30.0 | 20.0 | 1.50 | 39.6 |  | 22.5 |' \
    '| u32 2^28 | zipf | 40.0 |  | 50.0 | 0.80 (slower) | 29.0 |  |  |  |  |  |' \
    '| u32+u32 | 2^28 | 256 | unstable | 1.6000 | 167.8 | CUB radix sort | 116.7 | 1.44 |' \
    '| 4 bytes | scatter | 2^28 | place | 78.9 | 15.9 | 4.96 |' \
    '| 16381 x 16411 | 4 | in place | 1200 WRONG | 4200 | 29 % |' \
    '| random, 4 bytes | 2^26 | two passes | 110.0 | 39.0 | 16.0 | 500.0 | 2.82 | 6.88 | 0.220 | 50.0 |' \
    '| u32 2^28 zipf over CUB radix | 1.0 | 0.80 |' \
    '| u32+u32 stable, 256 buckets, over CUB radix sort | 1.0 | 0.767 |' \
    'GPU, driver 1.2, commit abc; `bench_partition -x 28`, `partition_torch.py`.'
grep -qE 'u32 2\^28 zipf over CUB radix .* MISSED' out || bad "does not mark what is missed"
grep -qE 'transpose 16381 x 16411 in place, of a copy +0.2 +0.29$' out || bad "does not print targets"
diff <(sed -n '/<!-- rows -->/,/<!-- \/rows -->/p' doc.md) \
    <(sed -n '/<!-- rows -->/,/<!-- \/rows -->/p' "$source/docs/performance.md") >/dev/null ||
    bad "changes tables that it has no lines for"
cp doc.md again.md
"$source/scripts/performance" -d again.md ./*.csv >/dev/null || bad "exit $?"
cmp -s doc.md again.md || bad "makes another document the second time"

# The tables of rows, from lines as rows_bench.h has them.
{
    heads rows_bench.h
    echo "$at,134217728,u32,128,clearway,random,500.00,1.00"
    echo "$at,134217728,u32,128,clearway conflict-free,random,490.00,1.02"
    echo "$at,134217728,u32,128,cub warp merge,8x16,175.00,2.86"
} >rows.csv
"$source/scripts/performance" -d doc.md rows.csv >/dev/null || bad "exit $?"
has doc.md '| u32 128 | 500.0 | 490.0 | 175.0 | warp merge 8x16 | 2.86 |'

echo "$wrong not as they should be"
[ $wrong -eq 0 ]
