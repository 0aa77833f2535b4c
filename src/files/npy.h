/* npy.h - the head of a .npy file (NumPy's format, versions 1 to 3), read from any bytes and made.
 *
 * Taken are arrays of one or two dimensions of the types of clearway.h but bf16, which NumPy does
 * not have, in either byte order; bool, which is u8 here; datetime64 and timedelta64, which are
 * i64; and records, which are rows of u8.  Of two dimensions rows must lie together: Fortran order
 * is refused where it makes a difference.
 */
#ifndef CW_FILES_NPY_H
#define CW_FILES_NPY_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#define CW_NPY_MAGIC   "\x93NUMPY" /* 6 bytes */
#define CW_NPY_LONGEST (1u << 20)  /* the longest head that is read, in bytes */
#define CW_NPY_DESCR   1024        /* characters of a type, records' too */
#define CW_NPY_ROOM    1280u       /* what a head that is made fits in */

enum cw_npy_kind {
    CW_NPY_NUMBER,
    CW_NPY_BOOL,
    CW_NPY_TIME,  /* an i64, of which the least, NaT, is no time */
    CW_NPY_RECORD /* two dimensions: a row is a record */
};

struct cw_npy {
    cw_type type;
    enum cw_npy_kind kind;
    char descr[CW_NPY_DESCR]; /* of times and records: the type as the head has it */
    int swapped;              /* the other byte order than this computer's */
    uint32_t dims;            /* 1 or 2 */
    uint64_t rows;            /* 1 for one dimension */
    uint64_t length;          /* of a row */
    uint64_t data_at;         /* where the items begin */
    uint64_t data_bytes;      /* of all items */
};

/* The head of a file that begins with these bytes: all of the file, or CW_NPY_LONGEST of it.
 * CW_ERR_FORMAT: no .npy file, or damaged; CW_ERR_TYPE: a type, order or number of dimensions
 * that is not taken.  The detail says which. */
cw_status cw_npy_parse(const void *bytes, size_t size, struct cw_npy *out);

/* "f32", "bool", "datetime64[ns]", .. */
const char *cw_npy_type_name(const struct cw_npy *a, char out[64]);

/* Times sort like i64, but NaT, the least of them, comes last, as NumPy has it.  One less than
 * each, it is the greatest: so much down before an ascending sort, and up after it. */
void cw_npy_shift(void *items, uint64_t count, int up);

/* A field of a record: where it begins, and what it is.  CW_ERR_ARGUMENT: there is none of that
 * name, which is told with those that are; CW_ERR_TYPE: it is no single number. */
struct cw_npy_field {
    uint64_t at;
    struct cw_npy type; /* type, kind and swapped */
};

cw_status cw_npy_find_field(const struct cw_npy *record, const char *name,
                            struct cw_npy_field *out);

/* The head of such an array (data_at and data_bytes are not looked at): its length, which is
 * where items begin.  bf16: 0. */
size_t cw_npy_make(const struct cw_npy *a, unsigned char out[CW_NPY_ROOM]);

#endif
