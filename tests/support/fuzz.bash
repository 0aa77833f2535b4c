#!/bin/bash
# fuzz.bash TOOL SOURCE NAME SECONDS - build tests/*/NAME.c as its head says, and run it.
#
# The command in the head of the file is the one that is run, so it is right.  LIBRARY, in the environment, is the
# library with what that needs, for targets that do not list all sources themselves.  The tool makes a few
# inputs to begin with.  With CW_LONG=1 it runs 40 times as long.  Exit status 77, that is skipped, where clang or
# libFuzzer is missing.
set -u

tool=$(realpath "$1") && source=$(realpath "$2") || exit 2
name=$3 seconds=$4
export LIBRARY=${LIBRARY:-${tool%/*}/libclearway.a}
[ "${CW_LONG:-}" != 1 ] || seconds=$((40 * seconds))
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$source" || exit 2

file=$(echo tests/*/"$name".c)
# " *      clang .. \", its continuations, to the line that ends with "-o NAME"
build=$(sed -n '/^ \*  *clang /,/-o fuzz_/p' "$file" | sed 's/^ \*//; s/\\$//' | tr '\n' ' ')
length=$(sed -n 's/.*-max_len=\([0-9]*\).*/\1/p' "$file" | head -1)
case $build in
*clang*"-o $name"*) ;;
*) echo "the head of $file says not how to build it"; exit 1 ;;
esac
command -v clang >/dev/null || { echo "clang is missing"; exit 77; }
printf 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }\n' \
    >"$scratch/try.c"
clang -fsanitize=fuzzer,address "$scratch/try.c" -o "$scratch/try" 2>/dev/null ||
    { echo "clang has no libFuzzer"; exit 77; }

eval "${build/-o $name/-o $scratch/$name}" || exit 1

mkdir "$scratch/corpus" "$scratch/found"
cd "$scratch/corpus" || exit 2
case $name in
fuzz_npy)
    printf "\x93NUMPY\x01\0v\0{'descr': [('a', '<f4'), ('b', '|S3', (2,))], 'fortran_order': False, 'shape': (0,), }%30s\n" "" >record
    for type in u8 u16 i32 u64 f16 f64; do
        "$tool" generate uniform --n 3 --type $type -o $type.npy
    done
    ;;
fuzz_trace)
    for algorithm in transpose row-sort bitonic sort-wide permute; do
        "$tool" model $algorithm -w 4 -m 4 --trace $algorithm >/dev/null
    done
    ;;
fuzz_plan)
    for map in random rotation transpose bit-reversal; do
        "$tool" plan --n 4096 --map $map --on cpu -o $map >/dev/null
        "$tool" plan --n 256 --map $map --passes 2 --tile 32 --on cpu -o two-$map >/dev/null
    done
    "$tool" plan --n 200 --bytes 12 --passes 3 --tile 32 --on cpu -o three >/dev/null
    "$tool" plan --n 200 --bytes 3 --passes 1 --tile 224 --on cpu -o one >/dev/null
    ;;
fuzz_api) # each call, on host threads and on the emulator
    "$tool" generate uniform --n 64 --type u64 -o random.npy
    for call in {0..7} {248..255}; do
        printf '%b' "\\x$(printf %x "$call")" >"call$call"
        tail -c 500 random.npy >>"call$call"
    done
    ;;
fuzz_external)
    "$tool" generate uniform --n 99 --type u64 -o random.npy
    ;;
fuzz_text)
    printf 'n12 -7\n3.5,1e99;# x\n' >mixed
    printf 'a%0500d' 7 >long
    ;;
fuzz_csv)
    printf '\002request,lane,address\n0,1,4 # x\n 7 , 0x1f,\t0x80\n' >lines
    ;;
fuzz_options)
    printf 'sort\0--width=3\0-w4\0--n\0001.5K\0--colour\0red\0-o\0x\0-Dy\0--\0--flag\0002^20\0001_000GB' >words
    ;;
fuzz_expr)
    printf '0(t %% 32) * 33 + t / 32' >swizzle
    printf '1lane ^ warp << 2 & ~i ? -t : !i' >more
    printf '2#define N 8\n__global__ void f(int n) { __shared__ float s[N], *p = s; for (int k = 0; k < N; k++) if (k > t) s[k] += p[1]; else return; }' >kernel
    printf '3template <int B = 4> void g() { extern __shared__ char c[]; do { x = t ? c[t] : *(int *)&c[4 * t]; } while (0); }' >template
    ;;
esac
cd "$scratch" || exit 2
export ASAN_OPTIONS=detect_leaks=1
"./$name" -max_len="${length:-4096}" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -error_exitcode=1 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix=found/ corpus >log 2>&1
status=$?
grep -E 'number_of_executed_units|^fuzz_|ERROR|SUMMARY|runtime error' log
if [ $status -ne 0 ]; then
    tail -40 log
    for file in found/*; do
        echo "$file, in base64:"
        base64 "$file" | head -40
    done
fi
exit $status
