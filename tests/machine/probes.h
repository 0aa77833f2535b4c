/* probes.h - requests to shared memory, one a launch, to hold the emulator's price for each against
 * the counters of a GPU: test_probes.c runs them on the emulator, cuda_probes.cu on a GPU, and
 * scripts/probes compares.
 *
 * A probe is a word of the vocabulary, the lanes that say it and the rule for their addresses, in
 * units of the word's size.  The kernel asks once; on the emulator, which refuses to read what
 * nobody wrote, it writes all memory first.
 *
 * The figures of the table are those of an NVIDIA H200 (driver 580.159.04, CUDA 13.0), taken by
 * scripts/probes.
 */
#ifndef CW_TEST_PROBES_H
#define CW_TEST_PROBES_H

#include "dev/kernel.h"

#define PROBE_BYTES 32768u /* of shared memory */

enum probe_word { LD4, LD8, LD16, ST4, ST8, ST16, ADD_VALUE, ADD_BLIND, ADD_ONE, INC };

enum probe_rule {
    LINE,    /* a lane + b */
    SHARE,   /* b (lane / a): a neighbours ask for the same */
    TURN,    /* b (lane mod a): lanes that are a apart do */
    SPLIT,   /* lane < a ? b lane : lane */
    RANDOM,  /* below b, from seed a */
    DISTINCT /* the same, and no address twice */
};

struct probe {
    const char *name;
    enum probe_word word;
    uint32_t lanes;
    enum probe_rule rule;
    uint32_t a, b;
    uint32_t wavefronts, ideal; /* as the profiler counts them on an H200 */
};

struct probe_arg {
    uint32_t at[32];
    uint32_t lanes, value;
    uint32_t fill;
    uint32_t *out; /* [32] */
};

/* ---- the patterns ------------------------------------------------------------- */

#define ALL 0xffffffffu

/* Quarters of a warp, the first one last. */
#define QUARTERS(d, c, b, a) ((d)*0xff000000u | (c)*0x00ff0000u | (b)*0x0000ff00u | (a)*0x000000ffu)

