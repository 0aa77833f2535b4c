#!/bin/bash
# hardened.sh TOOL SOURCE - the tool and the shared library are hardened as cmake/hardening.cmake says, and
# the library exports what its headers declare and nothing else.  Skipped (77) without readelf and nm.
tool=$(realpath "$1") && source=$(realpath "$2") || exit 2
library=$(dirname "$tool")/libclearway.so
{ command -v readelf && command -v nm; } >/dev/null || { echo "readelf or nm is missing"; exit 77; }
wrong=0

bad()
{
    echo "WRONG: $*"
    wrong=1
}

for file in "$tool" "$library"; do
    name=${file##*/}
    readelf -hW "$file" | grep -q 'Type: *DYN' || bad "$name is loaded at a fixed address"
    readelf -lW "$file" | grep -q GNU_RELRO || bad "$name has no RELRO"
    readelf -dW "$file" | grep -qw -e BIND_NOW -e NOW || bad "$name binds its symbols late"
    readelf -lW "$file" | grep GNU_STACK | grep -q ' RW ' || bad "$name has a stack that can be run"
    if readelf -lW "$file" | grep LOAD | grep -q ' RWE '; then bad "$name has pages to write and run"; fi
    nm -D "$file" | grep -q __stack_chk || bad "$name has no stack protector"
    nm -D "$file" | grep -q 'printf_chk\|memcpy_chk' || bad "$name is not fortified"
done
# Whether a whole file is marked depends on the C library's own start files too.
for file in "$(dirname "$tool")"/CMakeFiles/clearway_objects.dir/src/machine/lanes.c.o; do
    [ "$(uname -m)" != x86_64 ] || readelf -nW "$file" | grep -q 'x86 feature:.*IBT' ||
        bad "${file##*/} is not marked for branch protection"
done

declared=$(cat "$source"/include/clearway{,_distributed}.h | tr '\n' ' ' | grep -o 'CW_API [^(;]*cw_[a-z0-9_]*(' |
    sed 's/.*[^a-z0-9_]\(cw_[a-z0-9_]*\)($/\1/' | sort)
exported=$(nm -D --defined-only --without-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort)
[ "$declared" = "$exported" ] || bad "the headers and the library differ:" \
    "$(diff <(echo "$declared") <(echo "$exported"))"
[ "$(echo "$exported" | wc -l)" -ge 43 ] || bad "only $(echo "$exported" | wc -l) functions are exported"
if nm -D --defined-only "$library" | awk '$2 == "T"' | grep -v '@@CLEARWAY_[0-9.]*$'; then
    bad "these functions have no version"
fi
[ $wrong = 0 ] && echo "hardened; $(echo "$exported" | wc -l) functions, each with a version"
exit $wrong
