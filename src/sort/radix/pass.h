/* pass.h - the kernels of a pass of the MSD radix sort, in the order of their launches.
 *
 *      histogram       of chunks: how many items have each digit; the range of keys                    radix/chunks.h
 *      scan            stable sorts: counts of a bucket's chunks are added up in order                 radix/chunks.h
 *      classify        of buckets: where bins start, and what becomes of them
 *      scatter         of chunks: items go to their bins in the other buffer, by write-combining
 *                      queues
 *      stable          pairs: the same in order, by tiles that blocks take by tickets               radix/scatter_stable.h
 *      scatter_tiles   the same in order by one block, for chunks that queues do not suit; copies
 *                      buckets of equal keys
 *
 * The first pass of keys alone has such kernels by a splitter tree, too (_tree).  Before the passes
 * comes radix/begin.h, after them radix/medium_buckets.h and radix/local_sort.h.
 */
#ifndef CW_SORT_RADIX_PASS_H
#define CW_SORT_RADIX_PASS_H

#include "sort/radix/begin.h"
#include "sort/radix/chunks.h"
#include "sort/radix/copy.h"

/* Shared memory of the kernels that move by queues (prim/scatter_combining.h), without and with the
 * table of splitters/tree_build.h. */
struct queues_head {
    struct radix_misc misc;
    uint32_t bins[RADIX_BINS]; /* the queue of each: its head above, how many wait below */
    union {
        uint64_t base[RADIX_BINS];     /* where the next item of each bin goes */
        uint32_t lines[RADIX_BINS][4]; /* later: lines to be written */
    } u;
};

struct queues_shared {
    struct queues_head head;
    uint8_t queues[RADIX_QUEUES];
};

#if RADIX_COUNTS
struct queues_tree_shared {
    struct queues_head head;
    uint8_t queues[RADIX_TREE_QUEUES];
    uint32_t tree[RADIX_TREE_ROOM];
};

struct tile_tree_shared {
    struct tile_alone tile;
    uint32_t tree[RADIX_TREE_ROOM];
};

#define MOVE_TREE SHARED_AT(queues_tree_shared, tree)
#define TILE_TREE SHARED_AT(tile_tree_shared, tree)
#endif

STATIC_ASSERT(SHARED_AT(queues_head, bins) == SH_BINS &&
                  SHARED_AT(queues_head, u.base) == SH_BASE &&
                  SHARED_AT(queues_shared, queues) == QUEUE_AT &&
                  sizeof(struct queues_shared) == QUEUE_BYTES,
              "prim/scatter_combining.h has another layout");

/* Find the range of a bucket's keys from those of its chunks.  It goes to MISC_LESS and
 * MISC_DIFFER. */
DEV void range_of_bucket(const struct radix_job *j, const struct radix_bucket *p)
{
    struct key_range r;

    range_begin(&r);
    ROLL for (uint32_t c = THREAD_ID; c < p->chunks; c += BLOCK_DIM)
    {
        const key a = (key)gm_ld8(&j->chunk_keys[RADIX_CHUNK_KEYS * (p->first + c)]);
        const key b = (key)gm_ld8(&j->chunk_keys[RADIX_CHUNK_KEYS * (p->first + c) + 1u]);

        r.least = a < r.least ? a : r.least;
        r.most = b > r.most ? b : r.most;
#if RADIX_COUNTS
        r.differ |= (key)gm_ld8(&j->chunk_keys[RADIX_CHUNK_KEYS * (p->first + c) + 2u]);
#endif
    }
    range_of_block(r, SH_ITEMS);
}

/* Clear the bins of the next pass.  They stand where those of the pass before this one did. */
DEV void clear_starts(const struct radix_job *j)
{
    const uint32_t next = (~j->pass & 1u) * j->start_room;

    ROLL for (uint32_t i = BLOCK_ID * BLOCK_DIM + THREAD_ID; i < j->start_room;
              i += GRID_DIM * BLOCK_DIM) count_store(j->starts, next + i, j->wide, 0);
}

/* A thread for each bin.  A multiprocessor has three blocks, so that one works while another waits.
 */
#define CLASSIFY_THREADS ((RADIX_BINS + 31u) / 32u * 32u)

