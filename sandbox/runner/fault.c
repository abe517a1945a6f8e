/* How a step that failed is told. */
#include "runner.h"

int failed(struct fault *fault, const char *step)
{
	*fault = (struct fault){step, errno};
	return -1;
}
