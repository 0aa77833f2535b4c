/* wavefronts.h - what one request to shared memory costs.
 *
 * Shared memory has 32 banks of 4 bytes; word x is in bank x % 32.  A request is what the
 * lanes of one warp ask for at one place in the source.  It is served in wavefronts, in
 * each of which every bank gives one word:
 *
 *   4 bytes    the whole warp at once: as many wavefronts as the busiest bank has
 *              distinct words asked for; lanes that ask for the same word share it
 *   8 bytes    lanes 0 - 15, then lanes 16 - 31, each as above
 *   16 bytes   lanes 0 - 7, 8 - 15, 16 - 23, 24 - 31, each as above
 *   reads of 8 and 16 bytes in which, of every two neighbours 2i and 2i + 1, one does not ask or
 *              both ask for the same: parts of twice as many lanes
 *   atomics    as 4 bytes, but equal words are not shared: every lane counts
 *
 * A part of the warp in which no lane asks costs nothing.  Ideal is what the lanes' bytes would
 * take if they lay one beside the other, 128 in a wavefront, or what the request takes, if that
 * is less: 1, 2 and 4 for a full warp.
 *
 * These are the figures of NVIDIA's profiler on an H200, but for two requests: docs/emulator.md.
 */
#ifndef CW_MACHINE_WAVEFRONTS_H
#define CW_MACHINE_WAVEFRONTS_H

#include <stdint.h>

#define CW_WARP  32u
#define CW_BANKS 32u

struct cw_request {
    uint32_t bytes;       /* 4, 8 or 16 */
    int atomic;           /* equal words serialise */
    int write;            /* neighbours are not looked at */
    uint32_t lanes;       /* bit i: lane i asks; one does at least */
    uint32_t at[CW_WARP]; /* for which byte, a multiple of `bytes` */
};

/* The wavefronts it takes; *ideal: those that it should. */
uint32_t cw_wavefronts(const struct cw_request *r, uint32_t *ideal);

#endif
