/* bounds.h - where a row begins and ends, as the host reads it. */
#ifndef CW_CPU_ROWS_BOUNDS_H
#define CW_CPU_ROWS_BOUNDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "clearway.h"

static inline size_t cw_offset_bytes(const cw_rows *job)
{
    return job->offset_bytes == 4 ? 4 : 8;
}

static inline uint64_t cw_offset_at(const cw_rows *job, const void *offsets, size_t r)
{
    uint64_t wide;
    uint32_t narrow;

    if (job->offset_bytes == 4) {
        memcpy(&narrow, (const char *)offsets + 4 * r, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, (const char *)offsets + 8 * r, sizeof wide);
    return wide;
}

/* The first item of row r, and the one after its last. */
static inline uint64_t cw_row_start(const cw_rows *job, size_t r)
{
    return job->offsets ? cw_offset_at(job, job->offsets, r) : (uint64_t)r * job->length;
}

static inline uint64_t cw_row_end(const cw_rows *job, size_t r)
{
    if (!job->offsets)
        return ((uint64_t)r + 1) * job->length;
    return job->ends ? cw_offset_at(job, job->ends, r) : cw_offset_at(job, job->offsets, r + 1);
}

static inline size_t cw_row_keys(const cw_rows *job, size_t r)
{
    return (size_t)(cw_row_end(job, r) - cw_row_start(job, r));
}

#endif
