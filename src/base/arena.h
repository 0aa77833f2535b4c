/* arena.h - a workspace handed out piece by piece, each on 256 bytes. */
#ifndef CW_BASE_ARENA_H
#define CW_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* The next `bytes`, of which *at were handed out before; base NULL: only *at grows. */
static inline void *take(uint8_t *base, uint64_t *at, uint64_t bytes)
{
    void *const here = base ? base + *at : NULL;

    *at += (bytes + 255u) / 256u * 256u;
    return here;
}

#endif
