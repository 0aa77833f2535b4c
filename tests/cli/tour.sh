#!/bin/bash
# tour.sh TOOL SOURCE - what a new user is promised, one command each, in the order in which they would try it.
#
# What takes more than the tool has a test elsewhere: scripts/readme (every command of README and docs), scripts/installed
# (install, uninstall, LICENSE, completions, pkg-config, find_package, add_subdirectory, FetchContent, no build type),
# tests/cli/reference.sh (the reference and the plots), tests/cpp (clearway.hpp), tests/viewer (pages in a browser),
# tests/machine/verify.sh (README's count of kernels), scripts/dist (the release).
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"
source=$(cd "$2" && pwd) || exit 2

npy() # npy TYPE SHAPE FILE: a .npy of version 1; the items come from stdin
{
    local text="{'descr': $1, 'fortran_order': False, 'shape': $2, }" all
    all=$(((10 + ${#text} + 64) / 64 * 64))
    # shellcheck disable=SC2059 # the format is made of bytes
    { printf "\\x93NUMPY\\x01\\x00\\x$(printf %02x $(((all - 10) % 256)))\\x$(printf %02x $(((all - 10) / 256)))"
      printf '%s%*s\n' "$text" $((all - 10 - ${#text} - 1)) ""
      cat; } >"$3"
}

# ---- 1. README: two screens, two pictures, what it needs, its limits --------------------------------------

what=README.md
readme=$(<"$source/README.md")
[ "$(wc -l <"$source/README.md")" -le 115 ] || bad "has more than two screens"
for text in docs/speed.svg docs/viewer.png "compute capability 8.0" "time to build" "make run" "make check" \
    -DCLEARWAY_CUDA=OFF -DCMAKE_CUDA_ARCHITECTURES=native "**From C**" "**From Python**" "**The command**" "## Limits" \
    "are marked conflict-free"; do
    [[ $readme == *"$text"* ]] || bad "has no $text"
done
height=$(sed -n '1s/.* height="\([0-9]*\)".*/\1/p' "$source/docs/speed.svg")
[ "${height:-9999}" -le 400 ] || bad "its picture of speed is $height high: it takes a screen for itself"
# After `make run` the programs of the tutorial link: their line of gcc finds a shared library.
what="make -n run"
recipe=$(make -n -C "$source" run) || bad "fails"
[[ $recipe == *clearway_shared* ]] || bad "builds no libclearway.so"
works info --json
is kernels "$(sed -n 's/^Of the \([0-9]*\) kernels.*/\1/p' "$source/README.md")"
is kernels_conflict_free "$(sed -n 's/^Of the [0-9]* kernels, \([0-9]*\) are marked.*/\1/p' "$source/README.md")"
works verify --help
has "The others may have some; it is shown, and summed up apart."
works verify --kernel cw_tiles_transpose_warp_8
has "marked conflict-free" "no conflicts"

# ---- 4. completion, with values ------------------------------------------------------------------------------------------

works --complete generate ""
has uniform zipf adversarial-merge
for words in "generate zipf" "generate zipf --n 5" "model sort"; do # no second kind
    # shellcheck disable=SC2086 # words
    works --complete $words ""
    has --seed
    [[ $out != *$'\nuniform'* && $out != *sort-square* ]] || bad "offers what is there already"
done
works --complete generate zipf --type ""
has bf16
works --complete sort --type ""
has bf16
for words in "partition --by|splitters" "plan --map|bit-reversal" "view --kernel|all" "verify --as|sm_86" "conflicts --machine|64-banks" \
    "model --hash|tabulation" "permute --on|emu" "check --order|nan-first" "model --input|zeroone"; do
    # shellcheck disable=SC2086 # two words
    works --complete ${words%|*} ""
    has "${words#*|}"
done
works --complete sort --type=f
has --type=f32
# shellcheck source=cmake/completion.bash
. "$source/cmake/completion.bash"
for words in "sort --type f|f32" "sort --type = f|f32" "sort --type =|bf16" "gen|generate" "generate zi|zipf" "sort --desc|--descending"; do
    what="${words%|*} <Tab>"
    read -r -a COMP_WORDS <<<"$tool ${words%|*}"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _clearway
    [[ " ${COMPREPLY[*]} " == *" ${words#*|} "* ]] || bad "offers ${COMPREPLY[*]}"
done

# ---- 5. the command line -------------------------------------------------------------------------------------------------

for n in 1e4 10^4 10_000 10KB; do
    works sort --n $n --json
    is n 10000
done
what="generate -o - | sort - -o - | check -"
"$tool" generate zipf --n 1e4 -o - | "$tool" sort - -o - | "$tool" check - >out || bad "fails"
out=$(<out)
has "standard input: 10000 u32 keys" sorted
what="generate -o - | argsort - -o - | partition - -o -"
"$tool" generate uniform --n 100 -o - | "$tool" argsort - -o - | "$tool" partition - -o part.npy --buckets 4 || bad "fails"
works check part.npy --of part.npy --json
is length 100

printf '\3\1\2' | npy "'|u1'" '(3,)' k.npy
printf 'cab' | npy "'|u1'" '(3,)' v.npy
printf 'CcAaBb' | npy "'|u1'" '(3, 2)' rows.npy
works sort k.npy -o s.npy --values v.npy --values-output v2.npy --values rows.npy --values-output rows2.npy
[ "$(tail -c 3 v2.npy)$(tail -c 6 rows2.npy)" = abcAaBbCc ] || bad "values are $(tail -c 3 v2.npy), $(tail -c 6 rows2.npy)"
for command in "sort k.npy -o x.npy" "argsort k.npy -o x.npy" "partition k.npy -o x.npy --buckets 4" "generate few --n 9 -o x.npy" \
    "check s.npy" "transpose rows.npy -o x.npy" "plan --n 100" "model sort -w 4 -m 4" "compare -w 4 -m 4" "conflicts t" \
    "info" "version" "model list" "gallery -o pages" "conflicts t --html x.html" "view --kernel cw_rows_u32_any -o x.html"; do
    # shellcheck disable=SC2086 # a command line
    works $command --json
    [[ $out == [\{\[]* ]] || bad "prints no JSON: $out"
    [ "$command" = "model list" ] || valid_json
done
printf '\5\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0' | npy "'<M8[s]'" '(2,)' dates.npy
works sort dates.npy -o dates2.npy
grep -q "'<M8\[s\]'" dates2.npy || bad "is no datetime64 any more"
printf '\1\0\1' | npy "'|b1'" '(3,)' bools.npy
works sort bools.npy -o bools2.npy
works check bools2.npy
printf '\5\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0' | npy "'<m8[D]'" '(2,)' spans.npy
works argsort spans.npy -o x.npy
printf 'b\3a\3c\1' | npy "[('name', '|u1'), ('age', '|u1')]" '(3,)' people.npy
works sort people.npy --by age,name -o sorted.npy
[ "$(tail -c 6 sorted.npy)" = $'c\1a\3b\3' ] || bad "records are not sorted by age, then name"
works argsort rows.npy -o order.npy
works permute rows.npy --index order.npy --gather -o x.npy
[ "$(tail -c 6 x.npy)" = CcAaBb ] || bad "the index of two dimensions gives $(tail -c 6 x.npy)"
works argsort k.npy -o order.npy
works plan order.npy --bytes 1 --gather -o saved.plan --json
works permute v.npy --plan saved.plan -o x.npy
[ "$(tail -c 3 x.npy)" = abc ] || bad "the plan gives $(tail -c 3 x.npy)"
printf '\0\0\0\0\xfb\xff\xff\xff' | npy "'<i4'" '(2,)' negative.npy
printf 'ab' | npy "'|u1'" '(2,)' two.npy
refuses 2 "negative.npy: index 1 is -5" permute two.npy --index negative.npy -o x.npy
echo "name,age" >people.csv
refuses 2 "people.csv is CSV text" sort people.csv -o x.npy
echo "3, 1; 2" >numbers.txt
works sort numbers.txt --text -o -
[ "$out" = $'1\n2\n3' ] || bad "prints $out"
works argsort --help
[[ $out != *--values* && $out != *--pairs* ]] || bad "has options that argsort refuses"
for command in partition permute transpose sort argsort generate; do
    works $command --help
    has "--memory" "--tmpdir"
done
works sort k.npy -o=x.npy
works sort k.npy --output=x.npy
works help --help
has "usage: clearway COMMAND"
works version
works --version

# ---- 6. conflicts speaks CUDA -----------------------------------------------------------------------------------------------

works conflicts '__shared__ float t[32][32]; t[threadIdx.x][threadIdx.y]' --block 32x8
[[ $out == "fix: t[32][33] instead of t[32][32]"* ]] || bad "does not begin with the smallest change"
has "swizzle the last subscript" "lane  0       8       16"
works conflicts 'extern __shared__ double s[]; if (tid < 16u) s[(int)lane * N]' -D N=32
has "fix: "
works conflicts '__shared__ half s[128][64]; *(float4 *)&s[threadIdx.x][0] = v;' --threads 128
[[ $out == "fix: s[128][72] instead of s[128][64]"* ]] || bad "does not keep float4 aligned: $out"
works conflicts '__shared__ float t[32][32]; t[threadIdx.y][threadIdx.x] = in[x]; __syncthreads(); out[x] = t[threadIdx.x][threadIdx.y];' --block 32x8
has "access       reads and writes of 4 bytes"
for bytes in 1 2 4 8 16; do
    works conflicts 'tid' --bytes $bytes
    has "no fix needed"
done
works conflicts 'threadIdx.z * blockDim.x + threadIdx.y + warp' --block 8x4x2
for machine in nvidia amd 64-banks; do
    works conflicts 't * 32' --machine $machine
    has "fix: "
done

# ---- 7. pages ---------------------------------------------------------------------------------------------------------------

works gallery -o gallery
files=(gallery/*.html)
[ ${#files[@]} -eq 12 ] || bad "writes ${#files[@]} pages, not ten runs, a calculator and an index"

# ---- 8. the model --------------------------------------------------------------------------------------------------------------

works model sort -w 4 --input 5,3,9,1,7 --print --explain
has "which is not the paper's" "phases, each with the steps" $'\n1 3\n5 7\n9'

finish
