/* split_around.cu - partitions on a GPU: what is done before and after items are moved. */
#include "kernels/split_shapes.h"
#include "kernels/split_count.h"
#include "kernels/split_scan.h"
#include "kernels/split_rows.h"
