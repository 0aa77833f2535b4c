/* dev_warp.h - the vocabulary of dev.h on one warp (kernel.h): w = 32, row r is bank r.
 *
 * The matrix lies in shared memory from byte offset s on.  A word is 64 bits, as on the
 * model, kept as two planes of 32: word (r, c) is the 4-byte words 64c + r and 64c + 32 + r,
 * both in bank r.  So an access is two requests, each of which is free of conflicts just
 * where the model's step is.  With CW_WORD_BYTES 4, a word is 32 bits and one request.
 *
 * Lanes of a warp are not in lock-step by counting.  group_sync keeps them together, and where a
 * lane lets a step pass (lane_skip) the branch's end does, or, on the emulator, sh_skip.
 */
#ifndef CW_DEV_WARP_H
#define CW_DEV_WARP_H

#include "dev/kernel.h"

#ifndef CW_WORD_BYTES
#define CW_WORD_BYTES 8
#endif

/* The paper's routines call each other from many places: left to the compiler, each would
 * be inlined at every one. */
#undef DEV
#define DEV DEV_APART

typedef uint32_t mem;

#define lane_id(s) ((void)(s), (int)LANE_ID)

#if CW_WORD_BYTES == 8
typedef uint64_t word;
#define WORD_BITS                  64
#define WORD_MAX                   UINT64_MAX
#define bank_place(s, row, col)    ((s) + 256u * (uint32_t)(col) + 4u * (uint32_t)(row))
#define bank_read(s, row, col)     sh_ld4x2(bank_place((s), (row), (col)), 128u)
#define bank_write(s, row, col, x) sh_st4x2(bank_place((s), (row), (col)), 128u, (x))
#define lane_skip(s)               (sh_skip(), sh_skip())
#else
typedef uint32_t word;
#define WORD_BITS                  32
#define WORD_MAX                   UINT32_MAX
#define bank_place(s, row, col)    ((s) + 128u * (uint32_t)(col) + 4u * (uint32_t)(row))
#define bank_read(s, row, col)     sh_ld4(bank_place((s), (row), (col)))
#define bank_write(s, row, col, x) sh_st4(bank_place((s), (row), (col)), (x))
#define lane_skip(s)               sh_skip()
#endif

/* On the emulator a lane that has nothing to ask for says so by one or the other; a GPU's lanes
 * wait at the end of the branch. */
#define lane_pass(s) lane_skip(s)

/* A warp has no count of steps: steps are not charged on it. */
#define lane_clock(s)              ((void)(s), 0LL)
#define lane_pace(s, from, length) ((void)(s), (void)(from), (void)(length))

/* The lanes first, first + stride, .. (rows of them) as a mask. */
DEV uint32_t group_mask(int first, int stride, int rows)
{
    uint32_t mask = 0;

    if (rows == 32)
        return 0xffffffffu;
    for (int i = 0; i < rows; i++)
        mask |= 1u << (first + i * stride);
    return mask;
}

#define group_sync(s, first, stride, rows) \
    ((void)(s), warp_sync_mask(group_mask((first), (stride), (rows))))
#define phase_mark(s, first, stride, rows, column, cols, name) \
    ((void)(column), (void)(cols), (void)(name), group_sync((s), (first), (stride), (rows)))

#endif
