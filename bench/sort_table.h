/* sort_table.h - bench_sort -c: the lines that docs/performance.md's tables of cw_sort are made from.
 *
 * CSV as of rows_bench.h: length is "array", shape the input.  Methods: clearway, clearway stable (pairs),
 * clearway conflict-free, cub radix, cub merge; all on the same keys.  Uniform keys of 2^10, 2^12, .. to
 * the largest n, then all inputs of 2^22, 2^24, 2^26 and 2^28.  Medians of 9 (3, where one takes over 0.1 s), short
 * ones of 20 in a row; Clearway's outputs are checked.  All of it: about 50 s on an H200.
 */
struct less_than {
    template <typename T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

template <typename K> static void merge_keys(struct data *d, uint64_t n, size_t bytes)
{
    ok(cub::DeviceMergeSort::SortKeysCopy(d->cub, bytes, (const K *)d->in, (K *)d->out, n,
                                          less_than()),
       "cub merge");
}

static void cub_merge(const struct engine *e, struct data *d, uint64_t n)
{
    if (e->value_bytes)
        ok(cub::DeviceMergeSort::SortPairsCopy(d->cub, d->cub_bytes, (const uint32_t *)d->in,
                                               (const uint32_t *)d->in_values, (uint32_t *)d->out,
                                               d->out_values, n, less_than()),
           "cub merge");
    else if (e->type == CW_F32)
        merge_keys<float>(d, n, d->cub_bytes);
    else if (e->key_bytes == 4)
        merge_keys<uint32_t>(d, n, d->cub_bytes);
    else
        merge_keys<uint64_t>(d, n, d->cub_bytes);
}

static int wrong_outputs;

/* A Clearway sort: 0 if its output is wrong, which is told. */
static double table_ours(const struct engine *e, struct data *d, uint64_t n, int input,
                         unsigned flags)
{
    cw_array job = job_of(e, d, n, 0);
    unsigned long long a[2], b[2];
    size_t need;

    job.flags = flags;
    good(cw_sort_workspace(&job, &need), "workspace");
    if (need > d->work_bytes) {
        fprintf(stderr, BENCH ": workspace %zu > %zu\n", need, d->work_bytes);
        exit(1);
    }
    const auto run = [&]() {
        good(cw_sort(context, &job, d->work, d->work_bytes, NULL), "cw_sort");
    };
    ok(cudaMemset(d->out, 0xa5, n * e->key_bytes), "memset");
    run();
    ok(cudaDeviceSynchronize(), "sort");
    sum(e, d, n, 0, 0, a);
    sum(e, d, n, 1, (flags & CW_STABLE) != 0, b);
    if (a[0] != b[0] || b[1]) {
        fprintf(stderr, BENCH ": WRONG: %s n %llu %s flags %u: sums %s, %llu descents\n", e->name,
                (unsigned long long)n, input_name[input], flags, a[0] == b[0] ? "agree" : "differ",
                b[1]);
        wrong_outputs++;
        return 0;
    }
    return median_ms(run, 9, n <= 1 << 22 ? 20 : 1);
}

static void table_line(const struct engine *e, uint64_t n, int input, const char *method, double ms,
                       double ours)
{
    if (ms <= 0)
        return;
    printf("%s%llu,%s,array,%s,%s,%.3f,%.3f\n", origin(), (unsigned long long)n,
           e->value_bytes ? "u32+u32" : e->name, method, input_name[input], n / ms / 1e6,
           ours > 0 ? ms / ours : 0.0);
    fflush(stdout);
}

static void table_case(const struct engine *e, struct data *d, uint64_t n, int input)
{
    const int inner = n <= 1 << 22 ? 20 : 1;
    double ours;

    fill_keys(e, d, n, input);
    ours = table_ours(e, d, n, input, 0);
    table_line(e, n, input, "clearway", ours, ours);
    if (e->value_bytes)
        table_line(e, n, input, "clearway stable", table_ours(e, d, n, input, CW_STABLE), ours);
    table_line(e, n, input, "clearway conflict-free", table_ours(e, d, n, input, CW_CONFLICT_FREE),
               ours);
    table_line(e, n, input, "cub radix", median_ms([&]() { cub_sort(e, d, n); }, 9, inner), ours);
    if (input < NANS) /* operator < is no order of NaNs */
        table_line(e, n, input, "cub merge", median_ms([&]() { cub_merge(e, d, n); }, 9, inner),
                   ours);
}

/* 1 if an output was wrong. */
static int table(struct data *d, int largest, const char *only)
{
    static const char *const names[] = {"u32", "u64", "f32", "p32"};

    printf(ORIGIN_HEAD "n,type,length,method,shape,gkeys,ratio\n");
    for (const char *name : names) {
        for (const struct engine &e : engines) {
            if (strcmp(e.name, name) != 0 || (only && strcmp(only, name) != 0))
                continue;
            for (int log = 10; log <= largest; log += 2)
                table_case(&e, d, 1ull << log, UNIFORM);
            for (int log = 22; log <= 28 && log <= largest; log += 2)
                for (int input = EQUAL; input < inputs_of(&e); input++)
                    table_case(&e, d, 1ull << log, input);
        }
    }
    return wrong_outputs != 0;
}
