/* array_file.h - an array in a file: .npy, or raw items of a type that is told. */
#ifndef CW_FILES_ARRAY_FILE_H
#define CW_FILES_ARRAY_FILE_H

#include "files/bytes.h"
#include "files/npy.h"

struct cw_array_file {
    int fd;
    int npy; /* else raw */
    const char *path;
    struct cw_npy head; /* of a raw file: one dimension, this computer's byte order */
};

/* Instead of a cw_type: any; any, and records too. */
#define CW_ARRAY_ANY     (-1)
#define CW_ARRAY_RECORDS (-2)

/* Does the name end with .npy? */
int cw_npy_name(const char *path);

/* Open for reading.  A name that ends with .npy is a .npy file, and so is a file that begins like
 * one when `type` is none; any other is raw and `type` a cw_type.  CW_ERR_ARGUMENT: a raw file
 * without a type, a .npy file of another one; CW_ERR_FORMAT: damaged, cut off, or with something
 * behind the array. */
cw_status cw_array_file_open(const char *path, int type, struct cw_array_file *out);

/* The same of a file that is open already, which is closed with it, or if this fails. */
cw_status cw_array_file_take(int fd, const char *path, int type, struct cw_array_file *out);

void cw_array_file_close(struct cw_array_file *f);

/* `count` items of it from item `first` on, in this computer's byte order. */
cw_status cw_array_file_read(const struct cw_array_file *f, uint64_t first, uint64_t count,
                             void *out);

/* Turn the bytes of each item round. */
void cw_swap_bytes(void *items, uint64_t count, size_t bytes);

#endif
