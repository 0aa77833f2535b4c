/* dev_model.h - the vocabulary of dev.h on the model (machine/model/model.h). */
#ifndef CW_DEV_MODEL_H
#define CW_DEV_MODEL_H

#include "machine/model/model.h"

#define DEV static __attribute__((unused))

typedef cw_word word;
typedef struct cw_model *mem;

#define WORD_MAX  UINT64_MAX
#define WORD_BITS 64

#define DEV_TEXT2(x) #x
#define DEV_TEXT(x)  DEV_TEXT2(x)
#define DEV_SITE     (__FILE__ ":" DEV_TEXT(__LINE__))

#define lane_id(s)             ((int)cw_model_lane(s))
#define bank_read(s, row, col) cw_model_read((s), (uint32_t)(row), (uint32_t)(col), DEV_SITE)
#define bank_write(s, row, col, x) \
    cw_model_write((s), (uint32_t)(row), (uint32_t)(col), (x), DEV_SITE)
#define lane_skip(s) cw_model_skip(s)
#define lane_pass(s) ((void)(s))
#define ROLL
#define lane_clock(s) ((long long)cw_model_clock(s))

/* Let steps pass until `length` of them have since the clock showed `from`. */
#define lane_pace(s, from, length)                           \
    do {                                                     \
        while (lane_clock(s) < (from) + (long long)(length)) \
            lane_skip(s);                                    \
    } while (0)

#define group_sync(s, first, stride, rows)                                                         \
    cw_model_sync((s), (struct cw_group){(uint32_t)(first), (uint32_t)(stride), (uint32_t)(rows)}, \
                  DEV_SITE)

#define phase_mark(s, first, stride, rows, column, cols, name)                                   \
    cw_model_phase((s),                                                                          \
                   &(struct cw_phase){(name),                                                    \
                                      {(uint32_t)(first), (uint32_t)(stride), (uint32_t)(rows)}, \
                                      (uint32_t)(column),                                        \
                                      (uint32_t)(cols)},                                         \
                   DEV_SITE)

#endif