static const struct probe probes[] = {
    /* 4 bytes: banks, and words that lanes share */
    {"ld4 own bank", LD4, ALL, LINE, 1, 0, 1, 1},
    {"ld4 stride 2", LD4, ALL, LINE, 2, 0, 2, 1},
    {"ld4 stride 3", LD4, ALL, LINE, 3, 0, 1, 1},
    {"ld4 stride 4", LD4, ALL, LINE, 4, 0, 4, 1},
    {"ld4 stride 16", LD4, ALL, LINE, 16, 0, 16, 1},
    {"ld4 stride 32", LD4, ALL, LINE, 32, 0, 32, 1},
    {"ld4 stride 33", LD4, ALL, LINE, 33, 0, 1, 1},
    {"ld4 one word", LD4, ALL, SHARE, 32, 0, 1, 1},
    {"ld4 two words of a bank", LD4, ALL, SHARE, 16, 32, 2, 1},
    {"ld4 two words of two banks", LD4, ALL, SHARE, 16, 1, 1, 1},
    {"ld4 16 words of a bank, in pairs", LD4, ALL, SHARE, 2, 32, 16, 1},
    {"ld4 16 words of 16 banks, 16 apart", LD4, ALL, TURN, 16, 1, 1, 1},
    {"ld4 4 words of a bank, 4 apart", LD4, ALL, TURN, 4, 32, 4, 1},
    {"ld4 8 lanes at a bank, others own", LD4, ALL, SPLIT, 8, 32, 8, 1},
    {"ld4 one lane", LD4, 0x00000020u, LINE, 32, 0, 1, 1},
    {"ld4 even lanes, stride 2", LD4, 0x55555555u, LINE, 2, 0, 2, 1},
    {"ld4 odd lanes, stride 16", LD4, 0xaaaaaaaau, LINE, 16, 0, 16, 1},
    {"ld4 upper half, stride 32", LD4, 0xffff0000u, LINE, 32, 0, 16, 1},
    {"ld4 random 1", LD4, ALL, RANDOM, 1, 1024, 4, 1},
    {"ld4 random 2", LD4, ALL, RANDOM, 2, 64, 2, 1},
    {"ld4 random 3, some lanes", LD4, 0x9d3c07e5u, RANDOM, 3, 256, 3, 1},
    {"st4 own bank", ST4, ALL, LINE, 1, 0, 1, 1},
    {"st4 stride 2", ST4, ALL, LINE, 2, 0, 2, 1},
    {"st4 stride 32", ST4, ALL, LINE, 32, 0, 32, 1},
    {"st4 odd lanes, stride 4", ST4, 0xaaaaaaaau, LINE, 4, 0, 4, 1},
    {"st4 random", ST4, ALL, DISTINCT, 4, 1024, 3, 1},
    {"st4 random, some lanes", ST4, 0x35a1f00cu, DISTINCT, 5, 512, 3, 1},

    /* 8 bytes: halves of a warp */
    {"ld8 in line", LD8, ALL, LINE, 1, 0, 2, 2},
    {"ld8 stride 2", LD8, ALL, LINE, 2, 0, 4, 2},
    {"ld8 stride 3", LD8, ALL, LINE, 3, 0, 2, 2},
    {"ld8 stride 16", LD8, ALL, LINE, 16, 0, 32, 2},
    {"ld8 one address", LD8, ALL, SHARE, 32, 0, 1, 1},
    {"ld8 an address each half, one bank", LD8, ALL, SHARE, 16, 16, 2, 2},
    {"ld8 an address each half, two banks", LD8, ALL, SHARE, 16, 1, 1, 1},
    {"ld8 pairs share, in line", LD8, ALL, SHARE, 2, 1, 1, 1},
    {"ld8 pairs share, one bank", LD8, ALL, SHARE, 2, 16, 16, 2},
    {"ld8 halves ask for the same", LD8, ALL, TURN, 16, 1, 2, 2},
    {"ld8 two addresses, alternating", LD8, ALL, TURN, 2, 16, 4, 2},
    {"ld8 lower half", LD8, 0x0000ffffu, LINE, 1, 0, 1, 1},
    {"ld8 upper half", LD8, 0xffff0000u, LINE, 1, 0, 1, 1},
    {"ld8 middle", LD8, 0x00ffff00u, LINE, 1, 0, 2, 1},
    {"ld8 first and third quarter", LD8, QUARTERS(0, 1, 0, 1), LINE, 1, 0, 2, 1},
    {"ld8 first and third quarter, other banks", LD8, QUARTERS(0, 1, 0, 1), SPLIT, 16, 3, 2, 1},
    {"ld8 first and last quarter", LD8, QUARTERS(1, 0, 0, 1), LINE, 1, 0, 2, 1},
    {"ld8 one quarter", LD8, QUARTERS(0, 0, 1, 0), LINE, 1, 0, 1, 1},
    {"ld8 even lanes", LD8, 0x55555555u, LINE, 1, 0, 2, 1},
    {"ld8 odd lanes", LD8, 0xaaaaaaaau, LINE, 1, 0, 2, 1},
    {"ld8 even lanes, half the words", LD8, 0x55555555u, SHARE, 2, 1, 1, 1},
    {"ld8 one lane", LD8, 0x00000100u, LINE, 1, 0, 1, 1},
    {"ld8 two lanes of a half", LD8, 0x00000101u, LINE, 2, 0, 2, 1},
    {"ld8 a lane of each half, one bank", LD8, 0x00010001u, LINE, 1, 0, 2, 1},
    {"ld8 a lane of each half, two banks", LD8, 0x00020001u, LINE, 1, 0, 1, 1},
    {"ld8 a lane of each half, one address", LD8, 0x00010001u, TURN, 16, 1, 1, 1},
    {"ld8 even lanes, stride 2", LD8, 0x55555555u, LINE, 2, 0, 4, 1},
    {"ld8 random 1", LD8, ALL, RANDOM, 6, 1024, 6, 2},
    {"ld8 random 2", LD8, ALL, RANDOM, 7, 32, 4, 2},
    {"ld8 random 3, some lanes", LD8, 0xe18b5a3cu, RANDOM, 8, 64, 4, 1},
    {"ld8 random 4, few lanes", LD8, 0x08200411u, RANDOM, 9, 32, 1, 1},
    {"st8 in line", ST8, ALL, LINE, 1, 0, 2, 2},
    {"st8 stride 2", ST8, ALL, LINE, 2, 0, 4, 2},
    {"st8 stride 16", ST8, ALL, LINE, 16, 0, 32, 2},
    {"st8 first and third quarter", ST8, QUARTERS(0, 1, 0, 1), LINE, 1, 0, 2, 1},
    {"st8 a lane of each half, two banks", ST8, 0x00020001u, LINE, 1, 0, 2, 1},
    {"st8 even lanes", ST8, 0x55555555u, LINE, 1, 0, 2, 1},
    {"st8 random", ST8, ALL, DISTINCT, 10, 1024, 7, 2},
    {"st8 random, some lanes", ST8, 0x7c0de1a3u, DISTINCT, 11, 128, 5, 1},

    /* 16 bytes: quarters */
    {"ld16 in line", LD16, ALL, LINE, 1, 0, 4, 4},
    {"ld16 stride 2", LD16, ALL, LINE, 2, 0, 8, 4},
    {"ld16 stride 8", LD16, ALL, LINE, 8, 0, 32, 4},
    {"ld16 one address", LD16, ALL, SHARE, 32, 0, 2, 2},
    {"ld16 an address each quarter, one bank", LD16, ALL, SHARE, 8, 8, 4, 4},
    {"ld16 an address each quarter, own banks", LD16, ALL, SHARE, 8, 1, 2, 2},
    {"ld16 pairs share, in line", LD16, ALL, SHARE, 2, 1, 2, 2},
    {"ld16 fours share, in line", LD16, ALL, SHARE, 4, 1, 2, 2},
    {"ld16 quarters ask for the same", LD16, ALL, TURN, 8, 1, 4, 4},
    {"ld16 two addresses of a bank, alternating", LD16, ALL, TURN, 2, 8, 8, 4},
    {"ld16 first quarter", LD16, QUARTERS(0, 0, 0, 1), LINE, 1, 0, 1, 1},
    {"ld16 third quarter", LD16, QUARTERS(0, 1, 0, 0), LINE, 1, 0, 1, 1},
    {"ld16 first two quarters", LD16, QUARTERS(0, 0, 1, 1), LINE, 1, 0, 2, 2},
    {"ld16 first and third quarter", LD16, QUARTERS(0, 1, 0, 1), LINE, 1, 0, 2, 2},
    {"ld16 first and last quarter", LD16, QUARTERS(1, 0, 0, 1), LINE, 1, 0, 2, 2},
    {"ld16 three quarters", LD16, QUARTERS(1, 1, 0, 1), LINE, 1, 0, 3, 3},
    {"ld16 a lane of each quarter, one bank", LD16, 0x01010101u, LINE, 1, 0, 4, 1},
    {"ld16 a lane of each quarter, own banks", LD16, 0x08040201u, LINE, 1, 0, 2, 1},
    {"ld16 a lane of each quarter, one address", LD16, 0x01010101u, TURN, 8, 1, 1, 1},
    {"ld16 two lanes of each quarter, own banks", LD16, 0xc0300c03u, LINE, 1, 0, 3, 1},
    {"ld16 even lanes", LD16, 0x55555555u, LINE, 1, 0, 4, 2},
    {"ld16 even lanes, half the words", LD16, 0x55555555u, SHARE, 2, 1, 2, 2},
    {"ld16 one lane", LD16, 0x00400000u, LINE, 1, 0, 1, 1},
    {"ld16 random 1", LD16, ALL, RANDOM, 12, 1024, 9, 4},
    {"ld16 random 2", LD16, ALL, RANDOM, 13, 16, 7, 4},
    {"ld16 random 3, some lanes", LD16, 0x3a94c5d2u, RANDOM, 14, 32, 5, 2},
    {"ld16 random 4, few lanes", LD16, 0x10820104u, RANDOM, 15, 32, 2, 1},
    {"st16 in line", ST16, ALL, LINE, 1, 0, 4, 4},
    {"st16 stride 2", ST16, ALL, LINE, 2, 0, 8, 4},
    {"st16 stride 8", ST16, ALL, LINE, 8, 0, 32, 4},
    {"st16 first and third quarter", ST16, QUARTERS(0, 1, 0, 1), LINE, 1, 0, 2, 2},
    {"st16 a lane of each quarter, own banks", ST16, 0x08040201u, LINE, 1, 0, 4, 1},
    {"st16 even lanes", ST16, 0x55555555u, LINE, 1, 0, 4, 2},
    {"st16 random", ST16, ALL, DISTINCT, 16, 1024, 9, 4},
    {"st16 random, some lanes", ST16, 0xc3a5170eu, DISTINCT, 17, 128, 6, 2},

    /* atomics: the old value taken or not, a value that lanes bring or the constant 1 */
    {"add own bank", ADD_VALUE, ALL, LINE, 1, 0, 1, 1},
    {"add one word", ADD_VALUE, ALL, SHARE, 32, 0, 32, 1},
    {"add two words of a bank", ADD_VALUE, ALL, SHARE, 16, 32, 32, 1},
    {"add two words of two banks", ADD_VALUE, ALL, SHARE, 16, 1, 16, 1},
    {"add pairs share, in line", ADD_VALUE, ALL, SHARE, 2, 1, 2, 1},
    {"add eights share, in line", ADD_VALUE, ALL, SHARE, 8, 1, 8, 1},
    {"add pairs share, one bank", ADD_VALUE, ALL, SHARE, 2, 32, 32, 1},
    {"add stride 2", ADD_VALUE, ALL, LINE, 2, 0, 2, 1},
    {"add stride 32", ADD_VALUE, ALL, LINE, 32, 0, 32, 1},
    {"add 8 lanes at a bank, others own", ADD_VALUE, ALL, SPLIT, 8, 32, 8, 1},
    {"add 8 lanes at a word, others own", ADD_VALUE, ALL, SPLIT, 8, 0, 8, 1},
    {"add one lane", ADD_VALUE, 0x00000020u, LINE, 1, 0, 1, 1},
    {"add two lanes at a word", ADD_VALUE, 0x00000021u, SHARE, 32, 0, 2, 1},
    {"add lower half at a word", ADD_VALUE, 0x0000ffffu, SHARE, 32, 0, 16, 1},
    {"add even lanes at a word", ADD_VALUE, 0x55555555u, SHARE, 32, 0, 16, 1},
    {"add even lanes, own bank", ADD_VALUE, 0x55555555u, LINE, 1, 0, 1, 1},
    {"add random 1", ADD_VALUE, ALL, RANDOM, 18, 1024, 3, 1},
    {"add random 2", ADD_VALUE, ALL, RANDOM, 19, 64, 3, 1},
    {"add random 3", ADD_VALUE, ALL, RANDOM, 20, 16, 4, 1},
    {"add random 4, some lanes", ADD_VALUE, 0x5c3e11d7u, RANDOM, 21, 128, 1, 1},
    {"blind add own bank", ADD_BLIND, ALL, LINE, 1, 0, 1, 1},
    {"blind add one word", ADD_BLIND, ALL, SHARE, 32, 0, 32, 1},
    {"blind add two words of a bank", ADD_BLIND, ALL, SHARE, 16, 32, 32, 1},
    {"blind add pairs share, in line", ADD_BLIND, ALL, SHARE, 2, 1, 2, 1},
    {"blind add stride 32", ADD_BLIND, ALL, LINE, 32, 0, 32, 1},
    {"blind add random 1", ADD_BLIND, ALL, RANDOM, 18, 1024, 3, 1},
    {"blind add random 2", ADD_BLIND, ALL, RANDOM, 19, 64, 3, 1},
    {"blind add random 3, some lanes", ADD_BLIND, 0x5c3e11d7u, RANDOM, 21, 128, 1, 1},
    {"add 1 own bank", ADD_ONE, ALL, LINE, 1, 0, 1, 1},
    {"add 1 one word", ADD_ONE, ALL, SHARE, 32, 0, 32, 1},
    {"add 1 pairs share, in line", ADD_ONE, ALL, SHARE, 2, 1, 2, 1},
    {"add 1 random 1", ADD_ONE, ALL, RANDOM, 19, 64, 3, 1},
    {"add 1 random 2, some lanes", ADD_ONE, 0x5c3e11d7u, RANDOM, 21, 128, 1, 1},
    {"inc own bank", INC, ALL, LINE, 1, 0, 1, 1},
    {"inc one word", INC, ALL, SHARE, 32, 0, 1, 1},
    {"inc two words of a bank", INC, ALL, SHARE, 16, 32, 2, 1},
    {"inc pairs share, in line", INC, ALL, SHARE, 2, 1, 1, 1},
    {"inc stride 32", INC, ALL, LINE, 32, 0, 32, 1},
    {"inc random 1", INC, ALL, RANDOM, 19, 64, 2, 1},
    {"inc random 2, some lanes", INC, 0x5c3e11d7u, RANDOM, 21, 128, 1, 1},
};

