#!/bin/bash
# kernels.sh TOOL SOURCE - whole kernels: clearway conflicts finds the requests that a compiler finds.
#
# Each kernel of kernels/ is compiled for the host, so that it tells every access of every thread (kernels_host.cpp).  The
# tool prices those as recorded addresses, and must find the same requests and the same price in the source.  The first
# line of a kernel has the options, and "REQUESTS WAVEFRONTS IDEAL FIX" as they were worked out by hand, 0 where not.
source=$(realpath "$2")
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"
command -v g++ >/dev/null || { echo "skipped: g++ is missing, which compiles the kernels"; exit 77; }

top() # top KEY: the number of the whole
{
    sed -n "s/, \"worst\".*//; s/.*\"$1\": \([0-9]*\).*/\1/p" out
}

price() # price OPTION..: requests, wavefronts, ideal of this question
{
    works conflicts --json "$@"
    echo "$(top requests) $(top wavefronts) $(top ideal)"
}

compiled() # compiled KERNEL BLOCK CALL DEFINE..: the lines of all its accesses, in accesses
{
    sed 's/extern __shared__ \([a-z]*\) \([a-z]*\)\[\]/__shared__ \1 \2[8192]/' "$1" >kernel.cu
    g++ -std=c++17 -O0 -w -fsanitize=thread -DKERNEL='"'"$PWD"'/kernel.cu"' -DCALL="$3" "${@:4}" \
        -c "$source/tests/expr/kernels_host.cpp" -o kernel.o &&
        g++ -std=c++17 -DBLOCK="$2" -c "$source/tests/expr/kernels_host.cpp" -o host.o &&
        g++ kernel.o host.o -o host && ./host >accesses && [ -s accesses ]
}

recorded() # the price of accesses: those of one size, reads or writes, at a time
{
    local size write all=(0 0 0) part
    for size in 1 2 4 8; do
        for write in 0 1; do
            sed -n "s/^$size $write //p" accesses >part
            [ -s part ] || continue
            read -ra part < <(price --csv part --bytes $size $([ $write = 0 ] || echo --store))
            all=($((all[0] + part[0])) $((all[1] + part[1])) $((all[2] + part[2])))
        done
    done
    echo "${all[*]}"
}

count=0
for kernel in "$source"/tests/expr/kernels/*.cu; do
    IFS=: read -r options wanted < <(sed -n '1s/^.. //p' "$kernel")
    read -ra options <<<"$options"
    read -r requests wavefronts ideal fix <<<"$wanted"
    block=1,1 n=1 defines=()
    for ((k = 0; k < ${#options[@]}; k += 2)); do
        value=${options[k + 1]}
        case ${options[k]}:$value in
        --threads:*) block=$value,1,1 ;;
        --block:*) block=${value//x/,},1 ;;
        -D:n=*) n=${value#n=} ;;
        -D:*) defines+=("-D$value") ;;
        esac
    done
    what=$(basename "$kernel")
    compiled "$kernel" "$block" "kernel(out, in, $n)" "${defines[@]}" || { bad "$what: does not compile"; continue; }
    truth=$(recorded)
    found=$(price "${options[@]}" "$kernel")
    [ "$found" = "$truth" ] || bad "$what: $found in the source, $truth when it runs"
    [ "$requests" = 0 ] || [ "$found" = "$requests $wavefronts $ideal" ] ||
        bad "$what: $found, by hand $requests $wavefronts $ideal"
    works conflicts --json "${options[@]}" "$kernel"
    case $fix in
    none) has '"fix": null' ;;
    any) ;;
    *) [[ $out == *"\"fix\": {\"kind\": \"$fix\""* || $out == *"\"array\": \"$fix\""* ]] || bad "$what: no $fix" ;;
    esac
    count=$((count + 1))
done
[ $count -ge 13 ] || bad "only $count kernels"
finish
