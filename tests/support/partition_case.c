/* partition_case.c - one case run and told about; random cases. */
#include <string.h>

#include "partition_run.h"

int partition_case_run(cw_context *context, const struct partition_case *c)
{
    const char *wrong = NULL;
    struct partition_run r;
    cw_status status;

    partition_run_begin(&r, context, c);
    status = cw_partition(context, &r.job, partition_inside(&r.a[WORKSPACE]), r.a[WORKSPACE].bytes,
                          NULL);
    if (!status)
        status = cw_wait(context, NULL);
    wrong = partition_check(&r, status);
    if (wrong)
        print_message("%s: %s rule %d, flags %u, n %zu, buckets %u, first bit %u, multiplier %llx, "
                      "keys %d, offsets %d, index %d, inverse %d (%zu), pad %zu, payloads %zu %zu "
                      "%zu %zu, bad %zu, shift %zu, pattern %d, seed %llu\n",
                      wrong, cw_type_name(c->type), (int)c->rule, c->flags, c->n, c->buckets,
                      c->first_bit, (unsigned long long)c->multiplier, c->keys, c->offsets,
                      c->index, c->inverse, c->index_bytes, c->pad_to, c->payload[0], c->payload[1],
                      c->payload[2], c->payload[3], c->bad, c->shift, (int)c->pattern,
                      (unsigned long long)c->seed);
    partition_run_end(&r);
    return wrong != NULL;
}

/* ---- random cases --------------------------------------------------------------------------- */

static void random_rule(struct partition_case *c, struct cw_random *r)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
    const unsigned log = (unsigned)cw_random_below(r, 17);
    const int is_signed = c->type == CW_I8 || c->type == CW_I16;
    const uint32_t most =
        (bits < 16 ? 256u : CW_BUCKETS_MAX) >> (c->rule == CW_BY_LABEL && is_signed);

    c->buckets = 1u + (uint32_t)cw_random_below(r, (uint64_t)1 << log);
    c->buckets = c->buckets > most ? most : c->buckets;
    if (c->rule == CW_BY_BITS) {
        const unsigned wide = log < bits ? log : bits;

        c->buckets = 1u << wide;
        c->first_bit = (unsigned)cw_random_below(r, wide ? bits - wide + 1u : bits);
    }
    if (c->rule == CW_BY_HASH && cw_random_below(r, 2))
        c->multiplier = cw_random_next(r) | 1u;
    if (c->rule == CW_BY_LABEL && cw_random_below(r, 8) == 0 && c->buckets < most)
        c->bad = 1u + cw_random_below(r, 3);
    if (c->rule == CW_BY_SPLITTER && c->buckets > 300 && c->n > 1000)
        c->buckets = 300;
}

struct partition_case partition_case_random(uint64_t seed, size_t most)
{
    static const cw_type labels[] = {CW_U8, CW_U16, CW_U32, CW_U64, CW_I8, CW_I16, CW_I32, CW_I64};
    static const size_t widths[] = {1, 2, 4, 4, 4, 8, 12, 16, 24, 100, 256, 1028};
    struct cw_random r = cw_random_from(seed);
    struct partition_case c;
    const uint64_t size = cw_random_below(&r, 4);

    memset(&c, 0, sizeof c);
    c.seed = seed;
    c.rule = (cw_rule)cw_random_below(&r, 4);
    c.type = cw_random_below(&r, 2) ? CW_U32 : (cw_type)cw_random_below(&r, CW_TYPE_COUNT);
    if (c.rule == CW_BY_LABEL)
        c.type = labels[cw_random_below(&r, COUNT(labels))];
    c.flags =
        (cw_random_below(&r, 2) ? CW_UNSTABLE : 0u) | (cw_random_below(&r, 2) ? CW_CHECK : 0u);
    c.n =
        size == 0 ? cw_random_below(&r, 70) : cw_random_below(&r, size == 1 ? most / 8 + 1 : most);
    random_rule(&c, &r);
    c.keys = cw_random_below(&r, 3) != 0;
    c.offsets = cw_random_below(&r, 2) || !c.keys;
    c.index = cw_random_below(&r, 3) == 0;
    c.inverse = cw_random_below(&r, 4) == 0;
    c.index_bytes = cw_random_below(&r, 3) ? 4 : 8;
    c.pad_to = cw_random_below(&r, 3) ? 0 : 1u + cw_random_below(&r, 130);
    for (size_t p = cw_random_below(&r, 3) ? cw_random_below(&r, 2) : cw_random_below(&r, 5); p--;)
        c.payload[p] = widths[cw_random_below(&r, COUNT(widths))];
    c.shift = cw_random_below(&r, 3) ? 0 : 1u + cw_random_below(&r, 3);
    c.pattern = cw_random_below(&r, 2)
                    ? PARTITION_RANDOM
                    : (enum partition_pattern)cw_random_below(&r, PARTITION_PATTERNS);
    return c;
}
