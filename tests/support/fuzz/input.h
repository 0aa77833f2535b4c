/* input.h - what fuzz targets share: the fuzzer's bytes as numbers and arrays, and a claim that must hold. */
#ifndef CW_FUZZ_INPUT_H
#define CW_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are left; zeros follow them. */
struct input {
    const uint8_t *at;
    size_t left;
};

static inline void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

static inline uint64_t input_bytes(struct input *in, size_t bytes)
{
    uint64_t x = 0;

    for (size_t k = 0; k < bytes && in->left; k++, in->at++, in->left--)
        x |= (uint64_t)*in->at << 8 * k;
    return x;
}

/* 0 .. limit - 1 */
static inline uint64_t input_below(struct input *in, uint64_t limit)
{
    return input_bytes(in, limit <= 256 ? 1 : limit <= 65536 ? 2 : 8) % limit;
}

static inline int input_bit(struct input *in)
{
    return (int)(input_bytes(in, 1) & 1);
}

/* Exactly so many bytes, so that the sanitizer sees the next one; full of junk. */
static inline void *array_of(size_t bytes)
{
    void *const p = malloc(bytes ? bytes : 1);

    must(p != NULL, "no memory");
    memset(p, 0xa5, bytes);
    return p;
}

static inline void *array_copy(const void *from, size_t bytes)
{
    void *const p = array_of(bytes);

    memcpy(p, from, bytes);
    return p;
}

/* On 256 bytes. */
static inline void *workspace_of(size_t bytes)
{
    void *const p = aligned_alloc(256, bytes / 256 * 256 + 256);

    must(p != NULL, "no memory");
    return p;
}

static inline uint64_t item_get(const void *array, size_t i, size_t bytes)
{
    uint64_t x = 0;

    memcpy(&x, (const char *)array + i * bytes, bytes < 8 ? bytes : 8);
    return x;
}

static inline void item_put(void *array, size_t i, size_t bytes, uint64_t x)
{
    memcpy((char *)array + i * bytes, &x, bytes < 8 ? bytes : 8);
}

/* Bytes that follow from a seed. */
static inline void array_fill(void *array, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        ((uint8_t *)array)[i] = (uint8_t)(seed >> 56);
    }
}

#endif
