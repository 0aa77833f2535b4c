/* move_case.h - elements shuffled, or matrices transposed, by a context, and held against what they should be. */
#ifndef CW_MOVE_CASE_H
#define CW_MOVE_CASE_H

#include "clearway.h"

/* 0 if the outcome is as it must be; otherwise prints the case.  Arrays of the job are made here. */
int shuffle_case_run(cw_context *context, const cw_shuffle_job *job);

/* The same; arrays begin `shift` elements after 256 bytes. */
int transpose_case_run(cw_context *context, const cw_transpose_job *job, int in_place, int shift,
                       uint64_t seed);

#endif
