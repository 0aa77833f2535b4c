/* banks.h - what one request to shared memory costs, on machines of several kinds.
 *
 * The lanes of a request are served part by part.  In a part every bank gives one word of 4 bytes at
 * a time, so it takes as many wavefronts as the busiest bank has distinct words asked for; lanes that
 * ask for bytes of one word share it.
 *
 *   nvidia     32 lanes, 32 banks.  The rule of wavefronts.h, which is held against the profiler;
 *              1 and 2 bytes as 4 (tests/machine/narrow_probes.cu holds these against it, too)
 *   amd        64 lanes, 32 banks (LDS of GCN and CDNA 1 to 3).  As many lanes a part as ask for 128
 *              bytes, in their order; but reads of 16 bytes take lanes 0-3 with 20-23, 4-7 with
 *              16-19, 8-11 with 28-31, 12-15 with 24-27, and the same in lanes 32-63
 *   64-banks   64 lanes, 64 banks.  As many lanes a part as ask for 256 bytes, in their order
 *
 * The parts of amd are those of AMD's documentation for 16 bytes ("LDS bank conflicts", Composable
 * Kernel), and for others what its bandwidth says; amd and 64-banks were held against no profiler.
 *
 * Ideal is what the lanes' bytes, 4 at least, would take if they lay one beside the other, or what the
 * request takes, if that is less.
 */
#ifndef CW_MACHINE_BANKS_H
#define CW_MACHINE_BANKS_H

#include <stdint.h>

#define CW_LANES_MAX 64u
#define CW_BANKS_MAX 64u
#define CW_PARTS_MAX 16u

struct cw_bank_machine {
    const char *name;
    uint32_t lanes, banks;
    uint32_t shared; /* bytes that a block can have */
    int crossed;     /* reads of 16 bytes: amd's order */
    int pairs;       /* reads in which neighbours share: nvidia's larger parts */
};

extern const struct cw_bank_machine cw_bank_machines[]; /* a name of NULL ends it */

struct cw_lanes_request {
    uint32_t bytes; /* 1, 2, 4, 8 or 16 */
    int write;
    uint64_t lanes;            /* bit i: lane i asks; one does at least */
    uint32_t at[CW_LANES_MAX]; /* for which byte, a multiple of `bytes` */
};

/* The part that serves each lane, below CW_PARTS_MAX; returns how many parts there are. */
uint32_t cw_bank_parts(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                       uint8_t *part);

/* The wavefronts it takes; *ideal: those that it should. */
uint32_t cw_bank_wavefronts(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                            uint32_t *ideal);

#endif
