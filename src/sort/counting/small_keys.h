/* small_keys.h - counting sort (Seward 1954) of keys of 1 or 2 bytes, alone.
 *
 *      count     counters in shared memory, one a value, are added to those in global memory.  Keys
 *                of 2 bytes have twice as many values as a block has counters: every other block
 *                counts the upper half.
 *      scan      one block: where each value starts in the output, by prefix sums in the order of
 *                words (prim/key_map.h)
 *      write     a thread finds the value of its first place by bisection, and goes on from there
 *
 * Keys are read once (those of 2 bytes twice) and written once, 16 bytes at a time where the array
 * has them aligned.  Lanes that count one value share the addition.
 */
#ifndef CW_SORT_COUNTING_SMALL_KEYS_H
#define CW_SORT_COUNTING_SMALL_KEYS_H

#include "dev/kernel.h"
#include "sort/index/job.h"

/* Keys before the first that starts on 16 bytes. */
DEV uint64_t counting_head(const void *keys, uint32_t bytes, uint64_t n)
{
    const uint64_t head = (16u - (uint32_t)((uintptr_t)keys & 15u)) % 16u / bytes;

    return head < n ? head : n;
}

DEV uint32_t counting_key(const struct small_keys_job *a, uint32_t word)
{
    const uint32_t x = (uint32_t)CW_WORD_FLIPPED(&a->map, word);

    return (uint32_t)CW_FLIPPED_TO_KEY(&a->map, x);
}

DEV void counting_count(uint32_t x, uint32_t first)
{
    if (x - first < SMALL_KEYS_MOST)
        sh_inc4(4u * (x - first));
}

DEV void counting_part(const struct small_keys_job *a, uint32_t x, uint32_t first)
{
    const uint32_t bits = 8u * a->bytes;

    ROLL for (uint32_t s = 0; s < 32u; s += bits)
        counting_count(x >> s & ((1u << bits) - 1u), first);
}

KERNEL(cw_sort_counting_histogram, struct small_keys_job, SMALL_KEYS_COUNT, 1)
{
    const uint32_t halves = arg->bytes;
    const uint32_t first = BLOCK_ID % halves * SMALL_KEYS_MOST;
    const uint32_t all = 1u << (8u * arg->bytes);
    const uint32_t mine = all < SMALL_KEYS_MOST ? all : SMALL_KEYS_MOST;
    const uint64_t thread = (uint64_t)(BLOCK_ID / halves) * BLOCK_DIM + THREAD_ID;
    const uint64_t step = (uint64_t)(GRID_DIM / halves) * BLOCK_DIM;
    const uint64_t head = counting_head(arg->in, arg->bytes, arg->n);
    const uint32_t per = 16u / arg->bytes;
    const uint64_t quads = (arg->n - head) / per;
    const uint8_t *const in = (const uint8_t *)arg->in;

    ROLL for (uint32_t i = THREAD_ID; i < mine; i += BLOCK_DIM) sh_st4(4u * i, 0u);
    block_sync();
    ROLL for (uint64_t i = thread; i < quads; i += step)
    {
        const vec16 q = gm_ld16(in + (head + i * per) * arg->bytes);

        counting_part(arg, q.x, first);
        counting_part(arg, q.y, first);
        counting_part(arg, q.z, first);
        counting_part(arg, q.w, first);
    }
    ROLL for (uint64_t i = thread; i < arg->n - quads * per; i += step)
    {
        const uint64_t at = i < head ? i : i + quads * per;

        counting_count(arg->bytes == 1 ? gm_ld1(in + at) : gm_ld2(in + 2u * at), first);
    }
    block_sync();
    ROLL for (uint32_t i = THREAD_ID; i < mine; i += BLOCK_DIM)
    {
        const uint32_t count = sh_ld4(4u * i);

        if (count)
            gm_add8(arg->counts + first + i, (uint64_t)count);
    }
}

KERNEL(cw_sort_counting_scan, struct small_keys_job, SMALL_KEYS_THREADS, 1)
{
    const uint32_t each = (1u << (8u * arg->bytes)) / SMALL_KEYS_THREADS;
    const uint32_t first = THREAD_ID * each;
    uint64_t sum = 0;

    UNROLL4 for (uint32_t i = first; i < first + each; i++) sum +=
        gm_ld8(arg->counts + counting_key(arg, i));
    sh_st8(8u * THREAD_ID, sum);
    block_sync();
    sum = 0;
    ROLL for (uint32_t t = 0; t < THREAD_ID; t++) sum += sh_ld8(8u * t);
    UNROLL4 for (uint32_t i = first; i < first + each; i++)
    {
        const uint64_t count = gm_ld8(arg->counts + counting_key(arg, i));

        gm_st8(arg->starts + i, sum);
        sum += count;
    }
    if (THREAD_ID == BLOCK_DIM - 1u)
        gm_st8(arg->starts + (1u << (8u * arg->bytes)), arg->n);
}

/* The value that stands at a place of the output. */
struct counting_place {
    uint32_t key;
    uint64_t end; /* its last place, and one */
};

DEV void counting_find(const struct small_keys_job *a, struct counting_place *p, uint64_t at)
{
    uint32_t word = 0;

    ROLL for (uint32_t bit = 1u << (8u * a->bytes - 1u); bit; bit /= 2)
    {
        if (gm_ld8(a->starts + word + bit) <= at)
            word += bit;
    }
    p->key = counting_key(a, word);
    p->end = gm_ld8(a->starts + word + 1u);
}

/* 4 bytes of the output, from place `at` on. */
DEV uint32_t counting_4(const struct small_keys_job *a, struct counting_place *p, uint64_t at)
{
    const uint32_t bits = 8u * a->bytes;
    uint32_t x = 0;

    ROLL for (uint32_t s = 0; s < 32u; s += bits)
    {
        if (at >= p->end)
            counting_find(a, p, at);
        x |= p->key << s;
        at++;
    }
    return x;
}

KERNEL(cw_sort_counting_write, struct small_keys_job, SMALL_KEYS_THREADS, 4)
{
    const uint64_t thread = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    const uint64_t head = counting_head(arg->out, arg->bytes, arg->n);
    const uint32_t per = 16u / arg->bytes;
    const uint64_t quads = (arg->n - head) / per;
    uint8_t *const out = (uint8_t *)arg->out;
    struct counting_place p;

    ROLL for (uint64_t i = thread; i < quads; i += step)
    {
        const uint64_t at = head + i * per;
        vec16 q;

        counting_find(arg, &p, at);
        q.x = counting_4(arg, &p, at);
        q.y = counting_4(arg, &p, at + per / 4u);
        q.z = counting_4(arg, &p, at + per / 4u * 2u);
        q.w = counting_4(arg, &p, at + per / 4u * 3u);
        gm_st16(out + at * arg->bytes, q);
    }
    ROLL for (uint64_t i = thread; i < arg->n - quads * per; i += step)
    {
        const uint64_t at = i < head ? i : i + quads * per;

        counting_find(arg, &p, at);
        if (arg->bytes == 1)
            gm_st1(out + at, p.key);
        else
            gm_st2(out + 2u * at, p.key);
    }
}

#endif
