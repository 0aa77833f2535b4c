#!/bin/bash
# check_gpu.sh TOOL SOURCE - scripts/check-gpu on a machine whose GPU, tests and tools are made up: every stage
# has its line, a failure does not end the run, and the exit status is right.
# shellcheck disable=SC2016 # made-up programs expand for themselves
set -u
source=$2
wrong=0
calls=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

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

check() # $1: exit status; the rest: arguments
{
    local want=$1
    shift
    calls=$((calls + 1))
    out=$(PATH=$dir/bin:$PATH CW_SEED=5 timeout 60 "$source/scripts/check-gpu" "$@" 2>&1)
    status=$?
    [ $status -eq "$want" ] || bad "check-gpu $*: exit $status, not $want"
}

says() # $1: a regular expression
{
    grep -qE -- "$1" <<<"$out" || bad "does not say '$1'"
}

program "$dir/bin/nvidia-smi" 'echo "A GPU, 1.2"'
program "$dir/bin/compute-sanitizer" 'shift 4; [ "$CW_QUICK" = 1 ] && "$@"' # --tool T --error-exitcode 99
program "$dir/bin/ncu" 'echo "\"ID\""; echo "\"0\",\"a kernel\""; echo "\"1\",\"a kernel\""'
program "$dir/b/clearway" '[ "$*" != "verify --gpu --part 2/4" ] || { echo "a kernel differs"; exit 1; }' \
    'echo "ncu: 100 launches, 50 s, 1 pass a launch at most" >&2'
for name in $("$source/scripts/check-gpu" -l | sed -n 's/^test_//p'); do
    program "$dir/b/tests/test_$name" '[ "$CW_TEST_BACKEND" = cuda ] || exit 3' \
        'echo "$CW_CASES cases, seed $CW_SEED: 0 failed"'
done
program "$dir/b/examples/stream" true

check 1 -j 4 -s '^test_|every kernel|racecheck|verify|ncu' "$dir/b"
says '^ncu cost +[0-9.]+ s  ok, ncu: 2 launches of cw_rows_u32_full: launch__grid_size [0-9.]+ s, l1tex'
says '^test_sort_random +[0-9.]+ s  ok, 10000 cases$'
says '^test_permute_api +[0-9.]+ s  ok, 10000 cases$'
says '^racecheck test_sort +[0-9.]+ s  ok'
says '^racecheck every kernel 2/3 +[0-9.]+ s  ok'
says '^verify --gpu 1/4 +[0-9.]+ s  ok, ncu: 100 launches, 50 s, 1 pass'
says '^verify --gpu 2/4 +[0-9.]+ s  FAILED \(1\)'
says 'a kernel differs'
says '^verify --gpu 3/4 +[0-9.]+ s  ok'
says '^in all +[0-9.]+ s  [0-9]+ passed, 1 failed, 0 skipped, CW_SEED=5$'

check 0 -s '^test_|stream' "$dir/b"
grep -q 'memcheck\|verify' <<<"$out" && bad "runs what was not asked for"
program "$dir/b/tests/test_sort" 'sleep 30'
check 1 -s '^test_sort$' -t 1 "$dir/b"
says '^test_sort +[0-9.]+ s  OUT OF TIME \(1 s\)'
program "$dir/b/tests/test_sort" 'sleep 2'
check 1 -s '^test_sort$|verify' -T 1 -n 1 "$dir/b"
says '^verify --gpu 1/1 +NOT BEGUN \(1 s are over\)'
program "$dir/b/tests/test_sort" 'sleep 0.1; [ "$CW_SEED" != 1000008 ]'
rm "$dir/b/tests/test_transpose"
check 1 -s '^test_(sort|transpose)$' "$dir/b"
says '^test_sort +[0-9.]+ s  ok'
says '^test_transpose +[0-9.]+ s  FAILED \(1\)'
says 'not built'
program "$dir/b/tests/test_compare" '[ "$CW_SEED" != 1000008 ]' # one share of several
check 1 -s '^test_compare$' "$dir/b"

# ---- packed for another machine, and unpacked ----------------------------------------------

program "$dir/bin/cmake" true
program "$dir/bin/strip" true
program "$dir/bin/ldd" "echo 'libcmocka.so.0 => $dir/b/examples/stream (0x0)'"
for name in transpose sort compare; do
    program "$dir/b/tests/test_$name" 'echo "1 cases"'
done
# shellcheck disable=SC2013 # words
for name in $(sed -n '/benches=(/,/)/p' "$source/scripts/check-gpu" | grep -oE 'bench_[a-z]+|cuda_probes'); do
    program "$dir/b/bench/$name" true
done
check 0 -p "$dir/gpu.tar.xz" "$dir/b"
mkdir "$dir/there"
tar -C "$dir/there" -xJf "$dir/gpu.tar.xz" || bad "cannot be unpacked"
for file in clearway commit tests/test_sort bench/bench_sort examples/stream lib/libcmocka.so.0; do
    [ -s "$dir/there/gpu/$file" ] || bad "$file is not packed"
done
check 0 -s '^test_' "$dir/there/gpu"

check 2 "$dir/none"
says 'no build in'
check 2 -t x "$dir/b"
check 2 -q
program "$dir/bin/nvidia-smi" false
check 1 "$dir/b"
says 'no GPU here'

echo "$calls calls, $wrong not as they should be"
[ $wrong -eq 0 ]