KERNEL(RADIX_NAME(classify), struct radix_job, CLASSIFY_THREADS, 3)
{
    struct radix_pass *const now = &arg->state->pass[arg->pass];
    const uint32_t side = arg->pass & 1u;
    const uint32_t buckets = least4(gm_ld4(&now->buckets), (uint32_t)arg->most_buckets);

    if (buckets && arg->pass && arg->pass + 1u < arg->passes)
        clear_starts(arg);
    ROLL for (uint32_t i = BLOCK_ID; i < buckets; i += GRID_DIM)
    {
        struct radix_bucket p = arg->buckets[side][i];
        struct radix_bucket q;
        uint32_t action = BUCKET_SPLIT;
        uint64_t least = 0;
        uint64_t most = 0;
        uint64_t len = 0;
        uint32_t start;

        if (p.last) {
            range_of_bucket(arg, &p);
            least = sh_ld8(SH_MISC + MISC_LESS);
            most = sh_ld8(SH_MISC + MISC_GREATEST);
        }
        if (least == most)
            action = p.at == AT_OUT ? BUCKET_STAYS : BUCKET_COPY;
#if RADIX_COUNTS
        else if (write_out_sparse(arg, &p, least, most))
            action = BUCKET_WRITTEN;
#endif
        else if (arg->pass + 1u < arg->passes && !p.tree && narrow(&p, least, most))
            action = BUCKET_STAYS;
        if (THREAD_ID == 0) {
#if RADIX_COUNTS
            if (action == BUCKET_COPY && write_out_equal(arg, &p, p.last ? least : p.lo))
                action = BUCKET_STAYS;
#endif
            gm_st4(&arg->buckets[side][i].action, action);
            if (action == BUCKET_COPY && p.last == 0)
                list_chunks(arg, &p);
            if (action == BUCKET_STAYS && least != most) {
                q = p;
                give_to_next(arg, &q, UINT64_MAX);
            }
        }
        block_sync();
        if (action != BUCKET_SPLIT)
            continue;
        start = starts_of(arg, &arg->buckets[side][i]) + THREAD_ID;
        if (THREAD_ID < p.bins)
            len = count_load(arg->starts, start, arg->wide);
        place_bins(len, p.start, p.bins);
        if (THREAD_ID < p.bins) {
            bucket_of_bin(arg, &q, &p, THREAD_ID, len);
            count_store(arg->starts, start, arg->wide, q.start);
#if RADIX_COUNTS
            if (p.tree && len && gm_ld4(&arg->tree_counted[THREAD_ID]) != NO_COUNTER) {
                write_out_add(arg, &q, 0, gm_ld4(&arg->tree_counted[THREAD_ID]), 1);
                q.action = BUCKET_WRITTEN;
            }
#endif
        } else {
            q.start = 0;
            q.at = 0;
        }
        if (settle_bins(arg, &p, &q) == BIN_BUCKET)
            give_to_next(arg, &q, p.len);
        block_sync();
    }
    leave_decide(arg);
}

/* Take the next chunk of the pass, number *c, and its bucket.  Returns 0 if there is none. */
DEV int next_chunk(const struct radix_job *j, uint32_t *taken, struct radix_bucket *p, uint32_t *c)
{
    struct radix_pass *const now = &j->state->pass[j->pass];
    const uint32_t side = j->pass & 1u;

    *c = take_number(taken);
    if (*c >= gm_ld4(&now->chunks))
        return 0;
    *p = j->buckets[side][gm_ld4(&j->chunk_bucket[side][*c])];
    return 1;
}

/* Where the chunk's items of each bin go: to SH_BASE. */
DEV void chunk_bases(const struct radix_job *j, const struct radix_bucket *p, uint32_t c)
{
    const uint32_t start = starts_of(j, p), count = counts_of(p, c);

    ROLL for (uint32_t b = THREAD_ID; b < p->bins; b += BLOCK_DIM)
    {
        sh_st8(SH_BASE + 8u * b, count_load(j->starts, start + b, j->wide) +
                                     count_load(j->counts, count + b, j->wide));
    }
    block_sync();
}

DEV void move_chunks(const struct radix_job *j, int mapped, int open, uint32_t queues)
{
    struct radix_bucket p;
    uint32_t c;

    ROLL while (next_chunk(j, &j->state->pass[j->pass].moved, &p, &c))
    {
        const uint64_t from = chunk_start(j, &p, c - p.first);
        const uint64_t to = chunk_start(j, &p, c - p.first + 1u);
        struct digit d = digit_of_bucket(j, &p, open);

        d.mapped = mapped;
        if (p.action != BUCKET_SPLIT || gm_ld4(&j->chunk_way[c]) != WAY_QUEUES)
            continue;
        chunk_bases(j, &p, c);
        queue_range(j, p.at, from, to, d, p.bins, queues);
    }
}

