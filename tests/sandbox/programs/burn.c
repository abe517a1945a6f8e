/* burn MS [THREADS]: uses so much CPU time in each thread, then ends well. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static long wanted_ms;

static long spent_ms(void)
{
	struct timespec spent;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	return spent.tv_sec * 1000 + spent.tv_nsec / 1000000;
}

static void *burn(void *unused)
{
	long start = spent_ms(); /* not nought: the thread was someone else's before it was ours */
	while (spent_ms() - start < wanted_ms)
		continue;
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t threads[64];
	wanted_ms = atol(argv[1]);
	for (int i = 1; i < count; i++)
		pthread_create(&threads[i], NULL, burn, NULL);
	burn(NULL);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
