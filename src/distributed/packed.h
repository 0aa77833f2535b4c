/* packed.h - numbers in as few bytes as the largest of them needs, the lowest byte first. */
#ifndef CW_DISTRIBUTED_PACKED_H
#define CW_DISTRIBUTED_PACKED_H

#include <stdint.h>

/* Bytes that numbers of 0 .. most need; 0 if all are 0. */
static inline unsigned cw_packed_bytes(uint64_t most)
{
    unsigned bytes = 0;

    for (; most; most >>= 8)
        bytes++;
    return bytes;
}

static inline uint8_t *cw_pack(uint8_t *to, uint64_t x, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++)
        to[k] = (uint8_t)(x >> 8 * k);
    return to + bytes;
}

static inline uint64_t cw_unpack(const uint8_t **from, unsigned bytes)
{
    uint64_t x = 0;

    for (unsigned k = 0; k < bytes; k++)
        x |= (uint64_t)(*from)[k] << 8 * k;
    *from += bytes;
    return x;
}

#endif
