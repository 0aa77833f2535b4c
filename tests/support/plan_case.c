#include "plan_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_memory.h"

#include "api/context.h"
#include "rows_case.h"

#define GUARD 64u /* bytes around the output that must stay as they are */

cw_context *plan_context[2];
uint64_t plan_excess;

static void count(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct cw_emu_place total;

    (void)user;
    cw_emu_total(e, &total);
    if (cw_kernel_free(l->kernel) && total.wavefronts != total.ideal) {
        plan_excess += total.wavefronts - total.ideal;
        fprintf(stderr, "%s: %llu wavefronts, ideal %llu\n", cw_kernel_name(l->kernel),
                (unsigned long long)total.wavefronts, (unsigned long long)total.ideal);
    }
}

int plan_open_contexts(void **state)
{
    (void)state;
    if (cw_context_create(CW_CPU, &plan_context[0]) ||
        cw_context_create(rows_test_backend(), &plan_context[1])) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    plan_context[1]->hook = count;
    return 0;
}

int plan_close_contexts(void **state)
{
    (void)state;
    cw_context_destroy(plan_context[0]);
    cw_context_destroy(plan_context[1]);
    return 0;
}

/* ---- the case -------------------------------------------------------------------------------- */

static size_t bits_of(size_t n)
{
    size_t bits = 0;

    while ((size_t)1 << bits < n)
        bits++;
    return bits;
}

static uint64_t reversed(uint64_t x, size_t bits)
{
    uint64_t r = 0;

    for (size_t k = 0; k < bits; k++)
        r |= (x >> k & 1u) << (bits - 1 - k);
    return r;
}

static uint64_t mapped(const struct plan_case *c, uint64_t i)
{
    const size_t n = c->n, bits = bits_of(n);
    size_t rows = 37;

    switch (c->map) {
    case ROTATION:
        return (i + c->seed % n) % n;
    case REVERSAL:
        return (c->seed % n + n - i) % n;
    case TRANSPOSE:
        while (n % rows)
            rows++;
        return i % (n / rows) * rows + i / (n / rows);
    case BIT_REVERSAL:
        return reversed(i, bits);
    case AFFINE:
        return (reversed(i ^ i >> 3, bits) ^ reversed(i, bits) << 2 ^ c->seed) % n;
    case BLOCKS:
        return (i + n / 3) % n ^ 0;
    case SHUFFLE:
        return i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1;
    case FORTIES: /* 7 has no factor in common with how many there are */
        return i / 40 * 7 % (n / 40) * 40 + i % 40;
    case BITS:
        return (reversed(i, bits) & ~(uint64_t)3) | (i >> (bits - 2) & 3u);
    case SPREAD:
        return i % 61 * (n / 61) + i / 61;
    default:
        return i;
    }
}

/* Whether the map is one at this n is the test's care. */
uint64_t *plan_case_index(const struct plan_case *c)
{
    struct cw_random r = cw_random_from(c->seed);
    uint64_t *const p = (uint64_t *)malloc((c->n + 1) * sizeof *p);

    for (size_t i = 0; i < c->n; i++)
        p[i] = mapped(c, i);
    for (size_t i = c->n; c->map == RANDOM && i > 1; i--) {
        const size_t j = cw_random_below(&r, i);
        const uint64_t x = p[i - 1];

        p[i - 1] = p[j];
        p[j] = x;
    }
    return p;
}

cw_plan *plan_case_plan(const struct plan_case *c, const uint64_t *p)
{
    uint32_t *const narrow = (uint32_t *)malloc((c->n + 1) * sizeof *narrow);
    const void *const given = c->index_bytes == 8 ? (const void *)p : narrow;
    const unsigned threads = c->n < 65536 ? 1u + (unsigned)(c->seed % 4) : 0; /* all */
    cw_plan *plan = NULL;
    cw_status status;

    for (size_t i = 0; i < c->n; i++)
        narrow[i] = (uint32_t)p[i];
    if (c->wished)
        status =
            cw_plan_make(given, c->index_bytes, c->n, c->bytes, c->flags, threads, &c->wish, &plan);
    else
        status = cw_plan_create(given, c->index_bytes, c->n, c->bytes, c->flags, threads, &plan);
    if (status)
        fprintf(stderr, "create: %s: %s\n", cw_status_name(status), cw_last_error());
    free(narrow);
    return plan;
}

