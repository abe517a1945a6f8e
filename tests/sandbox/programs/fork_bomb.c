/* Forks for ever; with an argument, each child is in a session of its own. */
#include <unistd.h>

int main(int argc, char **argv)
{
	(void)argv;
	for (;;)
		if (fork() == 0 && argc > 1)
			setsid();
}
