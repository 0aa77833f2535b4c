#!/bin/bash
# conflicts.sh TOOL SOURCE - clearway conflicts: its page, prices, fixes, files and refusals.
page=$(realpath "$2")/docs/conflicts.md
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

# ---- the page's examples give what the page shows --------------------------------------

examples=0
example() # $1: a command of the page; $2: what the page shows for it
{
    examples=$((examples + 1))
    what="(docs/conflicts.md) $1"
    [[ $1 == 'cat '*.cu ]] && printf '%s\n' "$2" >"${1#cat }"
    out=$(PATH="$(dirname "$tool"):$PATH" bash -c "$1" 2>&1)
    [ "$out" = "$2" ] || bad "prints $(printf '%s' "$out" | diff - <(printf '%s' "$2") | head -5)"
}

command='' shown='' inside=0
while IFS= read -r line || [ -n "$line" ]; do
    if [[ $line == '```'* || $line == '$ '* ]] && [ -n "$command" ]; then
        example "$command" "${shown%$'\n'}"
        command=''
    fi
    case $line in
    '```console') inside=1 ;;
    '```'*) inside=0 ;;
    '$ '*)
        [ $inside -eq 1 ] && command=${line#'$ '} shown=''
        ;;
    *) shown+=$line$'\n' ;;
    esac
done <"$page"
[ $examples -ge 12 ] || bad "only $examples examples were found in the page"

works conflicts --help
has "usage: clearway conflicts" --threads --block --define --if --bytes --i --store --machine --csv \
    --html --json
fits_80_columns
works --help
has conflicts

# ---- prices ----------------------------------------------------------------------------

top() # top KEY: the number of the whole, before "worst" repeats its name
{
    sed -n "s/, \"worst\".*//; s/.*\"$1\": \([0-9]*\).*/\1/p" out
}

costs() # costs REQUESTS WAVEFRONTS IDEAL ARGUMENT...
{
    local requests=$1 wavefronts=$2 ideal=$3
    shift 3
    works conflicts --json "$@"
    valid_json
    [ "$(top requests) $(top wavefronts) $(top ideal)" = "$requests $wavefronts $ideal" ] ||
        bad "$(top requests) requests, $(top wavefronts) wavefronts, ideal $(top ideal)," \
            "not $requests, $wavefronts, $ideal"
    [ "$(top excess)" = $((wavefronts - ideal)) ] || bad "excess $(top excess)"
    json=$out
    works conflicts "$@"
    has "requests     $requests" "wavefronts   $wavefronts, " "ideal        $ideal"
    fits_80_columns
}

