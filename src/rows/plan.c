/* plan.c - the launches that sort a batch of rows (rows/layout.h: how it is sorted).
 *
 * Rows of one length take one launch, or two if some are whole tiles of full rows.  With offsets
 * the rows are listed first, unless all are short.  Then every class that a row can have is
 * launched, the longest first.  Rows in parts take a launch for each pass over the words
 * (rows/parts.h).
 */
#include "rows/plan.h"

#include <string.h>

#include "rows/layout.h"
#include "tuning/rows.h"
#include "base/status.h"

/* ---- launches ------------------------------------------------------------------------------- */

struct plan {
    struct cw_queue *q;
    const struct cw_rows_words *w;
    const struct cw_rows_layout *l;
    const cw_rows *job;
    struct cw_rows_arg arg;
};

static cw_status launch(struct plan *p, enum cw_kernel kernel, const struct cw_rows_shape *s,
                        uint64_t tiles)
{
    const struct cw_launch l = {kernel, (uint32_t)(tiles < 0x7fffffffu ? tiles : 0x7fffffffu),
                                s->threads, CW_ROWS_SHARED(s->threads, p->w->bytes, p->w->log_k),
                                &p->arg};

    return tiles ? p->q->launch(p->q, &l) : CW_OK;
}

static uint64_t tiles_of(const struct plan *p, const struct cw_rows_shape *s, uint64_t places)
{
    const uint64_t tile = (uint64_t)s->threads << p->w->log_k;

    return (places + tile - 1u) / tile;
}

/* With offsets or a count nobody knows how many tiles there are. */
static int unknown(const struct plan *p)
{
    return p->job->offsets || p->job->count;
}

/* Sort tiles of any rows.  If nobody knows how many there are, blocks take tile after tile. */
static cw_status launch_any(struct plan *p, enum cw_kernel kernel, const struct cw_rows_shape *s,
                            uint64_t places)
{
    const uint64_t most = (uint64_t)p->q->processors * s->blocks;
    const uint64_t tiles = tiles_of(p, s, places);

    return launch(p, kernel, s, unknown(p) && tiles > most ? most : tiles);
}

/* Sort short rows that lie together, a warp's rows at a time. */
static cw_status launch_lanes(struct plan *p, const struct cw_rows_lane *lane)
{
    const uint32_t threads = 32 * CW_ROWS_WARPS;
    const uint64_t most = p->job->count ? (uint64_t)p->q->processors * lane->blocks : 0x7fffffffu;
    const uint64_t each = (uint64_t)threads * lane->rows;
    const uint64_t tiles = (p->arg.rows + each - 1u) / each;
    const struct cw_launch l = {lane->kernel, (uint32_t)(tiles < most ? tiles : most), threads,
                                CW_ROWS_WARPS * CW_ROWS_LANE_SHARED(lane->places * lane->rows),
                                &p->arg};

    p->arg.lanes = 1;
    return p->q->launch(p->q, &l);
}

/* A launch for all parts. */
static cw_status launch_parts(struct plan *p, enum cw_kernel kernel, uint32_t threads,
                              uint32_t shared, uint64_t blocks, uint32_t held)
{
    const uint64_t most = unknown(p) ? (uint64_t)p->q->processors * held : 0x7fffffffu;
    const struct cw_launch l = {kernel, (uint32_t)(blocks < most ? blocks : most), threads, shared,
                                &p->arg};

    return p->q->launch(p->q, &l);
}

/* Level m: steps between parts, three at a time, and those inside each. */
static cw_status merge_parts(struct plan *p, uint32_t m, uint64_t parts)
{
    const uint32_t chunks =
        (p->w->bytes << p->w->last) / (CW_ROWS_STEP_THREADS * 16u); /* 16 bytes a thread */
    const struct cw_rows_shape *const s = &p->w->shape[p->w->last];
    const uint32_t shared = CW_ROWS_SHARED(s->threads, p->w->bytes, p->w->log_k);
    cw_status status = CW_OK;

    p->arg.level = m;
    for (uint32_t left = m; left && !status;) {
        p->arg.steps = left < 3 ? left : 3;
        p->arg.mirror = left == m;
        left -= p->arg.steps;
        p->arg.low = left;
        status = launch_parts(p, p->w->step, CW_ROWS_STEP_THREADS, 0, parts * chunks, 16);
    }
    return status ? status : launch_parts(p, p->w->merge, s->threads, shared, parts, s->blocks);
}

