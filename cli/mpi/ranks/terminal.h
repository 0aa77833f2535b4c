/* terminal.h - is what a rank writes to stderr seen on a terminal?
 *
 * mpirun gives its ranks pipes and copies what comes through them to its own stderr.  So the question is
 * the launcher's, if that is on this machine: of the process that started this one, or of the one that started
 * that, as long as these are launchers. */
#ifndef CLI_MPI_TERMINAL_H
#define CLI_MPI_TERMINAL_H

int seen_on_terminal(void);

#endif
