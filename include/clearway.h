/* clearway.h - sort, partition and permute without bank conflicts.
 *
 * The public API.  Every call returns a status; the detail of the last failure
 * in the calling thread is cw_last_error().  No call prints or exits.
 */
#ifndef CLEARWAY_H
#define CLEARWAY_H

#ifdef __cplusplus
extern "C" {
#endif

#define CW_VERSION "0.1.0"

#if defined(__GNUC__)
#define CW_API __attribute__((visibility("default")))
#else
#define CW_API
#endif

/* name, text: the one list of what can go wrong. */
#define CW_STATUS_LIST(X)                                                \
    X(CW_OK, "success")                                                  \
    X(CW_ERR_ARGUMENT, "bad argument")                                   \
    X(CW_ERR_SHAPE, "the algorithm does not take this shape")            \
    X(CW_ERR_LABEL, "labels are not what the problem demands")           \
    X(CW_ERR_MEMORY, "out of memory")                                    \
    X(CW_ERR_IO, "input or output failed")                               \
    X(CW_ERR_FORMAT, "file is damaged or of another kind")               \
    X(CW_ERR_CONFLICT, "bank conflict")                                  \
    X(CW_ERR_BOUNDS, "access outside memory")                            \
    X(CW_ERR_BARRIER, "barrier not reached by all")                      \
    X(CW_ERR_RACE, "two threads touch one word with no barrier between") \
    X(CW_ERR_UNWRITTEN, "read of memory that nobody wrote")              \
    X(CW_ERR_DEVICE, "no GPU, or it failed")                             \
    X(CW_ERR_INTERNAL, "internal error")

typedef enum cw_status {
#define CW_STATUS_ENUM(name, text) name,
    CW_STATUS_LIST(CW_STATUS_ENUM)
#undef CW_STATUS_ENUM
        CW_STATUS_COUNT
} cw_status;

/* The library's version, as CW_VERSION. */
CW_API const char *cw_version(void);

/* "CW_ERR_MEMORY" and "out of memory"; never NULL, also for an unknown code. */
CW_API const char *cw_status_name(cw_status status);
CW_API const char *cw_status_text(cw_status status);

/* What went wrong last in this thread, in one line; "" if nothing did. */
CW_API const char *cw_last_error(void);

#ifdef __cplusplus
}
#endif
#endif