/* Level m: a tile a block. */
static cw_status join_parts(struct plan *p, uint32_t m, uint64_t parts)
{
    const uint32_t threads = 1u << (p->w->join_log - p->w->log_k);
    void *const words = p->arg.words;
    cw_status status;

    p->arg.level = m;
    status = launch_parts(p, p->w->join, threads, CW_ROWS_SHARED(threads, p->w->bytes, p->w->log_k),
                          parts << (p->w->last - p->w->join_log), p->w->join_blocks);
    p->arg.words = p->arg.joined;
    p->arg.joined = words;
    return status;
}

/* Sort rows longer than any kernel takes: parts to words, then merge 2, 4, .. of them. */
static cw_status sort_parts(struct plan *p)
{
    const struct cw_rows_shape *const s = &p->w->shape[p->w->last];
    const uint32_t shared = CW_ROWS_SHARED(s->threads, p->w->bytes, p->w->log_k);
    const uint64_t parts = cw_rows_parts_room(p->job, p->w);
    cw_status status = CW_OK;

    if (!parts)
        return CW_OK;
    if (p->job->offsets)
        status = launch_parts(p, CW_KERNEL_cw_rows_list_parts, CW_ROWS_CLASS_THREADS, 0,
                              cw_rows_long_room(p->job, p->w), 4);
    if (!status)
        status = launch_parts(p, p->w->parts, s->threads, shared, parts, s->blocks);
    for (uint32_t m = 1; cw_rows_parts_of(p->w, p->job->length) > (uint64_t)1 << (m - 1) && !status;
         m++)
        status = cw_rows_is_joined(p->job) ? join_parts(p, m, parts) : merge_parts(p, m, parts);
    return status;
}