KERNEL(RADIX_NAME(scatter), struct radix_job, RADIX_THREADS, RADIX_BLOCKS)
{
    if (!tree_takes(arg))
        move_chunks(arg, 1, 0, RADIX_QUEUES);
}

KERNEL(RADIX_NAME(scatter_plain), struct radix_job, RADIX_THREADS, RADIX_BLOCKS)
{
    if (!tree_takes(arg))
        move_chunks(arg, 0, 0, RADIX_QUEUES);
}

/* Take the next chunk, number *c, of those that do not go by queues, and its bucket.  Returns 0 if
 * there is none. */
DEV int next_crowded(const struct radix_job *j, struct radix_bucket *p, uint32_t *c)
{
    struct radix_pass *const now = &j->state->pass[j->pass];
    const uint32_t side = j->pass & 1u;
    const uint32_t i = gm_ld4(&now->crowded) ? take_number(&now->tiled) : 0u;

    if (i >= gm_ld4(&now->crowded))
        return 0;
    *c = gm_ld4(&j->crowded[i]);
    *p = j->buckets[side][gm_ld4(&j->chunk_bucket[side][*c])];
    return 1;
}

#if RADIX_COUNTS
/* All chunks of the first pass by a tree, but for those that go by tiles. */
DEV void move_tree_chunks(const struct radix_job *j, struct digit d)
{
    struct radix_bucket p;
    uint32_t c;

    ROLL while (next_chunk(j, &j->state->pass[j->pass].moved, &p, &c))
    {
        const uint64_t from = chunk_start(j, &p, c - p.first);
        const uint64_t to = chunk_start(j, &p, c - p.first + 1u);

        if (p.action != BUCKET_SPLIT || gm_ld4(&j->chunk_way[c]) != WAY_QUEUES)
            continue;
        chunk_bases(j, &p, c);
        queue_range_of(j, p.at, from, to, d, p.bins, RADIX_TREE_QUEUES, RADIX_TREE_ITEMS);
    }
}

KERNEL(RADIX_NAME(scatter_tree), struct radix_job, RADIX_THREADS, 1024 / RADIX_THREADS)
{
    struct digit d;

    if (!tree_used(arg)) {
        if (pass_open(arg))
            move_chunks(arg, 1, 1, RADIX_TREE_QUEUES);
        else if (arg->both)
            move_chunks(arg, 1, 0, RADIX_TREE_QUEUES);
        return;
    }
    d = tree_digit(arg, MOVE_TREE);
    d.mapped = 0; /* a constant in each */
    if (arg->map.plain) {
        move_tree_chunks(arg, d);
    } else {
        d.mapped = 1;
        move_tree_chunks(arg, d);
    }
}
#endif

/* `tree`: 0, or where the table of the first pass's digit comes to. */
DEV void tile_chunks(const struct radix_job *j, uint32_t tree, int open)
{
    struct digit d;
    struct radix_bucket p;
    uint32_t c;

#if RADIX_COUNTS
    if (tree)
        d = tree_digit(j, tree);
#endif
    ROLL while (next_crowded(j, &p, &c))
    {
        const uint64_t from = chunk_start(j, &p, c - p.first);
        const uint64_t to = chunk_start(j, &p, c - p.first + 1u);

        if (!tree)
            d = digit_of_bucket(j, &p, open);
        if (p.action == BUCKET_COPY)
            copy_range(j, p.at, (uint32_t)AT_OUT, from, to);
        if (p.action != BUCKET_SPLIT || gm_ld4(&j->chunk_way[c]) != WAY_TILES)
            continue;
        chunk_bases(j, &p, c);
        tile_range_of(j, p.at, from, to, d, p.bins, TILE_THREADS, TILE_PER, 1);
    }
}

KERNEL(RADIX_NAME(scatter_tiles), struct radix_job, TILE_THREADS, TILE_BLOCKS)
{
    if (!tree_takes(arg))
        tile_chunks(arg, 0, 0);
}

#if RADIX_COUNTS
KERNEL(RADIX_NAME(scatter_tiles_tree), struct radix_job, TILE_THREADS, TILE_BLOCKS)
{
    if (tree_used(arg))
        tile_chunks(arg, TILE_TREE, 0);
    else if (pass_open(arg))
        tile_chunks(arg, 0, 1);
    else if (arg->both)
        tile_chunks(arg, 0, 0);
}
#endif

#endif
