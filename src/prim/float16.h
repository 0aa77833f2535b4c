/* float16.h - f16 and bf16 as f32 and back, by their bits; rounded to nearest, ties to even.
 *
 * On a GPU f16 is converted by an instruction.  NaNs stay NaNs; their other bits are not kept
 * there.
 */
#ifndef CW_PRIM_FLOAT16_H
#define CW_PRIM_FLOAT16_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define FLOAT_INLINE static __device__ __forceinline__
#else
#define FLOAT_INLINE static inline __attribute__((unused))
#endif

#if defined(__CUDACC__)
FLOAT_INLINE float f32_of_bits(uint32_t bits)
{
    return __uint_as_float(bits);
}

FLOAT_INLINE uint32_t bits_of_f32(float x)
{
    return __float_as_uint(x);
}
#else
FLOAT_INLINE float f32_of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

FLOAT_INLINE uint32_t bits_of_f32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}
#endif

FLOAT_INLINE float f32_of_bf16(uint32_t half)
{
    return f32_of_bits(half << 16);
}

FLOAT_INLINE uint32_t bf16_of_f32(float x)
{
    const uint32_t bits = bits_of_f32(x);

    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return bits >> 16 | 0x40u;
    return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

#if defined(__CUDACC__)

FLOAT_INLINE float f32_of_f16(uint32_t half)
{
    float x;

    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((uint16_t)half));
    return x;
}

FLOAT_INLINE uint32_t f16_of_f32(float x)
{
    uint16_t half;

    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
    return half;
}

#else

FLOAT_INLINE float f32_of_f16(uint32_t half)
{
    const uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u;
    const uint32_t fraction = half & 0x3ffu;

    if (exponent == 31u)
        return f32_of_bits(sign | 0x7f800000u | fraction << 13);
    if (exponent)
        return f32_of_bits(sign | (exponent + 112u) << 23 | fraction << 13);
    return sign ? -(float)fraction / 16777216.0f : (float)fraction / 16777216.0f;
}

FLOAT_INLINE uint32_t f16_of_f32(float x)
{
    const uint32_t bits = bits_of_f32(x), sign = bits >> 16 & 0x8000u, low = bits & 0x7fffffffu;

    if (low > 0x7f800000u)
        return sign | 0x7fffu;
    if (low >= 0x47800000u) /* 65536 and more */
        return sign | 0x7c00u;
    if (low >= 0x38800000u) /* 2^-14 and more: a carry of the fraction goes to the exponent */
        return sign | (low - 0x38000000u + 0xfffu + (low >> 13 & 1u)) >> 13;
    /* Below: a multiple of 2^-24, which adding 0.5 rounds to, in the fraction's last bits. */
    return sign | (bits_of_f32(f32_of_bits(low) + 0.5f) - 0x3f000000u);
}

#endif
#endif
