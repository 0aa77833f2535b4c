#!/bin/bash
# streams.sh TOOL SOURCE - the command line as people write it: sizes, standard input and output,
# --output, version; JSON of every command; and what is said of files that are no arrays.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

same() # same A B: these files are equal
{
    cmp -s "$1" "$2" || bad "$1 is not $2"
}

# ---- sizes ---------------------------------------------------------------------------------

while read -r text n; do
    works permute --n "$text" --bytes 1 --on cpu --json
    is n "$n"
done <<'END'
1000 1000
1_000 1000
1_0_0_0 1000
1e3 1000
1E+3 1000
1.5e3 1500
1.25e2 125
10^3 1000
3^5 243
2^10 1024
1K 1024
1k 1024
1KiB 1024
1KB 1000
1kb 1000
1.5K 1536
100B 100
0.5K 512
0e9 0
END
for text in 1__0 _1 1_ 1.5 1e 1.e3 .5K e3 12x 1KBx 1iB 0.3K '' -x +5 2^ ^2 2^x 1.5^2 0x10 1,000 "1 000"; do
    refuses 2 "--n: '$text' is no size, like 1000, 1e6, 2^28, 512M or 1GB" permute --n "$text"
done
for text in -5 1e40 2^64 9e99999999999999999999 18446744073709551616 99999999999999999999T 1e13; do
    refuses 2 "--n must be between 0 and" permute --n "$text"
done
refuses 2 "--memory must be between" sort x.npy -o y.npy --memory 1MB

# ---- what people mean ------------------------------------------------------------------------

works generate uniform --n 5e3 -o x.npy
works sort x.npy -o sorted.npy
for option in "--output out.npy" "--output=out.npy" "-o=out.npy" "-oout.npy"; do
    rm -f out.npy
    # shellcheck disable=SC2086 # one word or two
    works sort x.npy $option
    same out.npy sorted.npy
done
refuses 2 "did you mean --output?" sort x.npy --ouptut out.npy
refuses 2 "-o needs a value" sort x.npy --output
works sort --help
has "  -o, --output FILE "
for words in version --version -V -v; do
    works $words
    [[ $out =~ ^clearway\ [0-9.]+$ ]] || bad "prints $out"
done
refuses 2 "version takes nothing" version now
works --help
cp out list
for words in "help version" "version --help"; do
    # shellcheck disable=SC2086 # two words
    works $words
    has "usage: clearway version [--json]"
done
for words in "help" "help --help" "help -h" "help help"; do
    # shellcheck disable=SC2086
    works $words
    same out list
done
refuses 2 "did you mean version?" verison

# ---- standard input and output ------------------------------------------------------------------

pipe() # pipe COMMAND...: a shell command in which $tool is the tool; leaves out, err and status
{
    what=$*
    checks=$((checks + 1))
    export tool
    bash -c "set -o pipefail; $*" >out 2>err
    status=$?
    out=$(tr -d '\0' <out) err=$(<err)
}

