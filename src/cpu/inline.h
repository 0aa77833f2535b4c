/* inline.h - functions that become part of each caller, and of the constants it passes; and loops
 * whose steps may be done side by side, as vectors. */
#ifndef CW_CPU_INLINE_H
#define CW_CPU_INLINE_H

#if defined(__GNUC__)
#define CW_INLINE static inline __attribute__((always_inline))
#else
#define CW_INLINE static inline
#endif

/* Before a loop; CW_SIMD_OR: one that collects x by |.  CMake says whether the compiler knows them:
 * they need no library. */
#if defined(CW_HAVE_SIMD)
#define CW_PRAGMA(text) _Pragma(#text)
#define CW_SIMD         CW_PRAGMA(omp simd)
#define CW_SIMD_OR(x)   CW_PRAGMA(omp simd reduction(| : x))
#else
#define CW_SIMD
#define CW_SIMD_OR(x)
#endif

/* Copies one word.  A fortified memcpy would keep the loop around it from becoming vectors (clang
 * 14). */
#if defined(__GNUC__)
#define CW_COPY_WORD(to, from, bytes) __builtin_memcpy(to, from, bytes)
#else
#define CW_COPY_WORD(to, from, bytes) memcpy(to, from, bytes)
#endif

#endif
