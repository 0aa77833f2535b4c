/* text.h - numbers as text (--text): read into a file of items, and written from one. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "files/array_file.h"
#include "files/output.h"

/* The numbers of a text, between white space, commas or semicolons; '#' begins a comment that lasts to the
 * end of the line.  A word of 400 letters or more is no number, nor is one that is too large for its type.  A comma
 * between digits (3,5) is refused where there are semicolons, too: it may be a decimal comma.  `type`: a cw_type, or -1 for i64 if all are whole
 * numbers that fit, else u64, else f64.
 * `fd` is the text from its beginning, and is closed; `path` is its name for people.  The items go to a
 * file without a name in `folder`.  CW_ERR_FORMAT names the line that is wrong. */
cw_status text_read(int fd, const char *path, int type, const char *folder,
                    struct cw_array_file *out);

/* Items from the beginning of `from`, a line for each, or for each row of two dimensions. */
cw_status text_write(const struct cw_output *from, const struct cw_npy *head, struct cw_output *to);

#endif
