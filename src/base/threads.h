/* threads.h - OpenMP, or one thread where the compiler has none. */
#ifndef CW_BASE_THREADS_H
#define CW_BASE_THREADS_H

#define CW_THREADS_MOST 1024u /* that one call starts; more would only be refused by the system */

#if defined(_OPENMP)

#include <omp.h>

#define CW_OMP(text) _Pragma(#text)

/* How many threads there can be, if `wanted` are asked for (0: one a processor). */
static inline unsigned cw_threads(unsigned wanted)
{
    const unsigned all = wanted ? wanted : (unsigned)omp_get_num_procs();

    return all < CW_THREADS_MOST ? all : CW_THREADS_MOST;
}

/* Which of them the caller is. */
static inline unsigned cw_thread(void)
{
    return (unsigned)omp_get_thread_num();
}

#else

#define CW_OMP(text)

static inline unsigned cw_threads(unsigned wanted)
{
    (void)wanted;
    return 1;
}

static inline unsigned cw_thread(void)
{
    return 0;
}

#endif
#endif
