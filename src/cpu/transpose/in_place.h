/* in_place.h - a matrix of any shape transposed where it is. */
#ifndef CW_CPU_TRANSPOSE_IN_PLACE_H
#define CW_CPU_TRANSPOSE_IN_PLACE_H

#include <stddef.h>

struct cw_team;

/* Bytes of each thread's buffer, for a matrix of `high` rows. */
size_t cw_in_place_bytes(size_t high, size_t wide, size_t bytes);

/* buffer[t] for t < threads. */
void cw_transpose_in_place(size_t high, size_t wide, size_t bytes, char *matrix,
                           char *const *buffer, struct cw_team *team, unsigned threads);

#endif
