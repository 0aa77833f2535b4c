/* shapes.h - sets of shapes that kernels are compiled in. */
#ifndef CW_TUNING_SHAPES_H
#define CW_TUNING_SHAPES_H

enum cw_shapes { CW_SHAPES_TINY, CW_SHAPES_LARGE };

#endif
