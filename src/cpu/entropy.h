/* entropy.h - a number that nobody can foresee. */
#ifndef CW_CPU_ENTROPY_H
#define CW_CPU_ENTROPY_H

#include <stdint.h>

/* From the system; where it has none, from the clock and from where things lie in memory. */
uint64_t cw_entropy(void);

#endif
