/* test_plan_memory.c - a plan that cannot be saved for lack of memory says so, and leaves the file that
 * was there.  Every allocation of cw_plan_save fails once. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clearway.h"
#include "test.h"

/* Every allocation of the program passes here; the sanitizers want it for themselves. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(SANITIZED)
extern void *__libc_malloc(size_t bytes);

static long fail_at = -1; /* the allocation that fails, counted down; -1: none */

void *malloc(size_t bytes)
{
    if (fail_at >= 0 && fail_at-- == 0) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(bytes);
}

static unsigned entries(const char *folder)
{
    DIR *const d = opendir(folder);
    unsigned count = 0;

    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return count;
}

static void holds_old(const char *path)
{
    char got[8] = "";
    FILE *const file = fopen(path, "rb");

    assert_non_null(file);
    assert_int_equal(fread(got, 1, sizeof got, file), 3);
    fclose(file);
    assert_memory_equal(got, "old", 3);
}

static void lack_of_memory_is_told_as_such(void **state)
{
    char folder[] = "/tmp/clearway-test-XXXXXX", path[64];
    const uint32_t index[] = {2, 0, 3, 1};
    unsigned failures = 0;
    FILE *file;
    cw_plan *plan;
    cw_status status;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/plan", folder);
    assert_int_equal(cw_plan_create(index, 4, 4, 4, 0, 1, &plan), CW_OK);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("old", 1, 3, file), 3);
    assert_int_equal(fclose(file), 0);
    for (long at = 0;; at++) {
        fail_at = at;
        status = cw_plan_save(plan, path);
        if (fail_at >= 0) /* there were not so many */
            break;
        failures++;
        assert_int_equal(status, CW_ERR_MEMORY);
        assert_int_equal(entries(folder), 1);
        holds_old(path);
    }
    fail_at = -1;
    assert_int_equal(status, CW_OK);
    assert_in_range(failures, 4, 1000);
    cw_plan_destroy(plan);
    assert_int_equal(cw_plan_load(path, &plan), CW_OK);
    cw_plan_destroy(plan);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}
#else
static void lack_of_memory_is_told_as_such(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lack_of_memory_is_told_as_such)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
