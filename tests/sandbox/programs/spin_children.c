/* The parent sleeps while its children spin. */
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 3; i++)
		if (fork() == 0)
			for (;;)
				continue;
	for (;;)
		pause();
}
