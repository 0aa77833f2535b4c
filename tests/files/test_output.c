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

#include "files/output_parts.h"
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

/* Two files in two folders, the second of which is not there any more when they are committed. */
static void several_files_appear_or_none(void **state)
{
    (void)state;
    for (int how = 0; how < 8; how++) {
        char side[80], other[80];
        struct cw_output o[2], *const both[] = {&o[0], &o[1]};
        const int replaces = how & 1;

        cw_output_always_named = how >> 1 & 1;
        cw_output_no_exchange = how >> 2;
        snprintf(side, sizeof side, "%s/side", folder);
        snprintf(other, sizeof other, "%s/side/out", folder);
        (void)unlink(path);
        if (replaces)
            write_out("old");
        for (int fails = 1; fails >= 0; fails--) {
            assert_int_equal(mkdir(side, 0700), 0);
            assert_int_equal(cw_output_open(path, &o[0]), CW_OK);
            assert_int_equal(cw_output_open(other, &o[1]), CW_OK);
            cw_output_append(&o[0], "new", 3);
            cw_output_append(&o[1], "second", 6);
            if (fails && cw_output_always_named)
                assert_int_equal(unlinkat(o[1].folder, o[1].temp, 0), 0);
            if (fails)
                assert_int_equal(rmdir(side), 0);
            assert_int_equal(cw_outputs_commit(both, 2), fails ? CW_ERR_IO : CW_OK);
            if (!fails || replaces)
                holds(fails ? "old" : "new");
            assert_int_equal(entries(), (unsigned)(fails ? replaces : 2));
            if (fails)
                assert_non_null(strstr(cw_last_error(), "side/out: there is no folder"));
        }
        assert_int_equal(unlink(other), 0);
        assert_int_equal(rmdir(side), 0);
    }
    cw_output_always_named = cw_output_no_exchange = 0;
}

static void a_signal_waits_while_files_get_their_names(void **state)
{
    (void)state;
    assert_int_equal(cw_output_interrupted(), 0);
    cw_commit_begin();
    assert_int_not_equal(cw_output_interrupted(), 0);
    cw_commit_end();
    assert_int_equal(cw_output_interrupted(), 0);
}

/* With the signal's default, which would end this process. */
static void a_reader_that_went_away_is_an_error(void **state)
{
    struct cw_output o;
    char name[32];
    int ends[2];

    (void)state;
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    assert_int_equal(cw_output_open(name, &o), CW_OK);
    cw_output_append(&o, "text", 4);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(cw_output_commit(&o), CW_ERR_IO);
    assert_non_null(strstr(cw_last_error(), "Broken pipe"));
    assert_int_equal(close(ends[1]), 0);
}

static void what_is_appended_is_all_there(void **state)
{
    static unsigned char text[200000], got[200001];
    struct cw_output o;
    size_t at = 0;
    FILE *file;

    (void)state;
    for (size_t k = 0; k < sizeof text; k++)
        text[k] = (unsigned char)(k * k >> 7);
    assert_int_equal(cw_output_open(path, &o), CW_OK);
    for (size_t some = 0; at < sizeof text; some = some * 2 + 1) {
        const size_t piece = some < sizeof text - at ? some : sizeof text - at;

        cw_output_append(&o, text + at, piece);
        at += piece;
        assert_int_equal(cw_output_appended(&o), at);
    }
    assert_int_equal(cw_output_commit(&o), CW_OK);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(got, 1, sizeof got, file), sizeof text);
    fclose(file);
    assert_memory_equal(got, text, sizeof text);
}

static void scratch_cannot_be_committed(void **state)
{
    struct cw_output o;

    (void)state;
    (void)unlink(path);
    assert_int_equal(cw_output_scratch(folder, &o), CW_OK);
    cw_output_append(&o, "x", 1);
    assert_int_equal(cw_output_commit(&o), CW_ERR_INTERNAL);
    assert_int_equal(entries(), 0);
    assert_int_equal(cw_output_scratch("/no/such/folder", &o), CW_ERR_IO);
    cw_output_drop(&o);
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
        cmocka_unit_test(several_files_appear_or_none),
        cmocka_unit_test(a_signal_waits_while_files_get_their_names),
        cmocka_unit_test(a_reader_that_went_away_is_an_error),
        cmocka_unit_test(what_is_appended_is_all_there),
        cmocka_unit_test(scratch_cannot_be_committed),
        cmocka_unit_test(the_folder_of_a_path_is_found),
        cmocka_unit_test(scratch_files_have_no_name),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
