#!/bin/bash
# verify.sh TOOL SOURCE - clearway verify: every kernel has its line in the certificate, and what
# a GPU counted is believed only if it is the same.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"
source=$2

works verify --help
has "usage: clearway verify" "--gpu" "--json" "--kernel" "--counters" "--part"
[[ $out != *cases-on-gpu* ]] || bad "tells of the option for the profiler"
fits_80_columns

refuses 2 "takes no argument" verify more
refuses 2 "unknown kernel 'cw_rows_u32_anny': did you mean cw_rows_u32_any?" \
    verify --kernel cw_rows_u32_anny
refuses 2 "unknown kernel" verify --kernel frobnicate
refuses 2 "one of them" verify --gpu --counters none
refuses 2 "one of them" verify --gpu --as sm_90
refuses 2 "none of sm_80 (A100), sm_86" verify --as sm_12
refuses 1 "sm_75: kernels need compute capability 8.0" verify --as sm_75
for slice in 0/3 4/3 3 1/2x a/b; do
    refuses 2 "not a slice such as 2/4" verify --part $slice
done
refuses 2 "cannot read none" verify --counters none
refuses 2 "nothing to compare" verify --gpu --kernel cw_sort_radix_u32_histogram
if ! nvidia-smi -L >/dev/null 2>&1; then
    refuses 1 "--gpu: " verify --gpu
    refuses 1 "" verify --cases-on-gpu
fi

# ---- the certificate -----------------------------------------------------------------

works verify --json
valid_json
[[ $out == '{"passed": true, '* ]] || bad "does not pass"
is wrong 0
if command -v python3 >/dev/null; then
    cp out certificate.json
    says=$(python3 "$source/scripts/certificate.py" --check certificate.json 2>&1) || bad "$says"
fi
kernels=$(grep '"name": ' out)
# In small shapes only arrays of 4 million items are cut twice, and only long ones have tiles whose buckets may be longer
# than a tile: too long for the emulator.
shipped=$(grep -o 'K(cw_[a-z0-9_]*,' "$source"/src/backend/kernel_list.h | sed 's/K(\(.*\),/\1/' |
    grep -v '_\(coarse\|long\)_small$')
what="verify --json"
[[ $out == *'"not_run": ["cw_sample_sort_p64_coarse_small", "cw_sample_sort_p64_long_small"]'* ]] || bad "does not name what was not run"
[ "$(wc -l <<<"$shipped")" -gt 90 ] || bad "finds too few kernels in the source"
[ "$(wc -l <<<"$kernels")" -eq "$(wc -l <<<"$shipped")" ] || bad "has another number of kernels"
while read -r name; do
    bad "does not tell of $name"
done < <(comm -23 <(sort <<<"$shipped") <(sed 's/.*"name": "\([^"]*\)".*/\1/' <<<"$kernels" | sort))
while read -r name cases requests wavefronts ideal said free verdict; do
    excess=$((wavefronts - ideal))
    [ "$cases" -gt 0 ] || bad "no case for $name"
    [ "$said" -eq $excess ] || bad "$name: excess is not $excess"
    [ "$wavefronts" -ge "$requests" ] || bad "$name: too few"
    case $name in
    cw_sort_* | cw_rows_index_* | cw_plan_p* | cw_permute_* | cw_partition_* | cw_transpose_*) # not all are marked
        [ "$free" = false ] || [ $excess -eq 0 ] || bad "$name has excess"
        continue ;;
    *_classes | *_list_parts | *_step | *_step_small | *_scan_warp_* | *_sample | cw_plan_[gt]* | cw_gather_sum_* | cw_lookup_*) # no shared memory
        [ "$requests" -eq 0 ] || bad "$name has requests" ;;
    *) [ "$requests" -gt 0 ] || bad "$name has no request" ;;
    esac
    [ $excess -eq 0 ] || bad "$name has excess"
    [ "$free" = true ] || bad "$name is not marked conflict-free"
    [ "$verdict" = '"conflict-free"' ] || bad "$name is not called conflict-free"
