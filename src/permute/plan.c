/* plan.c - how an array is permuted, by its size.
 *
 *      naive     a thread an element: small arrays, and elements that the others do not take
 *      place     out[p[i]] = in[i]: items go to bins of 64 KiB, by one pass or two, then to their
 *                places in shared memory (permute/bins.h).  Of 4 bytes and two passes: 8 + 8, 8 + 6
 *                and 6 + 4 bytes an element are read and written, in runs
 *      route     out[i] = in[p[i]]: requests to windows that fit in the L2, values back
 *                (permute/route.h): 4 + 6, 8 + 4, 6 + 4 bytes
 *
 * (One pass to bins that fit in the L2, and from there to places, is slower: an H200's L2 takes 50
 * Gelem/s that way, while it gives 126 to a gather.)
 *
 * Workspace is laid out here.  `out` holds what comes between two passes, too.
 */
#include "permute/plan.h"

#include "permute/job.h"
#include "permute/plain.h"
#include "base/arena.h"

struct permute {
    const cw_permute_job *job;
    enum cw_permute_way way;
    int cuda;
    unsigned log;               /* of an element's bytes */
    unsigned shift[2], bins[2]; /* of a pass */
    unsigned passes;
    uint64_t bin_count[2];
    uint32_t *keys, *taken[2];
    uint16_t *lows;         /* or places in tiles */
    void *values, *between; /* behind the last pass, behind the first of two */
    uint32_t *any, *sent, *counts, *watched;
    int look;
    const struct bijection *by; /* a shuffle: there is no index */
    int back;
    uint64_t *table;
    uint32_t stride;
    size_t taken_bytes;
};

