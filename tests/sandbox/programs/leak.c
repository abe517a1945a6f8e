/* Loses memory; built with the address sanitizer, it says so. */
#include <stdlib.h>

int main(void)
{
	volatile char *lost = malloc(1000);
	lost[0] = 1;
	lost = NULL;
	return 0;
}
