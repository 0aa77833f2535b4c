#!/bin/bash
# survivors.sh TOOL SOURCE - changes of src/paper and src/machine/model that an earlier suite did not see, each made in a
# copy: the test that docs/paper.md names beside it must fail.  Always: is the place of each still there, once?  With
# CW_LONG=1 the changed file and the test are compiled, linked before the tool's library, and run (two minutes).
set -u
folder=$(dirname "$(realpath "$1")")
source=$(realpath "$2")
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
checks=0
wrong=0
long=${CW_LONG:-}
library=$folder/libclearway.a
support=$folder/tests/libclearway_test_support.a
[ "$long" != 0 ] || long=
if [ -n "$long" ]; then
    for file in "$library" "$support"; do
        [ -s "$file" ] || {
            echo "survivors: there is no $file"
            exit 77
        }
    done
    if nm "$library" 2>/dev/null | grep -qE '__(asan|tsan|msan|ubsan|gcov)'; then
        echo "survivors: the library wants more than its own objects; the ordinary build runs this"
        exit 77
    fi
    mkdir "$scratch/tree" && cp -r "$source/src" "$source/include" "$source/tests" "$scratch/tree" || exit 2
fi

bad() # $*
{
    wrong=$((wrong + 1))
    printf 'WRONG: %s\n       %s\n' "$what" "$*"
}

# Write FILE with NEW for the one OLD in it; exit 3 if there are more or fewer.
changed() # FILE OLD NEW
{
    python3 -c '
import sys
name, old, new = sys.argv[1:]
words = open(name, encoding="utf-8").read()
sys.exit(3) if words.count(old) != 1 else print(words.replace(old, new), end="")' "$@"
}

build() # FOLDER TEST FILE: the program `changed`, of the source in FOLDER, with FILE of it before the library's
{
    (cd "$1" && "${CC:-cc}" -std=c11 -O1 -w -Isrc -Iinclude -Itests -Itests/support -Itests/paper -Itests/machine \
        "-DCW_TOOL=\"$folder/clearway\"" "-DCW_SOURCE_DIR=\"$source\"" -o "$scratch/changed" "tests/$2.c" "$3" "$support" \
        "$library" -lcmocka -ldl -lpthread -lm >"$scratch/log" 2>&1)
}

# survivor WHAT TEST CLAIM UNIT FILE OLD NEW: with NEW for OLD in FILE, part of UNIT.c, the claim of the test fails.
survivor()
{
    local test=$2 claim=$3 unit=$4 file=$5
    what=$1
    checks=$((checks + 1))
    changed "$source/$file" "$6" "$7" >"$scratch/new" || {
        bad "$file has no one place for it: $6"
        return
    }
    grep -q "cmocka_unit_test($claim)" "$source/tests/$test.c" || bad "tests/$test.c has no $claim"
    [ -n "$long" ] || return
    cp "$scratch/new" "$scratch/tree/$file"
    if ! build "$scratch/tree" "$test" "$unit"; then
        bad "$(tail -n 5 "$scratch/log")"
    elif timeout 600 env -u CW_LONG "$scratch/changed" >"$scratch/log" 2>&1; then
        bad "tests/$test passes"
    elif ! grep -qF "[  FAILED  ] $claim" "$scratch/log"; then
        bad "tests/$test fails, but not $claim: $(grep -F '[  FAILED  ]' "$scratch/log")"
    fi
    cp "$source/$file" "$scratch/tree/$file"
}

permute=src/paper/permute/permute
random=paper/test_permute_random

survivor "two processors may read one word in a step" machine/test_model \
    strict_mode_lets_no_two_accesses_pass_to_one_bank src/machine/model/steps.c src/machine/model/steps.c \
    '        if (!s->config.count)
            stop(s, CW_ERR_CONFLICT, row, col, site);' \
    '        int same = 0;
        for (uint32_t i = 0; i < s->w; i++)
            same |= s->lane[i].at == &h->words[col * h->w + row];
        if (!s->config.count && !same)
            stop(s, CW_ERR_CONFLICT, row, col, site);'
survivor "rows are not turned at random" $random rows_are_turned_each_by_its_own_random_number \
    $permute.c $permute.h 'below(random_word(key, (word)e.me), e.m)' '0'
