/* cleaner.h - a process that removes this one's temporary file if this one is killed.
 *
 * A rank that gets SIGKILL removes nothing, and MPI gives the others a second or so between SIGTERM and SIGKILL,
 * which a rank that waits for a disk does not see.  The cleaner is in a session of its own, so MPI does not
 * end it; it waits until the rank is gone, whichever way, and then removes what it was told of. */
#ifndef CLI_MPI_CLEANER_H
#define CLI_MPI_CLEANER_H

/* Before MPI_Init, which many networks want no fork after.  Without processes to spare there is none. */
void cleaner_start(void);

/* The path of a file.  One that has another name by then is left alone. */
void cleaner_remember(const char *path);

#endif
