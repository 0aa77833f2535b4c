/* buffer.h - global memory that a kernel may ask for. */
#ifndef CW_BASE_BUFFER_H
#define CW_BASE_BUFFER_H

#include <stddef.h>

struct cw_emu_buffer {
    const void *data;
    size_t bytes;
    int writable;
};

#endif
