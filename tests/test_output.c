/* A file appears under its name only when it is whole, with O_TMPFILE and without. */
#define _XOPEN_SOURCE 700

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "files/output.h"
#include "test.h"

static char folder[] = "/tmp/clearway-test-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder); /* fails if anything else was left */
}

static unsigned entries(void)
{
    DIR *const d = opendir(folder);
    unsigned count = 0;

    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return count;
}

static void holds(const char *text)
{
    char got[64] = "";
    FILE *const file = fopen(path, "rb");

    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = 0;
    fclose(file);
    assert_string_equal(got, text);
}

static void write_out(const char *text)
{
    struct cw_output o;

    assert_int_equal(cw_output_open(path, &o), CW_OK);
    assert_int_equal(cw_output_write(&o, text, strlen(text), 0), CW_OK);
    assert_int_equal(cw_output_commit(&o), CW_OK);
    cw_output_drop(&o); /* fine after commit */
}

static void a_file_has_its_name_when_it_is_whole(void **state)
{
    struct cw_output o;
    struct stat st;

    (void)state;
    for (cw_output_always_named = 0; cw_output_always_named < 2; cw_output_always_named++) {
        (void)unlink(path);
        assert_int_equal(cw_output_open(path, &o), CW_OK);
        assert_int_equal(cw_output_write(&o, "hello", 5, 0), CW_OK);
        assert_int_equal(access(path, F_OK), -1);
        assert_int_equal(entries(), (unsigned)cw_output_always_named);
        assert_int_equal(cw_output_commit(&o), CW_OK);
        assert_int_equal(entries(), 1);
        holds("hello");
        assert_int_equal(chmod(path, 0604), 0);
        write_out("again");
        holds("again");
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0604);
        assert_int_equal(entries(), 1);
    }
    cw_output_always_named = 0;
}

static void what_is_dropped_leaves_the_old_file_alone(void **state)
{
    struct cw_output o;

    (void)state;
    for (cw_output_always_named = 0; cw_output_always_named < 2; cw_output_always_named++) {
        write_out("old");
        assert_int_equal(cw_output_open(path, &o), CW_OK);
        assert_int_equal(cw_output_write(&o, "new", 3, 0), CW_OK);
        cw_output_drop(&o);
        holds("old");
        assert_int_equal(entries(), 1);
    }
    cw_output_always_named = 0;
}

static void interrupted(int number)
{
    cw_output_interrupted();
    _exit(number);
}

/* In another process, which a signal ends while it writes. */
static void a_signal_leaves_nothing(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        int status;
        pid_t child;

        write_out("old");
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct cw_output o;

            cw_output_always_named = named;
            signal(SIGTERM, interrupted);
            if (cw_output_open(path, &o) || cw_output_write(&o, "new", 3, 0))
                _exit(99);
            raise(SIGTERM);
            _exit(98);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), SIGTERM);
        holds("old");
        assert_int_equal(entries(), 1);
    }
}

static void the_folder_of_a_path_is_found(void **state)
{
    static const char *const cases[][2] = {
        {"a", "."}, {"/a", "/"}, {"b/a", "b"}, {"/c/b/a", "/c/b"}, {"./a", "."}};

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        char *const got = cw_folder_of(cases[k][0]);

        assert_string_equal(got, cases[k][1]);
        free(got);
    }
}

static void scratch_files_have_no_name(void **state)
{
    (void)state;
    (void)unlink(path);
    for (cw_output_always_named = 0; cw_output_always_named < 2; cw_output_always_named++) {
        int fd;

        assert_int_equal(cw_scratch_open(folder, &fd), CW_OK);
        assert_int_equal(write(fd, "x", 1), 1);
        assert_int_equal(entries(), 0);
        close(fd);
        assert_int_equal(cw_scratch_open("/no/such/folder", &fd), CW_ERR_IO);
    }
    cw_output_always_named = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_its_name_when_it_is_whole),
        cmocka_unit_test(what_is_dropped_leaves_the_old_file_alone),
        cmocka_unit_test(a_signal_leaves_nothing),
        cmocka_unit_test(the_folder_of_a_path_is_found),
        cmocka_unit_test(scratch_files_have_no_name),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
