/* signals.h - what ends the tool leaves no temporary file. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/* From here on a signal that ends the tool cleans up first; a closed pipe, and a file that may not
 * grow, are failed writes. */
void signals_watch(void);

/* A signal that came while outputs got their names ends the tool here. */
void signals_end(void);

#endif
