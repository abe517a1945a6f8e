// Asks for memory for ever and does not catch the exception.
int main()
{
	for (;;)
		*new char[1 << 16] = 1;
}
