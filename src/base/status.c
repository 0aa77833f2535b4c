#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[512];

static const char *const names[] = {
#define NAME(name, text) #name,
    CW_STATUS_LIST(NAME)
#undef NAME
};

static const char *const texts[] = {
#define TEXT(name, text) text,
    CW_STATUS_LIST(TEXT)
#undef TEXT
};

const char *cw_version(void)
{
    return CW_VERSION;
}

const char *cw_status_name(cw_status status)
{
    return (unsigned)status < CW_STATUS_COUNT ? names[status] : "CW_ERR_UNKNOWN";
}

const char *cw_status_text(cw_status status)
{
    return (unsigned)status < CW_STATUS_COUNT ? texts[status] : "unknown status";
}

const char *cw_last_error(void)
{
    return last_error;
}

cw_status cw_fail(cw_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(last_error, sizeof last_error, format, args);
    va_end(args);
    return status;
}