done < <(awk 'function of(key, at) { at = index($0, "\"" key "\": "); at = substr($0, at + length(key) + 4); sub(/[,}].*/, "", at); return at }
    { name = of("name"); gsub(/"/, "", name)
      print name, of("cases"), of("requests"), of("wavefronts"), of("ideal"), of("excess"), of("conflict_free"), of("verdict") }' <<<"$kernels")

works verify --as sm_86 --kernel cw_sample_sort_p64_tiles_small
has "1 kernel" "0 wrong" "as sm_86: 0 cases refused"

works verify --kernel cw_tiles_transpose_warp_8
[[ $out =~ cw_tiles_transpose_warp_8\ +7\ .*\ 0\ \ conflict-free ]] || bad "has no such line"
has "marked conflict-free" "no conflicts" "1 kernel, 7 cases, 7 launches, 0 wrong: passed"
works verify --kernel cw_rows_u32_full --launches
[ "$(grep -c '"cw_rows_u32_full"' out)" -ge 10 ] || bad "has too few launches: $out"

# ---- against a GPU's counters, written as ncu does --------------------------------------

as_ncu() # turn launches into what the profiler writes, with a column and lines of its own
{
    echo '==PROF== Connected to process 1'
    echo '"ID","Kernel Name","Grid Size","memory_l1_wavefronts_shared",' \
        '"memory_l1_wavefronts_shared_ideal"' | sed 's/, "/,"/'
    echo '"","","","sectors","sectors"'
    sed -n 's/^\([0-9]*\),"\([^"]*\)",.*,[0-9]*,\([0-9]*\),\([0-9]*\)$/"\1","\2(args)","(1, 1, 1)","\3","\4"/p' |
        sed 's/"\([0-9][0-9]*\)\([0-9][0-9][0-9]\)"/"\1,\2"/g'
    echo '==PROF== Profiling "cw_tiles" - 0: 0%....50%....100% - 1 pass'
    echo '==PROF== Disconnected'
}

kernel=cw_tiles_transpose_block_8
works verify --kernel $kernel --launches
as_ncu <out >same.csv
[ "$(grep -c '^"[0-9]' same.csv)" -eq 7 ] || bad "has not 7 launches: $out"
works verify --kernel $kernel --counters same.csv
has "emulator" "GPU" "agree"
[[ $out =~ $kernel\ +([0-9]+)\ +([0-9]+)\ +([0-9]+)\ +([0-9]+)\ \ yes ]] || bad "does not agree"
[ "${BASH_REMATCH[1]:-none}" = "${BASH_REMATCH[3]:-}" ] || bad "does not show the GPU's wavefronts"
works verify --kernel $kernel --counters same.csv --json
valid_json
is agree '"yes"'

sed '4s/.*/&\n"9","cw_sort_radix_u32_histogram","(1, 1, 1)","5","5"/' same.csv >with_sort.csv
works verify --kernel $kernel --counters with_sort.csv # not compared

differs() # differs FILE TEXT: exit 1 and a complaint
{
    run verify --kernel $kernel --counters "$1"
    [ $status -eq 1 ] || bad "exit $status, not 1"
    [[ $err == *"$2"* ]] || bad "says '$err', without '$2'"
    [[ $out == *FAILED* ]] || bad "passes"
}

sed '5s/"\([0-9,]*\)","\([0-9,]*\)"$/"7\1","\2"/' same.csv >other.csv
differs other.csv "GPU 7"
[[ $out =~ $kernel\ .*\ \ NO ]] || bad "agrees"
sed '6d' same.csv >fewer.csv
differs fewer.csv "7 launches on the emulator, 6 on the GPU"
sed "5s/$kernel/cw_rows_classes/" same.csv >renamed.csv
differs renamed.csv "launch 1 is $kernel on the emulator, cw_rows_classes on the GPU"
sed '/"ID"/d' same.csv >headless.csv
refuses 2 "no column" verify --kernel $kernel --counters headless.csv
sed '5s/,"[0-9,]*"$/,"n\/a"/' same.csv >damaged.csv
refuses 2 "without figures" verify --kernel $kernel --counters damaged.csv

# ---- launches that only a GPU makes ------------------------------------------------------

sort='"8","cw_sample_sort_u32_tiles","(1, 1, 1)","1,200","1,200"
"9","cw_rows_classes","(1, 1, 1)","0","0"'
awk -v more="$sort" '/Disconnected/ { print more } { print }' same.csv >alone.csv
works verify --kernel $kernel --counters alone.csv # what comes after it has no match
part=48 # a slice without such launches on the emulator
works verify --part $part/60 --launches
[[ $out != *cw_sample_sort* ]] || bad "has launches of the comparison sort: choose another slice"
as_ncu <out >slice.csv
awk -v more="$sort" '/Disconnected/ { print more } { print }' slice.csv >alone.csv
works verify --part $part/60 --counters alone.csv
[[ $out =~ cw_sample_sort_u32_tiles\ +1\ +1200\ +1200\ \ yes ]] || bad "does not tell of it"
sed 's/"1,200","1,200"/"1,201","1,200"/' alone.csv >excess.csv
run verify --part $part/60 --counters excess.csv
[ $status -eq 1 ] || bad "exit $status, not 1"
[[ $err == *"cw_sample_sort_u32_tiles, on the GPU alone: 1201 wavefronts, ideal 1200"* ]] || bad "says '$err'"

# ---- slices --------------------------------------------------------------------------------

kernel=cw_tiles_transpose_block_4
works verify --kernel $kernel --launches
sed -n 's/^[0-9]*,//p' out | sort >all
for part in 1 2; do
    works verify --kernel $kernel --part $part/2 --launches
    sed -n 's/^[0-9]*,//p' out >part.$part
    as_ncu <out >part.csv
    works verify --kernel $kernel --part $part/2 --counters part.csv
    has "passed"
    [[ $out =~ $kernel\ .*\ \ yes ]] || bad "part $part does not agree"
done
sort part.1 part.2 | cmp -s - all || bad "the parts are not the whole"
[ "$(wc -l <part.1)" -eq 4 ] || bad "part 1 of 2 has not 4 launches of 7"
run verify --kernel $kernel --part 1/2 --counters same.csv
[ $status -eq 1 ] || bad "figures of other launches pass"

finish
