/* main.c - clearway-mpi: sort or argsort a file that all ranks of an MPI job read and write.
 *
 *      mpirun -n 8 clearway sort big.npy -o sorted.npy
 *
 * Each rank reads an equal slice of the file, the ranks sort together (cw_mpi_sort), and each writes its
 * slice of the result into a file with a temporary name, which rank 0 renames when all have written.  So
 * the file is there as a whole or not at all. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "buckets.h"
#include "cleaner.h"
#include "clearway_mpi.h"
#include "cli/cli.h"
#include "cli/common/options.h"
#include "cli/common/progress.h"
#include "distributed/ranks/group.h"
#include "files/array_file.h"
#include "slices.h"
#include "terminal.h"

#define LEAST_MEMORY (UINT64_C(1) << 20)

struct job {
    const char *in, *out;
    int argsort, type, descending, stable, time, gpu;
    int rank, ranks;
    struct cw_npy head;
    uint64_t first, count; /* this rank's slice */
    cw_context *context;
    char *host;
    void *keys, *index, *workspace;
    size_t need;
    cw_group_report report;
    double read, sort, write, disk; /* seconds */
    uint64_t memory;                /* of a rank; 0: as much as it takes */
    const char *tmpdir;
};

/* Only rank 0 speaks. */
static int say(const struct job *j, int status, const char *text)
{
    return j->rank ? status : complain(status, "%s", text);
}

/* ---- the input -------------------------------------------------------------------------------- */

/* Rank 0 reads the head and tells the others. */
static cw_status read_head(struct job *j)
{
    struct cw_array_file file;
    cw_status status = CW_OK;

    if (!j->rank) {
        status = cw_array_file_open(j->in, j->type, &file);
        if (!status) {
            j->head = file.head;
            cw_array_file_close(&file);
        }
    }
    status = all_agree(status);
    if (status)
        return status;
    (void)MPI_Bcast(&j->head, (int)sizeof j->head, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (j->head.dims != 1 || j->head.kind == CW_NPY_RECORD)
        return cw_fail(CW_ERR_ARGUMENT, "%s: ranks sort arrays of one dimension, and no records",
                       j->in);
    cw_group_share(j->head.length, (uint32_t)j->ranks, (uint32_t)j->rank, &j->first, &j->count);
    return CW_OK;
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* Ranks of this node, which share its processors and its memory. */
static int ranks_here(void)
{
    MPI_Comm node;
    int ranks = 1;

    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) ==
        MPI_SUCCESS) {
        (void)MPI_Comm_size(node, &ranks);
        (void)MPI_Comm_free(&node);
    }
    return ranks;
}

static unsigned threads_of(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int ranks = ranks_here();

    return processors > ranks ? (unsigned)(processors / ranks) : 1;
}

/* What a rank uses if nothing is said: a part of half of its node's, as one process does.  All ranks must have the
 * same number: the least. */
static uint64_t usual_memory(void)
{
    const double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double part = has / 2 / ranks_here();
    uint64_t memory = part > (double)LEAST_MEMORY ? (uint64_t)part : LEAST_MEMORY;

    (void)MPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return memory;
}

static cw_array array_of(const struct job *j)
{
    cw_array a = {.type = j->head.type, .n = j->count};

    a.flags = (j->descending ? CW_DESCENDING : 0u) | (j->stable ? CW_STABLE : 0u);
    a.keys_in = j->keys;
    a.keys_out = j->argsort ? NULL : j->keys;
    a.index_out = j->argsort ? j->index : NULL;
    a.index_bytes = j->argsort ? 8 : 0;
    return a;
}

static cw_status make_room(struct job *j)
{
    const size_t key = cw_type_bytes(j->head.type), item = j->argsort ? 8 : key;
    cw_array a;
    cw_status status = cw_context_create(j->gpu ? CW_CUDA : CW_CPU, &j->context);

    if (!status)
        status = cw_context_set_threads(j->context, threads_of());
    j->keys = j->index = j; /* what counts for the workspace is that they are there */
    a = array_of(j);
    if (!status)
        status =
            cw_group_sort_workspace(j->context, &a, j->head.length, (uint32_t)j->ranks, &j->need);
    j->keys = j->index = NULL;
    if (!status)
        status = cw_memory_alloc(j->context, j->count * key, &j->keys);
    if (!status && j->argsort)
        status = cw_memory_alloc(j->context, j->count * 8, &j->index);
    if (!status)
        status = cw_memory_alloc(j->context, j->need, &j->workspace);
    if (!status)
        j->host = (char *)malloc(j->count * (item > key ? item : key) + 1);
    return status || j->host ? status : cw_fail(CW_ERR_MEMORY, "%zu keys", (size_t)j->count);
}

static void drop(struct job *j)
{
    cw_memory_free(j->context, j->keys);
    cw_memory_free(j->context, j->index);
    cw_memory_free(j->context, j->workspace);
    cw_context_destroy(j->context);
    free(j->host);
}

