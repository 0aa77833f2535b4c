"""promises - what is promised of speed, and what measures it: the data of scripts/promises.

A run is a benchmark that writes CSV.  Its columns in `cell` name a cell: a case that was measured.  `needs` is what
the machine must have besides the program.  `seconds` bounds it; on an H200 each takes a fraction of that.

A promise picks cells of one run or of several by conditions with "; " between them: column=VALUE,.. (with *), column!=..,
column<=NUMBER or >=; a+b=X Y is about two columns.  It asks that the least (or most, or geometric mean) of `value` is at least
(at most) `target`; `aim` is what is hoped for besides.  A value is a column; or a - b; or a / b, where b[conditions] is the
largest b of the cells that agree in all other columns of `cell`: "gkeys / gkeys[method=cub*]".  length=2^+ there is the next
power of two.

A target of 0.97 is 1 less what two runs differ by.  `page` is where the documentation tells of it.
"""

from typing import NamedTuple, Optional

PARTS = ("sort", "rows", "moves", "partition", "python", "ranks", "crafted")
NOISE = 0.97


class Run(NamedTuple):
    part: str
    name: str  # of the CSV
    needs: str  # gpu; torch: PyTorch too, on a GPU; host: nothing
    seconds: int
    cell: str
    command: str


class Promise(NamedTuple):
    name: str
    claim: str
    runs: str
    cells: str
    value: str
    target: Optional[float]  # None: only hoped for
    aim: Optional[float]
    page: str

    @property
    def part(self):
        return next(run.part for run in RUNS if run.name in self.runs.split())


GRID = "key payload order n input"
LENGTHS = "type length method shape"
TORCH = "what n input"

RUNS = [
    Run("sort", "grid", "gpu", 200, GRID, "bench_grid --quick --n 12,13,14,16,18,20,22,24,26"),
    Run("sort", "grid-long", "gpu", 60, GRID, "bench_grid --keys 4,8 --payload 0,4 --n 28 --input uniform"),
    Run("sort", "grid-splat", "gpu", 30, GRID,
        "bench_grid --keys 8 --payload 4 --n 300000,1000000,5000000,30000000 --input splat"),
    Run("sort", "grid-inputs", "gpu", 120, GRID,
        "bench_grid --keys 4,8 --payload 0,4,8 --n 1000,100000,20,3000000,25 --repeats 3"),
    Run("sort", "sort", "gpu", 90, "type n method shape", "bench_sort -c -x 28"),
    Run("rows", "rows-lengths", "gpu", 240, LENGTHS, "bench_lengths 26"),
    Run("rows", "rows", "gpu", 180, LENGTHS, "bench_rows 26"),
    Run("moves", "permute-patterns", "gpu", 120, "direction bytes index_bytes n way index", "bench_permute -p -x 28"),
    Run("moves", "permute-long", "gpu", 30, "direction bytes index_bytes n way index", "bench_permute -m 30 -x 30"),
    Run("moves", "transpose", "gpu", 60, "place bytes rows columns batch", "bench_transpose"),
    Run("moves", "shuffle", "gpu", 60, "what bytes n", "bench_shuffle -x 28"),
    Run("moves", "plan", "gpu", 260, "n bytes map",
        "bench_plan -m random 26 -b 8 26 -m all -b 4 20 24 -b 8 24 -b 16 22 -b 1 22 -b 2 22 -b 4 26"),
    Run("partition", "routing", "gpu", 60, "n buckets labels", "bench_partition_grid --route"),
    Run("partition", "partition-long", "gpu", 40, "key payload bits order n input",
        "bench_partition_grid --keys 4 --payload 4 --bits 8 --n 28 --order any,stable --input uniform"),
    Run("partition", "partition", "gpu", 300, "key payload bits order n input",
        "bench_partition_grid --bits 1,5,8,10,16 --n 10,12,14,16,20,24,26 --order any,stable --input uniform,heavy,sorted,runs"),
    Run("python", "python", "torch", 400, TORCH, "bench/python/bench.py"),
    Run("ranks", "ranks", "gpu", 120, "on ranks way n", "bench_ranks --gpu -n 28 -r 3"),
    Run("ranks", "mpi", "host", 120, "input n ranks", "mpirun -n 8 bench_mpi -n 26"),
    Run("ranks", "distributed-rounds", "host", 200, "ranks each input bits", "bench_rounds -p 1024"),
    Run("crafted", "crafted", "gpu", 400, "call input items", "bench_crafted -r 3"),
    Run("crafted", "crafted-host", "host", 130, "call input items", "bench_crafted --on cpu -r 3 '' 21"),
]  # fmt: skip

