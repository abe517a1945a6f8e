/* The clocks: of the world, and of what this process has used. */
#include "runner.h"

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

uint64_t monotonic_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t own_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