/* Times that are none come last (files/npy.h). */
static int shifts(const struct job *j)
{
    return j->head.kind == CW_NPY_TIME && !j->descending;
}

/* ---- the way of the data ---------------------------------------------------------------------- */

static cw_status load(struct job *j, struct progress *bar)
{
    const struct slice_told told = {progress_tell, bar, 0, 0.3};
    const size_t key = cw_type_bytes(j->head.type);
    cw_status status =
        slice_read(j->in, j->head.data_at + j->first * key, j->host, j->count * key, &told);

    if (!status && j->head.swapped)
        cw_swap_bytes(j->host, j->count, key);
    if (!status && shifts(j))
        cw_npy_shift(j->host, j->count, 0);
    if (!status)
        status = cw_memory_write(j->context, j->keys, j->host, j->count * key);
    return all_agree(status);
}

static cw_status sort(struct job *j)
{
    const cw_array a = array_of(j);

    return cw_mpi_sort(MPI_COMM_WORLD, j->context, &a, j->workspace, j->need, NULL, &j->report);
}

/* The head of the output, if its name is that of a .npy; and where the items begin. */
static cw_status write_head(struct job *j, struct cw_output *o, uint64_t *at)
{
    unsigned char head[CW_NPY_ROOM];
    struct cw_npy kind = j->head;
    uint64_t bytes = 0;
    cw_status status = CW_OK;

    if (j->argsort) {
        kind.type = CW_I64;
        kind.kind = CW_NPY_NUMBER;
        kind.swapped = 0;
    }
    if (!j->rank && cw_npy_name(j->out)) {
        bytes = cw_npy_make(&kind, head);
        status = bytes ? cw_output_write(o, head, bytes, 0)
                       : cw_fail(CW_ERR_TYPE, "%s: .npy has no such type", j->out);
    }
    status = all_agree(status);
    (void)MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    *at = bytes;
    return status;
}

static cw_status store(struct job *j, const char *path, uint64_t at, struct progress *bar)
{
    const struct slice_told told = {progress_tell, bar, 0.7, 1};
    const size_t item = j->argsort ? 8 : cw_type_bytes(j->head.type);
    cw_status status =
        cw_memory_read(j->context, j->host, j->argsort ? j->index : j->keys, j->count * item);

    if (!status && shifts(j) && !j->argsort)
        cw_npy_shift(j->host, j->count, 1);
    if (!status && j->head.swapped && !j->argsort)
        cw_swap_bytes(j->host, j->count, item);
    status = all_agree(status);
    if (!status)
        status =
            all_agree(slice_write(path, at + j->first * item, j->host, j->count * item, &told));
    return status;
}

/* ---- larger than the memory of all ------------------------------------------------------------- */

/* Keys, a copy for the file and the workspace. */
static int too_large(const struct job *j)
{
    const double share = (double)j->head.length / j->ranks + 1;

    return j->memory &&
           share * (double)cw_type_bytes(j->head.type) * (j->argsort ? 5 : 3) > (double)j->memory;
}

static cw_status sort_on_disk(struct job *j, struct cw_output *o, struct progress *bar,
                              const char *path)
{
    struct buckets b = {.in = j->in, .out = path, .head = &j->head};
    char folder[4096];
    cw_status status;

    if (j->argsort)
        return cw_fail(CW_ERR_ARGUMENT,
                       "argsort: --memory is too little for ranks; start one process");
    (void)strcpy(folder, path);
    *strrchr(folder, '/') = '\0';
    b.flags = array_of(j).flags;
    b.shifted = shifts(j);
    b.memory = j->memory;
    b.folder = j->tmpdir ? j->tmpdir : folder;
    b.rank = j->rank;
    b.ranks = j->ranks;
    b.progress = progress_tell;
    b.user = bar;
    status = write_head(j, o, &b.out_at);
    if (!status)
        status = all_agree(cw_context_create(CW_CPU, &j->context));
    if (!status)
        status = all_agree(cw_context_set_threads(j->context, threads_of()));
    b.context = j->context;
    if (!status)
        status = buckets_sort(&b);
    if (!status && !j->rank)
        status = cw_output_commit(o);
    return all_agree(status);
}

static cw_status steps(struct job *j, struct cw_output *o, struct progress *bar)
{
    char path[4096];
    uint64_t at = 0;
    double t = cw_peers_clock();
    cw_status status = shared_output_open(j->out, o, path);

    if (!status && too_large(j)) {
        status = sort_on_disk(j, o, bar, path);
        j->disk = cw_peers_clock() - t;
        return status;
    }
    if (!status)
        status = all_agree(make_room(j));
    if (!status)
        status = load(j, bar);
    j->read = cw_peers_clock() - t;
    t += j->read;
    progress_tell(bar, 0.3);
    if (!status)
        status = sort(j);
    j->sort = cw_peers_clock() - t;
    t += j->sort;
    progress_tell(bar, 0.7);
    if (!status)
        status = write_head(j, o, &at);
    if (!status)
        status = store(j, path, at, bar);
    if (!status && !j->rank)
        status = cw_output_commit(o);
    status = all_agree(status);
    j->write = cw_peers_clock() - t;
    return status;
}

