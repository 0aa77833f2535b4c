/* page.h - a page of HTML that shows runs or kernels, or calculates: with data put into it.
 *
 * The pages themselves are compiled into the tool (cmake/page_script.cmake) and cut in two where the data
 * goes: an index in JSON and traces as they are, all of it in base64, so that nothing in it can be
 * mistaken for HTML.
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stddef.h>

#include "cli/cli.h"
#include "files/output.h"

struct page {
    const unsigned char *bytes;
    size_t size, split; /* split: where the data goes */
};

extern const struct page page_viewer, page_calculator, page_gallery;

/* The page, appended to an output: its beginning, data that it finds by an id, its end.  What cannot
 * be written is told when the output is committed. */
void page_begin(struct cw_output *to, const struct page *page);
void page_data(struct cw_output *to, const char *id, const void *bytes, size_t size);
void page_end(struct cw_output *to, const struct page *page);

/* The page gets its name, and that is told: an exit status. */
int page_commit(struct cw_output *to, const char *command, const char *html, int json);

/* ---- view.c ---------------------------------------------------------------------------------- */

#define PAGE_TRACES 2

/* A page of one or two recorded runs: an exit status. */
int view_traces(const char *const *paths, size_t count, const char *html, int json);

/* The same of runs that were just recorded, appended to an output that the caller commits. */
int view_recorded(const struct cw_output *recorded, size_t count, struct cw_output *page);

/* ---- view_kernels.c -------------------------------------------------------------------------- */

/* A page of what kernels ask of shared memory; only < 0: of all.  Source is looked for in `root`. */
int view_kernels(int only, const char *root, const char *html, int json);

#endif
