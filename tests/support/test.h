/* test.h - what every test program begins with: cmocka, and how long it may take. */
#ifndef CW_TEST_H
#define CW_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Is CW_LONG=1 in the environment? */
int cw_long_run(void);

/* Is CW_QUICK in the environment?  Then every kernel still runs, but in few cases: for tools that make
 * each launch slow. */
int cw_quick_run(void);

/* How many random cases: CW_CASES of the environment, else `usual`. */
unsigned cw_test_cases(unsigned usual);

/* Does the emulator have a GPU's shapes (cmake -DCMAKE_C_FLAGS=-DSHAPES_EARLY, CW_EMU_GPU=sm_90 in the
 * environment)?  Then arrays must be longer to meet every kernel. */
#if defined(SHAPES_EARLY)
#define CW_FULL_SHAPES 1
#else
#define CW_FULL_SHAPES 0
#endif

/* Under sanitizers everything runs, but less of what is slow: the ranges themselves are
 * covered by the ordinary build of the same check. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CW_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CW_SANITIZED 1
#endif
#endif
#if !defined(CW_SANITIZED)
#define CW_SANITIZED 0
#endif

/* ThreadSanitizer knows no threads after fork(). */
#if defined(__SANITIZE_THREAD__)
#define CW_FORK_HAS_THREADS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CW_FORK_HAS_THREADS 0
#endif
#endif
#if !defined(CW_FORK_HAS_THREADS)
#define CW_FORK_HAS_THREADS 1
#endif

#define CW_FEW (CW_SANITIZED || cw_quick_run())

/* What random inputs are made from: CW_SEED of the environment, else the time.  Failures
 * print the seed of the very input that failed, and this one. */
uint64_t cw_test_seed(void);

struct cw_random {
    uint64_t state;
};

struct cw_random cw_random_from(uint64_t seed);
uint64_t cw_random_next(struct cw_random *r);
void cw_random_skip(struct cw_random *r, uint64_t count); /* as if so many had been taken */
uint64_t cw_random_below(struct cw_random *r, uint64_t limit);

#endif
