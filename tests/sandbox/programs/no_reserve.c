/* Maps a terabyte and never touches it. */
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
	void *memory = mmap(NULL, 1UL << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return memory == MAP_FAILED;
}
