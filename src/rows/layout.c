/* layout.c - which words a batch of rows is sorted as, and what is where in the workspace.
 *
 *      words     4 bytes   keys of up to 4, or an index of keys of up to 2
 *                8 bytes   keys of 8; keys of up to 4 with values or an index
 *               16 bytes   keys of 8 with values or an index
 *
 * Values travel in the word if they fit there and order among equals is free; otherwise the key's
 * place does, and values are fetched by it.  Unless conflicts are forbidden, long rows of 4-byte
 * keys with an index or values are sorted by words of 4 bytes (rows/index_payload.h).
 *
 * Workspace, each part on 256 bytes:
 *
 *      counts, lists    with offsets: rows by class.  Class c has at most items / (2^(c-1) + 1)
 *                       rows.
 *      part_rows        with offsets: the row of each part (rows/parts.h)
 *      words            of rows in parts, each filled up to a whole number of parts
 *      joined           the same again, where runs of them are joined (rows/join.h)
 *      values           all of them, when an index of such rows fetches them
 */
#include "rows/layout.h"

#include "base/arena.h"
#include "tuning/rows.h"

#define ALIGN 256u

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

#define WORDS(bytes, word, WORD, small, indexed_last, suffix, SHORT, LONG) \
    {bytes, CW_ROWS_##WORD##_LOG_K, CW_ROWS_##WORD##_LAST - small, indexed_last, \
     CW_KERNEL_cw_rows_##word##_parts##suffix, CW_KERNEL_cw_rows_##word##_step##suffix, \
     CW_KERNEL_cw_rows_##word##_merge##suffix, CW_KERNEL_cw_rows_##word##_join, \
     CW_ROWS_##WORD##_JOIN, CW_ROWS_##WORD##_JOIN_BLOCKS, {CW_ROWS_##WORD(SHORT, LONG)}}

/* Of a GPU whose blocks have 227 KB of shared memory, and of one whose blocks have 99. */
static const struct cw_rows_words all_words[][3] = {
    {WORDS(4, u32, U32, 0, CW_ROWS_INDEXED_LAST, , SHORT_U32, LONG_U32),
     WORDS(8, u64, U64, 0, CW_ROWS_INDEXED_LAST, , SHORT_U64, LONG_U64),
     WORDS(16, u128, U128, 0, CW_ROWS_INDEXED_LAST, , SHORT_U128, LONG_U128)},
    {WORDS(4, u32, U32, 1, CW_ROWS_INDEXED_SMALL, _small, SHORT_U32, LONG_U32),
     WORDS(8, u64, U64, 1, CW_ROWS_INDEXED_SMALL, _small, SHORT_U64, LONG_U64),
     WORDS(16, u128, U128, 1, CW_ROWS_INDEXED_SMALL, _small, SHORT_U128, LONG_U128)},
};
/* clang-format on */

/* Keys alone: not if equal floats keep their order, which is seen by their bits. */
static int keys_alone(const cw_rows *job)
{
    return !job->value_bytes && !job->index_out && !cw_key_map_of_rows(job).tied;
}

const struct cw_rows_words *cw_rows_words(const cw_rows *job, enum cw_shapes shapes)
{
    const struct cw_rows_words *const all = all_words[shapes == CW_SHAPES_SMALL];
    const size_t bytes = cw_type_bytes(job->type);

    if (keys_alone(job))
        return &all[bytes == 8];
    if (!job->value_bytes && bytes <= 2 && job->length <= 65536u)
        return &all[0]; /* a place has 16 bits there */
    return &all[bytes == 8 ? 2 : 1];
}

enum cw_rows_form cw_rows_form_of(const cw_rows *job, const struct cw_rows_words *w)
{
    if (keys_alone(job))
        return CW_ROWS_KEYS;
    if (job->index_out || job->flags & CW_STABLE || job->value_bytes > w->bytes / 2)
        return CW_ROWS_INDEX;
    return CW_ROWS_PAIRS;
}

/* Whether rows of class c are sorted by rows/index_payload.h. */
int cw_rows_by_index(const cw_rows *job, const struct cw_rows_words *w, uint32_t c)
{
    if (job->flags & CW_CONFLICT_FREE || cw_type_bytes(job->type) != 4)
        return 0;
    return !keys_alone(job) && c >= CW_ROWS_INDEXED_FIRST && c <= w->indexed_last;
}

uint32_t cw_rows_class(uint64_t length)
{
    uint32_t c = 1;

    while ((uint64_t)1 << c < length)
        c++;
    return c;
}

/* Whether a row of class c has a network of three quarters of its places (rows/short.h). */
int cw_rows_is_three(const cw_rows *job, const struct cw_rows_words *w, uint32_t c, uint64_t length)
{
    return c >= w->log_k && (c <= w->last || cw_rows_by_index(job, w, c)) &&
           length <= (uint64_t)3 << c >> 2;
}

/* Are rows sorted by a network of five eighths of the places?  Only plain words of 4 bytes are, and
 * only if all rows have one length.  By offsets each class would need one list and launch more,
 * which costs rows of 2^k keys more than others gain. */
int cw_rows_is_five(const cw_rows *job, const struct cw_rows_words *w, uint32_t c, uint64_t length)
{
    if (w->bytes != 4 || cw_type_bytes(job->type) != 4 || cw_rows_form_of(job, w) != CW_ROWS_KEYS)
        return 0;
    return c >= CW_ROWS_FIVE_FIRST && c <= w->last && !job->offsets &&
           length <= (uint64_t)5 << c >> 3;
}

struct cw_rows_shape cw_rows_five(uint32_t c)
{
#define FIVE(log_n, mads, threads, blocks)                                           \
    [log_n] = {CW_KERNEL_cw_rows_u32_five_##log_n, CW_KERNEL_COUNT, threads, blocks, \
               CW_KERNEL_COUNT},
    static const struct cw_rows_shape all[] = {CW_ROWS_U32_FIVE(FIVE)};
#undef FIVE

    return all[c];
}

/* Words of 4 bytes that are keys, or of 8 that are keys with values or an index, all on 16 bytes. */
static int can_have_lanes(const cw_rows *job, const struct cw_rows_words *w)
{
    const uintptr_t all = (uintptr_t)job->keys_in | (uintptr_t)job->keys_out |
                          (uintptr_t)job->values_in | (uintptr_t)job->values_out |
                          (uintptr_t)job->index_out;
    const enum cw_rows_form form = cw_rows_form_of(job, w);
    const size_t value_bytes = form == CW_ROWS_PAIRS ? 4 : 0;

    return cw_type_bytes(job->type) == 4 && all % 16u == 0 && job->value_bytes == value_bytes &&
           w->bytes == (form == CW_ROWS_KEYS ? 4u : 8u);
}

const struct cw_rows_lane *cw_rows_lane(const cw_rows *job, const struct cw_rows_words *w)
{
#define LANE(places, rows, blocks, log_n, three) \
    {CW_KERNEL_cw_rows_u32_lane_##places, places, rows, blocks},
    static const struct cw_rows_lane keys[] = {CW_ROWS_U32_LANE(LANE)};
#undef LANE
#define LANE(places, rows, blocks, log_n, three) \
    {CW_KERNEL_cw_rows_u64_lane_##places, places, rows, blocks},
    static const struct cw_rows_lane pairs[] = {CW_ROWS_U64_LANE(LANE)};
#undef LANE
    const struct cw_rows_lane *const all = w->bytes == 4 ? keys : pairs;
    const size_t n = w->bytes == 4 ? sizeof keys / sizeof *keys : sizeof pairs / sizeof *pairs;

    if (!can_have_lanes(job, w) || job->length <= 4 ||
        (job->offsets && !cw_rows_is_unlisted(job, w)))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (job->length <= all[i].places)
            return &all[i];
    }
    return NULL;
}

/* Rows of higher classes are sorted in parts. */
uint32_t cw_rows_top_class(const cw_rows *job, const struct cw_rows_words *w)
{
    return cw_rows_by_index(job, w, w->indexed_last) ? w->indexed_last : w->last;
}

/* Parts of a row, and the levels that merge them. */
uint64_t cw_rows_parts_of(const struct cw_rows_words *w, uint64_t length)
{
    return (length + ((uint64_t)1 << w->last) - 1u) >> w->last;
}

/* Are all rows by offsets sorted as the longest would be?  They are if none is longer than two
 * lanes hold: sorting empty places costs less than lists. */
int cw_rows_is_unlisted(const cw_rows *job, const struct cw_rows_words *w)
{
    return job->offsets && cw_rows_class(job->length) <= w->log_k + 1u;
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* Full rows are plain words of their own that can be moved 16 bytes at a time. */
int cw_rows_can_be_full(const cw_rows *job, const struct cw_rows_words *w)
{
    const uintptr_t both = (uintptr_t)job->keys_in | (uintptr_t)job->keys_out;

    return cw_rows_form_of(job, w) == CW_ROWS_KEYS && cw_type_bytes(job->type) == w->bytes &&
           both % 16u == 0;
}

/* The first class with a list of full rows: those that have a warp or more. */
uint32_t cw_rows_full_from(const cw_rows *job, const struct cw_rows_words *w)
{
    return cw_rows_can_be_full(job, w) ? w->log_k + 5u : CW_ROWS_CLASSES;
}

/* The fewest keys of a row of a list; 0 if the list has none. */
static uint64_t least(const cw_rows *job, const struct cw_rows_words *w, uint32_t list)
{
    const uint32_t c = list % CW_ROWS_FULL;
    const uint64_t half = c ? (uint64_t)1 << (c - 1) : 0;
    const int three = cw_rows_is_three(job, w, c, half + 1u);

    if (!c || c > cw_rows_class(job->length) || c > cw_rows_top_class(job, w))
        return 0;
    if (list >= CW_ROWS_THREE)
        return three ? half + 1u : 0;
    if (list >= CW_ROWS_FULL) /* also when alignment, which is not known yet, might allow for it */
        return c <= w->last && c >= w->log_k + 5u && w->bytes == cw_type_bytes(job->type) &&
                       cw_rows_form_of(job, w) == CW_ROWS_KEYS
                   ? 2u * half
                   : 0;
    return c == 1 ? 1 : three ? half + half / 2u + 1u : half + 1u;
}

/* Rows that a list can have. */
uint64_t cw_rows_room(const cw_rows *job, const struct cw_rows_words *w, uint32_t list)
{
    const uint64_t keys = least(job, w, list);

    if (!job->offsets)
        return list == cw_rows_class(job->length) ? job->rows : 0;
    if (!keys || cw_rows_is_unlisted(job, w))
        return 0;
    return job->items / keys < job->rows ? job->items / keys : job->rows;
}

/* Rows in parts that there can be. */
uint64_t cw_rows_long_room(const cw_rows *job, const struct cw_rows_words *w)
{
    const uint32_t top = cw_rows_top_class(job, w);
    const uint64_t fits = job->items / (((uint64_t)1 << top) + 1u);

    if (cw_rows_class(job->length) <= top)
        return 0;
    return !job->offsets || job->rows < fits ? job->rows : fits;
}

/* Parts of them: full ones, and one more a row. */
uint64_t cw_rows_parts_room(const cw_rows *job, const struct cw_rows_words *w)
{
    const uint64_t rows = cw_rows_long_room(job, w);

    if (!job->offsets || !rows)
        return rows * cw_rows_parts_of(w, job->length);
    return (job->items >> w->last) + rows;
}

int cw_rows_is_joined(const cw_rows *job)
{
    return !(job->flags & CW_CONFLICT_FREE);
}

/* Take one more piece of the workspace.  Returns where it begins.  *end becomes SIZE_MAX if it is
 * past all numbers. */
static size_t part(size_t *end, uint64_t count, uint64_t bytes)
{
    const size_t at = *end;

    if (at == SIZE_MAX || (count && bytes > (SIZE_MAX - at - ALIGN - CW_ARENA_GAP) / count)) {
        *end = SIZE_MAX;
        return 0;
    }
    *end = at + (size_t)(count * bytes + ALIGN - 1u) / ALIGN * ALIGN + CW_ARENA_GAP;
    return at;
}

struct cw_rows_layout cw_rows_layout_of(const cw_rows *job, const struct cw_rows_words *w)
{
    const uint64_t parts = cw_rows_parts_room(job, w);
    struct cw_rows_layout l = {0};

    for (uint32_t list = 0; list < CW_ROWS_LISTS; list++) {
        const uint64_t entries = list < CW_ROWS_PARTS    ? cw_rows_room(job, w, list)
                                 : list == CW_ROWS_PARTS ? parts
                                                         : 2u * cw_rows_long_room(job, w);

        l.list_at[list + 1] = l.list_at[list] + entries;
    }
    if (job->offsets && !cw_rows_is_unlisted(job, w)) {
        l.counts = part(&l.end, CW_ROWS_LISTS, sizeof(uint32_t));
        l.lists = part(&l.end, l.list_at[CW_ROWS_LISTS], sizeof(uint64_t));
        l.part_rows = part(&l.end, parts, sizeof(uint64_t));
    }
    l.words = part(&l.end, parts, (uint64_t)w->bytes << w->last);
    if (cw_rows_is_joined(job))
        l.joined = part(&l.end, parts, (uint64_t)w->bytes << w->last);
    if (parts && job->value_bytes && cw_rows_form_of(job, w) == CW_ROWS_INDEX)
        l.values =
            part(&l.end, job->offsets ? job->items : job->rows * job->length, job->value_bytes);
    if (parts && job->keys_out && cw_key_map_of_rows(job).tied)
        l.keys = part(&l.end, job->offsets ? job->items : job->rows * job->length,
                      cw_type_bytes(job->type));
    return l;
}

/* What a batch needs on any GPU: nobody has to say which it will be. */
size_t cw_rows_workspace(const cw_rows *job)
{
    size_t large, small;

    if (!job->rows || !job->length)
        return 0;
    large = cw_rows_layout_of(job, cw_rows_words(job, CW_SHAPES_LARGE)).end;
    small = cw_rows_layout_of(job, cw_rows_words(job, CW_SHAPES_SMALL)).end;
    return large > small ? large : small;
}
