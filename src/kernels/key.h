/* key.h - the word that the row kernels sort: u32, or u64 where KEY_LOG is 3.
 *
 * A source that includes the kernels defines KEY_LOG before (2 unless told), and KEY_IN and
 * KEY_OUT if its keys are of another type: maps to unsigned words of the same order and back.
 * A quad is the 4 or 2 keys that 16 bytes hold.
 */
#ifndef CW_KEY_H
#define CW_KEY_H

#ifndef KEY_LOG
#define KEY_LOG 2
#endif

#ifndef KEY_IN
#define KEY_IN(x)  (x)
#define KEY_OUT(x) (x)
#endif

#define KEY_BYTES (1 << KEY_LOG)
#define QUAD_LOG  (4 - KEY_LOG)
#define QUAD      (1 << QUAD_LOG)

#if KEY_LOG == 2
typedef uint32_t key;
#define KEY_MAX          0xffffffffu
#define shfl_xor_key     shfl_xor4
#define gm_ld_key(p)     gm_ld4(p)
#define gm_st_key(p, x)  gm_st4(p, x)
#define sh_ld_key(at)    sh_ld4(at)
#define sh_st_key(at, x) sh_st4(at, x)
#else
typedef uint64_t key;
#define KEY_MAX          0xffffffffffffffffu
#define shfl_xor_key     shfl_xor8
#define gm_ld_key(p)     gm_ld8(p)
#define gm_st_key(p, x)  gm_st8(p, x)
#define sh_ld_key(at)    sh_ld8(at)
#define sh_st_key(at, x) sh_st8(at, x)
#endif

/* x[0 ..] and 16 bytes; with flip = QUAD - 1 in reversed order. */
DEV vec16 quad_of(const key *x)
{
#if KEY_LOG == 2
    const vec16 q = {x[0], x[1], x[2], x[3]};
#else
    const vec16 q = {(uint32_t)x[0], (uint32_t)(x[0] >> 32), (uint32_t)x[1],
                     (uint32_t)(x[1] >> 32)};
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
#else
    x[0 ^ flip] = (uint64_t)q.y << 32 | q.x;
    x[1 ^ flip] = (uint64_t)q.w << 32 | q.z;
#endif
}

#endif