#define PROBES (sizeof probes / sizeof *probes)

/* ---- addresses, on the host ----------------------------------------------------- */

static inline uint32_t probe_size(const struct probe *p)
{
    return p->word == LD8 || p->word == ST8 ? 8u : p->word == LD16 || p->word == ST16 ? 16u : 4u;
}

static inline uint32_t probe_draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static inline int probe_taken(const uint32_t *at, uint32_t lane, uint32_t x)
{
    for (uint32_t i = 0; i < lane; i++)
        if (at[i] == x)
            return 1;
    return 0;
}

/* The byte that each lane asks for. */
static inline void probe_at(const struct probe *p, uint32_t *at)
{
    uint32_t state = p->a * 2654435761u;

    for (uint32_t i = 0; i < 32; i++) {
        uint32_t x = p->rule == LINE    ? p->a * i + p->b
                     : p->rule == SHARE ? p->b * (i / p->a)
                     : p->rule == TURN  ? p->b * (i % p->a)
                     : p->rule == SPLIT ? (i < p->a ? p->b * i : i)
                                        : probe_draw(&state, p->b);

        while (p->rule == DISTINCT && probe_taken(at, i, x * probe_size(p)))
            x = probe_draw(&state, p->b);
        at[i] = x * probe_size(p);
    }
}