fixed() # the fix of the last costs, pasted back with the same options, costs what it promises
{
    local fix=${json#*\"fix\": } text kept=$json
    text=$(sed -n 's/.*"expression": "\([^"]*\)".*/\1/p' <<<"${fix%%, \"wavefronts\"*}")
    [ -n "$text" ] || { bad "offers no fix"; return; }
    works conflicts --json "$text" "$@"
    fix=${fix%%, \"ideal\"*}
    [ "$(top wavefronts)" = "${fix##*\"wavefronts\": }" ] || bad "is not what was promised: $kept"
}

free_fix() # the same, and it reaches the ideal
{
    fixed "$@"
    [ "$(top excess)" = 0 ] || bad "the fix has an excess of $(top excess)"
}

column='(t % 32) * 32 + t / 32'
costs 8 256 8 "$column" --threads 256
free_fix --threads 256
costs 8 8 8 '(t % 32) * 33 + t / 32' --threads 256
has "no fix needed"
[[ $json == *'"fix": null, "other_fix": null'* ]] || bad "fixes what is free"
costs 32 1024 32 't * 32 + i' --i 0:32
free_fix --i 0:32
costs 32 32 32 't * 32 + i ^ t' --i 0:32
costs 1 1 1 0
costs 1 1 1 t --threads 1
costs 1 1 1 5 --threads 1 --bytes 16
costs 2 3 2 't * 2' --threads 33 # the last warp is one lane
fixed --threads 33
costs 32 32 32 t --threads 1024
costs 3 3 3 'lane - i' --i -2:1
costs 2 2 2 --threads 64 -- '-t + 63'
costs 1 2 1 -- '-t * 2 + 62'
free_fix # in parentheses, so that it is no option

# 8 bytes go by halves, 16 by quarters.
costs 1 2 2 t --bytes 8
costs 1 4 2 't * 2' --bytes 8
free_fix --bytes 8
costs 1 32 2 't * 16' --bytes 8
free_fix --bytes 8
costs 1 4 4 t --bytes 16
costs 1 8 4 't * 2' --bytes 16
free_fix --bytes 16
costs 1 32 4 't * 8' --bytes 16 --store
free_fix --bytes 16 --store
costs 2 3 3 t --bytes 8 --threads 48
# Neighbours that share are cheaper to read than to write.
costs 1 1 1 't / 2' --bytes 8
costs 1 2 2 't / 2' --bytes 8 --store

# Every operator reaches the tool; white space is free.
costs 1 1 1 $'\t( t%32 ) ^\n(t >> 5 & 31) | 0 << 2 '
costs 1 1 1 't < 16 ? t : !(t < 16) && t >= 16 || 0 ? t : ~t'

# ---- as CUDA has it ---------------------------------------------------------------------

says() # says TEXT... ARGUMENT...: the last costs, printed, begins with these lines
{
    works conflicts "${@:2}"
    [ "$(head -n "$(wc -l <<<"$1")" out)" = "$1" ] || bad "begins with '$(head -4 out)'"
}
tile='__shared__ float t[32][32]; t[threadIdx.x][threadIdx.y]'
costs 8 256 8 "$tile" --block 32x8
free_fix --block 32x8
says 'fix: t[32][33] instead of t[32][32]: 8 wavefronts, not 256; 128 bytes more
     __shared__ float t[32][33];
     t[threadIdx.x][threadIdx.y]' "$tile" --block 32x8
has "t[threadIdx.x][threadIdx.y ^ threadIdx.x]"
costs 16 264 16 '__shared__ float t[32][32]' 't[threadIdx.x][threadIdx.y]' 't[threadIdx.y][threadIdx.x]' \
    --block 32x8
free_fix --block 32x8
says 'fix: s[N][N + 1] instead of s[N][N]: 8 wavefronts, not 256; 128 bytes more
     __shared__ int s[N][N + 1];
     int c = threadIdx.x;
     s[c][threadIdx.y]' \
    '__shared__ int s[N][N]; int c = threadIdx.x; s[c][threadIdx.y]' -D N=32 --block 32x8
costs 1 16 1 '__shared__ half s[32][32]; s[lane][2]'
free_fix
costs 1 8 1 'extern __shared__ char s[]; s[lane * 32]'
free_fix
costs 2 64 2 '__shared__ float a[4][32][32]; a[warp][lane][0]' --threads 64
free_fix --threads 64
costs 1 16 1 '__shared__ double s[1024]; s[lane * 16]' --if 'lane < 16'
costs 1 5 1 '__shared__ float s[1024]; if (lane >= 27) s[lane * 32]'
costs 1 1 1 '(threadIdx.x - 1) % 32' # unsigned: it wraps around
costs 1 1 1 '(unsigned char)(lane + 250u)'
costs 1 32 1 $'__shared__ float s[32][32]; // a tile\ns[lane][0]; /* by columns */'
free_fix
costs 4 4 4 'threadIdx.z * 8 + threadIdx.y * blockDim.x + threadIdx.x' --block 4x2x16
costs 1 2 2 t --machine amd
costs 1 8 8 t --machine amd --bytes 16
costs 1 32 8 't * 4' --machine amd --bytes 16
free_fix --machine amd --bytes 16
costs 1 64 1 't * 64' --machine 64-banks
free_fix --machine 64-banks
costs 1 1 1 t --bytes 1
costs 1 1 1 'warpSize - 1 - t'
works conflicts 'const unsigned c = tid / 8; c * 8 + tid % 8;'

# Fixes that do not reach the ideal, or do not exist.
costs 32 1024 32 't * t * 32' --threads 1024
fixed --threads 1024
[ "$(top excess)" -gt 0 ] || bad "finds what was thought not to be there"
works conflicts 't * t * 32' --threads 1024
has "the fewest that were found, not the ideal" "more than a block's 227 KB"
works conflicts 't * 57344' --threads 2
[[ $out != *"227 KB"* ]] || bad "does not know what a block can have"
for lane in {0..7} {16..23}; do echo "0,$lane,$((8 * lane))"; done >halves
works conflicts --csv halves --bytes 8 --store
has "no bank is asked for two words at a time" "fix: none found, in "
works conflicts --csv halves --bytes 8 --store --json
has '"fix": null, "other_fix": null}'
works conflicts "$column" --json
has '"collisions": [{"bank": 0, "lanes": [0, 1, 2,' '"words": [0, 32, 64,' '"warp": 0,' \
    '"kind": "padding"' '"every": 32, "pad": 1' '"other_fix": {"kind": "swizzle"' \
    '"shift": 5, "mask": 31, "left": 0'
works conflicts 't * i' --i -2:0 --threads 1 --json
has '"i": -2,'
valid_json

# A fix as long as an expression may be cannot be pasted, so it is not offered.
long=$(printf '%s' 't * 32' "$(printf ' + 0%.0s' {1..3000})")
works conflicts "$long"
has "fix: none found" "too long to write"

# ---- recorded addresses ----------------------------------------------------------------

{
    echo request,lane,address
    for lane in {31..0}; do # in any order, beside another request
        printf '18446744073709551615,%d,%d\r\n' "$lane" $((128 * lane))
        printf ' 5 ,\t%d , 0x%x # a comment\n' "$lane" $((4 * lane))
    done
    echo
    printf '6,3,4' # no end of line
} >good
costs 3 34 3 --csv good
free_fix --csv good
has '"expression": "x + x / 32"'
[[ $json == *'"worst": {"request": 18446744073709551615, '* ]] || bad "names another request"
works conflicts --csv good
has "number 18446744073709551615" "recorded in good"
run conflicts --csv - --json <good
[ "$(top wavefronts)" = 34 ] || bad "reads another thing from standard input: $err"
costs 3 4 3 'x + lane' --csv good
costs 3 3 3 lane --csv good

wrong() # wrong TEXT LINE...: a file of these lines is refused with TEXT
{
    local text=$1
    shift
    printf '%s\n' "$@" >lines
    refuses 2 "$text" conflicts --csv lines
}
wrong "lines:1: '0,0' is not request,lane,address" 0,0
wrong "lines:2: '0,0,4,4' is not" 0,1,0 0,0,4,4
wrong "lines:1: '0;0;4' is not" '0;0;4'
wrong "lines:1: '-1,0,4' is not" -1,0,4
wrong "lines:1: '0,0,0x' is not" 0,0,0x
wrong "lines:1: '0,,4' is not" 0,,4
wrong "lines:1: 'x,y,z' is not" x,y,z
wrong "lines:1: '18446744073709551616,0,4' is not" 18446744073709551616,0,4
wrong "lines:3: lane 32 is not below 32" '# one' 0,0,0 0,32,4
wrong "lines:1: address 6 is no multiple of --bytes 4" 0,0,6
wrong "lines:1: address 4294967296 is beyond 4 GiB" 0,0,4294967296
wrong "lines:3: request 9 has lane 1 already, in line 1" 9,1,0 9,2,0 9,1,4
wrong "lines:2: 'request,lane,address' is not" 0,0,0 request,lane,address
wrong "lines holds no address" request,lane,address '# nothing'
wrong "lines:1: the line is too long" "$(printf '0,0,%0200d' 0)"
refuses 2 "lines:1: the line is too long" conflicts --csv lines
printf '0,0,4\n0,1,\0\n' >zero
refuses 2 "zero:2: '0,1,?' is not" conflicts --csv zero
: >empty
refuses 2 "empty holds no address" conflicts --csv empty
awk 'BEGIN { for (k = 0; k <= 65536; k++) print k ",0,0" }' >many
refuses 2 "many holds 65537 requests, more than 65536" conflicts --csv many
refuses 2 "good:3: address 124 is no multiple of --bytes 8" conflicts --csv good --bytes 8
mkdir folder
refuses 2 "cannot read folder: Is a directory" conflicts --csv folder
refuses 2 "cannot read none: No such file" conflicts --csv none
refuses 2 "request 5, lane 0, x = 0: the index is negative: -1" conflicts 'x - 1' --csv good
refuses 2 "--threads is not for --csv" conflicts --csv good --threads 32
refuses 2 "--i is not for --csv" conflicts --csv good --i 0:2

# ---- refusals --------------------------------------------------------------------------

# ---- lines as they stand in kernels ------------------------------------------------------------

mends() # mends FIX|none OPTION.. -- LINES: the change it offers
{
    local fix=$1
    shift
    works conflicts --json "$@"
    [[ $fix = none || $out == *"\"fix\": {"*"\"array\": \"$fix\""* ]] || bad "offers no $fix: $out"
    [[ $fix != none || $out == *'"fix": null'* ]] || bad "offers a fix: $out"
    valid_json
}
mends 'tile[TILE_DIM][TILE_DIM + 1]' -D TILE_DIM=32 --block 32x8 -- '__shared__ float tile[TILE_DIM][TILE_DIM]; odata[y * width + x] = tile[threadIdx.x][threadIdx.y];'
mends none -D TILE_DIM=32 --block 32x8 -- '__shared__ float tile[TILE_DIM][TILE_DIM+1]; tile[threadIdx.y][threadIdx.x] = idata[(y) * width + x];'
mends 'Bs[16][18]' --block 16x16 -- '__shared__ float As[16][16], Bs[16][16]; float b = Bs[threadIdx.x][threadIdx.y];'
mends none -D BLOCK_SIZE=16 --block 16x16 -- '__shared__ float As[BLOCK_SIZE][BLOCK_SIZE]; __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE]; As[threadIdx.y][threadIdx.x] = A[a + wA * ty + tx];'
mends none -D s=32 --threads 256 -- 'extern __shared__ float sdata[]; if (tid < s) sdata[tid] += sdata[tid + s];'
mends 's[128][72]' --threads 128 -- '__shared__ half s[128][64]; *(float4*)&s[threadIdx.x][0] = *(const float4 *)&in[8 * tid];'
mends none --threads 128 -- '__shared__ half s[128][72]; float4 v = reinterpret_cast<float4*>(&s[threadIdx.x / 8][threadIdx.x % 8 * 8])[0];'
mends none -- '__shared__ float4 p[32]; float x = p[threadIdx.x].x;' # by stride 4, whatever is padded
is wavefronts 4
mends none --threads 256 -- '__shared__ float4 s[256]; float4 v = s[threadIdx.x];'
mends 'h[32][33]' --block 32x4 -- '__shared__ half2 h[32][32]; h[threadIdx.x][threadIdx.y] = __float2half2_rn(0.f);'
mends 's[128][66]' --threads 128 --i 0:2 -- '__shared__ alignas(128) __half s[128][64]; out[0] = s[threadIdx.x][i];'
mends none -- '__shared__ __align__(16) __nv_bfloat16 s[64][72]; s[lane / 4][lane % 4 * 2]'
mends none --threads 256 -- '__shared__ uint4 buf[32][8]; int row = tid / 8, col = tid % 8; buf[row][col ^ (row & 7)] = in[tid];'
mends 'd[32][33]' --block 32x8 -- 'static __shared__ double d[32][32]; auto x = d[threadIdx.x][threadIdx.y];'
mends 'vol[8][8][12]' --block 8x8x8 -- '__shared__ float vol[8][8][8]; vol[threadIdx.z][threadIdx.x][threadIdx.y] = 0.f;'
mends 's[2][128][BK + 1]' --threads 128 -- 'constexpr int BK = 32; const int stage = 1; __shared__ float s[2][128][BK]; s[stage][threadIdx.x][0]'
mends none -D BM=64 -D BK=32 -D APAD=8 --threads 256 -- 'int m = tid >> 2, k = (tid & 3) << 1; __shared__ half s_a[BM][BK + APAD]; s_a[m][k]'
mends none -- '__shared__ std::uint8_t lut[256][32]; lut[3][threadIdx.x]'
mends none --threads 256 -- '__shared__ float s[1024]; const unsigned int lane_id = threadIdx.x & 31u; int warp_id = threadIdx.x >> 5; s[warp_id * 32 + lane_id] = 1.0f; __syncthreads(); float y = s[(int)threadIdx.x];'
mends none -- '__shared__ volatile int64_t s[64]; s[threadIdx.x] -= 1;'
mends none -- 'volatile __shared__ cuComplex s[32]; s[threadIdx.x]'
mends none --block 32x8 -- '__shared__ float s[32 * 33]; s[threadIdx.x * 33 + threadIdx.y] = 0;'
mends none -D STAGES=3 --i 0:3 -- '__shared__ float4 a[STAGES][8][8]; a[i % STAGES][lane / 8][(lane % 8) ^ (lane / 8)] = v;'


points() # points COLUMN TEXT EXPRESSION ARGUMENT...: a line with TEXT, and a caret at COLUMN
{
    local column=$1 text=$2
    shift 2
    run conflicts "$@"
    [ $status -eq 2 ] || bad "exit $status, not 2"
    [ ! -s out ] || bad "prints on stdout: $out"
    [ "$(wc -l <err)" -eq 3 ] || bad "$(wc -l <err) lines on stderr, not 3: $err"
    [[ $(sed -n 1p err) == "clearway: "*"$text"* ]] || bad "says '$err', without '$text'"
    [ "$(sed -n 2p err)" = "  $1" ] || bad "shows '$(sed -n 2p err)'"
    [ "$(sed -n 3p err)" = "$(printf '%*s' $((column + 2)) '^')" ] || bad "points elsewhere: $err"
}
points 5 "column 5: '*' where an operand is wanted" 't * * 3'
points 5 "unknown name 'tx': the names are threadIdx, tid, lane, .." 't + tx'
points 5 "column 5: blockIdx.x is the same for all threads of a block: write a number for it" 't + blockIdx.x'
points 5 "column 5: gridDim.y is the same for all threads" 't + gridDim.y'
points 4 "column 4: an operand is missing at the end" 't *'
points 3 "column 3: no ')' for the '(' in column 1" '(t'
points 5 "column 5: i has no range: give one, --i LO:HI" 't * i'
points 3 "t = 0, column 3: division by zero" '7 / t'
points 7 "t = 34, i = 3, column 7: division by zero" 't + 9 / (t - 34 ? 1 : 3 - i)' \
    --i 0:5 --threads 64
points 7 "t = 0, i = -1, column 7: shift" 't + 1 << i' --i -1:3
points 13 "column 13: the size of an array is a constant" 'float s[32][t]; s[0][t]'
points 12 "column 12: '=' where an operand is wanted" 'float s[2][=]; s[0][t]'
points 19 "column 19: the array has 1 dimension" 'float s[32]; s[t][0]'
points 30 "t = 8, column 30: subscript 8 is outside [8]" 'float s[8][32]; int c = t; s[c][0]'
points 1 "column 1: unknown array 's': declare it before" 's[t]'
points 23 "column 23: unknown array 'u': declare it before" 'float s[8]; float x = u[t]'
points 12 "column 12: unknown type 'mytype': use one of as many bytes, like float or double2" '__shared__ mytype s[8]; s[t]'
points 18 "column 18: a type and a name are wanted, like float t[32][32]" '__shared__ float ; s[t]'
points 26 "column 26: no access: which element" '__shared__ float s[32];  '
points 30 "column 30: a second array" 'float a[3]; int b[4]; a[0] = b[0]'
points 14 "column 14: a loop: declare the array as __shared__, or --i LO:HI" 'float s[32]; for (;;) s[t] = 1'
points 16 "column 16: an address: which type is read" 'float s[32]; f(&s[t])'
refuses 2 "t = 1: byte 4 of the array is no multiple of 16" conflicts 'float s[32]; *(float4*)&s[t]'
points 13 "column 13: 'c' has neither [sizes] nor a whole number" 'const float c = 1; t'
points 4 "column 4: one index only; with an array, several" 't; t'
points 3 "t = 0, column 3: overflow" '1 + 9223372036854775807'
points 1 "column 1: unknown name 't': the names are x, lane" t --csv good
long="t $(printf '+ 1%.0s ' {1..60})+ q + 1 $(printf '+ 1%.0s ' {1..60})"
run conflicts "$long"
[ "$(sed -n 2p err | cut -c $(($(sed -n 3p err | wc -c) - 1)))" = q ] || bad "points elsewhere: $err"
! sed 1d err | grep -qE '.{81}' || bad "has a line of more than 80 columns"
run conflicts "$(printf '(%.0s' {1..5000})"
[[ $status -eq 2 && $err == *"too deep"* ]] || bad "exit $status: $err"
run conflicts $'t + \xe2\x88\x92 1\n'
[[ $status -eq 2 && $err == *"column 5: byte 0xe2"* ]] || bad "exit $status: $err"

refuses 2 "which access?  For example: clearway conflicts" conflicts
refuses 2 "the expression is empty" conflicts ''
refuses 2 "the expression is empty" conflicts $' \n'
refuses 2 "one expression, in quotes: got '*' too" conflicts t '*' 3
run conflicts '#define N 32' 't*N'
[[ $status -eq 2 && $err == *"no preprocessor here: -D N=32"* ]] || bad "exit $status: $err"
refuses 2 "t = 0: the index is negative: -1" conflicts 't - 1'
refuses 2 "t = 1: index 1073741824 is beyond 4 GiB" conflicts 't << 30'
refuses 2 "--threads must be between 1 and 1024" conflicts t --threads 0
refuses 2 "--threads must be between 1 and 1024" conflicts t --threads 1025
refuses 2 "--bytes: '3' is none of 1, 2, 4, 8, 16" conflicts t --bytes 3
refuses 2 "--bytes is not for an array: its type says it" conflicts 'float s[32]; s[t]' --bytes 4
for block in 32x 2048 0x4 4x4x4x4 32,8; do
    refuses 2 "--block: '$block' is no shape like 32x8: one to three numbers, of 1024 threads in all at most" conflicts t --block $block
done
refuses 2 "--block 64x32 has 2048 threads, more than 1024" conflicts t --block 64x32
refuses 2 "--threads or --block: one of them" conflicts t --block 32x8 --threads 4
refuses 2 "--machine: 'intel' is none of nvidia, amd, 64-banks" conflicts t --machine intel
refuses 2 "no lane asks for anything" conflicts t --if 0
refuses 2 "more than 65536 requests in all accesses" conflicts \
    'float s[32]; s[0]; s[1]' --threads 1024 --i 0:2000
run conflicts N -D N=M
[[ $status -eq 2 && $err == *"column 3: unknown name 'M'"* ]] || bad "exit $status: $err"
run conflicts t --if 't <'
[[ $status -eq 2 && $err == *"column 4: an operand is missing"* ]] || bad "exit $status: $err"
run conflicts t --if '7 / t'
[[ $status -eq 2 && $err == *"t = 0: division by zero"* ]] || bad "exit $status: $err"
refuses 2 "--i: '3' is not LO:HI" conflicts i --i 3
refuses 2 "--i: '0:x' is not LO:HI" conflicts i --i 0:x
refuses 2 "--i: '0:1:2' is not LO:HI" conflicts i --i 0:1:2
refuses 2 "--i: ':4' is not LO:HI" conflicts i --i :4
refuses 2 "--i: ' 0:4' is not LO:HI" conflicts i --i ' 0:4'
refuses 2 "--i: '0:99999999999' is not LO:HI" conflicts i --i 0:99999999999
refuses 2 "--i 4:4 holds no value" conflicts i --i 4:4
refuses 2 "32 warps and 2049 values of i make 65568 requests, more than 65536" \
    conflicts 't + i' --threads 1024 --i 0:2049
refuses 2 "unknown option '--byte': did you mean --bytes?" conflicts t --byte 4

# As many requests as there may be.
works conflicts 't + i' --threads 1024 --i 0:2048 --json
[ "$(top requests) $(top wavefronts)" = "65536 65536" ] || bad "prices another number of requests"

refuses_define()
{
    run conflicts 't * N' -D "$1"
    [[ $status -eq 2 && $err == *"$2"* ]] || bad "exit $status: $err"
}
refuses_define 32 "a name and its value are wanted, N=32"
refuses_define N "a name and its value are wanted, N=32"
refuses_define 3N=2 "a name is letters, digits and _"

finish
