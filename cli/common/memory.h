/* memory.h - how much memory this computer has left. */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

/* Bytes of memory that programs can have now; 0 or less: not known. */
double memory_free(void);

/* Refuse what this computer's memory cannot hold: memory that is only promised ends in a kill. */
int memory_refused(double bytes);

#endif
