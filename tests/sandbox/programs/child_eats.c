/* A child is killed for memory; the parent answers all the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	if (fork() == 0)
		for (;;)
			memset(malloc(1 << 20), 1, 1 << 20);
	wait(NULL);
	puts("42");
	return 0;
}