/* ---- the command ------------------------------------------------------------------------------ */

static void print_times(const struct job *j)
{
    printf("%llu keys of type %s, %d ranks: ", (unsigned long long)j->head.length,
           cw_type_name(j->head.type), j->ranks);
    if (too_large(j))
        printf("on disk %.3f s\n", j->disk);
    else
        printf("read %.3f s, sort %.3f s (%u rounds, %.1f MB sent by rank 0), write %.3f s\n",
               j->read, j->sort, j->report.rounds, 1e-6 * (double)j->report.exchange_bytes,
               j->write);
}

static int run(struct job *j)
{
    struct cw_output o = {.fd = -1};
    struct progress bar = {0};
    cw_status status = all_agree(read_head(j));

    if (!status && j->gpu && too_large(j)) /* as one process says it */
        return say(j, USAGE, "the file is larger than --memory: that is sorted on the CPU only");
    if (!j->rank) {
        progress_begin(&bar, j->argsort ? "argsort" : "sort");
        bar.on = seen_on_terminal();
    }
    if (!status)
        status = steps(j, &o, &bar);
    if (!j->rank)
        progress_end(&bar);
    if (status && !j->rank) {
        complain(FAILED, "%s", cw_last_error());
        cw_output_drop(&o);
    }
    if (!status && !j->rank && j->time)
        print_times(j);
    drop(j);
    return status ? FAILED : DONE;
}

/* All ranks have the same words, of which only rank 0 complains. */
static int parse(const struct job *j, const struct option *table, int argc, char **argv,
                 struct arguments *args)
{
    const int null = j->rank ? open("/dev/null", O_WRONLY) : -1;
    const int kept = null >= 0 ? dup(STDERR_FILENO) : -1;
    int wrong;

    if (kept >= 0)
        (void)dup2(null, STDERR_FILENO);
    wrong = options_parse(table, argc, argv, args);
    if (kept >= 0) {
        (void)dup2(kept, STDERR_FILENO);
        (void)close(kept);
    }
    if (null >= 0)
        (void)close(null);
    return wrong;
}

static int ask(struct job *j, int argc, char **argv)
{
#define NAME(constant, name, bytes) name,
    static const char *const types[] = {CW_TYPE_LIST(NAME) NULL};
#undef NAME
    static const char *const places[] = {"cpu", "gpu", NULL};
    struct arguments args;
    const struct option table[] = {
        OUTPUT("FILE", &j->out, "where the result goes"),
        WORD("type", "T", types, &j->type, "of raw items"),
        FLAG("stable", &j->stable, "equal keys keep their order"),
        FLAG("descending", &j->descending, "largest first; NaNs are last all the same"),
        WORD("on", "WHERE", places, &j->gpu, "cpu or gpu: where each rank sorts"),
        SIZE(
            "memory", "BYTES", LEAST_MEMORY, UINT64_C(1) << 50, &j->memory,
            "of each rank, to use at most; more keys than fit are sorted on disk; default: half of "
            "its machine's, shared by the ranks there (argsort, and on gpu: as much as it takes)"),
        TEXT("tmpdir", "FOLDER", &j->tmpdir, "for that; default: where FILE will be"),
        FLAG("time", &j->time, "print how long reading, sorting and writing took"),
        OPTIONS_END};

    j->type = -1;
    if (parse(j, table, argc, argv, &args))
        return USAGE;
    if (args.help && !j->rank)
        options_print(table);
    if (args.help)
        return DONE;
    if (args.count != 1 || !j->out)
        return say(j, USAGE, "ranks sort one file, to another: clearway sort FILE -o FILE");
    j->in = args.word[0];
    if (!strcmp(j->in, "-") ||
        !strcmp(j->out, "-")) /* for one process: standard input, or output */
        return say(j, USAGE, "-: ranks read and write files only");
    if (!j->memory && !j->argsort && !j->gpu)
        j->memory = usual_memory();
    return run(j);
}

int main(int argc, char **argv)
{
    struct job j;
    int status;

    memset(&j, 0, sizeof j);
    cleaner_start();
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return complain(FAILED, "MPI does not begin");
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    if (argc < 2 || (strcmp(argv[1], "sort") != 0 && strcmp(argv[1], "argsort") != 0)) {
        status = say(&j, USAGE, "ranks do sort and argsort; start one for other commands");
    } else {
        j.argsort = strcmp(argv[1], "argsort") == 0;
        status = ask(&j, argc - 1, argv + 1);
    }
    (void)MPI_Finalize();
    return status;
}
