#!/bin/bash
# kinds.sh TOOL SOURCE - files of other kinds than plain numbers, and files that move together: records sorted
# by their fields, values beside keys, bool and times, text, an index of two dimensions, a saved plan.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"
command -v python3 >/dev/null || exit 77
seed=${CW_SEED:-$(date +%s)}

# npy.py: files written and read without NumPy, an item a tuple or a number.
cat >npy.py <<'PYTHON'
import ast, random, struct, sys

CODES = {"u1": "B", "u2": "H", "u4": "I", "u8": "Q", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "f4": "f", "f8": "d",
         "b1": "?", "M8": "q", "m8": "q"}

def code(descr):
    return descr[0].replace("|", "<") + (CODES[descr[1:3]] if descr[1:3] in CODES else descr[2:] + "s")

def pack(descr, v):
    fields = [("", descr)] if isinstance(descr, str) else descr
    return b"".join(struct.pack(code(d), x) for (_, d), x in zip(fields, v if isinstance(v, tuple) else (v,)))

def unpack(descr, data):
    fields = [("", descr)] if isinstance(descr, str) else descr
    step, at = sum(struct.calcsize(code(d)) for _, d in fields), 0
    while at < len(data):
        out = []
        for _, d in fields:
            out += struct.unpack_from(code(d), data, at)
            at += struct.calcsize(code(d))
        yield tuple(out) if len(out) > 1 else out[0]

def write(path, descr, shape, values):
    head = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    body = b"".join(pack(descr, v) for v in values)
    open(path, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + body)

def read(path):
    data = open(path, "rb").read()
    at = 10 + struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:at].decode())
    return head["descr"], head["shape"], list(unpack(head["descr"], data[at:]))
PYTHON
export PYTHONPATH=$scratch PYTHONDONTWRITEBYTECODE=1

py() # a piece of Python after the functions above; what it asserts must hold
{
    checks=$((checks + 1))
    python3 -c "from npy import *
random.seed('$seed $what')
$1" || bad "(CW_SEED=$seed) $1"
}

# ---- records --------------------------------------------------------------------------------------

py "write('r.npy', [('name', '|S3'), ('age', '<i4'), ('big', '>f8'), ('', '|V4'), ('when', '<M8[s]')], (500,),
    [(bytes([97 + i % 26] * 3), random.randrange(-9, 9), random.choice([1.5, -2.0, 9.0]), b'abcd',
      random.choice([-2**63, 5, -7, i])) for i in range(500)])"
for on in cpu emu; do
    works sort r.npy --by age -o by_age.npy --on $on
    py "d, s, a = read('r.npy'); e, t, b = read('by_age.npy')
assert d == e and s == t and b == sorted(a, key=lambda r: r[1])"
done
works sort r.npy --by big,age,when -o by_all.npy
py "assert read('by_all.npy')[2] == sorted(read('r.npy')[2], key=lambda r: (r[2], r[1], r[4] == -2**63, r[4]))"
works argsort r.npy --by age -o places.npy
py "a = read('r.npy')[2]; assert read('places.npy')[2] == sorted(range(500), key=lambda i: a[i][1])"
works permute r.npy --index places.npy --gather -o moved.npy
cmp -s moved.npy by_age.npy || bad "records moved by the index are not those sorted by the field"
cp r.npy in_place.npy
works sort in_place.npy --by age -o in_place.npy --descending --json
valid_json
py "assert [r[1] for r in read('in_place.npy')[2]] == sorted((r[1] for r in read('r.npy')[2]), reverse=True)"
py "write('labels.npy', '|u1', (500,), [i % 3 for i in range(500)])"
works partition r.npy --labels labels.npy --by label --buckets 3 -o parts.npy
py "a = read('r.npy')[2]; assert read('parts.npy')[2] == [a[i] for k in range(3) for i in range(k, 500, 3)]"
refuses 2 "records have no field 'none'" sort r.npy --by none -o x.npy
refuses 2 "'name' is no number" sort r.npy --by name -o x.npy
refuses 2 "holds records, which are sorted by a field, or moved as a whole  (sort, argsort: --by FIELD,..; partition: --labels FILE; check takes none)" sort r.npy -o x.npy
refuses 2 "holds records" transpose r.npy -o x.npy
refuses 2 "names of fields" sort r.npy --by age,, -o x.npy
refuses 2 "are no records" sort labels.npy --by age -o x.npy
py "write('none.npy', [('age', '<i4'), ('x', '|u1')], (0,), [])"
works sort none.npy --by age -o x.npy

