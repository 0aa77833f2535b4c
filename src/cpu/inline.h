/* inline.h - functions that become part of each caller, and of the constants it passes; calls for
 * each width; and loops whose steps may be done side by side, as vectors. */
#ifndef CW_CPU_INLINE_H
#define CW_CPU_INLINE_H

#if defined(__GNUC__)
#define CW_INLINE static inline __attribute__((always_inline))
#else
#define CW_INLINE static inline
#endif

/* Before a loop; CW_SIMD_OR and CW_SIMD_ADD: one that collects its variables by | or +.  CMake says whether the compiler
 * knows them: they need no library. */
#if defined(CW_HAVE_SIMD)
#define CW_PRAGMA(...)  _Pragma(#__VA_ARGS__)
#define CW_SIMD         CW_PRAGMA(omp simd)
#define CW_SIMD_OR(...) CW_PRAGMA(omp simd reduction(| : __VA_ARGS__))
#define CW_SIMD_ADD(x)  CW_PRAGMA(omp simd reduction(+ : x))
#else
#define CW_SIMD
#define CW_SIMD_OR(...)
#define CW_SIMD_ADD(x)
#endif

/* CALL(width), which is a constant in the call if it is 1, 2, 4, 8 or 16; else CALL(any). */
#define CW_BY_WIDTH(width, CALL, any) \
    switch (width) {                  \
    case 1:                           \
        CALL(1);                      \
        break;                        \
    case 2:                           \
        CALL(2);                      \
        break;                        \
    case 4:                           \
        CALL(4);                      \
        break;                        \
    case 8:                           \
        CALL(8);                      \
        break;                        \
    case 16:                          \
        CALL(16);                     \
        break;                        \
    default:                          \
        CALL(any);                    \
    }

/* Copies one word.  A fortified memcpy would keep the loop around it from becoming vectors (clang
 * 14). */
#if defined(__GNUC__)
#define CW_COPY_WORD(to, from, bytes) __builtin_memcpy(to, from, bytes)
#else
#define CW_COPY_WORD(to, from, bytes) memcpy(to, from, bytes)
#endif

#endif