/* Sort rows of class c by an index, one a block. */
static cw_status sort_indexed(struct plan *p, uint32_t c, int three, uint64_t rows)
{
#define INDEXED(log_n, shuffles, mads, blocks) \
    [log_n] = {CW_KERNEL_cw_rows_index_##log_n, CW_KERNEL_cw_rows_index_three_##log_n},
    static const enum cw_kernel kernels[][2] = {CW_ROWS_INDEXED(INDEXED)};
#undef INDEXED
#define INDEXED(log_n, shuffles, mads, blocks) [log_n] = blocks,
    static const uint32_t held[] = {CW_ROWS_INDEXED(INDEXED)};
#undef INDEXED
    const uint64_t most = unknown(p) ? 4u * (uint64_t)p->q->processors * held[c] : 0x7fffffffu;
    const uint32_t threads = 1u << (c - 5);
    const int early = p->job->value_bytes == 4 && c <= CW_ROWS_INDEXED_EARLY;
    const struct cw_launch l = {kernels[c][three], (uint32_t)(rows < most ? rows : most), threads,
                                CW_ROWS_INDEXED_SHARED(c, early), &p->arg};

    p->arg.early = (uint32_t)early;
    return rows ? p->q->launch(p->q, &l) : CW_OK;
}

/* The same by offsets. */
static cw_status sort_indexed_mixed(struct plan *p, uint32_t c)
{
    const cw_status status = sort_indexed(p, c, 0, cw_rows_room(p->job, p->w, c));

    return status ? status : sort_indexed(p, c, 1, cw_rows_room(p->job, p->w, CW_ROWS_THREE + c));
}

/* Sort rows of class c, of mixed lengths, by kernels of their own; full rows first. */
static cw_status sort_class(struct plan *p, uint32_t c)
{
    const struct cw_rows_shape *const s = &p->w->shape[c < p->w->last ? c : p->w->last];
    cw_status status = CW_OK;

    if (cw_rows_by_index(p->job, p->w, c))
        return sort_indexed_mixed(p, c);
    if (c <= p->w->last && c >= p->arg.full)
        status = launch(p, s->full, s, cw_rows_room(p->job, p->w, CW_ROWS_FULL + c));
    if (!status && cw_rows_room(p->job, p->w, CW_ROWS_THREE + c))
        status = launch_any(p, s->three, s, cw_rows_room(p->job, p->w, CW_ROWS_THREE + c) << c);
    if (status || !cw_rows_room(p->job, p->w, c))
        return status;
    return launch_any(p, s->any, s, cw_rows_room(p->job, p->w, c) << c);
}

/* Sort rows of one length: whole tiles of full rows, then any others. */
static cw_status sort_equal(struct plan *p, uint32_t c)
{
    const struct cw_rows_shape *const s = &p->w->shape[c < p->w->last ? c : p->w->last];
    const size_t bytes = cw_type_bytes(p->job->type);
    const struct cw_rows_lane *const lane = cw_rows_lane(p->job, p->w);
    const int is_full =
        cw_rows_can_be_full(p->job, p->w) && p->job->length == (size_t)1 << c && !p->job->count;
    cw_status status = CW_OK;

    if (cw_rows_by_index(p->job, p->w, c))
        return sort_indexed(p, c, cw_rows_is_three(p->job, p->w, c, p->job->length), p->job->rows);
    if (lane && !is_full)
        return launch_lanes(p, lane);
    if (c > p->w->last)
        return sort_parts(p);
    p->arg.only = cw_rows_is_three(p->job, p->w, c, p->job->length) ? CW_ROWS_THREE + c : c;
    if (is_full) {
        const uint64_t tile_rows = ((uint64_t)s->threads << p->w->log_k) >> c;
        const uint64_t rows = p->arg.rows / tile_rows * tile_rows;

        status = launch(p, s->full, s, rows / tile_rows);
        p->arg.rows -= rows;
        p->arg.keys_in = (const char *)p->arg.keys_in + rows * p->job->length * bytes;
        p->arg.keys_out = (char *)p->arg.keys_out + rows * p->job->length * bytes;
    }
    if (cw_rows_is_five(p->job, p->w, c, p->job->length)) {
        const struct cw_rows_shape five = cw_rows_five(c);

        return launch_any(p, five.any, &five, p->arg.rows << c);
    }
    if (cw_rows_is_three(p->job, p->w, c, p->job->length))
        return launch_any(p, s->three, s, p->arg.rows << c);
    return status ? status : launch_any(p, s->any, s, p->arg.rows << c);
}

/* Sort all classes that share a kernel.  Full rows of all of them have no more places than there
 * are items.  One tile of each class may lack some rows. */
static cw_status sort_short(struct plan *p, uint32_t top)
{
    const struct cw_rows_shape *const s = &p->w->shape[1];
    uint64_t places = 0;
    cw_status status = CW_OK;

    p->arg.only = 0;
    if (top >= p->arg.full)
        status = launch(p, s->full, s, tiles_of(p, s, p->job->items) + top - p->arg.full + 1u);
    for (uint32_t c = 1; c <= top; c++)
        places += (cw_rows_room(p->job, p->w, c) + cw_rows_room(p->job, p->w, CW_ROWS_THREE + c))
                  << c;
    return status ? status : launch_any(p, s->any, s, places);
}

/* Sort rows by offsets that need no lists. */
static cw_status sort_unlisted(struct plan *p)
{
    const uint32_t c = cw_rows_class(p->job->length);
    const struct cw_rows_shape *const s = &p->w->shape[c];
    const struct cw_rows_lane *const lane = cw_rows_lane(p->job, p->w);

    if (lane)
        return launch_lanes(p, lane);
    p->arg.only = cw_rows_is_three(p->job, p->w, c, p->job->length) ? CW_ROWS_THREE + c : c;
    if (p->job->count)
        return launch_any(p, s->any, s, (uint64_t)p->job->rows << c);
    return launch(p, s->any, s, tiles_of(p, s, (uint64_t)p->job->rows << c));
}

static cw_status sort_mixed(struct plan *p)
{
    const uint32_t longest = cw_rows_class(p->job->length);
    const uint32_t most = longest < p->arg.top ? longest : p->arg.top;
    const uint32_t shared = p->w->log_k + 5u; /* the last class of the kernel that many share */
    const uint32_t top = shared < longest ? shared : longest;
    const uint64_t blocks = (p->job->rows + CW_ROWS_CLASS_THREADS - 1u) / CW_ROWS_CLASS_THREADS;
    const struct cw_launch classes = {
        CW_KERNEL_cw_rows_classes,
        (uint32_t)(blocks < 8u * p->q->processors ? blocks : 8u * p->q->processors),
        CW_ROWS_CLASS_THREADS, 0, &p->arg};
    cw_status status = p->q->clear(p->q, p->arg.counts, CW_ROWS_LISTS * sizeof(uint32_t));

    if (!status)
        status = p->q->launch(p->q, &classes);
    if (!status)
        status = sort_parts(p); /* the longest first */
    for (uint32_t c = most; c > top && !status; c--)
        status = sort_class(p, c);
    return status ? status : sort_short(p, top);
}

static void fill(struct plan *p, uint8_t *workspace)
{
    const cw_rows *const job = p->job;
    struct cw_rows_arg *const a = &p->arg;

    memset(a, 0, sizeof *a);
    a->keys_in = job->keys_in;
    a->keys_out = job->keys_out;
    a->values_in = job->values_in;
    a->values_out = job->values_out;
    a->index_out = job->index_out;
    a->offsets = job->offsets;
    a->offset_bytes = job->offset_bytes == 4 ? 4 : 8;
    a->ends = job->ends      ? job->ends
              : job->offsets ? (const char *)job->offsets + a->offset_bytes
                             : NULL;
    a->index_bytes = job->index_bytes == 8 ? 8 : 4;
    a->unlisted = (uint32_t)cw_rows_is_unlisted(job, p->w);
    a->items = job->items;
    a->rows = job->rows;
    a->count = job->count;
    a->count_bytes = job->count_bytes == 4 ? 4 : 8;
    a->length = job->length;
    for (uint32_t c = 1; c < CW_ROWS_CLASSES; c++)
        a->threes |= (uint32_t)cw_rows_is_three(job, p->w, c, 1) << c;
    a->full = cw_rows_full_from(job, p->w);
    a->last = p->w->last;
    a->top = cw_rows_top_class(job, p->w);
    a->parts = (uint32_t)cw_rows_parts_of(p->w, job->length);
    a->form = (uint32_t)cw_rows_form_of(job, p->w);
    a->value_bytes = (uint32_t)job->value_bytes;
    a->map = cw_key_map_of_rows(job);
    a->one = 1;
    a->vectors = (uint32_t)cw_rows_can_be_full(job, p->w);
    if (workspace) {
        a->counts = (uint32_t *)(void *)(workspace + p->l->counts);
        a->lists = (uint64_t *)(void *)(workspace + p->l->lists);
        a->part_rows = (uint64_t *)(void *)(workspace + p->l->part_rows);
        a->words = workspace + p->l->words;
        a->joined = workspace + p->l->joined;
    }
    memcpy(a->list_at, p->l->list_at, sizeof a->list_at);
}

cw_status cw_rows_enqueue(struct cw_queue *q, const cw_rows *job, void *workspace)
{
    const struct cw_rows_words *const w = cw_rows_words(job, q->shapes);
    const struct cw_rows_layout l = cw_rows_layout_of(job, w);
    const size_t items = job->offsets ? job->items : job->rows * job->length;
    struct plan p = {.q = q, .w = w, .l = &l, .job = job};

    if (!job->rows || !job->length || !items)
        return CW_OK;
    fill(&p, (uint8_t *)workspace);
    if (l.values) { /* rows in parts may be written while others of their values are still read */
        void *const kept = (uint8_t *)workspace + l.values;
        const cw_status status = q->copy(q, kept, job->values_in, items * job->value_bytes);

        if (status)
            return status;
        p.arg.values_kept = kept;
    }
    p.arg.keys_kept = job->keys_in;
    if (l.keys && job->keys_in == job->keys_out) {
        void *const kept = (uint8_t *)workspace + l.keys;
        const cw_status status = q->copy(q, kept, job->keys_in, items * cw_type_bytes(job->type));

        if (status)
            return status;
        p.arg.keys_kept = kept;
    }
    if (p.arg.unlisted)
        return sort_unlisted(&p);
    return job->offsets ? sort_mixed(&p) : sort_equal(&p, cw_rows_class(job->length));
}
