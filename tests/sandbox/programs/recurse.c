/* recurse [MIB]: recurses until so much stack is used; without a number, for ever. */
#include <stdlib.h>

static long depth(long frames)
{
	volatile char frame[4000];
	frame[0] = (char)frames;
	return frames ? depth(frames - 1) + frame[0] - frame[0] : 0;
}

int main(int argc, char **argv)
{
	return (int)depth(argc > 1 ? atol(argv[1]) * 256 : -1);
}
