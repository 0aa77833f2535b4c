/* page.h - a page of HTML that shows runs or kernels: the viewer, with data put into it.
 *
 * The viewer's own page is compiled into the tool (cmake/page_script.cmake) and cut in two where the data
 * goes: an index in JSON and traces as they are, all of it in base64, so that nothing in it can be
 * mistaken for HTML.
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stddef.h>

#include "cli.h"
#include "files/output.h"

extern const unsigned char page_bytes[];
extern const size_t page_size, page_split;

/* The page, appended to an output: its beginning, data that it finds by an id, its end.  What cannot
 * be written is told when the output is committed. */
void page_begin(struct cw_output *to);
void page_data(struct cw_output *to, const char *id, const void *bytes, size_t size);
void page_end(struct cw_output *to);

/* The page gets its name, and that is told: an exit status. */
int page_commit(struct cw_output *to, const char *html, int json);

/* ---- view.c ---------------------------------------------------------------------------------- */

#define PAGE_TRACES 2

/* A page of one or two recorded runs: an exit status. */
int view_traces(const char *const *paths, size_t count, const char *html, int json);

/* The same of a run that was just recorded, appended to an output that the caller commits. */
int view_recorded(const struct cw_output *recorded, struct cw_output *page);

/* ---- view_kernels.c -------------------------------------------------------------------------- */

/* A page of what kernels ask of shared memory; only < 0: of all.  Source is looked for in `root`. */
int view_kernels(int only, const char *root, const char *html, int json);

#endif
