/* arena.h - a workspace handed out piece by piece, each on 256 bytes. */
#ifndef CW_BASE_ARENA_H
#define CW_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* Tests are told of each piece, and have so many bytes between pieces (tests/support/apart.h, api/test_arenas.c). */
#if defined(CW_ARENA_GAP)
void cw_arena_taken(const uint8_t *base, uint64_t at, uint64_t bytes);
#else
#define CW_ARENA_GAP 0u
static inline void cw_arena_taken(const uint8_t *base, uint64_t at, uint64_t bytes)
{
    (void)base, (void)at, (void)bytes;
}
#endif

/* The next `bytes`, of which *at were handed out before; base NULL: only *at grows. */
static inline void *take(uint8_t *base, uint64_t *at, uint64_t bytes)
{
    void *const here = base ? base + *at : NULL;

    if (base)
        cw_arena_taken(base, *at, bytes);
    *at += (bytes + 255u) / 256u * 256u + CW_ARENA_GAP;
    return here;
}

#endif
