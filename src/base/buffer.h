/* buffer.h - global memory that a kernel may ask for. */
#ifndef CW_BASE_BUFFER_H
#define CW_BASE_BUFFER_H

#include <stddef.h>

struct cw_emu_buffer {
    const void *data;
    size_t bytes;
    int writable;

    /* Which of its bytes somebody has written: bit first + i for byte i.  NULL: all of them.  A
     * byte that is not marked but is not CW_EMU_JUNK either was written by the host. */
    unsigned char *written;
    size_t first;
};

#endif
