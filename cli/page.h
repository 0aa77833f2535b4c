/* page.h - a page of HTML that shows runs or kernels: the viewer, with data put into it.
 *
 * The viewer's own page is compiled into the tool (cmake/page_script.cmake) and cut in two where the data
 * goes: an index in JSON and traces as they are, all of it in base64, so that nothing in it can be
 * mistaken for HTML.  A page is made beside its path and takes its place when it is whole.
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "cli.h"

extern const unsigned char page_bytes[];
extern const size_t page_size, page_split;

struct page {
    FILE *out;
    const char *path;
    char *part;
};

/* 0, or USAGE after a complaint. */
int page_open(struct page *p, const char *path);

/* Data that the page finds by this id. */
void page_data(struct page *p, const char *id, const void *bytes, size_t size);

/* The page is whole: 0, or FAILED after a complaint, and no file is left.  With `keep` 0 none is
 * wanted. */
int page_close(struct page *p, int keep);

/* ---- view.c ---------------------------------------------------------------------------------- */

#define PAGE_TRACES 2

/* A page of one or two recorded runs: an exit status. */
int view_traces(const char *const *paths, size_t count, const char *html);

/* ---- view_kernels.c -------------------------------------------------------------------------- */

/* A page of what kernels ask of shared memory; only < 0: of all.  Source is looked for in `root`. */
int view_kernels(int only, const char *root, const char *html);

#endif
