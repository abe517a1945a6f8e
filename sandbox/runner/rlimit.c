/* Limits of a process that the kernel keeps by itself. */
#include "runner.h"

int limit_to(int resource, uint64_t most)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) != 0)
		return -1;
	rlim_t value = most < limit.rlim_max ? most : limit.rlim_max;
	return setrlimit(resource, &(struct rlimit){value, value});
}
