#include "files/npy.h"

#include <stdio.h>
#include <string.h>

#include "files/npy_text.h"
#include "base/status.h"

static int little_endian(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one;
}

/* ---- the values of its keys ------------------------------------------------------------------ */

struct head {
    char descr[CW_NPY_DESCR];
    int fortran;
    uint32_t dims;
    uint64_t shape[2]; /* the last two */
    unsigned seen;     /* bit 0: descr, 1: fortran_order, 2: shape */
    uint64_t record_bytes;
};

static cw_status damaged(const char *what)
{
    return cw_fail(CW_ERR_FORMAT, "damaged .npy head: %s", what);
}

static cw_status read_shape(struct text *t, struct head *h)
{
    if (!take(t, '('))
        return damaged("the shape is no tuple");
    while (!take(t, ')')) {
        uint64_t x;
        const int got = take_number(t, &x);

        if (got < 0)
            return damaged("a dimension is too large");
        if (!got)
            return damaged("the shape is no tuple of whole numbers");
        h->shape[0] = h->shape[1];
        h->shape[1] = x;
        if (h->dims++ > 64)
            return damaged("more dimensions than NumPy has");
        if (take(t, ','))
            continue;
        if (!take(t, ')'))
            return damaged("the shape does not end");
        break;
    }
    return CW_OK;
}

/* The text of a list of fields, as it stands there. */
static cw_status read_record(struct text *t, struct head *h)
{
    const char *const begin = t->at;
    uint64_t bytes;
    const cw_status status = cw_npy_record(t, &bytes);
    const size_t length = (size_t)(t->at - begin);

    if (status)
        return status;
    if (memchr(begin, 0, length))
        return damaged("the fields of a record");
    if (length >= sizeof h->descr)
        return cw_fail(CW_ERR_TYPE, "the list of a record's fields is longer than %u characters",
                       CW_NPY_DESCR - 1);
    if (h->seen & 1)
        return damaged("a key stands twice");
    memcpy(h->descr, begin, length);
    h->descr[length] = 0;
    h->record_bytes = bytes;
    h->seen |= 1;
    return CW_OK;
}

static cw_status read_value(struct text *t, const char *key, struct head *h)
{
    unsigned bit;

    if (!strcmp(key, "descr")) {
        bit = 1;
        blanks(t);
        if (t->at < t->end && *t->at == '[')
            return read_record(t, h);
        if (!take_string(t, h->descr, 32))
            return damaged("the type is no short text");
    } else if (!strcmp(key, "fortran_order")) {
        bit = 2;
        h->fortran = take_word(t, "True");
        if (!h->fortran && !take_word(t, "False"))
            return damaged("fortran_order is neither True nor False");
    } else if (!strcmp(key, "shape")) {
        bit = 4;
        h->dims = 0;
        if (read_shape(t, h))
            return CW_ERR_FORMAT;
    } else {
        return damaged("a key other than descr, fortran_order and shape");
    }
    if (h->seen & bit)
        return damaged("a key stands twice");
    h->seen |= bit;
    return CW_OK;
}

static cw_status read_dictionary(struct text *t, struct head *h)
{
    char key[32];

    if (!take(t, '{'))
        return damaged("it is no dictionary");
    while (!take(t, '}')) {
        cw_status status;

        if (!take_string(t, key, sizeof key) || !take(t, ':'))
            return damaged("the dictionary holds no key where one should be");
        status = read_value(t, key, h);
        if (status)
            return status;
        if (take(t, ','))
            continue;
        if (!take(t, '}'))
            return damaged("the dictionary does not end");
        break;
    }
    blanks(t);
    if (t->at != t->end)
        return damaged("something follows the dictionary");
    return h->seen == 7 ? CW_OK : damaged("descr, fortran_order or shape is missing");
}

/* ---- what it means --------------------------------------------------------------------------- */

static const char *type_text(cw_type type)
{
    static const char *const texts[CW_TYPE_COUNT] = {
        [CW_U8] = "u1",  [CW_U16] = "u2", [CW_U32] = "u4", [CW_U64] = "u8",
        [CW_I8] = "i1",  [CW_I16] = "i2", [CW_I32] = "i4", [CW_I64] = "i8",
        [CW_F16] = "f2", [CW_F32] = "f4", [CW_F64] = "f8"};

    return texts[type];
}

