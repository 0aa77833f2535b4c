/* npy_record.c - the list of fields of a record: [('name', '<i4'), ('position', '<f4', (3,)),
 * ..]. */
#include "files/npy.h"

#include <stdio.h>
#include <stdlib.h>

#include "files/npy_text.h"
#include "base/status.h"

#define NAME 128 /* characters of a field's name */

/* A field that is looked for. */
struct search {
    const char *name;
    int found;
    uint64_t at;
    char descr[32]; /* "": a record, or an array */
};

static cw_status damaged(void)
{
    return cw_fail(CW_ERR_FORMAT, "damaged .npy head: the fields of a record");
}

/* Bytes of '<f8', '|S10', '<U3', '<M8[ns]'; 0: not known. */
static uint64_t bytes_of(const char *descr)
{
    const char *at = descr + (descr[0] && strchr("<>=|", descr[0]));
    const char letter = *at;
    uint64_t bytes = 0;

    if (!letter || !strchr("biufcmMSUV", letter))
        return 0;
    for (at++; *at >= '0' && *at <= '9' && bytes < UINT32_MAX; at++)
        bytes = bytes * 10 + (uint64_t)(*at - '0');
    return letter == 'U' ? 4 * bytes : bytes;
}

static cw_status take_fields(struct text *t, struct search *s, unsigned depth, uint64_t *bytes);

/* (3,) or (2, 3): how many of them. */
static cw_status take_shape(struct text *t, uint64_t *count)
{
    uint64_t x;

    if (!take(t, '('))
        return damaged();
    for (*count = 1; !take(t, ')'); *count *= x) {
        if (take_number(t, &x) <= 0 || x > UINT32_MAX || *count > UINT32_MAX)
            return damaged();
        (void)take(t, ',');
    }
    return CW_OK;
}

/* ('name', type) or ('name', type, shape). */
static cw_status take_field(struct text *t, struct search *s, unsigned depth, uint64_t *bytes)
{
    char name[NAME], descr[32] = "";
    uint64_t size = 0, count = 1;
    cw_status status = CW_OK;
    int plain = 1;

    if (!take(t, '(') || !take_string(t, name, sizeof name) || !take(t, ','))
        return damaged();
    blanks(t);
    if (t->at < t->end && *t->at == '[') {
        status = take_fields(t, NULL, depth + 1, &size);
        plain = 0;
    } else if (take_string(t, descr, sizeof descr)) {
        size = bytes_of(descr);
    } else {
        status = damaged();
    }
    if (!status && take(t, ',') && !take(t, ')')) {
        plain = 0;
        status = take_shape(t, &count);
        (void)take(t, ',');
        if (!status && !take(t, ')'))
            status = damaged();
    } else if (!status && t->at[-1] != ')' && !take(t, ')')) {
        status = damaged();
    }
    if (status)
        return status;
    if (!size)
        return cw_fail(CW_ERR_TYPE, "the field '%s' is of NumPy's type '%s', which cannot be moved",
                       name, descr);
    if (s && !strcmp(s->name, name)) {
        s->found = 1;
        s->at = *bytes;
        if (plain)
            strcpy(s->descr, descr);
    }
    if (count && size > UINT32_MAX / count)
        return cw_fail(CW_ERR_TYPE, "a record of more than 4 GiB");
    *bytes += size * count;
    return CW_OK;
}

static cw_status take_fields(struct text *t, struct search *s, unsigned depth, uint64_t *bytes)
{
    *bytes = 0;
    if (depth > 16 || !take(t, '['))
        return damaged();
    while (!take(t, ']')) {
        const cw_status status = take_field(t, s, depth, bytes);

        if (status)
            return status;
        if (*bytes > UINT32_MAX)
            return cw_fail(CW_ERR_TYPE, "a record of more than 4 GiB");
        if (!take(t, ',')) {
            if (!take(t, ']'))
                return damaged();
            break;
        }
    }
    return *bytes ? CW_OK : cw_fail(CW_ERR_TYPE, "records of 0 bytes");
}

cw_status cw_npy_record(struct text *t, uint64_t *bytes)
{
    return take_fields(t, NULL, 0, bytes);
}

/* A head that is a field's: parsed as that of an array of one. */
static cw_status field_type(const char *descr, struct cw_npy *out)
{
    unsigned char bytes[256] = CW_NPY_MAGIC "\x01";
    const int length = snprintf((char *)bytes + 10, sizeof bytes - 10,
                                "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", descr);

    bytes[8] = (unsigned char)length;
    return cw_npy_parse(bytes, 10 + (size_t)length, out);
}

cw_status cw_npy_find_field(const struct cw_npy *record, const char *name, struct cw_npy_field *out)
{
    struct text t = {record->descr, record->descr + strlen(record->descr)};
    struct search s = {.name = name};
    uint64_t bytes;
    cw_status status;

    if (record->kind != CW_NPY_RECORD)
        return cw_fail(CW_ERR_ARGUMENT, "items are no records, so they have no field '%s'", name);
    status = take_fields(&t, &s, 0, &bytes);
    if (status)
        return status;
    if (!s.found)
        return cw_fail(CW_ERR_ARGUMENT, "records have no field '%s'; they are %.400s", name,
                       record->descr);
    if (!s.descr[0] || field_type(s.descr, &out->type))
        return cw_fail(CW_ERR_TYPE, "the field '%s' is no number that can be sorted", name);
    out->at = s.at;
    return CW_OK;
}