survivor "all rows are turned alike" $random rows_are_turned_each_by_its_own_random_number \
    $permute.c $permute.h 'below(random_word(key, (word)e.me), e.m)' 'below(random_word(key, 0), e.m)'
survivor "pagh without its second table" $random pagh_is_what_its_definition_says \
    $permute.c ${permute}_hash_at.h 'y += (word)hash_entry(s, h, h->f.table2, (int)(sum[1] % (word)r));' ''
survivor "packing's cap without its factor 2" paper/test_permute_parts the_cap_is_twice_the_mean \
    $permute.c ${permute}_finish.h 'k.cap = 2 * cubic_share' 'k.cap = cubic_share'
survivor "a row takes labels twice a pass" paper/test_permute_parts a_row_takes_labels_once_a_pass \
    $permute.c ${permute}_finish.h 'STATUS(there + n, 1)' 'STATUS(there + n, 0)'
survivor "entries of a table never m - 1" $random table_entries_take_every_value \
    $permute.c ${permute}_hash.h 'number + (word)k), f.m) << (k * f.bits)' 'number + (word)k), f.m - 1) << (k * f.bits)'
survivor "the colouring ignores its seed" offline/test_colour the_seed_decides_the_colouring \
    src/paper/permute/colour.c src/paper/permute/colour.c '{.random = seed}' '{.random = seed * 0 + 1}'
survivor "lemma 2's bound squared, not cubed" paper/test_bounds every_bound_is_its_closed_form \
    src/paper/partition/partitions.c src/paper/partition/partitions.c 'm * logs * logs * logs' 'm * logs * logs'
survivor "16 random bits of each 32" $random numbers_below_m_are_uniform \
    $permute.c ${permute}_hash.h '(int)(((x >> 32) * (word)m' '(int)(((x >> 48 << 16) * (word)m'

# Those that the suite did not see once pagh had its tables for more than 64 columns only.
survivor "entries of pagh's Z2j never r - 1" $random entries_of_each_table_of_triples_take_every_value \
    $permute.c ${permute}_hash.h 'below(random_word(key, n + 1), f.range)' 'below(random_word(key, n + 1), f.range - 1)'
survivor "Z1j and Z2j drawn from one word" $random entries_of_each_table_of_triples_take_every_value \
    $permute.c ${permute}_hash.h 'below(random_word(key, n + 1), f.range)' 'below(random_word(key, n), f.range)'
survivor "pagh's second table drawn once for all" $random table_entries_take_every_value \
    $permute.c ${permute}_hash.h \
    'return draw_entries(f, d->key, number, j - f.table2, table_entries(f, 1));' \
    'return draw_entries(f, d->key, 0, j - f.table2, table_entries(f, 1));'
survivor "l a power of two too small" $random pagh_has_the_sizes_of_theorem_3 \
    $permute.c ${permute}_hash.h '(word)1 << (5 * b + 3)' '(word)1 << (5 * b + 6)'
survivor "l the power of two from m^0.6 on" $random sharing_pagh_is_flat_over_every_m \
    $permute.c ${permute}_hash.h '(word)1 << (5 * b + 3)' '(word)1 << (5 * b)'

# Those that a reader of the proofs tried.
survivor "dirty columns begin at a row" paper/test_lemma2 dirty_columns_touch_as_many_rows_as_is_said \
    src/paper/partition/partitions.c src/paper/partition/lemma2.h \
    'return h % m ? (items - 1 + m - 1) / m + 1 : items / m;' 'return items / m;'
survivor "pagh's multipliers may be even" $random pagh_is_what_its_definition_says \
    $permute.c ${permute}_hash.h 'return random_word(d->key, number) | 1; /*' 'return random_word(d->key, number); /*'
survivor "shearsort's bound is that of squares" paper/test_bounds steps_are_within_a_constant_of_what_is_told \
    src/paper/sort/baselines.c src/paper/sort/baselines.c '    if (w <= m)
        return shearsort_bound(w, m);' '    if (w)
        return shearsort_bound(w, m);'

[ -n "$long" ] && how="are noticed" || how="have their place"
echo "$((checks - wrong)) of $checks changes $how"
[ $wrong -eq 0 ]
