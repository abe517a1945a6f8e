/* foreign_abi 32 | x32: makes a system call past the table that a 64-bit filter reads. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long result = 0;
	if (argc > 1 && strcmp(argv[1], "32") == 0)
		__asm__ volatile("int $0x80" : "=a"(result) : "a"(20L));
	else
		result = syscall(0x40000000 | 39);
	printf("%ld\n", result);
	return 0;
}
