/* key.h - the word that the row kernels sort: an unsigned number of 4, 8 or 16 bytes.
 *
 * A source that includes the kernels defines KEY_LOG before: 2, 3 or 4.  A word holds a key alone,
 * or a key above what travels with it (PAY bits: its place in the row, or its value).  A quad is
 * the 4, 2 or 1 words that 16 bytes hold.
 */
#ifndef CW_PRIM_KEY_H
#define CW_PRIM_KEY_H

#ifndef KEY_LOG
#define KEY_LOG 2
#endif

#define KEY_BYTES (1 << KEY_LOG)
#define QUAD_LOG  (4 - KEY_LOG)
#define QUAD      (1 << QUAD_LOG)
#define PAY       (4 * KEY_BYTES)

#if KEY_LOG == 2
typedef uint32_t key;
typedef uint32_t bits; /* a key as it is in memory, or a value */
#define shfl_xor_key      shfl_xor4
#define gm_ld_key(p)      gm_ld4(p)
#define gm_st_key(p, x)   gm_st4(p, x)
#define sh_ld_key(at)     sh_ld4(at)
#define sh_ld_key_all(at) sh_ld4(at)
#define sh_st_key(at, x)  sh_st4(at, x)
#elif KEY_LOG == 3
typedef uint64_t key;
typedef uint64_t bits;
#define shfl_xor_key      shfl_xor8
#define gm_ld_key(p)      gm_ld8(p)
#define gm_st_key(p, x)   gm_st8(p, x)
#define sh_ld_key(at)     sh_ld8(at)
#define sh_ld_key_all(at) sh_ld8_all(at)
#define sh_st_key(at, x)  sh_st8(at, x)
#else
__extension__ typedef unsigned __int128 key;
typedef uint64_t bits;
#define shfl_xor_key(x, mask) \
    ((key)shfl_xor8((uint64_t)((x) >> 64), mask) << 64 | shfl_xor8((uint64_t)(x), mask))
#define gm_ld_key(p)      key_of_quad(gm_ld16(p))
#define gm_st_key(p, x)   gm_st16(p, quad_of(&(x)))
#define sh_ld_key(at)     key_of_quad(sh_ld16(at))
#define sh_ld_key_all(at) key_of_quad(sh_ld16_all(at))
#define sh_st_key(at, x)  sh_st16(at, quad_of(&(x)))
#endif

#define KEY_MAX ((key) ~(key)0)

/* From x[0 ..] to 16 bytes, and back.  With flip = QUAD - 1 in reversed order. */
DEV vec16 quad_of(const key *x)
{
#if KEY_LOG == 2
    const vec16 q = {x[0], x[1], x[2], x[3]};
#elif KEY_LOG == 3
    const vec16 q = {(uint32_t)x[0], (uint32_t)(x[0] >> 32), (uint32_t)x[1],
                     (uint32_t)(x[1] >> 32)};
#else
    const vec16 q = {(uint32_t)x[0], (uint32_t)(x[0] >> 32), (uint32_t)(x[0] >> 64),
                     (uint32_t)(x[0] >> 96)};
#endif

    return q;
}

DEV void quad_to(key *x, vec16 q, int flip)
{
#if KEY_LOG == 2
    x[0 ^ flip] = q.x;
    x[1 ^ flip] = q.y;
    x[2 ^ flip] = q.z;
    x[3 ^ flip] = q.w;
#elif KEY_LOG == 3
    x[0 ^ flip] = (uint64_t)q.y << 32 | q.x;
    x[1 ^ flip] = (uint64_t)q.w << 32 | q.z;
#else
    x[flip] = (key)((uint64_t)q.w << 32 | q.z) << 64 | ((uint64_t)q.y << 32 | q.x);
#endif
}

#if KEY_LOG == 4
DEV key key_of_quad(vec16 q)
{
    key x;

    quad_to(&x, q, 0);
    return x;
}
#endif

#endif
