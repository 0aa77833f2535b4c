/* pages.c - which matrices are transposed in place by pages (transpose/pages.h), and the launches. */
#include "transpose/pages_plan.h"

#include "base/arena.h"
#include "transpose/job.h"

#define MOST_WORK(cuda) ((uint64_t)((cuda) ? 96u << 20 : 1u << 17)) /* bytes */
#define MOST_KEPT(cuda) ((uint64_t)((cuda) ? 64u << 20 : 1u << 14)) /* of those, for starts */
#define LEAST_GROUP     8u

#define BY_SIZE(what)                                                           \
    {                                                                           \
        CW_KERNEL_cw_transpose_b1_##what, CW_KERNEL_cw_transpose_b2_##what,     \
            CW_KERNEL_cw_transpose_b4_##what, CW_KERNEL_cw_transpose_b8_##what, \
            CW_KERNEL_cw_transpose_b16_##what                                   \
    }

/* A matrix, and its parts of the workspace. */
struct plan {
    struct transpose_pages a;
    int spread;                        /* sides are no multiples of a tile's */
    uint64_t kept, more, rest, counts; /* bytes of these */
    uint64_t side;                     /* of what a block reads */
    unsigned log;                      /* of an element's bytes */
};

static unsigned log_of(size_t x)
{
    unsigned log = 0;

    while (x >> log > 1u)
        log++;
    return log;
}

static struct plan plan_of(const cw_transpose_job *job, int cuda, int steps)
{
    const uint64_t most = MOST_KEPT(cuda);
    struct plan p = {.log = log_of(job->bytes)};
    struct transpose_pages *const a = &p.a;
    uint64_t side, bytes;

    p.side = TRANSPOSE_SIDE(p.log);
    a->log = log_of(p.side);
    if (!steps && (job->rows | job->columns) % p.side && (job->rows | job->columns) % 32u == 0)
        a->log = 5u; /* so that nothing is spread */
    side = (uint64_t)1 << a->log;
    p.spread = (job->rows | job->columns) % side != 0;
    a->rows = job->rows;
    a->columns = job->columns;
    a->down = (uint32_t)(job->rows / side);
    a->across = (uint32_t)((job->columns + side - 1u) / side);
    a->pages = (uint32_t)((uint64_t)a->down * a->across * side);
    bytes = a->pages * side * job->bytes;
    a->group = (uint32_t)((bytes + most - 1u) / most);
    if (a->group < LEAST_GROUP)
        a->group = LEAST_GROUP;
    a->groups = (a->pages + a->group - 1u) / a->group;
    a->by_down = a->down > 1u ? (uint32_t)(((uint64_t)1 << 32) / a->down) : UINT32_MAX;
    a->by_group = (uint32_t)(((uint64_t)1 << 32) / a->group);
    p.kept = a->groups * side * job->bytes;
    p.more = (a->across * side - job->columns) * a->down * side * job->bytes;
    p.rest = (job->rows - a->down * side) * job->columns * job->bytes;
    p.counts = p.spread ? (a->down + 1u) * sizeof(uint32_t) : 0u;
    return p;
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct plan *p, uint8_t *base)
{
    uint64_t at = 0;

    p->a.work = take(base, &at, p->kept);
    p->a.more = take(base, &at, p->more);
    p->a.rest = take(base, &at, p->rest);
    p->a.count = (uint32_t *)take(base, &at, p->counts);
    return at;
}

int cw_transpose_by_pages(const cw_transpose_job *job, int cuda, int steps)
{
    struct plan p;

    if (job->bytes > 16u || (job->bytes & (job->bytes - 1u)) || job->rows < 32u ||
        job->columns < 32u || job->rows > UINT32_MAX / 2u || job->columns > UINT32_MAX / 2u ||
        job->rows / 32u + 1u > UINT32_MAX / 2u / (job->columns + 64u))
        return CW_TRANSPOSE_NOT_BY_PAGES;
    p = plan_of(job, cuda, steps);
    if (!p.a.down || layout(&p, NULL) > MOST_WORK(cuda))
        return CW_TRANSPOSE_NOT_BY_PAGES;
    return p.spread ? CW_TRANSPOSE_SPREAD : CW_TRANSPOSE_TURNED;
}

uint64_t cw_transpose_pages_bytes(const cw_transpose_job *job, int cuda, int steps)
{
    struct plan p = plan_of(job, cuda, steps);

    return layout(&p, NULL);
}

/* Blocks of `spread`; 0: the GPU does not run enough of them at a time. */
static cw_status spread_blocks(struct cw_queue *q, const struct plan *p, struct cw_launch *l)
{
    const uint64_t tiles = (uint64_t)p->a.down * p->a.across;
    const cw_status status = q->resident(q, l, &l->blocks);

    if (l->blocks < p->a.across)
        l->blocks = 0;
    else if (l->blocks > tiles)
        l->blocks = (uint32_t)tiles;
    return status;
}

/* Transpose tiles, each where it stands or spread over the output's rows. */
static cw_status tiles(struct cw_queue *q, const struct plan *p, int *done)
{
    static const enum cw_kernel turn[] = BY_SIZE(turn), spread[] = BY_SIZE(spread);
    struct cw_launch l = {turn[p->log], 0, TRANSPOSE_THREADS, 0, &p->a, 0};
    cw_status status = CW_OK;

    *done = 1;
    l.shared = (uint32_t)(p->side * (p->side + 1u) * TRANSPOSE_WORD(p->log));
    l.blocks = (uint32_t)((p->a.rows + p->side - 1u) / p->side *
                          ((p->a.columns + p->side - 1u) / p->side));
    if (p->spread) {
        const uint64_t first = ((uint64_t)p->a.down << p->a.log) * p->a.columns << p->log;

        l.kernel = spread[p->log];
        l.shared += 16u;
        l.cooperative = 1;
        status = spread_blocks(q, p, &l);
        if (!status && !l.blocks)
            *done = 0;
        if (status || !*done)
            return status;
        status = q->clear(q, p->a.count, (p->a.down + 1u) * sizeof(uint32_t));
        if (!status && p->rest)
            status = q->copy(q, p->a.rest, (uint8_t *)p->a.data + first,
                             ((p->a.rows * p->a.columns) << p->log) - first);
    }
    return status ? status : q->launch(q, &l);
}

cw_status cw_transpose_pages(struct cw_queue *q, const cw_transpose_job *job, void *data, int cuda,
                             int steps, void *workspace, int *done)
{
    static const enum cw_kernel pages[] = BY_SIZE(pages), rest[] = BY_SIZE(rest);
    const unsigned warps = TRANSPOSE_THREADS / 32u;
    struct plan p = plan_of(job, cuda, steps);
    struct cw_launch l = {pages[p.log], 0, TRANSPOSE_THREADS, 0, &p.a, 0};
    cw_status status;

    p.a.data = data;
    (void)layout(&p, (uint8_t *)workspace);
    status = tiles(q, &p, done);
    l.blocks = (p.a.groups + (p.a.pages + 31u) / 32u + warps - 1u) / warps;
    if (!status && *done)
        status = q->launch(q, &l);
    if (status || !*done || !p.rest)
        return status;
    l.kernel = rest[p.log];
    l.blocks = (uint32_t)((p.a.columns + p.side - 1u) / p.side);
    l.shared = (uint32_t)(p.side * (p.side + 1u) * TRANSPOSE_WORD(p.log));
    return q->launch(q, &l);
}