/* Bits that numbers below n need. */
static unsigned bits_of(uint64_t n)
{
    unsigned bits = 0;

    while (bits < 64u && n > (uint64_t)1 << bits)
        bits++;
    return bits;
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* Bins of 2^shift targets each, of parts of 2^part. */
static void set_pass(struct permute *p, unsigned k, unsigned shift, unsigned part)
{
    p->shift[k] = shift;
    p->bins[k] = 1u << (part - shift);
    p->bin_count[k] = ((p->job->n - 1) >> shift) + 1;
    p->passes = k + 1;
}

static void begin(struct permute *p, const cw_permute_job *job, enum cw_permute_way way, int cuda)
{
    const unsigned bits = bits_of(job->n), most = PERMUTE_PASS_LOG(cuda);
    unsigned shift;

    *p = (struct permute){.job = job,
                          .way = cw_permute_way_of(job, way, cuda),
                          .cuda = cuda,
                          .log = cw_permute_log(job->bytes),
                          .look = way == CW_PERMUTE_AUTO};
    switch (p->way) {
    case CW_PERMUTE_PLACE:
        shift = PERMUTE_PLACE(cuda, p->log);
        if (bits <= shift + most) {
            set_pass(p, 0, shift, bits > shift ? bits : shift);
        } else {
            const unsigned lower = (bits - shift + 1u) / 2u;

            set_pass(p, 0, shift + lower, bits);
            set_pass(p, 1, shift, shift + lower);
        }
        break;
    case CW_PERMUTE_ROUTE: { /* few bins, or windows that fit in the L2, or as many as can be */
        const unsigned window = PERMUTE_WINDOW(cuda, p->log);
        const unsigned few = bits_of(PERMUTE_FEW_BINS(cuda));
        const unsigned more = bits_of(PERMUTE_ROUTE_BINS(cuda));

        p->stride = PERMUTE_FEW_BINS(cuda);
        shift = bits > few ? bits - few : 0u;
        if (shift > window) {
            shift = bits - more > window ? bits - more : window;
            p->stride = PERMUTE_ROUTE_BINS(cuda);
        }
        if (shift < PERMUTE_STREAM_LOG(cuda))
            shift = PERMUTE_STREAM_LOG(cuda);
        set_pass(p, 0, shift, bits > shift ? bits : shift);
        break;
    }
    default:
        break;
    }
}

/* ---- workspace ------------------------------------------------------------------------------ */

static uint64_t tiles_of(const struct permute *p, unsigned log)
{
    const uint64_t tile = PERMUTE_TILE(p->cuda, log);

    return (p->job->n + tile - 1) / tile;
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct permute *p, uint8_t *base)
{
    const uint64_t n = p->job->n;
    uint64_t at = 0;

    if (p->way == CW_PERMUTE_NAIVE)
        return 0;
    p->any = (uint32_t *)take(base, &at, sizeof *p->any);
    if (p->way == CW_PERMUTE_ROUTE) /* a size that does not fall when n grows */
        p->taken[0] = (uint32_t *)take(base, &at, 4u * p->stride);
    else if (p->passes > 1)
        p->taken[0] = (uint32_t *)take(base, &at, 4u << PERMUTE_BIN_LOG(p->cuda));
    if (p->way == CW_PERMUTE_PLACE)
        p->taken[p->passes - 1] = (uint32_t *)take(base, &at, 4u * p->bin_count[p->passes - 1]);
    if (p->way == CW_PERMUTE_ROUTE) {
        p->counts = (uint32_t *)take(base, &at, 8u * PERMUTE_REGIONS);
        p->watched =
            (uint32_t *)take(base, &at, 4u * PERMUTE_REGIONS * PERMUTE_SURVEY_SLOTS(p->cuda));
    }
    p->taken_bytes = (size_t)at;
    if (p->way == CW_PERMUTE_ROUTE || p->passes > 1)
        p->keys = (uint32_t *)take(base, &at, 4u * n);
    p->lows = (uint16_t *)take(base, &at, 2u * n);
    if (p->way == CW_PERMUTE_ROUTE) {
        p->table = (uint64_t *)take(base, &at, 8u * p->stride * tiles_of(p, 2));
        p->sent = (uint32_t *)take(base, &at, sizeof *p->sent * tiles_of(p, 2));
    }
    p->values = take(base, &at, n * p->job->bytes);
    if (p->passes > 1)
        p->between = take(base, &at, n * p->job->bytes);
    return at;
}

uint64_t cw_permute_bytes(const cw_permute_job *job, enum cw_permute_way way, int cuda)
{
    struct permute p;

    if (!job->n)
        return 0;
    begin(&p, job, way, cuda);
    return layout(&p, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

#define BY_SIZE(what)                                                       \
    {                                                                       \
        CW_KERNEL_cw_permute_b1_##what, CW_KERNEL_cw_permute_b2_##what,     \
            CW_KERNEL_cw_permute_b4_##what, CW_KERNEL_cw_permute_b8_##what, \
            CW_KERNEL_cw_permute_b16_##what                                 \
    }

/* Of up to PERMUTE_ROUTE_LOG. */
#define BY_ROUTED_SIZE(what)                                                \
    {                                                                       \
        CW_KERNEL_cw_permute_b1_##what, CW_KERNEL_cw_permute_b2_##what,     \
            CW_KERNEL_cw_permute_b4_##what, CW_KERNEL_cw_permute_b8_##what, \
    }

static const enum cw_kernel pass_kernel[] = BY_SIZE(pass), place_kernel[] = BY_SIZE(place),
                            route_kernel[] = BY_ROUTED_SIZE(route),
                            deal_kernel[] = BY_ROUTED_SIZE(deal),
                            fetch_kernel[] = BY_ROUTED_SIZE(fetch),
                            back_kernel[] = BY_ROUTED_SIZE(back);

static cw_status launch(struct cw_queue *q, enum cw_kernel kernel, uint64_t blocks,
                        uint32_t threads, uint32_t shared, const void *arg)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, arg};

    return q->launch(q, &l);
}

/* Blocks for so many tiles, of which `each` run on a multiprocessor at a time (dev/kernel.h's
 * KERNEL says it where the kernel is). */
static uint64_t resident(const struct cw_queue *q, uint64_t tiles, unsigned each)
{
    const uint64_t most = (uint64_t)each * q->processors;

    return tiles < most ? tiles : most;
}

static cw_status pass(struct cw_queue *q, const struct permute *p, unsigned k)
{
    const int last = k + 1 == p->passes, drawn = !k && p->by;
    struct permute_pass arg = {
        .n = p->job->n,
        .index = k ? p->keys : p->job->index,
        .in = k ? p->between : p->job->in,
        .values = last ? p->values : p->between,
        .keys = last ? NULL : p->keys,
        .lows = last ? p->lows : NULL,
        .wide = !k && p->job->index_bytes == 8,
        .first = !k,
        .look = !k && p->look,
        .out = p->job->out,
        .any = p->any,
        .part = k ? p->shift[k - 1] : 0,
        .shift = p->shift[k],
        .bins = p->bins[k],
        .given = k ? p->taken[k - 1] : NULL,
        .taken = p->taken[k],
    };
    const uint64_t tiles = tiles_of(p, p->log);

    if (drawn) {
        arg.by = *p->by;
        arg.back = (uint32_t)p->back;
    }
    return launch(q, drawn ? deal_kernel[p->log] : pass_kernel[p->log],
                  k ? resident(q, tiles, 2) : tiles, PERMUTE_THREADS(p->cuda),
                  PERMUTE_BINS_BYTES(p->cuda, p->log), &arg);
}

static cw_status finish(struct cw_queue *q, const struct permute *p)
{
    const unsigned k = p->passes - 1;
    const struct permute_place arg = {
        .n = p->job->n,
        .lows = p->lows,
        .values = p->values,
        .out = p->job->out,
        .taken = p->taken[k],
        .any = p->any,
    };

    return launch(q, place_kernel[p->log], resident(q, p->bin_count[k], 3),
                  PERMUTE_THREADS(p->cuda), PERMUTE_WORD(p->log) << p->shift[k], &arg);
}

static uint64_t region_of(const struct permute *p)
{
    return (p->job->n + PERMUTE_REGIONS - 1u) / PERMUTE_REGIONS;
}

static cw_status survey(struct cw_queue *q, const struct permute *p)
{
    const uint64_t region = p->job->n / PERMUTE_REGIONS;
    const uint32_t window =
        region < PERMUTE_SURVEY(p->cuda) ? (uint32_t)region : PERMUTE_SURVEY(p->cuda);
    const uint32_t tile = PERMUTE_SURVEY_AHEAD * PERMUTE_SURVEY_THREADS;
    const struct permute_survey arg = {
        .n = p->job->n,
        .index = p->job->index,
        .region = region,
        .into = (region - window) / 3u,
        .window = window,
        .wide = p->job->index_bytes == 8,
        .line = PERMUTE_LINE(p->cuda, p->log),
        .slots = PERMUTE_SURVEY_SLOTS(p->cuda),
        .unwatched = 32u - PERMUTE_SURVEY_WATCHED(p->cuda),
        .counts = p->counts,
        .table = p->watched,
    };

    return launch(q, CW_KERNEL_cw_permute_survey, PERMUTE_REGIONS * ((window + tile - 1u) / tile),
                  PERMUTE_SURVEY_THREADS, 0, &arg);
}

/* Shared memory of a block of `route`, or of `back`: the head and as many places of so many bytes. */
static uint32_t route_shared(const struct permute *p, uint32_t bytes)
{
    const uint32_t places = PERMUTE_TILE(p->cuda, 2) + 32u * (uint32_t)p->bin_count[0];

    return PERMUTE_SLOTS_BYTES(p->cuda) + bytes * places;
}

/* Has a block so much?  Of a GPU with 99 KB not of elements of 8 bytes in more than 107 windows. */
static int route_fits(const struct cw_queue *q, const struct permute *p)
{
    return !q->shared || route_shared(p, PERMUTE_WORD(p->log)) <= q->shared;
}

static cw_status route(struct cw_queue *q, const struct permute *p)
{
    const struct permute_route arg = {
        .n = p->job->n,
        .index = p->job->index,
        .in = p->job->in,
        .out = p->job->out,
        .values = p->values,
        .keys = p->keys,
        .places = p->lows,
        .table = p->table,
        .taken = p->taken[0],
        .wide = p->job->index_bytes == 8,
        .shift = p->shift[0],
        .bins = (uint32_t)p->bin_count[0],
        .stride = p->stride,
        .look = (uint32_t)p->look,
        .region = region_of(p),
        .survey = p->counts,
        .sent = p->sent,
        .any = p->any,
    };
    const uint32_t threads = PERMUTE_THREADS(p->cuda);
    const uint64_t per = PERMUTE_STREAM_ITEMS * PERMUTE_STREAM_THREADS(p->cuda);
    cw_status status = p->look ? survey(q, p) : CW_OK;

    if (!status)
        status =
            launch(q, route_kernel[p->log], tiles_of(p, 2), threads, route_shared(p, 4u), &arg);
    if (!status)
        status = launch(q, fetch_kernel[p->log], (p->job->n + per - 1) / per,
                        PERMUTE_STREAM_THREADS(p->cuda), 0, &arg);
    if (!status)
        status = launch(q, back_kernel[p->log], resident(q, tiles_of(p, 2), 2), threads,
                        route_shared(p, PERMUTE_WORD(p->log)), &arg);
    return status;
}

static cw_status passes(struct cw_queue *q, struct permute *p, void *workspace)
{
    cw_status status;

    (void)layout(p, (uint8_t *)workspace);
    status = q->clear(q, workspace, p->taken_bytes);
    if (!status && p->way == CW_PERMUTE_ROUTE)
        return route(q, p);
    for (unsigned k = 0; k < p->passes && !status; k++)
        status = pass(q, p, k);
    return status ? status : finish(q, p);
}

cw_status cw_permute_enqueue(struct cw_queue *q, const cw_permute_job *job, enum cw_permute_way way,
                             int cuda, void *workspace)
{
    struct permute p;

    if (!job->n)
        return CW_OK;
    begin(&p, job, way, cuda);
    if (p.way == CW_PERMUTE_NAIVE || (p.way == CW_PERMUTE_ROUTE && !route_fits(q, &p)))
        return cw_permute_plain(q, job);
    return passes(q, &p, workspace);
}

/* ---- shuffles ------------------------------------------------------------------------------- */

static cw_permute_job moves_of(const cw_shuffle_job *job)
{
    const cw_permute_job moves = {
        .n = job->n, .bytes = job->bytes, .in = job->in, .out = job->out, .index_bytes = 4};

    return moves;
}

uint64_t cw_shuffle_bytes(const cw_shuffle_job *job, enum cw_permute_way way, int cuda)
{
    const cw_permute_job moves = moves_of(job);

    return cw_permute_bytes(&moves, cw_shuffle_way_of(&moves, way, cuda), cuda);
}

cw_status cw_shuffle_enqueue(struct cw_queue *q, const cw_shuffle_job *job, enum cw_permute_way way,
                             int cuda, void *workspace)
{
    const struct bijection by = bijection_of(job->n, job->seed);
    const cw_permute_job moves = moves_of(job);
    struct permute p;

    if (!job->n)
        return CW_OK;
    way = cw_shuffle_way_of(&moves, way, cuda);
    if (way == CW_PERMUTE_NAIVE)
        return cw_permute_draw(q, &moves, &by, !job->inverse);
    begin(&p, &moves, way, cuda);
    p.by = &by;
    p.back = job->inverse != 0;
    return passes(q, &p, workspace);
}
