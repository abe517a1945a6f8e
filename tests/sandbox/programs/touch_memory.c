/* touch_memory MIB KIND: touches so much memory, anonymous (a), shared (s) or of /dev/shm (f), says so, and stays
 * until its input ends, and a while. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t bytes = argc > 2 ? (size_t)atol(argv[1]) << 20 : 0;
	int flags = argv[2][0] == 'a' ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_ANONYMOUS, fd = -1;
	if (argv[2][0] == 'f') {
		fd = open("/dev/shm/memory", O_RDWR | O_CREAT, 0600);
		flags = MAP_SHARED;
		if (ftruncate(fd, (off_t)bytes) != 0)
			return 1;
	}
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, bytes);
	char end;
	if (write(STDOUT_FILENO, "touched\n", 8) != 8 || read(STDIN_FILENO, &end, 1) != 0)
		return 1;
	usleep(200000); /* until a sample is taken for sure */
	return 0;
}
