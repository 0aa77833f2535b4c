/* shapes.h - which set of shapes a source is compiled for.
 *
 *      SHAPES_TINY     the emulator's own: small arrays have many blocks, buckets and levels
 *      SHAPES_SMALL    a GPU whose blocks have 101,376 bytes of shared memory
 *      SHAPES_LARGE    a GPU whose blocks have 232,448
 *
 * The wrappers that cmake/instances.cmake writes define SHAPES.  Shapes are chosen by #if SHAPES ==
 * SHAPES_SMALL and the like, in src/tuning or in a room's own header.
 *
 *      KERNEL_ID(name)      the kernel's number in backend/kernel_list.h, as launches want it
 *      SHAPES_TABLE(name)   name_tiny, name_small or name_large: a function that fills a host
 *                           table.  The emulator's wrappers define these, so that a library without
 *                           CUDA knows a GPU's sizes too; those for CUDA hold kernels only.
 *
 * A kernel in small shapes has a name of its own, that ends in _small.  Tiny and large kernels have
 * the same name: the emulator keeps both, a GPU the large ones.
 */
#ifndef CW_DEV_SHAPES_H
#define CW_DEV_SHAPES_H

#include <stddef.h>
#include <stdint.h>

#define SHAPES_TINY  0
#define SHAPES_SMALL 1
#define SHAPES_LARGE 2

#ifndef SHAPES /* a source that is no instance, like a test's */
#if defined(__CUDACC__)
#define SHAPES SHAPES_LARGE
#else
#define SHAPES SHAPES_TINY
#endif
#endif

/* Names put together from what an instance defines, as cw_sort_lsd_ and LSD_TYPE and _pass. */
#define NAME_PASTE2(a, b)    a##b
#define NAME_PASTE3(a, b, c) a##b##c
#define NAME_OF2(a, b)       NAME_PASTE2(a, b)
#define NAME_OF3(a, b, c)    NAME_PASTE3(a, b, c)

#if SHAPES == SHAPES_SMALL
#define SHAPES_KERNEL(name) NAME_OF2(name, _small)
#define SHAPES_TABLE(name)  NAME_OF2(name, _small)
#define SHAPES_SHARED       101376u /* bytes that a block may have */
#elif SHAPES == SHAPES_LARGE
#define SHAPES_KERNEL(name) name
#define SHAPES_TABLE(name)  NAME_OF2(name, _large)
#if defined(SHAPES_NOT_SMALL)
#define SHAPES_SHARED 232448u
#else /* small GPUs launch it, too */
#define SHAPES_SHARED 101376u
#endif
#else
#define SHAPES_KERNEL(name) name
#define SHAPES_TABLE(name)  NAME_OF2(name, _tiny)
#define SHAPES_SHARED       232448u
#endif
#define KERNEL_ID(name) NAME_OF2(CW_KERNEL_, SHAPES_KERNEL(name))

#if defined(__cplusplus)
#define STATIC_ASSERT(claim, text) static_assert(claim, text)
#else
#define STATIC_ASSERT(claim, text) _Static_assert(claim, text)
#endif

/* Shared memory is described by a struct that nobody makes: this is where a field stands. */
#define SHARED_AT(layout, field) ((uint32_t)offsetof(struct layout, field))

/* A kernel's shared memory, in bytes, is no more than a block of its GPUs may have. */
#define FITS(bytes) \
    STATIC_ASSERT((bytes) <= SHAPES_SHARED, "more shared memory than these GPUs have")

/* Large kernels that have a small twin, or that small shapes never launch (SHAPES_NOT_SMALL, which
 * the wrapper defines), are empty in machine code for GPUs that take the small ones.  That saves
 * compile time. */
#if defined(__CUDA_ARCH__) && defined(SHAPES_NOT_SMALL) && \
    (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
#define SHAPES_EMPTY 1
#else
#define SHAPES_EMPTY 0
#endif

#endif
