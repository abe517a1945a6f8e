/* Makes whoever started it its tracer, and stops. */
#include <signal.h>
#include <sys/ptrace.h>

int main(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	raise(SIGTRAP);
	return 0;
}
