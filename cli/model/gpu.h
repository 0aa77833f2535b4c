/* gpu.h - the same job on a GPU: a batch of matrices, one warp each. */
#ifndef CLI_GPU_H
#define CLI_GPU_H

#include "run.h"

/* After the run on the model: fills in out->gpu and clears out->verified if any matrix of
 * the batch came out wrong.  CW_ERR_DEVICE: there is no GPU, or the tool was built without. */
cw_status gpu_run(const struct request *r, const struct input *in, struct cw_model *model,
                  const struct cw_job *job, struct result *out);

#endif