/* '<M8[ns]', '>m8[25s]', '<M8' */
static int is_time(const char *descr)
{
    size_t unit;

    if (!descr[0] || !strchr("<>=", descr[0]) || (descr[1] != 'm' && descr[1] != 'M') ||
        descr[2] != '8')
        return 0;
    if (!descr[3])
        return 1;
    if (descr[3] != '[')
        return 0;
    unit = strspn(descr + 4, "0123456789abcdefghijklmnopqrstuvwxyzDMWY/");
    return unit && !strcmp(descr + 4 + unit, "]");
}

static cw_status type_of(const char *descr, struct cw_npy *out)
{
    const char other = little_endian() ? '>' : '<';

    if (!strcmp(descr, "|b1") || !strcmp(descr, "?")) {
        out->kind = CW_NPY_BOOL;
        out->type = CW_U8;
        return CW_OK;
    }
    if (is_time(descr)) {
        out->kind = CW_NPY_TIME;
        out->type = CW_I64;
        out->swapped = descr[0] == other;
        strcpy(out->descr, descr + 1);
        return CW_OK;
    }
    for (int t = 0; descr[0] && strchr("<>=|", descr[0]) && t < CW_TYPE_COUNT; t++) {
        if (type_text((cw_type)t) && !strcmp(descr + 1, type_text((cw_type)t))) {
            out->type = (cw_type)t;
            out->swapped = descr[0] == other && cw_type_bytes(out->type) > 1;
            if (descr[0] == '|' && cw_type_bytes(out->type) > 1)
                return damaged("the type has no byte order");
            return CW_OK;
        }
    }
    return cw_fail(
        CW_ERR_TYPE,
        "items of NumPy's type '%s': only integers of 1 to 8 bytes, floats of 2, 4 or 8, bool, "
        "datetime64 and timedelta64",
        descr);
}

/* Records are rows of bytes: what moves rows moves them. */
static cw_status shape_of_records(const struct head *h, struct cw_npy *out)
{
    if (h->dims != 1)
        return cw_fail(CW_ERR_TYPE, "records of %u dimensions: only 1", h->dims);
    out->kind = CW_NPY_RECORD;
    out->type = CW_U8;
    out->dims = 2;
    out->rows = h->shape[1];
    out->length = h->record_bytes;
    memcpy(out->descr, h->descr, sizeof out->descr);
    if (out->rows && out->length > INT64_MAX / out->rows)
        return damaged("the array is larger than any file");
    out->data_bytes = out->rows * out->length;
    return CW_OK;
}

static cw_status shape_of(const struct head *h, struct cw_npy *out)
{
    const uint64_t bytes = cw_type_bytes(out->type);

    if (h->dims == 0)
        return cw_fail(CW_ERR_TYPE, "a single number, not an array");
    if (h->dims > 2)
        return cw_fail(CW_ERR_TYPE, "%u dimensions: only 1, or the rows of 2", h->dims);
    out->dims = h->dims;
    out->rows = h->dims == 1 ? 1 : h->shape[0];
    out->length = h->shape[1];
    if (h->fortran && out->rows > 1 && out->length > 1)
        return cw_fail(
            CW_ERR_TYPE,
            "rows do not lie together (Fortran order): save numpy.ascontiguousarray of it");
    if (out->rows && out->length > INT64_MAX / out->rows / bytes)
        return damaged("the array is larger than any file");
    out->data_bytes = out->rows * out->length * bytes;
    return CW_OK;
}

