/* dlpack.h - what array libraries agree on: the part of DLPack 1.x that this package speaks.
 *
 * Layouts are those of the DLPack specification; nothing of its header is needed to build.
 *
 *      struct dl_tensor     where an array lies, its shape and strides (in items)
 *      struct dl_managed    the same with an owner, in a capsule "dltensor"
 *      struct dl_versioned  the same from version 1.0 on, in a capsule "dltensor_versioned"
 *      struct dl_exchange   functions that a library offers in C, in a capsule on its array type
 */
#ifndef CW_PY_DLPACK_H
#define CW_PY_DLPACK_H

#include <stdint.h>

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };

#define DL_READ_ONLY 1u

struct dl_device {
    int32_t type, id;
};

struct dl_type {
    uint8_t code, bits;
    uint16_t lanes;
};

struct dl_tensor {
    void *data;
    struct dl_device device;
    int32_t rank;
    struct dl_type type;
    int64_t *shape;
    int64_t *strides; /* NULL: rows one after another */
    uint64_t byte_offset;
};

struct dl_managed {
    struct dl_tensor tensor;
    void *owner;
    void (*deleter)(struct dl_managed *);
};

struct dl_version {
    uint32_t major, minor;
};

struct dl_versioned {
    struct dl_version version;
    void *owner;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    struct dl_tensor tensor;
};

typedef void (*dl_set_error)(void *context, const char *kind, const char *message);

struct dl_exchange {
    struct dl_version version;
    void *older;
    int (*allocate)(struct dl_tensor *like, struct dl_versioned **out, void *context, dl_set_error);
    int (*from_object)(void *object, struct dl_versioned **out);
    int (*to_object)(struct dl_versioned *tensor, void **object);
    int (*look)(void *object, struct dl_tensor *out); /* borrowed while the object lives */
    int (*current_stream)(int32_t device_type, int32_t device, void **stream);
};

#endif
