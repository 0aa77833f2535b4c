/* inline.h - functions that become part of each caller, and of the constants it passes. */
#ifndef CW_CPU_INLINE_H
#define CW_CPU_INLINE_H

#if defined(__GNUC__)
#define CW_INLINE static inline __attribute__((always_inline))
#else
#define CW_INLINE static inline
#endif

#endif