cw_status cw_npy_parse(const void *bytes, size_t size, struct cw_npy *out)
{
    const unsigned char *const b = (const unsigned char *)bytes;
    struct head h = {.seen = 0};
    struct text t;
    uint64_t length;
    size_t at;
    cw_status status;

    memset(out, 0, sizeof *out);
    if (size < 6 || memcmp(b, CW_NPY_MAGIC, 6) != 0)
        return cw_fail(CW_ERR_FORMAT, "not a .npy file");
    if (size < 8 || (b[6] > 1 && size < 12) || size < 10)
        return damaged("the file ends inside it");
    if (b[6] < 1 || b[6] > 3)
        return cw_fail(CW_ERR_FORMAT, "a .npy file of version %u.%u: versions 1 to 3 are known",
                       b[6], b[7]);
    at = b[6] == 1 ? 10 : 12;
    length = b[8] | (uint64_t)b[9] << 8;
    if (b[6] > 1)
        length |= (uint64_t)b[10] << 16 | (uint64_t)b[11] << 24;
    if (length > CW_NPY_LONGEST - at)
        return damaged("it says that it is longer than 1 MiB");
    if (length > size - at)
        return damaged("the file ends inside it");
    t.at = (const char *)b + at;
    t.end = t.at + length;
    status = read_dictionary(&t, &h);
    if (!status && h.record_bytes) {
        status = shape_of_records(&h, out);
    } else if (!status) {
        status = type_of(h.descr, out);
        if (!status)
            status = shape_of(&h, out);
    }
    out->data_at = at + length;
    return status;
}

/* The type as it stands in a head; NULL: NumPy has none such. */
static const char *descr_of(const struct cw_npy *a, char out[CW_NPY_ROOM])
{
    const char order = little_endian() != a->swapped ? '<' : '>';

    if (a->kind == CW_NPY_RECORD)
        return a->descr;
    if (a->kind == CW_NPY_BOOL)
        return "'|b1'";
    if (a->kind == CW_NPY_TIME)
        snprintf(out, CW_NPY_ROOM, "'%c%s'", order, a->descr);
    else if (type_text(a->type))
        snprintf(out, CW_NPY_ROOM, "'%c%s'", cw_type_bytes(a->type) == 1 ? '|' : order,
                 type_text(a->type));
    else
        return NULL;
    return out;
}

size_t cw_npy_make(const struct cw_npy *a, unsigned char out[CW_NPY_ROOM])
{
    char text[CW_NPY_ROOM], type[CW_NPY_ROOM];
    const char *const descr = descr_of(a, type);
    size_t length, all;
    int used;

    if (!descr)
        return 0;
    used = snprintf(text, sizeof text, "{'descr': %.*s, 'fortran_order': False, 'shape': (",
                    CW_NPY_DESCR, descr);
    if (a->dims == 2)
        used += snprintf(text + used, sizeof text - (size_t)used, "%llu,%s",
                         (unsigned long long)a->rows, a->kind == CW_NPY_RECORD ? "" : " ");
    if (a->dims == 1 || a->kind != CW_NPY_RECORD)
        used += snprintf(text + used, sizeof text - (size_t)used, a->dims == 2 ? "%llu" : "%llu,",
                         (unsigned long long)a->length);
    used += snprintf(text + used, sizeof text - (size_t)used, "), }");
    length = (size_t)used;
    all = (10 + length + 1 + 63) / 64 * 64;
    memcpy(out, CW_NPY_MAGIC "\x01", 8); /* and the 0 behind it: version 1.0 */
    out[8] = (unsigned char)((all - 10) & 255);
    out[9] = (unsigned char)((all - 10) >> 8);
    memcpy(out + 10, text, length);
    memset(out + 10 + length, ' ', all - 10 - length);
    out[all - 1] = '\n';
    return all;
}

const char *cw_npy_type_name(const struct cw_npy *a, char out[64])
{
    if (a->kind == CW_NPY_RECORD)
        return "record";
    if (a->kind == CW_NPY_BOOL)
        return "bool";
    if (a->kind != CW_NPY_TIME)
        return cw_type_name(a->type);
    snprintf(out, 64, "%s64%.31s", a->descr[0] == 'M' ? "datetime" : "timedelta", a->descr + 2);
    return out;
}

void cw_npy_shift(void *items, uint64_t count, int up)
{
    uint64_t *const x = (uint64_t *)items;

    for (uint64_t i = 0; i < count; i++)
        x[i] += up ? 1 : UINT64_MAX;
}
