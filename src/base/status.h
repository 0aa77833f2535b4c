/* status.h - how a function inside the library says that it failed. */
#ifndef CW_BASE_STATUS_H
#define CW_BASE_STATUS_H

#include "clearway.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Store the detail for cw_last_error() and return `status`: return cw_fail(CW_ERR_IO, "..."). */
cw_status cw_fail(cw_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
