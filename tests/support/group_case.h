/* group_case.h - one random case of a call on a group of ranks, held against a serial oracle.
 *
 * Everything follows from the seed, so every rank makes the input of all of them, computes what it must
 * get and compares: nothing is said between ranks but by the call itself. */
#ifndef CW_TESTS_GROUP_CASE_H
#define CW_TESTS_GROUP_CASE_H

#include "clearway_distributed.h"

/* 0: right on this rank; else what is wrong was printed, with the seed.  All ranks make the same call. */
int group_sort_case(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most);
int group_permute_case(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most);
int group_partition_case(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most);

/* How many items each of `ranks` has, about `most` together: even, random, one has all, many have none. */
void group_case_lengths(uint64_t *state, uint32_t ranks, uint64_t most, uint64_t *lengths);

/* A count in the context's memory, of 4 or 8 bytes as the seed says, of n items; in `extra` how many more the
 * job's own n has on each of `ranks`.  Returns the bytes of the count, 0 if the case has none, or SIZE_MAX. */
size_t group_case_count(cw_context *context, uint64_t seed, uint32_t ranks, uint64_t n,
                        void **count, uint64_t *extra);

/* Key x of `all`, of rank r of `ranks`, for an input of that kind. */
#define GROUP_INPUTS 9
uint64_t group_case_key(unsigned kind, uint64_t x, uint64_t all, uint32_t r, uint32_t ranks,
                        uint64_t seed);

#endif