CUB = "gkeys / gkeys[method=cub*; shape=offsets]"
ONE = "type=u32,u32+u32,u32+index; method=clearway; shape=one length,offsets; "
MIXES = "length=0-49,2^k and neighbours,power law to 10^6,7 of 8*10^6 among 10^6 of 3"
ARGSORT = "what=sort_with_index f32+i64"
FREE = "method=clearway conflict-free"
SIX = ("16384 16384", "16381 16411", "1000 268435", "268435 1000", "3 89478485", "89478485 3")
TRANSPOSE = "; ".join(("bytes=2,4,8,16", "place=out of place", "rows+columns=" + ",".join(SIX)))

PROMISES = [
    Promise("sort", "cw_sort is never slower than CUB's radix sort: keys and payloads of all widths",
            "grid", "", "least ratio", NOISE, 1.2, "sort.md"),
    Promise("sort-mean", "cw_sort is 1.5 times as fast as CUB's in the geometric mean", "grid", "", "mean ratio", 1.5, 2, "sort.md"),
    Promise("sort-inputs", "cw_sort is never slower on 17 kinds of input, and n that are no powers of two",
            "grid-inputs", "", "least ratio", NOISE, 1.2, "sort.md"),
    Promise("sort-flat", "cw_sort takes at most 3 times as long on any input as on uniform keys",
            "grid grid-inputs", "input!=splat", "most us / us[input=uniform]", 3, 1.5, "sort.md"),
    Promise("sort-short", "keys of 4 and 8 bytes, payloads up to 8, 2^13 to 2^18: twice as fast as CUB's",
            "grid", "key=u32,u64; payload<=8; n>=2^13; n<=2^18", "least ratio", 2, None, "sort.md"),
    Promise("sort-2^20", "the same, 2^20 items: 1.4 times",
            "grid", "key=u32,u64; payload<=8; n=2^20", "least ratio", 1.4, None, "sort.md"),
    Promise("sort-2^22", "the same, 2^22 items: 1.1 times",
            "grid", "key=u32,u64; payload<=8; n=2^22", "least ratio", 1.1, None, "sort.md"),
    Promise("sort-u64-pairs", "sort of u64 with 4 or 8 bytes, stable, from 2^24: 1.5 times CUB's speed",
            "grid", "key=u64; payload=4,8; order=stable; n>=2^24; input=uniform", "least ratio", 1.5, None, "sort.md"),
    Promise("sort-splat", "sort of a splat's frame (tile and depth, u64 with 4 bytes): 1.5 times",
            "grid-splat", "", "least ratio", 1.5, 2, "sort.md"),
    Promise("sort-long-u32", "sort of 2^28 u32: 1.7 times", "grid-long", "key=u32; payload=0", "least ratio", 1.7, 2, "sort.md"),
    Promise("sort-long-u64", "sort of 2^28 u64: 2.5 times", "grid-long", "key=u64; payload=0", "least ratio", 2.5, None, "sort.md"),
    Promise("sort-long-pairs", "sort of 2^28 u32 with u32: 1.55 times",
            "grid-long", "key=u32; payload=4; order=any", "least ratio", 1.55, None, "sort.md"),
    Promise("sort-long-stable", "sort of 2^28 u32 with u32, stable: 1.25 times",
            "grid-long", "key=u32; payload=4; order=stable", "least ratio", 1.25, None, "sort.md"),
    Promise("compare", "CW_CONFLICT_FREE up to 2^22 is not slower than CUB's merge sort",
            "sort", FREE + "; n<=2^22; shape=uniform", "least gkeys / gkeys[method=cub merge]", NOISE, None, "comparison.md"),
    Promise("compare-flat", "CW_CONFLICT_FREE takes the same time on any input, within 5 %",
            "sort", FREE + "; n>=2^22; shape!=uniform", "least gkeys / gkeys[shape=uniform]", 0.952, None, "comparison.md"),

    Promise("rows", "rows of 2 to 32768 items are never slower than CUB's segmented sorts",
            "rows-lengths", ONE + "length<=32768", "least " + CUB, NOISE, None, "rows.md"),
    Promise("rows-keys", "rows of more than 128 keys: twice as fast as CUB's",
            "rows-lengths", ONE + "type=u32; length>128; length<=32768", "least " + CUB, 2, None, "rows.md"),
    Promise("rows-pairs", "rows of more than 128 keys with values or an index: 1.5 times",
            "rows-lengths", ONE + "type!=u32; length>128; length<=32768", "least " + CUB, 1.5, None, "rows.md"),
    Promise("rows-share", "rows of any length from 33 on have 0.6 of the speed of the next power of two",
            "rows-lengths", ONE + "length>=33; length<=32768", "least gkeys / gkeys[length=2^+]", 0.6, 0.75, "rows.md"),
    Promise("rows-offsets", "rows by offsets are within 8 % of rows of one length",
            "rows-lengths", ONE + "shape=offsets; length<=32768", "least gkeys / gkeys[shape=one length]", None, 0.92, "rows.md"),
    Promise("rows-long", "rows of 2^16 to 2^20 items: 1.2 times CUB",
            "rows-lengths", ONE + "length>32768", "least " + CUB, 1.2, None, "rows.md"),
    Promise("rows-mixes", "rows of mixed lengths: 1.5 times CUB",
            "rows-lengths", "method=clearway; " + MIXES, "least " + CUB, 1.5, None, "rows.md"),
    Promise("rows-blocks", "rows of 96 to 32768 items are not slower than CUB's block and warp sorts",
            "rows", "method=clearway; shape=random; type=u32,u64,u32+u32",
            "least gkeys / gkeys[method=cub*; shape=*]", NOISE, None, "performance.md"),
    Promise("rows-flat", "conflict-free rows take the same time on any keys, within 3 %",
            "rows", FREE + "; shape!=random", "least gkeys / gkeys[shape=random]", 0.97, None, "performance.md"),

    Promise("permute", "cw_permute has 0.95 of the plain kernel's speed on every pattern",
            "permute-patterns permute-long", "way=naive,look*", "least ratio", 0.95, None, "permute.md"),
    Promise("permute-scatter", "random scatter of 2^28 elements of 4 bytes: 4.5 times",
            "permute-patterns", "direction=scatter; bytes=4; index_bytes=4; n=2^28; index=random; way=naive,look*",
            "least ratio", 4.5, None, "permute.md"),
    Promise("permute-gather", "random gather of 2^28 elements of 4 bytes: 1.5 times",
            "permute-patterns", "direction=gather; bytes=4; index_bytes=4; n=2^28; index=random; way=naive,look*",
            "least ratio", 1.5, None, "permute.md"),
    Promise("plan", "a plan is never slower than the plain gather", "plan", "", "least x_gather", NOISE, None, "plan.md"),
    Promise("plan-random", "a plan of 2^26 random elements of 4 bytes: 3 times the gather",
            "plan", "map=random; bytes=4; n=2^26", "least x_gather", 3, None, "plan.md"),
    Promise("plan-random-8", "a plan of 2^26 random elements of 8 bytes: 2.2 times",
            "plan", "map=random; bytes=8; n=2^26", "least x_gather", 2.2, None, "plan.md"),
    Promise("rows-moved", "rows of 4096 and 8192 bytes are permuted at 0.9 of a copy's speed",
            "shuffle", "what=gather rows,scatter rows; bytes=4096,8192; n=65536", "least of a copy", 0.9, None, "permute.md"),
    Promise("transpose", "six shapes of 2, 4, 8 and 16 bytes are transposed at 0.85 of a copy's speed",
            "transpose", TRANSPOSE, "least ratio", 0.85, None, "permute.md"),
    Promise("transpose-odd", "elements of other sizes are transposed at 0.5",
            "transpose", "bytes!=2,4,8,16; place=out of place", "least ratio", 0.5, None, "permute.md"),
    Promise("transpose-in-place", "matrices are transposed in place at 0.3", "transpose", "place=in place*", "least ratio", 0.3, None, "permute.md"),

    Promise("partition", "cw_partition is never slower than CUB's radix sort over the same bits",
            "partition", "", "least ratio", NOISE, None, "partition.md"),
    Promise("partition-256", "partition of 2^28 pairs into 256 buckets, any order: 1.4 times CUB's speed",
            "partition-long", "order=any", "least ratio", 1.4, None, "partition.md"),
    Promise("partition-256-stable", "partition of 2^28 pairs into 256 buckets, in order: 1.2 times",
            "partition-long", "order=stable", "least ratio", 1.2, None, "partition.md"),
    Promise("routing", "up to 32768 labels are routed to 256 experts in at most 10 us",
            "routing", "n<=32768; buckets<=256", "most us", 10, None, "partition.md"),
    Promise("routing-long", "262144 labels are routed to 256 experts in at most 14 us", "routing", "n=2^18; buckets<=256", "most us", 14, None, "partition.md"),
    Promise("routing-cub", "routing is never slower than CUB's sort and histogram",
            "routing", "", "least ratio", NOISE, None, "partition.md"),

    Promise("argsort", "clearway.sort_with_index is never slower than torch.sort",
            "python", ARGSORT, "least ratio", NOISE, 2, "python.md"),
    Promise("argsort-middle", "sort_with_index from 10^4 to 10^6 floats: 1.5 times torch.sort",
            "python", ARGSORT + "; n>=10000; n<=1000000", "least ratio", 1.5, None, "python.md"),
    Promise("argsort-long", "sort_with_index from 2^26 floats on: 1.3 times", "python", ARGSORT + "; n>=2^26", "least ratio", 1.3, None, "python.md"),
    Promise("python-rows", "sort_with_index of rows: 3 times torch.sort(dim=-1)",
            "python", "what=rows f32+i64; n=65536x1024,4096x4096,1000x1000", "least ratio", 3, None, "python.md"),
    Promise("take", "x[p] is never slower than torch's", "python", "what=take*", "least ratio", 0.95, None, "python.md"),
    Promise("take-long", "x[p] of 2^26 and 2^28 floats, random: 1.4 times",
            "python", "what=take f32 by i64; n>=2^26; input=random", "least ratio", 1.4, None, "python.md"),
    Promise("torch-shuffle", "shuffle of 2^28: 5 times randperm and x[p]",
            "python", "what=shuffle f32; n=2^28", "least ratio", 5, None, "permute.md"),
    Promise("torch-route", "262144 labels to 256 through Python: 3 times torch.sort and bincount",
            "python", "what=route * to 256; n=262144", "least ratio", 3, None, "python.md"),
    Promise("moe", "a layer of experts: 1.3 times the best of torch's ways",
            "python", "what=group and combine*; n=8192; peer=torch by_*", "least ratio", 1.3, None, "python.md"),
    Promise("overhead", "an empty sort through Python takes at most 3 us on the host",
            "python", "what=overhead, empty NumPy array", "most us", 3, 1.5, "python.md"),
    Promise("overhead-gpu", "a sort through Python takes at most 6 us more on a GPU than the call from C",
            "python", "what=host's side of a call*; peer=cw_sort from C", "most us - peer_us", 6, None, "python.md"),

    Promise("ranks-work", "4 ranks that share a GPU: their work is at most twice one sort",
            "ranks", "ranks=4; way=direct,staged", "most local_ratio", 2, None, "distributed.md"),
    Promise("ranks-staging", "copies of a staged exchange run at 0.9 of the copy engines' speed",
            "ranks", "ranks=4; way=copies", "least of_engines", 0.9, None, "distributed.md"),
    Promise("ranks-even", "ranks differ by one item at most", "ranks mpi", "", "most imbalance", 1, None, "distributed.md"),
    Promise("ranks-memory", "a rank needs at most its share once more, and 5 %",
            "ranks mpi", "way!=copies,staged", "most extra_memory", 1.05, None, "distributed.md"),
    Promise("mpi-time", "8 ranks take at most 2.2 times the processor time of one sort",
            "mpi", "input=uniform", "most cpu_ratio", 2.2, 1.6, "distributed.md"),
    Promise("mpi-volume", "8 ranks send at most 1.1 times the least", "mpi", "", "most sent_to_least", 1.1, None, "distributed.md"),
    Promise("rounds", "splitters are found in at most 8 rounds",
            "distributed-rounds", "", "most rounds", 8, None, "distributed.md"),
    Promise("rounds-messages", "splitters are found with no more messages than the bound",
            "distributed-rounds", "", "most messages / messages_bound", 1, None, "distributed.md"),

    Promise("crafted", "crafted keys take at most 3 times as long as uniform ones",
            "crafted", "input!=known", "most over_uniform", 3, 1.5, "sort-msd.md"),
    Promise("crafted-host", "crafted keys on the host, too: at most 3 times", "crafted-host", "input!=known", "most over_uniform", 3, 1.5, "cpu.md"),
]  # fmt: skip
