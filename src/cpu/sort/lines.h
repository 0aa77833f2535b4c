/* lines.h - items on their way to many places, gathered into lines of memory.
 *
 * Items that go to 2048 places one by one miss caches and address translation with every item.
 * So each bucket has a line of 64 bytes in cache that is laid out as the line of memory its next
 * items belong to; when the last slot of it is filled, the line is written at once, past the
 * caches where it will not be read soon.  A line that begins or ends within a bucket is shared
 * with a neighbour, perhaps of another thread: of it, only the items of this one are written.
 *
 * Buffers of a line for each bucket: Satish and others (2010), Wassenberg and Sanders (2011).
 */
#ifndef CW_CPU_SORT_LINES_H
#define CW_CPU_SORT_LINES_H

#include <string.h>

#include "cpu/inline.h"
#include "cpu/sort/work.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* One of the arrays of a pass. */
struct cw_stream {
    char *out;
    char *lines;         /* one a bucket */
    const size_t *begin; /* of each bucket: the first item that comes this way */
    size_t bytes;        /* of an item */
    size_t skew;         /* item 0 of `out` belongs into this slot of a line */
    int past;            /* write lines past the caches */
};

CW_INLINE struct cw_stream cw_stream_to(char *out, size_t bytes, char *lines, const size_t *begin,
                                        int past)
{
    struct cw_stream s = {out, lines, begin, bytes, 0, 0};

    if ((uintptr_t)out % bytes == 0) { /* else slots would not be items */
        s.skew = (uintptr_t)out % CW_SORT_LINE / bytes;
        s.past = past;
    }
    return s;
}

CW_INLINE void cw_line_store(char *to, const char *line, int past)
{
#if defined(__SSE2__)
    if (past) {
        const __m128i *x = (const __m128i *)line;
        const __m128i a = _mm_load_si128(x), b = _mm_load_si128(x + 1);
        const __m128i c = _mm_load_si128(x + 2), d = _mm_load_si128(x + 3);

        _mm_stream_si128((__m128i *)to, a);
        _mm_stream_si128((__m128i *)to + 1, b);
        _mm_stream_si128((__m128i *)to + 2, c);
        _mm_stream_si128((__m128i *)to + 3, d);
        return;
    }
#endif
    (void)past;
    memcpy(to, line, CW_SORT_LINE);
}

/* Copy past the caches what was made in them. */
static inline void cw_copy_past(char *to, const char *from, size_t bytes)
{
#if defined(__SSE2__)
    const size_t head = (16u - (uintptr_t)to % 16u) % 16u;

    if (bytes >= 64) {
        memcpy(to, from, head);
        for (to += head, from += head, bytes -= head; bytes >= 16;
             bytes -= 16, to += 16, from += 16)
            _mm_stream_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)from));
        _mm_sfence();
    }
#endif
    memcpy(to, from, bytes);
}

/* Items from .. to - 1 of the line of bucket b, which are some or all of it. */
CW_INLINE void cw_line_piece(const struct cw_stream *s, uint32_t b, size_t from, size_t to)
{
    const size_t slot = (from + s->skew) % (CW_SORT_LINE / s->bytes);

    memcpy(s->out + from * s->bytes, s->lines + (size_t)b * CW_SORT_LINE + slot * s->bytes,
           (to - from) * s->bytes);
}

/* The last slot of bucket b's line was filled, by item `to`. */
CW_INLINE void cw_line_full(const struct cw_stream *s, size_t b, size_t to, size_t bytes)
{
    const size_t last = CW_SORT_LINE / bytes - 1;

    if (to >= s->begin[b] + last)
        cw_line_store(s->out + (to - last) * bytes, s->lines + b * CW_SORT_LINE, s->past);
    else
        cw_line_piece(s, (uint32_t)b, s->begin[b], to + 1);
}

/* Send one item to place `to` of bucket b; `bytes` is a constant wherever this is called. */
CW_INLINE void cw_stream_put(const struct cw_stream *s, const void *item, size_t b, size_t to,
                             size_t bytes)
{
    const size_t last = CW_SORT_LINE / bytes - 1, slot = (to + s->skew) & last;

    memcpy(s->lines + b * CW_SORT_LINE + slot * bytes, item, bytes);
    if (slot == last)
        cw_line_full(s, b, to, bytes);
}

/* Likewise. */
CW_INLINE void cw_stream_of(const struct cw_stream *stream, const char *in, const uint16_t *bucket,
                            const size_t *to, uint32_t n, size_t bytes)
{
    const struct cw_stream s = *stream;

    for (uint32_t x = 0; x < n; x++)
        cw_stream_put(&s, in + x * bytes, bucket[x], to[x], bytes);
}

/* Send item x to place to[x] of its bucket. */
static inline void cw_stream_send(const struct cw_stream *s, const char *in, const uint16_t *bucket,
                                  const size_t *to, uint32_t n){
#define SEND(width) cw_stream_of(s, in, bucket, to, n, width)
    CW_BY_WIDTH(s->bytes, SEND, 16)
#undef SEND
}

/* `bytes` is a constant wherever this is called. */
CW_INLINE void cw_stream_deal_of(const struct cw_stream *stream, const char *in,
                                 const uint16_t *bucket, size_t *at, uint32_t n, size_t bytes)
{
    const struct cw_stream s = *stream;

    for (uint32_t x = 0; x < n; x++)
        cw_stream_put(&s, in + x * bytes, bucket[x], at[bucket[x]]++, bytes);
}

/* Send item x to the next place of its bucket, at[bucket]: for items that are a single array. */
static inline void cw_stream_deal(const struct cw_stream *s, const char *in, const uint16_t *bucket,
                                  size_t *at, uint32_t n)
{
#define DEAL(width) cw_stream_deal_of(s, in, bucket, at, n, width)
    CW_BY_WIDTH(s->bytes, DEAL, 16)
#undef DEAL
}

/* Write what is left in lines; end[b] is where bucket b ends. */
static inline void cw_stream_end(const struct cw_stream *s, uint32_t buckets, const size_t *end)
{
    const size_t slots = CW_SORT_LINE / s->bytes;

    for (uint32_t b = 0; b < buckets; b++) {
        const size_t open = (end[b] + s->skew) % slots;
        const size_t from = end[b] - s->begin[b] > open ? end[b] - open : s->begin[b];

        if (from < end[b]) /* of no items there may be no array */
            cw_line_piece(s, b, from, end[b]);
    }
#if defined(__SSE2__)
    if (s->past)
        _mm_sfence();
#endif
}

#endif
