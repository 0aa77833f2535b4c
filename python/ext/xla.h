/* xla.h - the part of XLA's foreign function interface, version 0, that the handler in jax.c speaks.
 *
 * Layouts are those of the interface's specification; nothing of its header is needed to build.  XLA adds fields at
 * the ends of structs and keeps those that are there, so what is used here is the same in all versions 0.x.
 */
#ifndef CW_PY_XLA_H
#define CW_PY_XLA_H

#include <stddef.h>
#include <stdint.h>

enum { XLA_EXTENSION_METADATA = 1, XLA_ATTRIBUTE_SCALAR = 3, XLA_STAGE_EXECUTE = 3 };
enum { XLA_INVALID_ARGUMENT = 3, XLA_INTERNAL = 13 };

struct xla_extension {
    size_t struct_size;
    int type;
    struct xla_extension *next;
};

struct xla_version {
    size_t struct_size;
    struct xla_extension *extension;
    int major, minor;
};

struct xla_metadata {
    size_t struct_size;
    struct xla_version version;
    uint32_t traits;
};

struct xla_metadata_extension {
    struct xla_extension base;
    struct xla_metadata *metadata;
};

struct xla_error_create {
    size_t struct_size;
    struct xla_extension *extension;
    const char *message;
    int code;
};

struct xla_stream_get {
    size_t struct_size;
    struct xla_extension *extension;
    void *context;
    void *stream; /* out */
};

struct xla_api {
    size_t struct_size;
    struct xla_extension *extension;
    struct xla_version version;
    const void *internal;
    void *(*error_create)(struct xla_error_create *);
    void *error_message, *error_destroy, *handler_register;
    void *(*stream_get)(struct xla_stream_get *);
};

struct xla_buffer {
    size_t struct_size;
    struct xla_extension *extension;
    int type;
    void *data;
    int64_t rank;
    int64_t *shape;
};

struct xla_span {
    const char *text;
    size_t length;
};

struct xla_scalar {
    int type;
    void *value;
};

struct xla_buffers {
    size_t struct_size;
    struct xla_extension *extension;
    int64_t count;
    int *types;
    void **all;
};

struct xla_attributes {
    size_t struct_size;
    struct xla_extension *extension;
    int64_t count;
    int *types;
    struct xla_span **names;
    void **all;
};

struct xla_frame {
    size_t struct_size;
    struct xla_extension *extension;
    const struct xla_api *api;
    void *context;
    int stage;
    struct xla_buffers args, results;
    struct xla_attributes attributes;
};

#endif
