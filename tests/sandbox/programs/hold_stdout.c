/* Answers, and keeps stdout open in a daemon. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	puts("42");
	fflush(stdout);
	if (fork() == 0) {
		setsid();
		sleep(1000);
	}
	return 0;
}
