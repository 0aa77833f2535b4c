/* plan.c - which kernels sort a batch of rows, and where they keep what.
 *
 *      words     4 bytes   keys of up to 4, or an index of keys of up to 2
 *                8 bytes   keys of 8; keys of up to 4 with values or an index
 *               16 bytes   keys of 8 with values or an index
 *
 * Values travel in the word if they fit there and order among equals is free; otherwise the key's
 * place does, and values are fetched by it.  Unless conflicts are forbidden, long rows of 4-byte keys
 * with an index or values are sorted by words of 4 bytes (rows/index_payload.h).
 *
 * Workspace, each part on 256 bytes:
 *
 *      counts, lists    with offsets: rows by class.  Class c has at most items / (2^(c-1) + 1) rows.
 *      part_rows        with offsets: the row of each part (rows/parts.h)
 *      words            of rows in parts, each filled up to a whole number of parts
 *      values           all of them, when an index of such rows fetches them
 */
#include "rows/plan.h"

#include <string.h>

#include "rows/job.h"
#include "tuning/rows.h"
#include "base/status.h"

#define ALIGN 256u

/* A kernel for a class of rows. */
struct shape {
    enum cw_kernel any, full;
    uint32_t threads, blocks;
    enum cw_kernel three; /* of up to three quarters as many keys */
};

struct words {
    uint32_t bytes, log_k, last; /* last: the longest class that has a kernel */
    enum cw_kernel parts, step, merge;
    struct shape shape[CW_ROWS_CLASSES];
};

/* clang-format off */
#define SHORT_U32(log_n, shuffles, mads) \
    [log_n] = {CW_KERNEL_cw_rows_u32_any, CW_KERNEL_cw_rows_u32_full, \
               32 * CW_ROWS_WARPS, CW_ROWS_U32_BLOCKS, CW_KERNEL_cw_rows_u32_any},
#define SHORT_U64(log_n, shuffles, mads) \
    [log_n] = {CW_KERNEL_cw_rows_u64_any, CW_KERNEL_cw_rows_u64_full, \
               32 * CW_ROWS_WARPS, CW_ROWS_U64_BLOCKS, CW_KERNEL_cw_rows_u64_any},
#define SHORT_U128(log_n, shuffles, mads) \
    [log_n] = {CW_KERNEL_cw_rows_u128_any, CW_KERNEL_COUNT, \
               32 * CW_ROWS_WARPS, CW_ROWS_U128_BLOCKS, CW_KERNEL_cw_rows_u128_any},
