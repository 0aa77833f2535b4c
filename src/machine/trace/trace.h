/* trace.h - record a run, access by access, and read the record back.
 *
 * The format is docs/trace.md.  A trace holds one run: what memory held before it,
 * then every access in the order in which memory served them, every end of a step
 * and every phase.  Reads carry no value, since replaying the writes gives it; a
 * write of something that its lane has just read carries none either.  So an access
 * takes 2 to 3 bytes in most algorithms.
 *
 * Both sides hold w x cols words of memory (the reader) or 4 words a lane (the
 * recorder), and take constant time an access.
 */
#ifndef CW_MACHINE_TRACE_TRACE_H
#define CW_MACHINE_TRACE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "machine/model/model.h"

#define CW_TRACE_MAGIC   "CWTRACE" /* 7 bytes, then the version in one */
#define CW_TRACE_VERSION 1
#define CW_TRACE_WORDS   (UINT64_C(1) << 27) /* the largest memory that is traced */
#define CW_TRACE_STRING  4095u               /* the longest string, in bytes */
#define CW_TRACE_AREAS   1024u               /* the most auxiliary areas */
#define CW_TRACE_STRINGS (1u << 20)          /* the most strings */
#define CW_TRACE_RECENT  4u                  /* reads that a lane's writes may refer to */

enum cw_access_kind { CW_READ = 0, CW_WRITE = 1 };

/* The lowest three bits of a record's first byte. */
enum cw_trace_code {
    CW_TRACE_READ = 0,
    CW_TRACE_RECALL = 1, /* 1 .. 4: writes what the lane read that many reads ago */
    CW_TRACE_WRITE = 5,  /* the value follows */
    CW_TRACE_OTHER = 6   /* not an access: the upper five bits say what */
};

/* The upper five bits of an access's first byte: what need not be said. */
enum cw_trace_flag {
    CW_TRACE_NEXT_LANE = 1 << 3, /* the lane after that of the access before */
    CW_TRACE_OWN_ROW = 1 << 4,   /* row = lane */
    CW_TRACE_SAME_COL = 1 << 5,  /* as the access before */
    CW_TRACE_SAME_SITE = 1 << 6  /* as the access before */
};

enum cw_trace_type {
    CW_TRACE_STEP,   /* a step of degree 1 ended */
    CW_TRACE_DEGREE, /* a step of a higher degree ended */
    CW_TRACE_PHASE,
    CW_TRACE_FAULT, /* the run was ended by an error */
    CW_TRACE_END,   /* of the trace */
    CW_TRACE_ACCESS /* only in events: accesses have codes of their own */
};

/* ---- recording ------------------------------------------------------------ */

/* What the machine does not know about itself. */
struct cw_trace_info {
    const char *algorithm, *input;
    uint64_t seed;
};

/* Begin a trace of the next run of `model`, whose matrix is as the run will find it.
 * The file appears when the trace is closed. */
cw_status cw_trace_open(const char *path, const struct cw_trace_info *info, struct cw_model *model,
                        struct cw_trace **out);

/* The same, appended to an output, which stays the caller's to commit or to drop. */
struct cw_output;
cw_status cw_trace_begin(struct cw_output *to, const struct cw_trace_info *info,
                         struct cw_model *model, struct cw_trace **out);

/* Finish the file and free the trace; on failure, of now or of before, no file is left. */
cw_status cw_trace_close(struct cw_trace *t);

/* Free the trace and leave no file; NULL is ignored. */
void cw_trace_drop(struct cw_trace *t);

/* The model calls these; errors are kept and reported by cw_trace_close.  A site's
 * text must not change or move during the run; a phase's name may. */
void cw_trace_access(struct cw_trace *t, uint32_t lane, uint32_t row, uint32_t col, cw_word value,
                     enum cw_access_kind kind, const char *site);
void cw_trace_step(struct cw_trace *t, uint32_t degree); /* the step that just ended */
void cw_trace_phase(struct cw_trace *t, const struct cw_phase *phase);
void cw_trace_fault(struct cw_trace *t, const char *message);

/* ---- reading -------------------------------------------------------------- */

struct cw_trace_reader;

struct cw_trace_head {
    struct cw_model_config config;
    uint32_t cols;  /* of the matrix and all auxiliary areas */
    uint32_t areas; /* how many of these */
    cw_word junk;   /* what auxiliary words hold at the beginning */
    uint64_t seed;
    const char *algorithm, *input;
};

struct cw_trace_event {
    enum cw_trace_type type; /* STEP is told as DEGREE with degree 1 */
    uint32_t degree;
    enum cw_access_kind kind;
    uint32_t lane, row, col;
    cw_word value;         /* read or written */
    const char *site;      /* of an access */
    struct cw_phase phase; /* its name lives as long as the reader */
    const char *message;   /* of a fault */
    uint64_t steps;        /* so far, serialised conflicts included */
    uint64_t accesses;     /* so far */
};

/* Read a trace from a file, or from memory (which must outlive the reader).
 * CW_ERR_FORMAT with the place and the reason if it is damaged. */
cw_status cw_trace_read_open(const char *path, struct cw_trace_reader **out);
cw_status cw_trace_read_bytes(const void *bytes, size_t size, struct cw_trace_reader **out);
void cw_trace_read_close(struct cw_trace_reader *r);

const struct cw_trace_head *cw_trace_read_head(const struct cw_trace_reader *r);
int cw_trace_read_area(const struct cw_trace_reader *r, uint32_t i, const char **name,
                       uint32_t *first, uint32_t *columns);

/* The next event; CW_TRACE_END, again and again, after the last. */
cw_status cw_trace_read_next(struct cw_trace_reader *r, struct cw_trace_event *event);

/* What memory holds after the events read so far. */
cw_word cw_trace_read_word(const struct cw_trace_reader *r, uint32_t row, uint32_t col);

/* The checksum that ends a trace: FNV-1a of all bytes before it. */
uint32_t cw_trace_checksum(uint32_t sum, const unsigned char *bytes, size_t size);
#define CW_TRACE_CHECKSUM_SEED 2166136261u

#endif
