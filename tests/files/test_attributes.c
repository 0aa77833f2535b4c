/* test_attributes.c - a file that is replaced keeps owner, mode and extended attributes, whatever file system it is on.
 *
 * The calls that ask for them and set them are wrapped (tests/CMakeLists.txt): the old file has an owner of its own, an
 * access list and other attributes, and any of these calls may fail. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "files/output_parts.h"
#include "test.h"

#define LIST "system.posix_acl_access"

static const struct {
    const char *name, *value;
    size_t bytes;
} has[] = {
    {"user.origin", "a long value\0with a zero", 24}, {LIST, "list", 4}, {"user.empty", "", 0}};

static struct {
    unsigned kept;         /* bit k: attribute k was set, as it is */
    unsigned wrong;        /* others that were set */
    const char *no_set;    /* cannot be set */
    const char *grows;     /* is longer when it is asked for than when its size is, */
    const char *shrinks;   /* or shorter */
    int no_owner, no_mode; /* refused */
    uid_t uid;
    gid_t gid;
    int same_uid, same_gid; /* of the old file and the new one, before */
    mode_t mode;
    unsigned order; /* of owner 1, attributes 2, mode 3, as digits */
} fake;

ssize_t __wrap_llistxattr(const char *path, char *list, size_t size);
ssize_t __wrap_lgetxattr(const char *path, const char *name, void *value, size_t size);
int __wrap_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags);
int __wrap_fremovexattr(int fd, const char *name);
int __wrap_fchown(int fd, uid_t owner, gid_t group);
int __wrap_fchmod(int fd, mode_t mode);

static int refuse(int error)
{
    errno = error;
    return -1;
}

ssize_t __wrap_llistxattr(const char *path, char *list, size_t size)
{
    size_t all = 0;

    assert_non_null(strstr(path, "/old"));
    for (size_t k = 0; k < COUNT(has); k++) {
        const size_t bytes = strlen(has[k].name) + 1;

        if (size && all + bytes > size)
            return refuse(ERANGE);
        if (size)
            memcpy(list + all, has[k].name, bytes);
        all += bytes;
    }
    return (ssize_t)all;
}

ssize_t __wrap_lgetxattr(const char *path, const char *name, void *value, size_t size)
{
    assert_non_null(strstr(path, "/old"));
    for (size_t k = 0; k < COUNT(has); k++) {
        if (strcmp(has[k].name, name))
            continue;
        if (!size)
            return (ssize_t)has[k].bytes - (fake.grows && !strcmp(fake.grows, name)) +
                   (fake.shrinks && !strcmp(fake.shrinks, name));
        if (size < has[k].bytes)
            return refuse(ERANGE);
        memcpy(value, has[k].value, has[k].bytes);
        return (ssize_t)has[k].bytes;
    }
    return refuse(ENODATA);
}

int __wrap_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
    (void)fd;
    assert_int_equal(flags, 0);
    if (fake.no_set && !strcmp(fake.no_set, name))
        return refuse(EPERM);
    fake.order = fake.order % 10 == 2 ? fake.order : fake.order * 10 + 2;
    for (size_t k = 0; k < COUNT(has); k++) {
        if (!strcmp(has[k].name, name) && has[k].bytes == size &&
            !memcmp(has[k].value, value, size)) {
            fake.kept |= 1u << k;
            return 0;
        }
    }
    fake.wrong++;
    return 0;
}

int __wrap_fremovexattr(int fd, const char *name)
{
    (void)fd;
    assert_string_equal(name, LIST);
    assert_int_equal(fake.kept, 0); /* before any is set */
    return 0;
}

int __wrap_fchown(int fd, uid_t owner, gid_t group)
{
    (void)fd;
    if (fake.no_owner)
        return refuse(EPERM);
    fake.order = fake.order * 10 + 1;
    fake.uid = owner;
    fake.gid = group;
    return 0;
}

