/* generate.c - data by name, written to a file. */
#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/common/data.h"
#include "files.h"
#include "inputs/adversary.h"
#include "cli/common/on.h"

static int help(const struct option *table)
{
    printf("usage: clearway generate KIND --n N -o FILE [--type T] [OPTION...]\n\n"
           "Generates N keys and writes them to FILE: as .npy if its name ends so or if it\n"
           "is '-' (standard output), else as raw binary.  KIND is one of\n");
    for (int k = 0; cw_data_names[k]; k++)
        printf("%s%s", k ? k % 6 ? ", " : ",\n" : "", cw_data_names[k]);
    printf(".\n\nThe adversarial kinds make sorts like CUB's collide in shared memory:\n"
           "adversarial-merge for a merge sort with E keys a thread, adversarial-radix for a\n"
           "radix sort by 8 bits with tiles of K keys.\n\n");
    options_print(table);
    return DONE;
}

static int kind_of(const char *name)
{
    const char *close;

    for (int k = 0; cw_data_names[k]; k++) {
        if (!strcmp(cw_data_names[k], name))
            return k;
    }
    close = nearest(name, cw_data_names);
    if (close)
        complain(USAGE, "unknown kind '%s': did you mean %s?", name, close);
    else
        complain(USAGE, "unknown kind '%s': 'clearway generate --help' lists them", name);
    return -1;
}

int command_generate(int argc, char **argv)
{
    struct data d = DATA_NONE;
    struct files f = FILES_NONE;
    struct cw_npy head = {.dims = 1, .rows = 1};
    uint64_t items = 0, tile = 0;
    const double begun = seconds_now();
    int json = 0;
    struct arguments args;
    const struct option table[] = {
        OUTPUT("FILE", &f.out_path, "where the keys go"),
        FILES_MEMORY(&f.memory, "most memory to use, like 512M or 1GB"),
        TEXT("tmpdir", "FOLDER", &f.tmpdir,
             "folder for temporary files; default $TMPDIR, else /tmp"),
        FLAG("text", &f.text, "write numbers as text, a line for each, unless FILE ends in .npy"),
        DATA_N(&d),
        DATA_TYPE(&d),
        DATA_SEED(&d),
        NUMBER(0, "items", "E", 1, CW_ADVERSARY_ITEMS, &items,
               "adversarial-merge: keys a thread; default 17, or 8 if they have 8 bytes"),
        NUMBER(0, "tile", "K", 1024, CW_ADVERSARY_TILE, &tile,
               "adversarial-radix: keys of a tile; default that of CUB on an H200"),
        FLAG("json", &json, "print JSON"),
        OPTIONS_END};
    int status;

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count != 1)
        return complain(USAGE,
                        args.count ? "one kind, got '%s' too: --n N says how many keys"
                                   : "which kind?%s",
                        args.count ? args.word[1] : "  'clearway generate --help' lists them");
    d.input = kind_of(args.word[0]);
    if (d.input < 0)
        return USAGE;
    if (!f.out_path)
        return complain(USAGE,
                        "-o is missing: the file that the keys go to, - for standard output");
    if ((items && d.input != CW_DATA_MERGE) || (tile && d.input != CW_DATA_RADIX))
        return complain(USAGE, "--%s is not for %s", items ? "items" : "tile", args.word[0]);
    if (tmpdir_refused(f.tmpdir))
        return FAILED;
    d.against.items = (uint32_t)items;
    d.against.tile = (uint32_t)tile;
    if (f.memory && d.n != UINT64_MAX &&
        d.n > f.memory / cw_type_bytes(d.type < 0 ? CW_U32 : (cw_type)d.type))
        return complain(
            USAGE, "--n: %" PRIu64 " keys do not fit in --memory: more of it, or fewer keys", d.n);
    status = data_make(&d, 0);
    if (status)
        return status;
    head.type = (cw_type)d.type;
    head.length = d.n;
    status = files_begin(&f, &head);
    if (!status)
        status = files_failed(&f, cw_output_write(&f.out, d.keys, data_bytes(&d), f.out_at));
    head.data_bytes = data_bytes(&d);
    data_free(&d);
    status = files_end(&f, status);
    if (!status)
        files_tell(&f, &(struct told){.command = "generate",
                                      .input = args.word[0],
                                      .items = "keys",
                                      .head = &head,
                                      .seconds = seconds_now() - begun,
                                      .json = json});
    return status;
}
