/* A fixed amount of work, so that its CPU time can be compared: burn ROUNDS. */
#include <stdlib.h>

int main(int argc, char **argv)
{
	volatile unsigned sum = 1;
	for (long rounds = argc > 1 ? atol(argv[1]) : 0; rounds; rounds--)
		sum = sum * 1664525u + 1013904223u;
	return 0;
}
