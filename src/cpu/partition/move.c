/* move.c - the second half of a partition by threads: a thread sends its items to their buckets.
 *
 * Up to CW_PARTITION_LINED buckets, rows of 1, 2, 4, 8 or 16 bytes are gathered into lines of memory
 * on their way (sort/lines.h, which says whose idea that is); others are copied one by one.
 */
#include "cpu/partition/move.h"

#include <string.h>

#include "cpu/inline.h"

#define BLOCK CW_LABELS_BLOCK
#define PAST  (8u << 20) /* bytes of an array that is written past the caches, at least */
#define LINED (1u << 20) /* .. that goes by lines, if there are several */

static int has_lines(const struct cw_partition_work *j, const struct cw_partition_moved *m)
{
    return j->buckets <= CW_PARTITION_LINED && (m->choices == 1 || !m->in) &&
           (m->bytes & (m->bytes - 1)) == 0 && m->bytes <= 16;
}

/* Of several arrays, those that a cache holds go item by item. */
static int goes_by_lines(const struct cw_partition_work *j, const struct cw_partition_moved *m)
{
    return has_lines(j, m) && j->given->n * m->bytes >= LINED;
}

/* A block of items on their way. */
struct block {
    size_t from;
    uint32_t n;
    uint16_t bucket[BLOCK];
    size_t to[BLOCK];
    uint64_t index[BLOCK];
};

/* The lines of array a, on their way to its output. */
static struct cw_stream stream_of(const struct cw_partition_work *j,
                                  const struct cw_partition_hand *h, size_t a)
{
    const struct cw_partition_moved *m = &j->moved[a];

    return cw_stream_to(m->out, m->bytes, h->lines + a * j->buckets * CW_SORT_LINE, h->begin,
                        j->given->n * m->bytes >= PAST);
}

static void count_up(size_t from, uint32_t n, const struct cw_partition_moved *m, void *to)
{
    uint32_t *to4 = (uint32_t *)to;
    uint64_t *to8 = (uint64_t *)to;

    size_t number = from / m->choices, left = m->choices - from % m->choices;

    for (uint32_t x = 0; x < n; x++) {
        if (m->bytes == 4)
            to4[x] = (uint32_t)number;
        else
            to8[x] = number;
        if (!--left) {
            number++;
            left = m->choices;
        }
    }
}

/* `bytes` is a constant where that helps. */
CW_INLINE void move_rows_of(const char *in, char *out, const struct block *b, size_t bytes)
{
    for (uint32_t k = 0; k < b->n; k++)
        memcpy(out + b->to[k] * bytes, in + k * bytes, bytes);
}

static void move_rows(const struct cw_partition_moved *m, const char *in, const struct block *b)
{
#define MOVE(width) move_rows_of(in, m->out, b, width)
    CW_BY_WIDTH(m->bytes, MOVE, m->bytes)
#undef MOVE
}

/* Rows of tokens, each for as many items as it has choices. */
static void move_tokens(const struct cw_partition_moved *m, const struct block *b)
{
    for (uint32_t k = 0; k < b->n; k++)
        memcpy(m->out + b->to[k] * m->bytes, m->in + (b->from + k) / m->choices * m->bytes,
               m->bytes);
}

static void move_array(const struct cw_partition_work *j, const struct cw_partition_hand *h,
                       size_t a, struct block *b)
{
    const struct cw_partition_moved *m = &j->moved[a];
    const char *in = m->in && m->choices == 1 ? m->in + b->from * m->bytes : (const char *)b->index;

    if (!m->in)
        count_up(b->from, b->n, m, b->index);
    if (m->in && m->choices > 1) {
        move_tokens(m, b);
    } else if (goes_by_lines(j, m)) {
        const struct cw_stream s = stream_of(j, h, a);

        cw_stream_send(&s, in, b->bucket, b->to, b->n);
    } else {
        move_rows(m, in, b);
    }
}

static void write_places(const struct cw_partition_work *j, const struct block *b)
{
    const size_t bytes = j->given->index_bytes;
    char *out = (char *)j->given->inverse_out + b->from * bytes;

    for (uint32_t k = 0; k < b->n; k++) {
        const uint64_t to = b->bucket[k] < j->given->buckets || j->buckets == j->given->buckets
                                ? b->to[k]
                                : UINT64_MAX;

        memcpy(out + k * bytes, &to, bytes); /* the low bytes come first */
    }
}

static void end_lines(const struct cw_partition_work *j, const struct cw_partition_hand *h)
{
    for (size_t a = 0; a < j->arrays; a++) {
        const struct cw_stream s = stream_of(j, h, a);

        if (goes_by_lines(j, &j->moved[a]))
            cw_stream_end(&s, j->buckets, h->at);
    }
}

/* Items that are a single array. */
static void move_one(const struct cw_partition_work *j, unsigned t)
{
    const struct cw_partition_hand *h = &j->hand[t];
    const struct cw_partition_moved *m = &j->moved[0];
    const size_t end = cw_partition_stretch(j, t + 1);
    const struct cw_stream s = stream_of(j, h, 0);
    uint16_t bucket[BLOCK];

    for (size_t x = cw_partition_stretch(j, t); x < end; x += BLOCK) {
        const uint32_t n = end - x < BLOCK ? (uint32_t)(end - x) : BLOCK;

        cw_labels_find(&j->labels, x, n, bucket);
        cw_stream_deal(&s, m->in + x * m->bytes, bucket, h->at, n);
    }
    cw_stream_end(&s, j->buckets, h->at);
}

static void move_all(const struct cw_partition_work *j, unsigned t)
{
    const struct cw_partition_hand *h = &j->hand[t];
    const size_t end = cw_partition_stretch(j, t + 1);
    struct block b;

    for (b.from = cw_partition_stretch(j, t); b.from < end; b.from += BLOCK) {
        b.n = end - b.from < BLOCK ? (uint32_t)(end - b.from) : BLOCK;
        cw_labels_find(&j->labels, b.from, b.n, b.bucket);
        for (uint32_t k = 0; k < b.n; k++)
            b.to[k] = h->at[b.bucket[k]]++;
        for (size_t a = 0; a < j->arrays; a++)
            move_array(j, h, a, &b);
        if (j->given->inverse_out)
            write_places(j, &b);
    }
    end_lines(j, h);
}

void cw_partition_move(const struct cw_partition_work *j, unsigned t)
{
    if (j->arrays == 1 && j->moved->in && has_lines(j, j->moved) && !j->given->inverse_out)
        move_one(j, t);
    else
        move_all(j, t);
}