static int as_it_must_be(const struct plan_case *c, const uint64_t *p, const unsigned char *in,
                         const unsigned char *out)
{
    for (size_t i = 0; i < c->n; i++) {
        const size_t from = c->flags & CW_GATHER ? p[i] : i, to = c->flags & CW_GATHER ? i : p[i];

        if (memcmp(in + from * c->bytes, out + to * c->bytes, c->bytes)) {
            fprintf(stderr, "item %zu is not at %zu\n", from, to);
            return 0;
        }
    }
    return 1;
}

/* Execute in one context, between guards. */
int plan_case_execute(cw_context *x, const struct plan_case *c, const uint64_t *p,
                      const cw_plan *plan)
{
    const size_t size = c->n * c->bytes, skip = 256 + c->shift * c->bytes;
    const size_t whole = skip + size + GUARD, table_bytes = cw_plan_table_bytes(plan);
    unsigned char *const a = (unsigned char *)malloc(whole), *const b =
                                                                 (unsigned char *)malloc(whole);
    void *in = NULL, *out = NULL, *table = NULL, *room = NULL;
    struct cw_random r = cw_random_from(c->seed + 1);
    size_t need = 0;
    int good;

    for (size_t k = 0; k < whole; k += 8) {
        const uint64_t y = cw_random_next(&r);

        memcpy(a + k, &y, whole - k < 8 ? whole - k : 8);
    }
    memset(b, 0xa5, whole);
    good =
        !cw_plan_workspace(plan, &need) && !case_memory_take(x, whole, &in) &&
        !case_memory_take(x, whole, &out) && !case_memory_take(x, table_bytes, &table) &&
        !case_memory_take(x, need, &room) && !cw_memory_write(x, in, a, whole) &&
        !cw_memory_write(x, out, b, whole) && !cw_plan_write_table(x, plan, table) &&
        !cw_plan_execute(x, plan, table, (char *)in + skip, (char *)out + skip, room, need, NULL) &&
        !cw_wait(x, NULL) && !cw_memory_read(x, b, out, whole);
    if (!good)
        fprintf(stderr, "%s\n", cw_last_error());
    good = good && as_it_must_be(c, p, a + skip, b + skip);
    for (size_t k = 0; good && k < whole; k++)
        good = (k >= skip && k < skip + size) || b[k] == 0xa5;
    case_memory_give(x, in);
    case_memory_give(x, out);
    case_memory_give(x, table);
    case_memory_give(x, room);
    free(a);
    free(b);
    return good;
}

/* 0 if both contexts are right; otherwise prints the case. */
int plan_case_run(struct plan_case c)
{
    uint64_t *p;
    cw_plan *plan;
    int good;

    if (!c.bytes)
        c.bytes = 4;
    if (!c.index_bytes)
        c.index_bytes = 4;
    p = plan_case_index(&c);
    plan = plan_case_plan(&c, p);
    good = plan && plan_case_execute(plan_context[0], &c, p, plan) &&
           plan_case_execute(plan_context[1], &c, p, plan);
    if (good && c.kind && strcmp(c.kind, cw_plan_kind(plan)) != 0)
        good = 0;
    if (!good)
        fprintf(stderr,
                "map %d n %zu bytes %zu index %zu flags %u shift %zu tile %u: %s, not %s; "
                "CW_SEED=%llu\n",
                (int)c.map, c.n, c.bytes, c.index_bytes, c.flags, c.shift, c.wish.tile,
                cw_plan_kind(plan), c.kind ? c.kind : "this", (unsigned long long)cw_test_seed());
    cw_plan_destroy(plan);
    free(p);
    return !good;
}

struct plan_case plan_case_of(enum plan_map map, size_t n, uint64_t salt)
{
    const struct plan_case c = {.map = map, .n = n, .seed = cw_test_seed() + salt};

    return c;
}

/* Tables of so many passes with such tiles. */
struct plan_case plan_passes_of(enum plan_map map, size_t n, uint32_t passes, uint32_t tile)
{
    struct plan_case c = plan_case_of(map, n, n + passes);

    c.wished = 1;
    c.wish = (struct cw_plan_wish){
        .table = 1, .gather = passes ? -1 : 1, .tile = tile, .partitions = passes};
    return c;
}