/* ---- the kernels, one a word ------------------------------------------------------ */

DEV void probe_fill(const struct probe_arg *arg)
{
    const vec16 x = {1, 2, 3, 4};

    for (uint32_t i = LANE_ID; arg->fill && i < PROBE_BYTES / 16; i += 32)
        sh_st16(16 * i, x);
    warp_sync();
}

#define PROBE_SAYS(arg) ((arg)->lanes >> LANE_ID & 1)

KERNEL(probe_ld4, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg))
        gm_st4(arg->out + LANE_ID, sh_ld4(arg->at[LANE_ID]));
}

KERNEL(probe_ld8, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg)) {
        const uint64_t x = sh_ld8(arg->at[LANE_ID]);

        gm_st4(arg->out + LANE_ID, (uint32_t)(x ^ x >> 32));
    }
}

KERNEL(probe_ld16, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg)) {
        const vec16 x = sh_ld16(arg->at[LANE_ID]);

        gm_st4(arg->out + LANE_ID, x.x ^ x.y ^ x.z ^ x.w);
    }
}

KERNEL(probe_st4, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg))
        sh_st4(arg->at[LANE_ID], arg->value);
}

KERNEL(probe_st8, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg))
        sh_st8(arg->at[LANE_ID], (uint64_t)arg->value << 32 | LANE_ID);
}

KERNEL(probe_st16, struct probe_arg, 32, 1)
{
    const vec16 x = {arg->value, LANE_ID, 3, 4};

    probe_fill(arg);
    if (PROBE_SAYS(arg))
        sh_st16(arg->at[LANE_ID], x);
}

KERNEL(probe_add_value, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg))
        gm_st4(arg->out + LANE_ID, sh_add4(arg->at[LANE_ID], arg->value + LANE_ID));
}

KERNEL(probe_add_blind, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg))
        (void)sh_add4(arg->at[LANE_ID], arg->value + LANE_ID);
}

KERNEL(probe_add_one, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg))
        gm_st4(arg->out + LANE_ID, sh_add4(arg->at[LANE_ID], 1u));
}

KERNEL(probe_inc, struct probe_arg, 32, 1)
{
    probe_fill(arg);
    if (PROBE_SAYS(arg))
        sh_inc4(arg->at[LANE_ID]);
}

#endif
