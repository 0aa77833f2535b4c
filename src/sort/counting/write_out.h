/* write_out.h - narrow buckets (counting/narrow_buckets.h) are written from how often each value
 * occurs.
 *
 * A block sums up the counters of a chunk's bucket in shared memory: these say where each value
 * starts.  Each warp has a piece of the chunk.  It writes it in segments of EXPAND_ROUNDS times 16
 * bytes a lane:
 *
 *      marks     a word for each key of the segment: 0, or the value that starts there
 *      keys      a key's value is the greatest mark up to it: within a lane's 16 bytes, then over
 *                lanes
 *
 * So a key costs the same however often its value occurs.  A segment of one value has no marks and
 * is just written.  (A bisection for every 16 bytes, and more where values change, took 270
 * instructions for 16 bytes a lane.)
 *
 * Counting sort is Seward's (1954).  It departs in that keys are made from counts, not moved.
 */
#ifndef CW_SORT_COUNTING_WRITE_OUT_H
#define CW_SORT_COUNTING_WRITE_OUT_H

#include "sort/counting/narrow_buckets.h"
#include "prim/warp_scan.h"

#if RADIX_COUNTS

#define EXPAND_ROUNDS 4u
#define EXPAND_QUADS  (32u * EXPAND_ROUNDS) /* 16 bytes each, of a segment */
#define EXPAND_KEYS   (EXPAND_QUADS * QUAD) /* keys of a segment */

struct expand_shared {
    struct radix_shared all;
    uint32_t starts[RADIX_NARROW_VALUES +
                    8u]; /* of each value; two behind the last one, and up to a multiple of four */
    uint32_t marks[RADIX_THREADS / 32u][EXPAND_KEYS]; /* of the keys of a warp's segment */
};

#define EXPAND_STARTS SHARED_AT(expand_shared, starts)
#define EXPAND_MARKS  SHARED_AT(expand_shared, marks)

/* Write where each value starts in the bucket.  Entries behind the last value, up to number room +
 * 1, are more than any place. */
DEV void expand_starts(const struct radix_job *j, const struct radix_write_out *f, uint32_t room)
{
    uint32_t start = 0;

    ROLL for (uint32_t first = 0; first <= room + 1u; first += 4u * BLOCK_DIM)
    {
        const uint32_t v = first + 4u * THREAD_ID;
        uint32_t x[4];
        uint32_t sum, of, before;

        UNROLL for (uint32_t k = 0; k < 4u; k++) x[k] =
            v + k < f->values ? gm_ld4(&j->counters[f->counter + v + k]) : 0u;
        sum = x[0] + x[1] + x[2] + x[3];
        before = sum;
        sum = warp_scan(sum);
        before = sum - before;
        if (LANE_ID == 31u)
            sh_st4(SH_MISC + MISC_WARP + 4u * WARP_ID, sum);
        block_sync();
        of = LANE_ID < BLOCK_DIM / 32u ? sh_ld4(SH_MISC + MISC_WARP + 4u * LANE_ID) : 0u;
        of = warp_scan(of);
        sum = shfl4(of, WARP_ID - 1u); /* modulo 32: of no meaning for the first warp */
        before += start + (WARP_ID ? sum : 0u);
        start += shfl4(of, 31);
        if (v <= room + 1u) {
            vec16 e;

            e.x = v < f->values ? before : 0xffffffffu;
            e.y = v + 1u < f->values ? before + x[0] : 0xffffffffu;
            e.z = v + 2u < f->values ? before + x[0] + x[1] : 0xffffffffu;
            e.w = v + 3u < f->values ? before + x[0] + x[1] + x[2] : 0xffffffffu;
            sh_st16(EXPAND_STARTS + 4u * v, e);
        }
        block_sync();
    }
}

/* The value that stands at a place: the last one that starts there or before. */
DEV uint32_t expand_find(uint32_t at, uint32_t room)
{
    uint32_t v = 0;

    ROLL for (uint32_t step = room / 2u; step; step /= 2)
    {
        const uint32_t start = sh_ld4(EXPAND_STARTS + 4u * (v + step));

        v += start <= at ? step : 0u;
    }
    return v;
}