#define LONG_U32(log_n, shuffles, mads, threads, blocks) \
    [log_n] = {CW_KERNEL_cw_rows_u32_any_##log_n, CW_KERNEL_cw_rows_u32_full_##log_n, threads, blocks, \
               CW_KERNEL_cw_rows_u32_three_##log_n},
#define LONG_U64(log_n, shuffles, mads, threads, blocks) \
    [log_n] = {CW_KERNEL_cw_rows_u64_any_##log_n, CW_KERNEL_cw_rows_u64_full_##log_n, threads, blocks, \
               CW_KERNEL_cw_rows_u64_three_##log_n},
#define LONG_U128(log_n, shuffles, mads, threads, blocks) \
    [log_n] = {CW_KERNEL_cw_rows_u128_any_##log_n, CW_KERNEL_COUNT, threads, blocks, \
               CW_KERNEL_cw_rows_u128_three_##log_n},

static const struct words all_words[] = {
    {4, CW_ROWS_U32_LOG_K, CW_ROWS_U32_LAST, CW_KERNEL_cw_rows_u32_parts, CW_KERNEL_cw_rows_u32_step,
     CW_KERNEL_cw_rows_u32_merge, {CW_ROWS_U32(SHORT_U32, LONG_U32)}},
    {8, CW_ROWS_U64_LOG_K, CW_ROWS_U64_LAST, CW_KERNEL_cw_rows_u64_parts, CW_KERNEL_cw_rows_u64_step,
     CW_KERNEL_cw_rows_u64_merge, {CW_ROWS_U64(SHORT_U64, LONG_U64)}},
    {16, CW_ROWS_U128_LOG_K, CW_ROWS_U128_LAST, CW_KERNEL_cw_rows_u128_parts, CW_KERNEL_cw_rows_u128_step,
     CW_KERNEL_cw_rows_u128_merge, {CW_ROWS_U128(SHORT_U128, LONG_U128)}},
};
/* clang-format on */

static const struct words *words_of(const cw_rows *job)
{
    const size_t bytes = cw_type_bytes(job->type);

    if (!job->value_bytes && !job->index_out)
        return &all_words[bytes == 8];
    if (!job->value_bytes && bytes <= 2 && job->length <= 65536u)
        return &all_words[0]; /* a place has 16 bits there */
    return &all_words[bytes == 8 ? 2 : 1];
}

static enum cw_rows_form form_of(const cw_rows *job, const struct words *w)
{
    if (!job->value_bytes && !job->index_out)
        return CW_ROWS_KEYS;
    if (job->index_out || job->flags & CW_STABLE || job->value_bytes > w->bytes / 2)
        return CW_ROWS_INDEX;
    return CW_ROWS_PAIRS;
}

/* Whether rows of class c are sorted by rows/index_payload.h. */
static int by_places(const cw_rows *job, uint32_t c)
{
    if (job->flags & CW_CONFLICT_FREE || cw_type_bytes(job->type) != 4)
        return 0;
    return (job->value_bytes || job->index_out) && c >= CW_ROWS_PLACES_FIRST &&
           c <= CW_ROWS_PLACES_LAST;
}

static uint32_t class_of(uint64_t length)
{
    uint32_t c = 1;

    while ((uint64_t)1 << c < length)
        c++;
    return c;
}

/* Whether a row of class c has a network of three quarters of its places (rows/short.h). */
static int is_three(const cw_rows *job, const struct words *w, uint32_t c, uint64_t length)
{
    return c >= w->log_k && (c <= w->last || by_places(job, c)) && length <= (uint64_t)3 << c >> 2;
}

/* Rows of higher classes are sorted in parts. */
static uint32_t top_class(const cw_rows *job, const struct words *w)
{
    return by_places(job, CW_ROWS_PLACES_LAST) ? CW_ROWS_PLACES_LAST : w->last;
}

/* Parts of a row, and the levels that merge them. */
static uint64_t parts_of(const struct words *w, uint64_t length)
{
    return (length + ((uint64_t)1 << w->last) - 1u) >> w->last;
}

/* Whether rows by offsets are all sorted as the longest would be: none is longer than two lanes hold,
 * and sorting places that hold nothing costs less than lists. */
static int is_unlisted(const cw_rows *job, const struct words *w)
{
    return job->offsets && class_of(job->length) <= w->log_k + 1u;
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* Full rows are plain words of their own that can be moved 16 bytes at a time. */
static int can_be_full(const cw_rows *job, const struct words *w)
{
    const uintptr_t both = (uintptr_t)job->keys_in | (uintptr_t)job->keys_out;

    return form_of(job, w) == CW_ROWS_KEYS && cw_type_bytes(job->type) == w->bytes &&
           both % 16u == 0;
}

/* The first class with a list of full rows: those that have a warp or more. */
static uint32_t full_from(const cw_rows *job, const struct words *w)
{
    return can_be_full(job, w) ? w->log_k + 5u : CW_ROWS_CLASSES;
}

/* The fewest keys of a row of a list; 0 if the list has none. */
static uint64_t least(const cw_rows *job, uint32_t list)
{
    const struct words *const w = words_of(job);
    const uint32_t c = list % CW_ROWS_FULL;
    const uint64_t half = c ? (uint64_t)1 << (c - 1) : 0;
    const int three = is_three(job, w, c, half + 1u);

    if (!c || c > class_of(job->length) || c > top_class(job, w))
        return 0;
    if (list >= CW_ROWS_THREE)
        return three ? half + 1u : 0;
    if (list >= CW_ROWS_FULL) /* also when alignment, which is not known yet, might allow for it */
        return c <= w->last && c >= w->log_k + 5u && w->bytes == cw_type_bytes(job->type) &&
                       form_of(job, w) == CW_ROWS_KEYS
                   ? 2u * half
                   : 0;
    return c == 1 ? 1 : three ? half + half / 2u + 1u : half + 1u;
}

/* Rows that a list can have. */
static uint64_t room(const cw_rows *job, uint32_t list)
{
    const uint64_t keys = least(job, list);

    if (!job->offsets)
        return list == class_of(job->length) ? job->rows : 0;
    if (!keys || is_unlisted(job, words_of(job)))
        return 0;
    return job->items / keys < job->rows ? job->items / keys : job->rows;
}

/* Rows in parts that there can be. */
static uint64_t long_room(const cw_rows *job)
{
    const uint32_t top = top_class(job, words_of(job));
    const uint64_t fits = job->items / (((uint64_t)1 << top) + 1u);

    if (class_of(job->length) <= top)
        return 0;
    return !job->offsets || job->rows < fits ? job->rows : fits;
}

/* Parts of them: full ones, and one more a row. */
static uint64_t parts_room(const cw_rows *job)
{
    const struct words *const w = words_of(job);
    const uint64_t rows = long_room(job);

    if (!job->offsets || !rows)
        return rows * parts_of(w, job->length);
    return (job->items >> w->last) + rows;
}

struct layout {
    size_t counts, lists, part_rows, words, values, end; /* where each begins */
    uint64_t list_at[CW_ROWS_LISTS + 1];
};

/* One part of the workspace more: its place; the end becomes SIZE_MAX if it is past all numbers. */
static size_t part(size_t *end, uint64_t count, uint64_t bytes)
{
    const size_t at = *end;

    if (at == SIZE_MAX || (count && bytes > (SIZE_MAX - at - ALIGN) / count)) {
        *end = SIZE_MAX;
        return 0;
    }
    *end = at + (size_t)(count * bytes + ALIGN - 1u) / ALIGN * ALIGN;
    return at;
}

static struct layout layout_of(const cw_rows *job)
{
    const struct words *const w = words_of(job);
    const uint64_t parts = parts_room(job);
    struct layout l = {0};

    for (uint32_t list = 0; list < CW_ROWS_LISTS; list++) {
        const uint64_t entries = list < CW_ROWS_PARTS    ? room(job, list)
                                 : list == CW_ROWS_PARTS ? parts
                                                         : 2u * long_room(job);

        l.list_at[list + 1] = l.list_at[list] + entries;
    }
    if (job->offsets && !is_unlisted(job, w)) {
        l.counts = part(&l.end, CW_ROWS_LISTS, sizeof(uint32_t));
        l.lists = part(&l.end, l.list_at[CW_ROWS_LISTS], sizeof(uint64_t));
        l.part_rows = part(&l.end, parts, sizeof(uint64_t));
    }
    l.words = part(&l.end, parts, (uint64_t)w->bytes << w->last);
    if (parts && job->value_bytes && form_of(job, w) == CW_ROWS_INDEX)
        l.values =
            part(&l.end, job->offsets ? job->items : job->rows * job->length, job->value_bytes);
    return l;
}

size_t cw_rows_workspace(const cw_rows *job)
{
    if (!job->rows || !job->length)
        return 0;
    return layout_of(job).end;
}

/* ---- launches ------------------------------------------------------------------------------- */

struct plan {
    struct cw_queue *q;
    const struct words *w;
    const struct layout *l;
    const cw_rows *job;
    struct cw_rows_arg arg;
};

static cw_status launch(struct plan *p, enum cw_kernel kernel, const struct shape *s,
                        uint64_t tiles)
{
    const struct cw_launch l = {kernel, (uint32_t)(tiles < 0x7fffffffu ? tiles : 0x7fffffffu),
                                s->threads, s->threads * ((p->w->bytes << p->w->log_k) + 16u),
                                &p->arg};

    return tiles ? p->q->launch(p->q, &l) : CW_OK;
}

static uint64_t tiles_of(const struct plan *p, const struct shape *s, uint64_t places)
{
    const uint64_t tile = (uint64_t)s->threads << p->w->log_k;

    return (places + tile - 1u) / tile;
}

/* Tiles of any rows; with offsets nobody knows how many there are, and blocks take turns. */
static cw_status launch_any(struct plan *p, enum cw_kernel kernel, const struct shape *s,
                            uint64_t places)
{
    const uint64_t most = (uint64_t)p->q->processors * s->blocks;
    const uint64_t tiles = tiles_of(p, s, places);

    return launch(p, kernel, s, p->job->offsets && tiles > most ? most : tiles);
}

/* A launch for all parts; with offsets nobody knows how many there are. */
static cw_status launch_parts(struct plan *p, enum cw_kernel kernel, uint32_t threads,
                              uint32_t shared, uint64_t blocks, uint32_t held)
{
    const uint64_t most = p->job->offsets ? (uint64_t)p->q->processors * held : 0x7fffffffu;
    const struct cw_launch l = {kernel, (uint32_t)(blocks < most ? blocks : most), threads, shared,
                                &p->arg};

    return p->q->launch(p->q, &l);
}

/* Level m: steps between parts, three at a time, and those inside each. */
static cw_status merge_parts(struct plan *p, uint32_t m, uint64_t parts)
{
    const struct shape *const s = &p->w->shape[p->w->last];
    const uint32_t shared = s->threads * ((p->w->bytes << p->w->log_k) + 16u);
    cw_status status = CW_OK;

    p->arg.level = m;
    for (uint32_t left = m; left && !status;) {
        p->arg.steps = left < 3 ? left : 3;
        p->arg.mirror = left == m;
        left -= p->arg.steps;
        p->arg.low = left;
        status = launch_parts(p, p->w->step, 256, 0, parts * 32u, 16);
    }
    return status ? status : launch_parts(p, p->w->merge, s->threads, shared, parts, s->blocks);
}

/* Rows longer than any kernel's: parts to words, then merge 2, 4, .. of them. */
static cw_status sort_parts(struct plan *p)
{
    const struct shape *const s = &p->w->shape[p->w->last];
    const uint32_t shared = s->threads * ((p->w->bytes << p->w->log_k) + 16u);
    const uint64_t parts = parts_room(p->job);
    cw_status status = CW_OK;

    if (!parts)
        return CW_OK;
    if (p->job->offsets)
        status = launch_parts(p, CW_KERNEL_cw_rows_list_parts, 256, 0, long_room(p->job), 4);
    if (!status)
        status = launch_parts(p, p->w->parts, s->threads, shared, parts, s->blocks);
    for (uint32_t m = 1; parts_of(p->w, p->job->length) > (uint64_t)1 << (m - 1) && !status; m++)
        status = merge_parts(p, m, parts);
    return status;
}

/* Rows of class c, one a block. */
static cw_status sort_places(struct plan *p, uint32_t c, int three, uint64_t rows)
{
#define PLACES(log_n, shuffles, mads, blocks) \
    [log_n] = {CW_KERNEL_cw_rows_index_##log_n, CW_KERNEL_cw_rows_index_three_##log_n},
    static const enum cw_kernel kernels[][2] = {CW_ROWS_PLACES(PLACES)};
#undef PLACES
#define PLACES(log_n, shuffles, mads, blocks) [log_n] = blocks,
    static const uint32_t held[] = {CW_ROWS_PLACES(PLACES)};
#undef PLACES
    const uint64_t most = p->job->offsets ? 4u * (uint64_t)p->q->processors * held[c] : 0x7fffffffu;
    const uint32_t threads = 1u << (c - 5);
    const struct cw_launch l = {kernels[c][three], (uint32_t)(rows < most ? rows : most), threads,
                                (6u << c) + 20u * threads, &p->arg};

    return rows ? p->q->launch(p->q, &l) : CW_OK;
}

/* The same by offsets. */
static cw_status sort_places_mixed(struct plan *p, uint32_t c)
{
    const cw_status status = sort_places(p, c, 0, room(p->job, c));

    return status ? status : sort_places(p, c, 1, room(p->job, CW_ROWS_THREE + c));
}

/* Rows of mixed lengths that are of class c and have kernels of their own, full ones first. */
static cw_status sort_class(struct plan *p, uint32_t c)
{
    const struct shape *const s = &p->w->shape[c < p->w->last ? c : p->w->last];
    cw_status status = CW_OK;

    if (by_places(p->job, c))
        return sort_places_mixed(p, c);
    if (c <= p->w->last && c >= p->arg.full)
        status = launch(p, s->full, s, room(p->job, CW_ROWS_FULL + c));
    if (!status && room(p->job, CW_ROWS_THREE + c))
        status = launch_any(p, s->three, s, room(p->job, CW_ROWS_THREE + c) << c);
    if (status || !room(p->job, c))
        return status;
    return launch_any(p, s->any, s, room(p->job, c) << c);
}

/* Rows of one length: whole tiles of full ones, then any others. */
static cw_status sort_equal(struct plan *p, uint32_t c)
{
    const struct shape *const s = &p->w->shape[c < p->w->last ? c : p->w->last];
    const size_t bytes = cw_type_bytes(p->job->type);
    cw_status status = CW_OK;

    if (by_places(p->job, c))
        return sort_places(p, c, is_three(p->job, p->w, c, p->job->length), p->job->rows);
    if (c > p->w->last)
        return sort_parts(p);
    p->arg.only = is_three(p->job, p->w, c, p->job->length) ? CW_ROWS_THREE + c : c;
    if (can_be_full(p->job, p->w) && p->job->length == (size_t)1 << c) {
        const uint64_t tile_rows = ((uint64_t)s->threads << p->w->log_k) >> c;
        const uint64_t rows = p->arg.rows / tile_rows * tile_rows;

        status = launch(p, s->full, s, rows / tile_rows);
        p->arg.rows -= rows;
        p->arg.keys_in = (const char *)p->arg.keys_in + rows * p->job->length * bytes;
        p->arg.keys_out = (char *)p->arg.keys_out + rows * p->job->length * bytes;
    }
    if (is_three(p->job, p->w, c, p->job->length))
        return launch_any(p, s->three, s, p->arg.rows << c);
    return status ? status : launch_any(p, s->any, s, p->arg.rows << c);
}

/* All classes that share a kernel.  Full rows of all of them have no more places than there are items,
 * and one tile of each class may have rows that are missing. */
static cw_status sort_short(struct plan *p, uint32_t top)
{
    const struct shape *const s = &p->w->shape[1];
    uint64_t places = 0;
    cw_status status = CW_OK;

    p->arg.only = 0;
    if (top >= p->arg.full)
        status = launch(p, s->full, s, tiles_of(p, s, p->job->items) + top - p->arg.full + 1u);
    for (uint32_t c = 1; c <= top; c++)
        places += (room(p->job, c) + room(p->job, CW_ROWS_THREE + c)) << c;
    return status ? status : launch_any(p, s->any, s, places);
}

/* Rows by offsets that need no lists. */
static cw_status sort_unlisted(struct plan *p)
{
    const uint32_t c = class_of(p->job->length);
    const struct shape *const s = &p->w->shape[c];

    p->arg.only = is_three(p->job, p->w, c, p->job->length) ? CW_ROWS_THREE + c : c;
    return launch(p, s->any, s, tiles_of(p, s, (uint64_t)p->job->rows << c));
}

static cw_status sort_mixed(struct plan *p)
{
    const uint32_t longest = class_of(p->job->length);
    const uint32_t most = longest < p->arg.top ? longest : p->arg.top;
    const uint32_t shared = p->w->log_k + 5u; /* the last class of the kernel that many share */
    const uint32_t top = shared < longest ? shared : longest;
    const uint64_t blocks = (p->job->rows + 255u) / 256u;
    const struct cw_launch sift = {
        CW_KERNEL_cw_rows_classes,
        (uint32_t)(blocks < 8u * p->q->processors ? blocks : 8u * p->q->processors), 256, 0,
        &p->arg};
    cw_status status = p->q->clear(p->q, p->arg.counts, CW_ROWS_LISTS * sizeof(uint32_t));

    if (!status)
        status = p->q->launch(p->q, &sift);
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
    a->unlisted = (uint32_t)is_unlisted(job, p->w);
    a->items = job->items;
    a->rows = job->rows;
    a->length = job->length;
    for (uint32_t c = 1; c < CW_ROWS_CLASSES; c++)
        a->threes |= (uint32_t)is_three(job, p->w, c, 1) << c;
    a->full = full_from(job, p->w);
    a->last = p->w->last;
    a->top = top_class(job, p->w);
    a->parts = (uint32_t)parts_of(p->w, job->length);
    a->form = (uint32_t)form_of(job, p->w);
    a->value_bytes = (uint32_t)job->value_bytes;
    a->map = cw_key_map_of(job->type, (job->flags & CW_DESCENDING) != 0);
    a->one = 1;
    a->vectors = (uint32_t)can_be_full(job, p->w);
    if (workspace) {
        a->counts = (uint32_t *)(void *)(workspace + p->l->counts);
        a->lists = (uint64_t *)(void *)(workspace + p->l->lists);
        a->part_rows = (uint64_t *)(void *)(workspace + p->l->part_rows);
        a->words = workspace + p->l->words;
    }
    memcpy(a->list_at, p->l->list_at, sizeof a->list_at);
}

cw_status cw_rows_enqueue(struct cw_queue *q, const cw_rows *job, void *workspace)
{
    const struct layout l = layout_of(job);
    const size_t items = job->offsets ? job->items : job->rows * job->length;
    struct plan p = {.q = q, .w = words_of(job), .l = &l, .job = job};

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
    if (p.arg.unlisted)
        return sort_unlisted(&p);
    return job->offsets ? sort_mixed(&p) : sort_equal(&p, class_of(job->length));
}
