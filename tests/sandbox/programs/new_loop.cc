// Asks for memory for ever and does not catch the exception.
int main()
{
	for (;;)
		*static_cast<volatile char *>(new char[1 << 16]) = 1;
}