int __wrap_fchmod(int fd, mode_t mode)
{
    (void)fd;
    if (fake.no_mode)
        return refuse(EPERM);
    fake.order = fake.order * 10 + 3;
    fake.mode = mode;
    return 0;
}

/* A file of our own takes the place of one that has all of that. */
static int keep(const char **what)
{
    struct stat st = {0};
    const int fd = memfd_create("new", 0), folder = open("/", O_RDONLY);
    int error;

    assert_true(fd >= 0 && folder >= 0);
    st.st_uid = geteuid() + (fake.same_uid ? 0 : 17);
    st.st_gid = getegid() + (fake.same_gid ? 0 : 18);
    st.st_mode = S_IFREG | 04751;
    error = cw_keep(fd, folder, "old", &st, what);
    close(fd);
    close(folder);
    return error;
}

static void begin(void)
{
    memset(&fake, 0, sizeof fake);
}

static void all_of_it_is_kept(void **state)
{
    const char *what;

    (void)state;
    begin();
    assert_int_equal(keep(&what), 0);
    assert_int_equal(fake.kept, 7);
    assert_int_equal(fake.wrong, 0);
    assert_int_equal(fake.uid, geteuid() + 17);
    assert_int_equal(fake.gid, getegid() + 18);
    assert_int_equal(fake.mode, 04751);
    assert_int_equal(fake.order, 123); /* a change of owner takes bits of the mode away */
}

/* The old file's may be ours, and its group another. */
static void owner_and_group_are_kept_each(void **state)
{
    const char *what;

    (void)state;
    for (int same = 0; same < 4; same++) {
        begin();
        fake.same_uid = same & 1;
        fake.same_gid = same >> 1;
        assert_int_equal(keep(&what), 0);
        assert_int_equal(fake.order, same == 3 ? 23 : 123);
        assert_int_equal(fake.uid, same == 3 ? 0 : geteuid() + (same & 1 ? 0 : 17));
        assert_int_equal(fake.gid, same == 3 ? 0 : getegid() + (same & 2 ? 0 : 18));
    }
}

/* Without it the mode would let more people in. */
static void an_access_list_is_kept_or_the_file_is_refused(void **state)
{
    const char *what;

    (void)state;
    begin();
    fake.no_set = LIST;
    assert_int_equal(keep(&what), EPERM);
    assert_string_equal(what, "its attributes cannot be kept");
    begin();
    fake.grows = LIST;
    assert_int_not_equal(keep(&what), 0);
    assert_int_equal(fake.wrong, 0); /* and no part of it is set */
    begin();
    fake.shrinks = LIST;
    errno = 0; /* as nothing has failed yet */
    assert_int_not_equal(keep(&what), 0);
    assert_int_equal(fake.wrong, 0);
}

static void other_attributes_are_kept_where_they_can(void **state)
{
    const char *what;

    (void)state;
    begin();
    fake.no_set = "user.origin";
    assert_int_equal(keep(&what), 0);
    assert_int_equal(fake.kept, 6);
    begin();
    fake.grows = "user.origin";
    assert_int_equal(keep(&what), 0);
    assert_int_equal(fake.kept, 6);
    assert_int_equal(fake.wrong, 0);
}

static void owner_and_mode_are_kept_or_the_file_is_refused(void **state)
{
    const char *what;

    (void)state;
    begin();
    fake.no_owner = 1;
    assert_int_equal(keep(&what), EPERM);
    assert_string_equal(what, "its owner cannot be kept");
    begin();
    fake.no_mode = 1;
    assert_int_equal(keep(&what), EPERM);
    assert_string_equal(what, "its mode cannot be kept");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it_is_kept),
        cmocka_unit_test(owner_and_group_are_kept_each),
        cmocka_unit_test(an_access_list_is_kept_or_the_file_is_refused),
        cmocka_unit_test(other_attributes_are_kept_where_they_can),
        cmocka_unit_test(owner_and_mode_are_kept_or_the_file_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