/* The same for the whole warp, which looks at 32 values at a time. */
DEV uint32_t expand_find_warp(uint32_t at, uint32_t room)
{
    uint32_t v = 0;

    ROLL for (uint32_t of = room; of > 1u;)
    {
        const uint32_t step = of > 32u ? of / 32u : 1u;
        const uint32_t mine = step * LANE_ID < of ? v + step * LANE_ID : v;
        const uint32_t start = sh_ld4(EXPAND_STARTS + 4u * mine);

        v += step * (bit_count(ballot(step * LANE_ID < of && start <= at)) - 1u);
        of = step;
    }
    return v;
}

/* The key of value number v. */
DEV key expand_key(uint32_t v, const struct radix_write_out *f, struct digit d)
{
    const key word = (key)f->lo + ((key)v << f->shift);
    const key x = (word + d.bias) ^ d.toggle;

    if (!d.mapped)
        return word;
    return x ^ (x >> (8u * KEY_BYTES - 1u) ? d.flip : 0u);
}

/* Mark where values begin among n keys from place `at` on.  v is the value before them.  Returns 0
 * if no value begins there.  A value that does not occur begins where the next one does, and leaves
 * the mark to it. */
DEV int expand_mark(uint32_t marks, uint32_t at, uint32_t n, uint32_t v, uint32_t room)
{
    uint32_t seen = 0;
    uint32_t here;

    do {
        const uint32_t mine = least4(v + 1u + LANE_ID, room);
        const uint32_t start = sh_ld4(EXPAND_STARTS + 4u * mine);
        const uint32_t next = sh_ld4(EXPAND_STARTS + 4u * mine + 4u);

        if (start - at < n && start != next)
            sh_st4(marks + 4u * (start - at), mine);
        here = ballot(start - at < n);
        seen |= here;
        v += 32u;
    } while (here == 0xffffffffu);
    return seen != 0;
}

/* Take the marks of this lane's 16 bytes; each becomes the greatest one up to it.  The marks are 0
 * again. */
DEV void expand_take(uint32_t *m, uint32_t at)
{
#if QUAD_LOG == 2
    const vec16 none = {0u, 0u, 0u, 0u};
    const vec16 e = sh_ld16(at);

    sh_st16(at, none);
    m[0] = e.x;
    m[1] = e.y > m[0] ? e.y : m[0];
    m[2] = e.z > m[1] ? e.z : m[1];
    m[3] = e.w > m[2] ? e.w : m[2];
#else
    const uint64_t e = sh_ld8(at);

    sh_st8(at, (uint64_t)0);
    m[0] = (uint32_t)e;
    m[1] = (uint32_t)(e >> 32) > m[0] ? (uint32_t)(e >> 32) : m[0];
#endif
}

/* Write the next segment, of at most `quads` times 16 bytes, to `to`.  It begins at place `at`,
 * where value v stands or ends.  Returns the value of its last key. */
