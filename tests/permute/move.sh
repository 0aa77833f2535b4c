#!/bin/bash
# move.sh TOOL SOURCE - permute and transpose, of files and of data that the tool makes.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

verified() # a run whose result is right, and which says so
{
    works "$@" --json
    valid_json
    is verified true
}

same() # two files
{
    cmp -s "$1" "$2" || bad "$1 is not $2"
}

# ---- data that is made ---------------------------------------------------------------

for on in cpu emu; do
    for bytes in 1 2 3 4 8 12 16 40; do
        verified permute --n 700 --bytes $bytes --on $on
        is bytes $bytes
        verified permute --n 700 --bytes $bytes --on $on --gather
        is gather true
    done
    for n in 0 1 2 4099; do
        verified permute --n $n --on $on
        verified permute --n $n --on $on --gather --seed 3
    done
    for bytes in 1 2 4 5 8 16; do
        verified transpose --rows 70 --columns 131 --bytes $bytes --on $on
        verified transpose --rows 70 --columns 131 --bytes $bytes --on $on --in-place
        is in_place true
    done
    verified transpose --rows 1 --columns 5 --on $on
    verified transpose --rows 64 --columns 64 --on $on --in-place
done
works permute --n 1000 --on cpu --time
has "permute of 1000 elements" "median of" verified yes
works transpose --rows 10 --columns 20 --on cpu
has "transpose of 200 elements" verified yes
fits_80_columns

# ---- files ---------------------------------------------------------------------------

works generate uniform --n 1000 --type u32 -o a.npy
works argsort a.npy -o order.npy
works sort a.npy -o sorted.npy
works permute a.npy --index order.npy --gather -o b.npy --on cpu
same b.npy sorted.npy
works permute sorted.npy --index order.npy -o b.npy --on emu
same b.npy a.npy
tail -c 4000 a.npy >a.raw
works transpose a.raw --type u32 --rows 25 --columns 40 -o t.npy --on emu
works transpose t.npy -o back.raw --on cpu
same a.raw back.raw
works generate uniform --n 40 --type u32 -o few.npy
works argsort few.npy -o forty.npy
works permute t.npy --index forty.npy -o rows.npy # rows of 25 items
works permute rows.npy --index forty.npy --gather -o t.npy
works transpose t.npy -o back.raw
same a.raw back.raw

# ---- what is refused -------------------------------------------------------------------

refuses 2 "out of range" permute few.npy --index few.npy -o x.npy
refuses 2 "40 indices for 1000" permute a.npy --index forty.npy -o x.npy
refuses 2 "two dimensions" permute few.npy --index t.npy -o x.npy
refuses 2 "--index is missing" permute a.npy -o x.npy
refuses 2 "-o is missing: the file that" permute a.npy --index order.npy
refuses 2 "--rows and --columns are missing" transpose few.npy -o x.npy
refuses 2 "--rows and --columns are missing" transpose a.raw --type u32 --rows 7 -o x.npy
for shape in "--rows 25 --columns 40" "--rows 40 --columns 24" "--rows 1000 --columns 1" "--columns 40"; do # never another shape
    # shellcheck disable=SC2086 # two options
    refuses 2 "t.npy is 40 x 25, not what --rows and --columns say" transpose t.npy $shape -o x.npy
done
works transpose t.npy --rows 40 --columns 25 -o back.raw
same a.raw back.raw
refuses 2 "few.npy is not a plan, as 'clearway plan -o' saves it; an array goes to --index" permute a.npy --plan few.npy -o x.npy
refuses 2 "t.npy has two dimensions, and a plan is of one row" plan t.npy -o x.cwp
refuses 2 "not 7 x 9" transpose a.raw --type u32 --rows 7 --columns 9 -o x.npy
refuses 2 "-o is missing" transpose t.npy
refuses 2 "--rows and --columns" transpose
refuses 2 "a file, or --n" permute
refuses 2 "not for files" permute a.npy --index order.npy -o x.npy --n 5
[ ! -e x.npy ] || bad "x.npy is there"

finish
