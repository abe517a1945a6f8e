/* 800 MB of static memory, touched. */
static char memory[800 << 20];

int main(void)
{
	for (unsigned long i = 0; i < sizeof memory; i += 4096)
		((volatile char *)memory)[i] = 1;
	return 0;
}
