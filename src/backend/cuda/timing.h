/* timing.h - time between two points of a stream, and the copy that speeds are compared with. */
#ifndef CW_BACKEND_CUDA_TIMING_H
#define CW_BACKEND_CUDA_TIMING_H

#include "clearway.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cw_cuda_clock {
    void *begin, *end; /* events */
};

cw_status cw_cuda_clock_start(struct cw_cuda_clock *clock, cw_stream stream);

/* Stop the clock: wait, and free it in any case.  `status` is that of the work between.  If it is
 * an error it is returned, so that one call ends both. */
cw_status cw_cuda_clock_stop(struct cw_cuda_clock *clock, cw_stream stream, cw_status status,
                             double *seconds);

/* From the GPU's memory to the GPU's memory; does not wait. */
cw_status cw_cuda_copy(void *to, const void *from, size_t bytes, cw_stream stream);

#ifdef __cplusplus
}
#endif
#endif