ok() # it worked without a word
{
    [ $status -eq 0 ] || bad "exit $status: $err"
    [ -z "$err" ] || bad "says $err"
}
pipe '$tool generate uniform --n 5e3 -o - | cat'
ok
same out x.npy
pipe 'cat x.npy | $tool sort - -o - | cat'
ok
same out sorted.npy
pipe '$tool sort - -o - <x.npy | cat'
ok
same out sorted.npy
pipe '$tool sort - -o out.npy <x.npy'
ok
same out.npy sorted.npy
works argsort x.npy -o index.npy
pipe 'cat x.npy | $tool argsort - -o - | cat'
ok
same out index.npy
works partition x.npy --buckets 8 -o parts.npy --offsets at.npy
pipe 'cat x.npy | $tool partition - --buckets 8 -o - --offsets at2.npy | cat'
ok
same out parts.npy
same at2.npy at.npy
pipe 'cat x.npy | $tool partition - --buckets 8 -o parts2.npy --offsets - | cat'
ok
same out at.npy
pipe 'cat sorted.npy | $tool check - --of x.npy'
ok
has "standard input: 5000 u32 keys" "a permutation of x.npy"
pipe 'cat x.npy | $tool check sorted.npy --of -'
ok
pipe '$tool generate zipf --n 1e4 --type f64 -o - | $tool sort - -o - --descending | $tool check - --descending'
ok
works model sort -w 4 -m 4 --trace t
works view t -o page.html
pipe '$tool view t -o - | cat'
ok
same out page.html
pipe '$tool model sort -w 4 -m 4 --html /dev/fd/7 7>page2.html'
ok
same page2.html page.html
# Raw in, raw out; bf16 has no other way.
tail -c 20000 x.npy >raw
tail -c 20000 sorted.npy >raw_sorted
pipe 'cat raw | $tool sort - --type u32 -o - | cat'
ok
same out raw_sorted
pipe '$tool generate uniform --n 10 --type bf16 -o - | wc -c'
[ "$out" = 20 ] || bad "$out bytes"
# In place by way of the shell's file, which is read before it is written.
cp x.npy here.npy
pipe '$tool sort - -o here.npy <here.npy'
ok
same here.npy sorted.npy
# What is said of a run goes where the result does not.
pipe 'cat x.npy | $tool sort - -o - --json 2>said | cat'
same out sorted.npy
grep -q '^{"command": "sort", "input": "-", "output": "-", "type": "u32"' said || bad "says $(<said)"
pipe '$tool sort x.npy -o - --time 2>said | cat'
same out sorted.npy
grep -q '^sort of 5000 u32 keys: ' said || bad "says $(<said)"
pipe 'cat x.npy | $tool partition - --buckets 8 -o - --offsets - | cat'
[[ $status -eq 2 && $err == *"two outputs would go to the same file"* ]] || bad "exit $status: $err"
refuses 2 "both files are standard input" check - --of -
pipe 'printf "1 2 3\n" | $tool sort - -o y.npy'
[[ $status -eq 2 && $err == *"standard input is text: only .npy"* ]] || bad "exit $status: $err"
pipe '$tool sort - -o y.npy <&-'
[[ $status -eq 1 || $status -eq 2 ]] || bad "exit $status: $err"
pipe '$tool generate uniform --n 1M -o - | true'
[[ $status -eq 0 || $err == *"cannot write /dev/stdout: Broken pipe" ]] || bad "exit $status: $err"
if command -v script >/dev/null; then
    what="sort x.npy -o -, on a terminal"
    checks=$((checks + 1))
    script -qec "'$tool' sort x.npy -o -; '$tool' sort - -o y.npy" typed >/dev/null </dev/null
    grep -q 'standard output is a terminal' typed || bad "says $(head -c 200 typed)"
    grep -q 'standard input is a terminal' typed || bad "says $(head -c 400 typed)"
fi

# ---- JSON of every command ---------------------------------------------------------------------------

{
    printf '\x93NUMPY\x01\x00\x76\x00'
    printf '%-117s\n' "{'descr': '<u4', 'fortran_order': False, 'shape': (50, 100), }"
    cat raw
} >m.npy
while read -r words; do
    # shellcheck disable=SC2086 # a command line
    works $words --json
    valid_json
    [ "$(wc -l <out)" -eq 1 ] || bad "$(wc -l <out) lines"
    [[ $words != *" -o "* ]] || grep -q "^{\"command\": \"${words%% *}\", " out || bad "prints $out"
done <<'END'
sort x.npy -o y.npy
argsort m.npy -o y.npy
sort --n 100 --on cpu
partition x.npy -o y.npy --buckets 4
permute x.npy --index index.npy -o y.npy
transpose m.npy -o y.npy
generate few --n 10 -o y.npy
check sorted.npy
plan index.npy --on cpu -o y
view t -o y.html
model sort -w 4 -m 4
conflicts t*33
info
END
works transpose m.npy -o y.npy --json
is input '"m.npy"'
is rows 50
is length 100

# ---- --memory and --tmpdir of all file commands ---------------------------------------------------------

works generate uniform --n 3e6 --type u64 -o large.npy
works argsort large.npy -o order.npy
for words in "partition large.npy --buckets 4" "permute large.npy --index order.npy" \
    "transpose large.npy --rows 1000 --columns 3000"; do
    # shellcheck disable=SC2086 # a command line
    refuses 2 "large.npy is too large for --memory" $words -o y.npy --memory 16M
    # shellcheck disable=SC2086 # as much as it asks for is enough
    works $words -o y.npy --memory "$(sed 's/.*--memory //' <<<"$err")"
done
works check large.npy --of large.npy --memory 16M --tmpdir .
refuses 2 "order.npy is too large for --memory: a plan of it takes 92 MiB" plan order.npy --memory 16M
works plan order.npy --memory 1GB --tmpdir . --json
is verified true
refuses 1 "--tmpdir nowhere" plan order.npy --tmpdir nowhere
refuses 2 "--memory, --tmpdir and --text are for INDEX" plan --n 5 --memory 1G
refuses 2 "are for files" permute --n 5 --memory 1G
refuses 2 "are for files" partition --n 5 --tmpdir .
refuses 2 "are for files" transpose --rows 5 --columns 5 --memory 1G
mkdir spool
pipe 'cat x.npy | $tool sort - -o y.npy --tmpdir spool'
ok
same y.npy sorted.npy
[ -z "$(ls -A spool)" ] || bad "leaves $(ls -A spool)"
pipe 'cat x.npy | $tool sort - -o y.npy --tmpdir nowhere'
[[ $status -eq 1 && $err == *"nowhere"* ]] || bad "exit $status: $err"

