/* adversary_warp.c - how w threads must share two runs to ask one bank as often as can be.
 *
 * Thread t has taken a keys of the first run and b = t * E - a of the second when it begins.  In
 * step j it takes a key of either and reads the word behind it.  Call a read aligned if in step j
 * it goes to bank s + j (mod w).  If a thread has taken i keys from the first run and k from the
 * second so far (i + k = j), the next read is aligned
 *
 *      from the first run    if  a + i = s + j,  that is  a = s + k   (mod w)
 *      from the second       if  b + k = s + j,  that is  b = s + i   (mod w)
 *
 * where both runs start in bank 0.  A bank holds E of the w * E words, so at most E reads of a step
 * are aligned and E * E in all: E threads that each read E words in a row from E banks together.
 * Berney and Sitchinava give such a sharing in closed form for E coprime to w.  Here the best one
 * is searched by dynamic programming over (t, a), and inside a thread over (i, k), which takes any
 * E and w: O(w^2 E^2) steps for each s.
 */
#include "inputs/adversary.h"

#include <stdlib.h>
#include <string.h>

#define E_MAX CW_ADVERSARY_ITEMS

struct search {
    uint32_t w, e, a_keys, s;
    int32_t *best;  /* of t threads that took a keys: the most aligned reads; -1: cannot be */
    uint8_t *taken; /* and how many the last of them took from the first run */
    uint8_t *value; /* of a thread, by how far a and b are behind bank s, and the keys that it takes
                       from the first run */
};

/* How far a key is behind bank s. */
static uint32_t behind(const struct search *x, uint32_t key)
{
    return (key + x->w - x->s) % x->w;
}

/* Aligned reads on the best way to (i, k), for all i + k <= e, where a and b are behind bank s by
 * so much. */
static void thread_table(const struct search *x, uint32_t a, uint32_t b,
                         uint8_t table[E_MAX + 1][E_MAX + 1])
{
    for (uint32_t i = 0; i <= x->e; i++) {
        const uint32_t second = b == i % x->w;

        for (uint32_t k = 0; i + k <= x->e; k++) {
            const uint32_t by_first = i ? table[i - 1][k] + (a == k % x->w) : 0;
            const uint32_t by_second = k ? table[i][k - 1] + second : 0;

            table[i][k] = (uint8_t)(by_first > by_second ? by_first : by_second);
        }
    }
}

static void fill_values(struct search *x)
{
    uint8_t table[E_MAX + 1][E_MAX + 1];
    uint8_t *v = x->value;

    for (uint32_t a = 0; a < x->w; a++) {
        for (uint32_t b = 0; b < x->w; b++) {
            thread_table(x, a, b, table);
            for (uint32_t i = 0; i <= x->e; i++)
                *v++ = table[i][x->e - i];
        }
    }
}

/* The most aligned reads of the warp for this s. */
static int32_t fill_best(struct search *x)
{
    const uint32_t all = x->w * x->e, width = all + 1;

    memset(x->best, 0xff, (size_t)(x->w + 1) * width * sizeof *x->best); /* -1 */
    x->best[0] = 0;
    for (uint32_t t = 0; t < x->w; t++) {
        for (uint32_t a = 0; a <= t * x->e && a <= x->a_keys; a++) {
            const uint32_t b = t * x->e - a;
            const int32_t now = x->best[(size_t)t * width + a];
            const uint8_t *const v =
                x->value + ((size_t)behind(x, a) * x->w + behind(x, b)) * (x->e + 1);

            for (uint32_t i = 0; now >= 0 && i <= x->e && a + i <= x->a_keys; i++) {
                const size_t to = (size_t)(t + 1) * width + a + i;

                if (b + x->e - i <= all - x->a_keys && now + v[i] > x->best[to]) {
                    x->best[to] = now + v[i];
                    x->taken[to] = (uint8_t)i;
                }
            }
        }
    }
    return x->best[(size_t)x->w * width + x->a_keys];
}

/* The way of one thread, backwards from (i, e - i). */
static void write_thread(const struct search *x, uint32_t a, uint32_t b, uint32_t i, uint8_t *from)
{
    uint8_t table[E_MAX + 1][E_MAX + 1];
    uint32_t k = x->e - i;

    thread_table(x, behind(x, a), behind(x, b), table);
    for (uint32_t j = x->e; j > 0; j--) {
        const uint32_t hit = behind(x, a) == k % x->w;
        const int first = i && table[i][k] == table[i - 1][k] + hit;

        from[j - 1] = !first;
        i -= (uint32_t)first;
        k -= (uint32_t)!first;
    }
}

static void write_warp(const struct search *x, uint8_t *from)
{
    const uint32_t width = x->w * x->e + 1;
    uint32_t a = x->a_keys;

    for (uint32_t t = x->w; t > 0; t--) {
        const uint32_t i = x->taken[(size_t)t * width + a];

        a -= i;
        write_thread(x, a, (t - 1) * x->e - a, i, from + (size_t)(t - 1) * x->e);
    }
}

uint32_t cw_adversary_warp(uint32_t w, uint32_t e, uint32_t a_keys, uint8_t *from)
{
    const size_t states = (size_t)(w + 1) * (w * e + 1);
    struct search x = {.w = w, .e = e, .a_keys = a_keys};
    int32_t most = -1;
    uint32_t best_s = 0;

    x.best = (int32_t *)malloc(states * sizeof *x.best);
    x.taken = (uint8_t *)malloc(states);
    x.value = (uint8_t *)malloc((size_t)w * w * (e + 1));
    if (x.best && x.taken && x.value) {
        fill_values(&x);
        for (uint32_t s = 0; s <= w; s++) {
            const int32_t found = (x.s = s < w ? s : best_s, fill_best(&x));

            if (found > most) {
                most = found;
                best_s = s;
            }
        }
        write_warp(&x, from); /* the last round was the best s again */
    }
    free(x.best);
    free(x.taken);
    free(x.value);
    return most < 0 ? 0 : (uint32_t)most;
}
