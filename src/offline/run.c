/* run.c - what is launched to execute a plan.
 *
 *      passes        in -> workspace -> out, or with two partition passes in -> workspace -> out, then places
 *                    inside each tile of out, where it lies
 *      all others    one launch, no workspace; transpositions are left to src/transpose
 */
#include "base/status.h"
#include "offline/bits.h"
#include "offline/plan.h"

#define TURN_ITEMS (PLAN_SIMPLE_ROUND * PLAN_SIMPLE_THREADS) /* of a block */
#define PASS_LOADS 14u /* of 16 bytes, a thread; so two or more blocks have the registers */

enum which { PARTITION, PLACE, BITS, GATHER, TURN, KERNELS };

#define ROW(bytes)                                                            \
    {                                                                         \
        CW_KERNEL_cw_plan_partition_##bytes, CW_KERNEL_cw_plan_place_##bytes, \
            CW_KERNEL_cw_plan_bits_##bytes, CW_KERNEL_cw_plan_gather_##bytes, \
            CW_KERNEL_cw_plan_turn_##bytes                                    \
    }

static enum cw_kernel kernel_of(const cw_plan *plan, enum which which)
{
    static const enum cw_kernel exact[3][KERNELS] = {ROW(4), ROW(8), ROW(16)};
    static const enum cw_kernel odd[3][KERNELS] = {ROW(odd_4), ROW(odd_8), ROW(odd_16)};
    const uint32_t word = cw_plan_word(plan->bytes), size = word / 8u;

    return (word == plan->bytes ? exact : odd)[size][which];
}

static cw_status launch(struct cw_queue *q, enum cw_kernel kernel, uint64_t blocks,
                        uint32_t threads, uint32_t shared, const void *arg)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, arg};

    return q->launch(q, &l);
}

static uint64_t parts_of(uint64_t n, uint64_t size)
{
    return (n + size - 1) / size;
}

/* ---- passes --------------------------------------------------------------------------------- */

static uint32_t threads_of(const cw_plan *plan)
{
    const uint32_t chunks = plan->tile * cw_plan_word(plan->bytes) / 16u;
    const uint32_t threads = (chunks + PASS_LOADS - 1) / PASS_LOADS;
    const uint32_t warps = (threads + 31u) / 32u;

    return 32u * warps < PLAN_PASS_THREADS ? 32u * warps : PLAN_PASS_THREADS;
}

static cw_status run_pass(const cw_plan *plan, const struct cw_plan_table *t,
                          const unsigned char *table, uint32_t pass, const void *in, void *out,
                          struct cw_queue *q)
{
    const uint32_t word = cw_plan_word(plan->bytes);
    const int last = pass == plan->partitions;
    struct plan_pass arg = {
        .in = in,
        .out = out,
        .places = (const uint16_t *)(const void *)(table + t->at[CW_PIECE_PLACES + pass]),
        .n = plan->n,
        .tile = plan->tile,
        .bytes = plan->bytes,
        .unit = cw_plan_unit(plan->bytes),
        .wide_in = (uintptr_t)in % 16u == 0,
        .wide_out = (uintptr_t)out % 16u == 0,
    };

    if (!last) {
        arg.lines = (const uint64_t *)(const void *)(table + t->at[CW_PIECE_LINES + pass]);
        arg.bases = (const uint32_t *)(const void *)(table + t->at[CW_PIECE_BASES + pass]);
    }
    return launch(q, kernel_of(plan, last ? PLACE : PARTITION), plan->tiles, threads_of(plan),
                  plan->tile * word, &arg);
}

static cw_status run_passes(const cw_plan *plan, const unsigned char *table, const void *in,
                            void *out, void *workspace, struct cw_queue *q)
{
    void *const to[3][3] = {{out}, {workspace, out}, {workspace, out, out}};
    const uint32_t shared = plan->tile * cw_plan_word(plan->bytes);
    struct cw_plan_table t;
    cw_status status = CW_OK;

    if (q->shared && shared > q->shared)
        return cw_fail(
            CW_ERR_DEVICE,
            "a plan with tiles of %u bytes, and a block of this GPU has %u of shared memory: "
            "make it with CW_ANY_GPU (clearway plan --any-gpu)",
            shared, q->shared);
    cw_plan_pieces(plan, &t);
    for (uint32_t pass = 0; pass <= plan->partitions && !status; pass++) {
        void *const next = to[plan->partitions][pass];

        status = run_pass(plan, &t, table, pass, in, next, q);
        in = next;
    }
    return status;
}

/* ---- one launch ----------------------------------------------------------------------------- */

static cw_status run_bits(const cw_plan *plan, const void *in, void *out, struct cw_queue *q)
{
    const uint32_t word = cw_plan_word(plan->bytes);
    struct plan_bits arg;

    cw_bits_tiles(plan->column, plan->bits, plan->start, word, &arg);
    arg.in = in;
    arg.out = out;
    arg.bytes = plan->bytes;
    arg.unit = cw_plan_unit(plan->bytes);
    return launch(q, kernel_of(plan, BITS), (uint64_t)1 << arg.block_bits, PLAN_BITS_THREADS,
                  word << cw_bits_least(word), &arg);
}

static cw_status run_simple(const cw_plan *plan, const unsigned char *table, const void *in,
                            void *out, struct cw_queue *q)
{
    const struct plan_simple arg = {.in = in,
                                    .out = out,
                                    .index = (const uint32_t *)(const void *)table,
                                    .n = plan->n,
                                    .first = plan->first,
                                    .back = plan->back,
                                    .bytes = plan->bytes,
                                    .unit = cw_plan_unit(plan->bytes)};
    const uint64_t most = 32u * (uint64_t)q->processors,
                   few = parts_of(plan->n, PLAN_SIMPLE_THREADS);

    if (plan->way == CW_PLAN_GATHER)
        return launch(q, kernel_of(plan, GATHER), few < most ? few : most, PLAN_SIMPLE_THREADS, 0,
                      &arg);
    return launch(q, kernel_of(plan, TURN), parts_of(plan->n, TURN_ITEMS), PLAN_SIMPLE_THREADS, 0,
                  &arg);
}

cw_status cw_plan_queue(const cw_plan *plan, const unsigned char *table, const void *in, void *out,
                        void *workspace, struct cw_queue *q)
{
    if (!plan->n)
        return CW_OK;
    if (plan->way == CW_PLAN_PASSES)
        return run_passes(plan, table, in, out, workspace, q);
    if (plan->way == CW_PLAN_BITS)
        return run_bits(plan, in, out, q);
    if (plan->way == CW_PLAN_TURN && !plan->back && !plan->first)
        return q->copy(q, out, in, plan->n * plan->bytes);
    return run_simple(plan, table, in, out, q);
}
