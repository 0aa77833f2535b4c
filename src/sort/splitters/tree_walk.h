/* tree_walk.h - the digit of a skewed array's first pass, by the table that splitters/tree_build.h
 * made. */
#ifndef CW_SORT_SPLITTERS_TREE_WALK_H
#define CW_SORT_SPLITTERS_TREE_WALK_H

#include "sort/radix/histogram.h"

DEV int tree_used(const struct radix_job *j)
{
    return j->tree && j->pass == 0 && gm_ld4(&j->tree->used);
}

/* Whether the pass's one bucket is open (splitters/sample.h). */
DEV int pass_open(const struct radix_job *j)
{
    return j->tree && j->pass == 0 && gm_ld4(&j->buckets[0][0].open);
}

/* Do the tree's kernels count and move this pass?  They do if it goes by a tree, if its bucket is
 * open, or if the array is short. */
DEV int tree_takes(const struct radix_job *j)
{
    return j->pass == 0 && (j->both || tree_used(j) || pass_open(j));
}

#if RADIX_COUNTS
/* The digit by the tree, whose table comes to shared memory at `at`. */
DEV struct digit tree_digit(const struct radix_job *j, uint32_t at)
{
    struct digit d;

    digit_map(&d, j);
    d.tree = at;
    d.lo = (key)gm_ld8(&j->tree->lo);
    d.last = (key)gm_ld8(&j->tree->last);
    d.lead = gm_ld4(&j->tree->lead);
    d.deep = gm_ld4(&j->tree->steps) >= RADIX_TREE_STEPS;
    d.mult = 0;
    ROLL for (uint32_t i = THREAD_ID; i < RADIX_TREE_ROOM; i += BLOCK_DIM)
        sh_st4(at + 4u * i, gm_ld4(&j->tree_table[i]));
    block_sync();
    return d;
}
#endif

#endif
