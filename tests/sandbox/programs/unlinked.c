/* Fills the disk with files that have no name. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	static char block[1 << 20];
	char name[16];
	memset(block, 1, sizeof block);
	for (int i = 0; i < 400; i++) {
		snprintf(name, sizeof name, "%d", i);
		int fd = open(name, O_WRONLY | O_CREAT, 0600);
		unlink(name);
		if (write(fd, block, sizeof block) < 0)
			return 1;
	}
	for (;;)
		pause();
}
