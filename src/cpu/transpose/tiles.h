/* tiles.h - matrices transposed by tiles of lines of memory. */
#ifndef CW_CPU_TRANSPOSE_TILES_H
#define CW_CPU_TRANSPOSE_TILES_H

#include <stddef.h>

struct cw_matrix {
    size_t rows, columns, bytes; /* of an element */
    const char *in;
    char *out;
    int past; /* write lines past the caches */
};

/* Rows that a band of tiles has. */
size_t cw_tile_side(size_t bytes);

/* Bands b .. end - 1: rows b * side .. of the input.  out is not in. */
void cw_transpose_bands(const struct cw_matrix *m, size_t b, size_t end);

/* Band b of a square matrix in place: its tiles right of the diagonal, each with its mirror image,
 * and the one on it. */
void cw_transpose_square_band(const struct cw_matrix *m, size_t b);

#endif
