/* on.h - where a command works (--on), its memory there, and how long work takes.
 *
 *      struct on on = ON_AUTO;
 *      ... ON_OPTIONS(&on) in the table ...
 *      status = on_open(&on);
 *      if (!status) status = on_copy(&on, host, bytes, &there);
 *      ...
 *      on_close(&on);
 *
 * Calls return DONE, or FAILED (or USAGE) after a complaint.
 */
#ifndef CLI_ON_H
#define CLI_ON_H

#include "clearway.h"
#include "options.h"

extern const char *const on_names[]; /* auto, gpu, cpu, emu */

#define ON_BUFFERS 32

struct on {
    int where;        /* the place of --on in on_names */
    uint64_t threads; /* of the host; 0: as many as there are processors */
    cw_context *context;
    void *buffer[ON_BUFFERS]; /* freed by on_close */
    int buffers;
};

#define ON_AUTO               \
    {                         \
        0, 0, NULL, {NULL}, 0 \
    }

#define ON_OPTIONS(o)                                                                              \
    WORD("on", "WHERE", on_names, &(o)->where,                                                     \
         "where to run: auto (default: the GPU if there is one, else the CPU), gpu, cpu, or emu, " \
         "the emulator"),                                                                          \
        NUMBER(0, "threads", "T", 1, 1024, &(o)->threads,                                          \
               "number of host threads; default: one for each processor")

int on_open(struct on *o);
void on_close(struct on *o);

/* "gpu", "cpu" or "emu": what auto became. */
const char *on_name(const struct on *o);

/* How many host threads work; 0 on a GPU and the emulator. */
unsigned on_threads(const struct on *o);

/* Memory where the work is done, for as long as it is open; 0 bytes are fine. */
int on_alloc(struct on *o, size_t bytes, void **out);
int on_copy(struct on *o, const void *host, size_t bytes, void **out);

/* And back: to memory of the host. */
int on_read(struct on *o, void *host, const void *from, size_t bytes);

/* FAILED after a complaint with the library's last error. */
int on_failed(cw_status status);

/* ---- time ----------------------------------------------------------------------------------- */

struct timing {
    unsigned runs;
    double seconds; /* the median of the runs */
    double least;
    double
        copy; /* on a GPU: of copying copy_bytes there, which reads and writes each once; else 0 */
};

/* Do the work once, or (`many`) often enough for a median after a warm-up: 9 times on a GPU, 5 on
 * the CPU, once on the emulator.  `copy_bytes`: 0, or what a copy is timed with on a GPU. */
int on_time(struct on *o, int many, cw_status (*work)(struct on *o, void *arg), void *arg,
            size_t copy_bytes, struct timing *out);

/* Seconds by a clock that only goes forward. */
double seconds_now(void);

/* "1.23 ms", "4.56 Gkey/s" */
const char *show_seconds(double seconds, char text[32]);
const char *show_rate(double per_second, const char *what, char text[48]);

#endif
