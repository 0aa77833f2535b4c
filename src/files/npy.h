/* npy.h - the head of a .npy file (NumPy's format, versions 1 to 3), read from any bytes and made.
 *
 * Taken are arrays of one or two dimensions of the types of clearway.h but bf16, which NumPy does
 * not have, in either byte order.  Of two dimensions rows must lie together: Fortran order is
 * refused where it makes a difference.
 */
#ifndef CW_FILES_NPY_H
#define CW_FILES_NPY_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#define CW_NPY_MAGIC   "\x93NUMPY" /* 6 bytes */
#define CW_NPY_LONGEST (1u << 20)  /* the longest head that is read, in bytes */
#define CW_NPY_ROOM    256u        /* what a head that is made fits in */

struct cw_npy {
    cw_type type;
    int swapped;         /* the other byte order than this computer's */
    uint32_t dims;       /* 1 or 2 */
    uint64_t rows;       /* 1 for one dimension */
    uint64_t length;     /* of a row */
    uint64_t data_at;    /* where the items begin */
    uint64_t data_bytes; /* of all items */
};

/* The head of a file that begins with these bytes: all of the file, or CW_NPY_LONGEST of it.
 * CW_ERR_FORMAT: no .npy file, or damaged; CW_ERR_TYPE: a type, order or number of dimensions
 * that is not taken.  The detail says which. */
cw_status cw_npy_parse(const void *bytes, size_t size, struct cw_npy *out);

/* The head of such an array (data_at and data_bytes are not looked at): its length, which is
 * where items begin.  bf16: 0. */
size_t cw_npy_make(const struct cw_npy *a, unsigned char out[CW_NPY_ROOM]);

#endif
