/* sort_lines.h - items on their way to many places, gathered into lines of memory.
 *
 * Items that go to 2048 places one by one miss caches and address translation with every item.
 * So each bucket has a line of 64 bytes in cache that is laid out as the line of memory its next
 * items belong to; when the last slot of it is filled, the line is written at once, past the
 * caches where it will not be read soon.  A line that begins or ends within a bucket is shared
 * with a neighbour, perhaps of another thread: of it, only the items of this one are written.
 */
#ifndef CW_CPU_SORT_LINES_H
#define CW_CPU_SORT_LINES_H

#include <string.h>

#include "cpu/sort_work.h"

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

static inline struct cw_stream cw_stream_to(char *out, size_t bytes, char *lines,
                                            const size_t *begin, int past)
{
    struct cw_stream s = {out, lines, begin, bytes, 0, 0};

    if ((uintptr_t)out % bytes == 0) { /* else slots would not be items */
        s.skew = (uintptr_t)out % CW_SORT_LINE / bytes;
        s.past = past;
    }
    return s;
}

static inline void cw_line_store(char *to, const char *line, int past)
{
#if defined(__SSE2__)
    if (past) {
        for (uint32_t x = 0; x < CW_SORT_LINE; x += sizeof(__m128i))
            _mm_stream_si128((__m128i *)(to + x), _mm_load_si128((const __m128i *)(line + x)));
        return;
    }
#endif
    (void)past;
    memcpy(to, line, CW_SORT_LINE);
}

/* Items from .. to - 1 of the line of bucket b, which are some or all of it. */
static inline void cw_line_part(const struct cw_stream *s, uint32_t b, size_t from, size_t to)
{
    const size_t slot = (from + s->skew) % (CW_SORT_LINE / s->bytes);

    memcpy(s->out + from * s->bytes, s->lines + (size_t)b * CW_SORT_LINE + slot * s->bytes,
           (to - from) * s->bytes);
}

/* `bytes` is a constant wherever this is called. */
static inline void cw_stream_of(const struct cw_stream *stream, const char *in,
                                const uint16_t *bucket, const size_t *to, uint32_t n, size_t bytes)
{
    const struct cw_stream s = *stream;
    const size_t last = CW_SORT_LINE / bytes - 1;

    for (uint32_t x = 0; x < n; x++) {
        const size_t slot = (to[x] + s.skew) & last;
        char *line = s.lines + (size_t)bucket[x] * CW_SORT_LINE;

        memcpy(line + slot * bytes, in + x * bytes, bytes);
        if (slot == last) {
            if (to[x] >= s.begin[bucket[x]] + last)
                cw_line_store(s.out + (to[x] - last) * bytes, line, s.past);
            else
                cw_line_part(&s, bucket[x], s.begin[bucket[x]], to[x] + 1);
        }
    }
}

/* Send item x to place to[x] of its bucket. */
static inline void cw_stream_send(const struct cw_stream *s, const char *in, const uint16_t *bucket,
                                  const size_t *to, uint32_t n)
{
    switch (s->bytes) {
    case 1:
        cw_stream_of(s, in, bucket, to, n, 1);
        break;
    case 2:
        cw_stream_of(s, in, bucket, to, n, 2);
        break;
    case 4:
        cw_stream_of(s, in, bucket, to, n, 4);
        break;
    case 8:
        cw_stream_of(s, in, bucket, to, n, 8);
        break;
    default:
        cw_stream_of(s, in, bucket, to, n, 16);
    }
}

/* Write what is left in lines; end[b] is where bucket b ends. */
static inline void cw_stream_end(const struct cw_stream *s, uint32_t buckets, const size_t *end)
{
    const size_t slots = CW_SORT_LINE / s->bytes;

    for (uint32_t b = 0; b < buckets; b++) {
        const size_t open = (end[b] + s->skew) % slots;
        const size_t from = end[b] - s->begin[b] > open ? end[b] - open : s->begin[b];

        cw_line_part(s, b, from, end[b]);
    }
#if defined(__SSE2__)
    if (s->past)
        _mm_sfence();
#endif
}

#endif