# ---- values ---------------------------------------------------------------------------------------

py "n = 3000
write('k.npy', '>i2', (n,), [random.randrange(-50, 50) for i in range(n)])
write('v.npy', '<f8', (n,), [float(i) for i in range(n)])
write('w.npy', '|u1', (n, 3), [i // 3 % 251 for i in range(3 * n)])
write('m.npy', '<i4', (20, 30), [random.randrange(9) for i in range(600)])
write('mv.npy', '<u2', (20, 30), list(range(600)))"
for on in cpu emu; do
    works sort k.npy --values v.npy --values-output v2.npy --values w.npy --values-output w2.npy -o k2.npy --on $on
    py "k = read('k.npy')[2]; p = sorted(range(3000), key=lambda i: k[i])
assert read('k2.npy')[2] == [k[i] for i in p] and read('k2.npy')[0] == '>i2'
assert read('v2.npy')[2] == [float(i) for i in p]
w = read('w.npy')[2]; assert read('w2.npy')[2] == [w[3 * i + j] for i in p for j in range(3)]"
    works sort m.npy --values mv.npy --values-output mv2.npy -o m2.npy --on $on
    py "k = read('m.npy')[2]; p = [i for r in range(20) for i in sorted(range(30 * r, 30 * r + 30), key=lambda i: k[i])]
assert read('m2.npy')[2] == [k[i] for i in p] and read('mv2.npy')[2] == p"
done
cp v.npy v3.npy
works sort k.npy --values v3.npy --values-output v3.npy -o k3.npy
cmp -s v3.npy v2.npy || bad "values sorted in place differ"
refuses 2 "--values v.npy has no --values-output FILE" sort k.npy --values v.npy -o k2.npy
refuses 2 "--values-output w2.npy has no --values FILE" sort k.npy --values v.npy --values-output v2.npy --values-output w2.npy -o k2.npy
refuses 2 "keys" sort k.npy --values m.npy --values-output x.npy -o k2.npy
refuses 2 "k.npy" sort k.npy --values v.npy --values-output k.npy -o k2.npy
refuses 2 "--values is for files" sort --n 5 --values v.npy

# ---- bool and times -------------------------------------------------------------------------------

py "write('b.npy', '|b1', (99,), [random.random() < .5 for i in range(99)])
write('t.npy', '<M8[ns]', (2000,), [random.choice([-2**63, i, -i]) for i in range(2000)])
write('d.npy', '>m8[D]', (2000,), [random.choice([-2**63, 2**63 - 1, i, -i]) for i in range(2000)])"
works sort b.npy -o b2.npy
py "assert read('b2.npy') == ('|b1', (99,), sorted(read('b.npy')[2]))"
for f in t d; do
    works sort $f.npy -o ${f}2.npy
    py "a = read('$f.npy'); b = read('${f}2.npy')
assert a[:2] == b[:2] and b[2] == sorted(a[2], key=lambda x: (x == -2**63, x))"
    works check ${f}2.npy --of $f.npy
    works sort $f.npy -o ${f}3.npy --descending
    py "a = read('$f.npy'); assert read('${f}3.npy')[2] == sorted(a[2], key=lambda x: (x == -2**63, -x))"
    works check ${f}3.npy --of $f.npy --descending
    works argsort $f.npy -o ${f}4.npy
    py "a = read('$f.npy')[2]; b = read('${f}4.npy'); assert b[0] == '<i8' and b[2] == sorted(range(2000), key=lambda i: (a[i] == -2**63, a[i]))"
done
works check t2.npy
has "datetime64[ns]"
py "write('large.npy', '<M8[us]', (3000000,), [])
open('large.npy', 'ab').write(b''.join(struct.pack('<q', -2**63 if i % 7 == 0 else random.getrandbits(62)) for i in range(3000000)))"
works sort large.npy -o large2.npy --memory 16M
refuses 2 "with what moves with it, and --memory is 16 MiB" sort large.npy --values large.npy --values-output x.npy -o y.npy --memory 16M
works check large2.npy --of large.npy
has sorted "a permutation"

# ---- text -----------------------------------------------------------------------------------------

printf '3, -1;  20\n# a comment\n7\n' >n.txt
works sort n.txt --text -o n2.txt
[ "$(<n2.txt)" = $'-1\n3\n7\n20' ] || bad "text is sorted to: $(<n2.txt)"
works sort n.txt --text -o n2.npy
py "assert read('n2.npy') == ('<i8', (4,), [-1, 3, 7, 20])"
printf '2.5 nan\n-inf 1e3 0.1' | "$tool" sort - --text -o - >f.txt || bad "text by pipes"
[ "$(<f.txt)" = $'-inf\n0.1\n2.5\n1000\nnan' ] || bad "reals are sorted to: $(<f.txt)"
printf '18446744073709551615 0' >u.txt
works argsort u.txt --text -o u2.txt
[ "$(<u2.txt)" = $'1\n0' ] || bad "the argsort of a text: $(<u2.txt)"
works check n2.txt --text
works generate uniform --n 1000 --type f32 --text -o g.txt
works sort g.txt --text --type f32 -o g2.txt
works check g2.txt --text --type f32 --of g.txt
printf 'name,age\nbob,3\n' >c.csv
refuses 2 "CSV text" sort c.csv -o x.npy
refuses 2 "--text" sort c.csv -o x.npy
refuses 2 "c.csv: line 1: 'name' is no number" sort c.csv --text -o x.npy
printf '1\n2\n300\n' >s.txt
refuses 2 "s.txt: line 3: '300' is no u8" sort s.txt --text --type u8 -o x.npy
echo 300 >s.txt
refuses 2 "s.txt: line 1: '300' is no u8" sort s.txt --text --type u8 -o x.npy
[[ $err != *header* ]] || bad "takes a number for a header: $err"
# Nothing becomes another number: not one that is too large, nor one with a decimal comma.
echo "1 1e400" >huge.txt
refuses 2 "huge.txt: line 1: '1e400' is too large for f64" sort huge.txt --text -o x.npy
refuses 2 "huge.txt: line 1: '1e400' is too large for f64" sort huge.txt --text --type f64 -o x.npy
echo "1e39 -inf" >huge.txt
refuses 2 "huge.txt: line 1: '1e39' is too large for f32" sort huge.txt --text --type f32 -o x.npy
works sort huge.txt --text -o -
[ "$out" = $'-inf\n1e+39' ] || bad "large numbers: $out"
printf '1;2\n3,5;1,5\n' >decimal.txt
refuses 2 "decimal.txt: line 2: is 3,5 one number or two?" sort decimal.txt --text -o x.npy
refuses 2 "decimal.txt: line 2: is 3,5 one number or two?" sort decimal.txt --text --type f32 -o x.npy
for text in '3, 5; 1, 4' '3,5,1,4' '3;5;1;4' '3,5 1,4 # ;'; do
    echo "$text" >fine.txt
    works sort fine.txt --text -o -
    [ "$out" = $'1\n3\n4\n5' ] || bad "$text becomes $out"
done
echo "-1 18446744073709551615" >wide.txt # no type holds both
refuses 2 "neither i64 nor u64 holds all of its whole numbers" sort wide.txt --text -o x.npy
works sort wide.txt --text --type f64 -o x.npy
echo "-1 18446744073709551615 0.5" >wide.txt # no whole numbers: rounded, as everywhere
works sort wide.txt --text -o x.npy
refuses 2 "a raw file can" generate uniform --n 5 --type bf16 --text -o x.txt

# With --text all files are text: values, an index, labels, splitters, offsets.
printf '30 10 20' >k.txt
printf '3.5\n1.5\n2.5\n' >v.txt
works sort k.txt --text -o k2.txt --values v.txt --values-output v2.txt
[ "$(tr '\n' ' ' <k2.txt)$(tr '\n' ' ' <v2.txt)" = "10 20 30 1.5 2.5 3.5 " ] || bad "values as text: $(<v2.txt)"
works sort k.txt --text -o k2.txt --values v.txt --values-output v2.npy
py "assert read('v2.npy') == ('<f8', (3,), [1.5, 2.5, 3.5])"
refuses 2 "standard input is a .npy file, not numbers as text" sort - --text -o - <k.npy
[[ $err != *$'\x93'* ]] || bad "prints bytes that are no text"
printf '\xef\xbb\xbf7\n3\n' >mark.txt # a byte order mark
works sort mark.txt --text -o mark2.txt
[ "$(<mark2.txt)" = $'3\n7' ] || bad "a file with a byte order mark: $(<mark2.txt)"
py "write('t2.npy', '<i4', (3, 4), [random.randrange(99) for i in range(12)])"
works argsort t2.npy -o t2.txt --text # a matrix of indices
works permute t2.npy --index t2.txt --text --gather -o t3.npy
works sort t2.npy -o t4.npy
cmp -s t3.npy t4.npy || bad "a matrix by its index as text"
works check t4.npy --of t2.npy --json
has '"command": "check"' '"input": "t4.npy"' '"of": "t2.npy"'
works argsort k.txt --text -o i.txt
works permute k.txt --text --index i.txt --gather -o -
[ "$out" = $'10\n20\n30' ] || bad "an index as text gives $out"
works plan i.txt --text --json
is n 3
echo 1 0 1 >labels.txt
works partition k.txt --text --labels labels.txt --buckets 2 -o - --offsets begin.txt
[ "$out $(tr '\n' ' ' <begin.txt)" = $'10\n30\n20 0 1 3 ' ] || bad "labels as text give $out and $(<begin.txt)"
echo 20 >splitters.txt
for type in i64 f32; do # splitters are read as what the items are
    works partition k.txt --text --type $type --splitters splitters.txt --buckets 2 -o -
    [ "$out" = $'10\n30\n20' ] || bad "splitters as text give $out"
done
printf '\1\2\3\4' >v.raw # --type says what the keys are, and nothing of these
refuses 2 "v.raw is raw binary: of which type?  (a .npy file says it)" sort k.npy --values v.raw --values-output x.npy -o y.npy
refuses 2 "v.raw is raw binary: of which type?  (a .npy file says it)" permute k.npy --index v.raw -o y.npy
refuses 2 "i.txt is text" permute k.txt --type u8 --index i.txt -o x
[[ $err == *"numbers as text: --text"* ]] || bad "does not name --text: $err"

# A name that promises text gets no raw items.
for name in x.txt x.csv X.TSV; do
    refuses 2 "$name would get raw items: --text writes numbers as text" generate uniform --n 5 -o $name
    refuses 2 "$name would get raw items" sort k.npy -o $name
    [ ! -e $name ] || bad "writes $name"
    works generate uniform --n 5 --text -o $name
    rm $name
done
for name in x.npz x.GZ x.parquet x.mat; do # nothing by a name that says another format
    refuses 2 "$name would hold raw items, not what its name says: .npy, or another name" sort k.npy -o $name
    refuses 2 "$name would hold text, not what its name says" generate uniform --n 5 --text -o $name
    refuses 2 "$name would hold raw items" partition k.npy --by hash --buckets 2 -o y.npy --offsets $name
    [ ! -e $name ] && [ ! -e y.npy ] || bad "writes $name or y.npy"
done

# ---- an index of two dimensions, and a plan ---------------------------------------------------------

works argsort m.npy -o mi.npy
works permute m.npy --index mi.npy --gather -o m3.npy
cmp -s m3.npy m2.npy || bad "rows moved by their argsort are not sorted"
works permute m3.npy --index mi.npy -o m4.npy
py "assert read('m4.npy') == read('m.npy')"
py "write('bad.npy', '<i8', (20, 30), [i % 30 if i != 61 else -4 for i in range(600)])
write('twice.npy', '<i8', (20, 30), [i % 30 if i != 61 else 0 for i in range(600)])"
refuses 2 "bad.npy: row 2, index 1 is -4: out of range" permute m.npy --index bad.npy -o x.npy
refuses 2 "twice.npy: row 2, index 1 is 0, which was there before" permute m.npy --index twice.npy -o x.npy
refuses 2 "not of that shape" permute k.npy --index mi.npy -o x.npy
py "p = list(range(3000)); random.shuffle(p); write('p.npy', '<i8', (3000,), p)"
works plan p.npy --bytes 8 -o p.cwp
for on in cpu emu; do
    works permute v.npy --plan p.cwp -o v4.npy --on $on
    works permute v.npy --index p.npy -o v5.npy --on $on
    cmp -s v4.npy v5.npy || bad "by a plan and by its index are two things"
done
refuses 2 "is for 3000 elements of 8 bytes" permute k.npy --plan p.cwp -o x.npy
refuses 2 "goes without --index" permute v.npy --plan p.cwp --index p.npy -o x.npy

finish