DEV uint32_t expand_segment(key *to, uint32_t at, uint32_t quads, uint32_t v, uint32_t room,
                            const struct radix_write_out *f, struct digit d)
{
    const uint32_t marks = EXPAND_MARKS + 4u * EXPAND_KEYS * WARP_ID;
    const uint32_t n = least4(quads, EXPAND_QUADS) * QUAD;
    key x[QUAD];

    if (!expand_mark(marks, at, n, v, room)) {
        UNROLL for (uint32_t k = 0; k < QUAD; k++) x[k] = expand_key(v, f, d);
        UNROLL for (uint32_t r = 0; r < EXPAND_ROUNDS; r++)
        {
            if (32u * r + LANE_ID < quads)
                gm_st16(to + (32u * r + LANE_ID) * QUAD, quad_of(x));
        }
        return v;
    }
    warp_sync();
    UNROLL for (uint32_t r = 0; r < EXPAND_ROUNDS; r++)
    {
        uint32_t m[QUAD];
        uint32_t most, before;

        expand_take(m, marks + 4u * QUAD * (32u * r + LANE_ID));
        most = m[QUAD - 1];
        UNROLL for (uint32_t s = 1; s < 32u; s *= 2)
        {
            const uint32_t below = shfl_up4(most, s); /* the lane's own if there is none */

            most = below > most ? below : most;
        }
        before = shfl_up4(most, 1);
        before = LANE_ID && before > v ? before : v;
        UNROLL for (uint32_t k = 0; k < QUAD; k++) x[k] =
            expand_key(m[k] > before ? m[k] : before, f, d);
        if (32u * r + LANE_ID < quads)
            gm_st16(to + (32u * r + LANE_ID) * QUAD, quad_of(x));
        most = shfl4(most, 31);
        v = most > v ? most : v;
    }
    warp_sync();
    return v;
}

/* Write places from .. to - 1 of a bucket, 16 bytes at a time where the output has them aligned. */
DEV void expand_range(const struct radix_job *j, const struct radix_write_out *f, uint32_t from,
                      uint32_t to, uint32_t room, struct digit d)
{
    key *const out = (key *)j->out + f->start;
    const uint32_t odd = (uint32_t)((uintptr_t)(out + from) & 15u) / KEY_BYTES;
    const uint32_t head = least4(odd ? QUAD - odd : 0u, to - from);
    const uint32_t quads = (to - from - head) / QUAD;
    const uint32_t rest = to - from - quads * QUAD;
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t each = ((quads + warps - 1u) / warps + 31u) & ~31u;
    const uint32_t end = least4((WARP_ID + 1u) * each, quads);
    uint32_t q = WARP_ID * each;
    uint32_t v = 0;

    if (q < end)
        v = expand_find_warp(from + head + q * QUAD, room);
    ROLL for (; q < end; q += EXPAND_QUADS)
    {
        const uint32_t at = from + head + q * QUAD;

        v = expand_segment(out + at, at, end - q, v, room, f, d);
    }
    ROLL for (uint32_t i = THREAD_ID; i < rest; i += BLOCK_DIM)
    {
        const uint32_t at = from + (i < head ? i : i + quads * QUAD);
        const key x = expand_key(expand_find(at, room), f, d);

        gm_st_key(out + at, x);
    }
}

/* Write all buckets of the list.  The next chunk is asked for while this one is written. */
DEV void write_out_all(const struct radix_job *j)
{
    const uint32_t chunks = gm_ld4(&j->state->write_out_chunks);
    uint32_t c = chunks ? take_number(&j->state->written) : 0u;
    struct digit d;

    digit_map(&d, j);
    ROLL for (uint32_t i = THREAD_ID; i < BLOCK_DIM / 32u * EXPAND_KEYS; i += BLOCK_DIM)
        sh_st4(EXPAND_MARKS + 4u * i, 0u);
    ROLL while (c < chunks)
    {
        const struct radix_write_out f = j->write_outs[write_out_of(j, c)];
        const uint32_t from = (uint32_t)write_out_start(&f, c - f.first);
        const uint32_t to = (uint32_t)write_out_start(&f, c - f.first + 1u);
        uint32_t room = 1;
        uint32_t next = 0;

        if (THREAD_ID == 0)
            next = gm_add4(&j->state->written, 1u);
        ROLL while (room < f.values) room *= 2;
        expand_starts(j, &f, room);
        d.mapped = 0;
        if (j->map.plain) {
            expand_range(j, &f, from, to, room, d);
        } else {
            d.mapped = 1;
            expand_range(j, &f, from, to, room, d);
        }
        if (THREAD_ID == 0)
            sh_st4(SH_MISC + MISC_TAKEN, next);
        block_sync();
        c = sh_ld4(SH_MISC + MISC_TAKEN);
    }
}

#endif
#endif
