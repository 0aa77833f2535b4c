#include "files/kind.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *begins;
    size_t length;
    const char *kind;
} kinds[] = {
    {"\x93NUMPY", 6, "a .npy file"},
    {"PK\x03\x04", 4, "a zip or .npz archive"},
    {"\x1f\x8b", 2, "a gzip file"},
    {"BZh", 3, "a bzip2 file"},
    {"\xfd"
     "7zXZ",
     5, "an xz file"},
    {"\x28\xb5\x2f\xfd", 4, "a zstd file"},
    {"\x89HDF", 4, "an HDF5 file"},
    {"PAR1", 4, "a Parquet file"},
    {"ARROW1", 6, "an Arrow file"},
    {"\x89PNG", 4, "a PNG picture"},
    {"%PDF", 4, "a PDF file"},
    {"\x80\x04\x95", 3, "a Python pickle"},
    {"CWTRACE", 7, "a trace of 'clearway model'"},
    {"CWPERM\r\n", 8, "a plan of 'clearway plan'"},
    {"CWPLAN\r\n", 8, "a plan of 'clearway model'"},
};

/* Nothing but characters that stand in texts. */
static int is_text(const unsigned char *b, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        if (b[k] == 127 || (b[k] < ' ' && !memchr("\t\n\v\f\r", b[k], 5)))
            return 0;
    }
    return 1;
}

/* Numbers in their texts are ASCII: a byte-order mark or other letters may be there, but not
 * alone. */
static int has_ascii(const unsigned char *b, size_t size)
{
    size_t ascii = 0;

    for (size_t k = 0; k < size; k++)
        ascii += b[k] < 128;
    return 2 * ascii > size;
}

const char *cw_file_kind(const void *bytes, size_t size)
{
    const unsigned char *const b = (const unsigned char *)bytes;
    size_t line = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (size >= kinds[k].length && !memcmp(b, kinds[k].begins, kinds[k].length))
            return kinds[k].kind;
    }
    if (!size)
        return "empty";
    if (!is_text(b, size) || !has_ascii(b, size))
        return NULL;
    if (b[0] == '{' || b[0] == '[')
        return "JSON text";
    while (line < size && b[line] != '\n')
        line++;
    return memchr(b, ',', line) || memchr(b, ';', line) || memchr(b, '\t', line) ? "CSV text"
                                                                                 : "text";
}

int cw_kind_name(const char *path)
{
    static const char *const ends[] = {".txt", ".csv",     ".tsv",   ".json",    ".npz", ".zip",
                                       ".gz",  ".bz2",     ".xz",    ".zst",     ".h5",  ".hdf5",
                                       ".pkl", ".parquet", ".arrow", ".feather", ".mat", ".xlsx"};
    const char *const end = strrchr(path, '.');

    for (size_t k = 0; end && k < sizeof ends / sizeof *ends; k++) {
        if (!strcasecmp(end, ends[k]))
            return 1;
    }
    return 0;
}