# ---- one standard input, one standard output ---------------------------------------------------------

pipe '$tool argsort x.npy -o - | $tool plan - --json'
ok
pipe '$tool argsort x.npy -o - | $tool permute x.npy --index - --gather -o y.npy'
ok
same y.npy sorted.npy
for words in "permute - --index -" "partition - --labels - --buckets 2" "sort - --values - --values-output z.npy"; do
    # shellcheck disable=SC2086 # a command line
    refuses 2 "standard input (-) can be only one of the files" $words -o y.npy </dev/null
done
refuses 2 "-o -: standard output has the report" plan --n 5 -o -
refuses 2 "-o -: pages go to a folder" gallery -o -
for option in --output --trace --trace-text --html; do
    refuses 2 "$option -: standard output has the report" model sort -w 2 -m 2 $option -
done
refuses 2 "--save-plan -: standard output has the report" model permute-offline -w 2 -m 2 --save-plan -
[ ! -e ./- ] || bad "makes a file named -"

# ---- what is no array ------------------------------------------------------------------------------

no_array() # no_array KIND FILE: named for what it is, with the name .npy too
{
    refuses 2 "$2 is $1: only .npy files and raw binary are read" sort "$2" -o y.npy
    cp "$2" other.npy
    refuses 2 "other.npy: not a .npy file, but $1" sort other.npy -o y.npy
}
printf '1,2,3\n4,5,6\n' >a.csv
no_array "CSV text" a.csv
printf 'a\tb\n1\t2\n' >a.tsv
no_array "CSV text" a.tsv
seq 10 >a.txt
no_array "text" a.txt
printf '[1, 2]' >a.json
no_array "JSON text" a.json
gzip -c x.npy >a.gz
no_array "a gzip file" a.gz
printf 'PK\3\4....' >a.npz
no_array "a zip or .npz archive" a.npz
no_array "a trace of 'clearway model'" t
refuses 2 "a.csv has 12 bytes, which is no multiple of 8 (u64): it is CSV text" sort a.csv --type u64 -o y.npy
works sort a.csv --type u8 -o y # asked for
refuses 2 "a.csv is CSV text, not raw items of type i32; numbers as text: --text" sort a.csv --type i32 -o y.npy
refuses 2 "a.csv is CSV text, not raw items of type i16" check a.csv --type i16
refuses 2 "a.npz is a zip or .npz archive, not raw items of type u64" sort a.npz --type u64 -o y.npy
cp a.csv a.raw
works sort a.raw --type i32 -o y # its name promises nothing
head -c 64 /dev/urandom >b.csv
printf '\1' | dd of=b.csv conv=notrunc status=none
works sort b.csv --type i32 -o y # and this is no text
refuses 2 "raw is raw binary: of which type?  (--type f32, or another)" sort raw -o y

# ---- negative numbers --------------------------------------------------------------------------------

head_of() # head_of TYPE COUNT
{
    printf '\x93NUMPY\x01\x00\x76\x00'
    printf '%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($2,), }"
}
{ head_of '<i8' 2; printf '\1\0\0\0\0\0\0\0\375\377\377\377\377\377\377\377'; } >minus8.npy
{ head_of '<i4' 2; printf '\376\377\377\377\0\0\0\0'; } >minus4.npy
{ head_of '<i4' 2; printf '\1\0\0\0\1\0\0\0'; } >twice.npy
{ head_of '<u4' 2; printf '\1\0\0\0\2\0\0\0'; } >two.npy
refuses 2 "minus8.npy: index 1 is -3: out of range" permute two.npy --index minus8.npy -o y.npy
refuses 2 "minus8.npy: index 1 is -3: out of range" plan minus8.npy --on cpu
refuses 2 "minus4.npy: index 0 is -2: out of range" permute two.npy --index minus4.npy -o y.npy
refuses 2 "minus4.npy: index 0 is -2: out of range" plan minus4.npy --on cpu
refuses 2 "twice.npy: index 1 is 1" permute two.npy --index twice.npy -o y.npy
what="an index from standard input"
for indices in "0 -1|index 1 is -1: out of range" "1 1|index 1 is 1" "0|1 indices for 2 elements"; do
    printf '%s' "${indices%|*}" | "$tool" permute two.npy --index - --text -o y.npy 2>err && bad "takes ${indices%|*}"
    [[ $(<err) == "clearway: standard input: ${indices#*|}"* ]] || bad "says $(<err)"
done
printf '1 1' | "$tool" plan - --text --on cpu 2>err && bad "takes an index twice"
[[ $(<err) == "clearway: standard input: index 1 is 1"* ]] || bad "says $(<err)"
printf '1 2 -3 4\n' >numbers
refuses 2 "numbers:1:5: '-3' is not an unsigned whole number" model sort -w 2 -m 2 --input numbers

finish
