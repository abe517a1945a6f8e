/* Answers right, and leaves children in sessions of their own that fork on. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 20; i++) {
		if (fork())
			continue;
		setsid();
		for (;;)
			if (fork() < 0)
				sleep(1);
	}
	puts("42");
	return 0;
}
