/* Attacks whoever started it, and everybody else it may signal. */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	printf("ptrace %ld\n", ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
	printf("ptrace %ld\n", ptrace(PTRACE_ATTACH, 1, NULL, NULL));
	for (int signal = 1; signal < 64; signal++) {
		kill(1, signal);
		kill(getppid(), signal);
	}
	fflush(stdout);
	kill(-1, SIGKILL);
	return 0;
}
