/* burn MS [THREADS]: uses so much CPU time in each thread, then ends well. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static long long wanted_ns;

static long long spent_ns(void)
{
	struct timespec spent;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	return spent.tv_sec * 1000000000LL + spent.tv_nsec;
}

static void *burn(void *unused)
{
	long long start = spent_ns(); /* not nought: the thread was someone else's before it was ours */
	while (spent_ns() - start < wanted_ns)
		continue;
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t threads[64];
	wanted_ns = atoll(argv[1]) * 1000000;
	for (int i = 1; i < count; i++)
		pthread_create(&threads[i], NULL, burn, NULL);
	burn(NULL);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
