/* merge.h - sorted runs of keys merged by one thread of the host.
 *
 * Runs are merged in pairs, pass by pass; two runs from both ends at once, with no branch that
 * depends on keys: as many steps from the front and from the back as the shorter run is long, so
 * that neither can leave its run, then again with what is left.  Equal keys keep the order of runs.
 * Time: log2(runs) passes of about a nanosecond a key, which is less than cw_sort takes for up to
 * CW_MERGE_RUNS of them. */
#ifndef CW_DISTRIBUTED_SORT_MERGE_H
#define CW_DISTRIBUTED_SORT_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "prim/key_map.h"

#define CW_MERGE_RUNS 16u

struct cw_merge {
    struct cw_key_map map;
    unsigned first; /* the bits that count */
    uint64_t range;
    uint32_t runs;
    const uint64_t *lengths; /* of runs that lie one behind the other */
};

/* Keys of 4 bytes, or of 8.  `from` is written to, too; the result is in `to`. */
void cw_merge4(const struct cw_merge *m, uint32_t *from, uint32_t *to);
void cw_merge8(const struct cw_merge *m, uint64_t *from, uint64_t *to);

#endif
