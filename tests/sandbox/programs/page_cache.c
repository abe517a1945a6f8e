/* page_cache MIB: writes a file of that size and reads it again. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char block[1 << 20];
	int mib = argc > 1 ? atoi(argv[1]) : 200;
	int fd = open("file", O_RDWR | O_CREAT, 0600);
	for (int i = 0; i < mib; i++)
		if (write(fd, block, sizeof block) != sizeof block)
			return 1;
	lseek(fd, 0, SEEK_SET);
	for (int i = 0; i < mib; i++)
		if (read(fd, block, sizeof block) != sizeof block)
			return 2;
	return 0;
}
