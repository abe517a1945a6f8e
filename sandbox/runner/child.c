/* The child of a run: from fork to exec, in the order in which rights are given up. It is forked before its
 * command is known, so that a run does not wait for any of this. */
#include "runner.h"

#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPEN_FILES = 4096 };

static int drop_capabilities(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}};
	return (int)syscall(SYS_capset, &head, none);
}

/* A program that was written a moment ago may still be open in a process that Python forked meanwhile and that
 * will close it as it executes: no reason to blame the program. */
static void try_execute(const char *file, const struct run_request *request)
{
	const struct timespec moment = {0, 2 * 1000000};
	for (int tries = 0; tries < 250; tries++) {
		execve(file, (char *const *)request->argv, (char *const *)request->env);
		if (errno != ETXTBSY)
			return;
		nanosleep(&moment, NULL);
	}
	errno = ETXTBSY;
}

/* As the shell finds commands; the errno is that of the most telling failure. */
static void execute(const struct run_request *request)
{
	const char *name = request->argv[0], *path = "";
	if (strchr(name, '/')) {
		try_execute(name, request);
		return;
	}
	for (size_t i = 0; i < request->envc; i++)
		if (strncmp(request->env[i], "PATH=", 5) == 0)
			path = request->env[i] + 5;
	int error = ENOENT;
	while (*path) {
		char file[PATH_MAX];
		int length = (int)strcspn(path, ":");
		if (snprintf(file, sizeof file, "%.*s/%s", length, path, name) < (int)sizeof file) {
			try_execute(file, request);
			if (errno != ENOENT && errno != ENOTDIR)
				error = errno;
		}
		path += length;
		path += *path == ':';
	}
	errno = error;
}

/* Checks a step of the child, and leaves its name and errno on the desk where it failed. */
#define STEP(name, condition)                 \
	do {                                  \
		if (!(condition)) {           \
			desk->error = errno;  \
			desk->step = (name);  \
			_exit(127);           \
		}                             \
	} while (0)

static void give_up_rights(const struct box *box, struct desk *desk)
{
	sigset_t none;
	sigemptyset(&none);
	setsid();
	umask(022);
	STEP("signals", sigprocmask(SIG_SETMASK, &none, NULL) == 0);
	STEP("rlimit", limit_to(RLIMIT_NOFILE, OPEN_FILES) == 0);
	/* from here on its CPU time is the run's: what is ours of it is taken off again */
	uint64_t before = box->cgroups.born_inside ? 0 : own_cpu_ns();
	STEP("cgroup", leaf_enter(&box->cgroups, &box->leaf) == 0);
	/* the user, without a single right */
	STEP("groups", box->rootless || setgroups(0, NULL) == 0); /* rootless there is none to drop, or to get */
	STEP("user", setresgid(box->uid, box->uid, box->uid) == 0 &&
			     setresuid(box->uid, box->uid, box->uid) == 0);
	STEP("capabilities", drop_capabilities() == 0);
	/* what it may ask of the kernel */
	STEP("seccomp", filter_apply(box->filter) == 0);
	desk->cpu_base_ns = before;
}

static void become(const struct run_request *request, const int fds[3], struct desk *desk)
{
	const struct limits *limits = &request->limits;
	/* one byte over the limit, so that a program which stops at it, unharmed, is provably over */
	uint64_t largest_file = (limits->disk_bytes > limits->memory_bytes ? limits->disk_bytes : limits->memory_bytes) + 1;
	for (int i = 0; i < 3; i++)
		STEP("descriptors", dup2(fds[i], i) == i);
	STEP("descriptors", close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0);
	STEP("rlimit", limit_to(RLIMIT_STACK, limits->memory_bytes) == 0);
	STEP("rlimit", limit_to(RLIMIT_FSIZE, largest_file) == 0);
	STEP("cwd", chdir(request->cwd) == 0);
	STEP("priority", setpriority(PRIO_PROCESS, 0, 0) == 0);
	desk->cpu_base_ns = own_cpu_ns() - desk->cpu_base_ns;
	desk->exec_ns = monotonic_ns();
	execute(request);
	STEP("exec", false);
}

static _Noreturn void child_main(const struct box *box, int socket)
{
	static struct message go;
	give_up_rights(box, box->desk);
	if (message_receive(socket, &go, 0) == 1 && go.fd_count == 3)
		become(&box->desk->request, go.fds, box->desk);
	_exit(127);
}

/* Into the leaf at once, or, where clone3 is not to be had (an older kernel, or a container's own filter), to
 * move into it itself. */
static pid_t spawn(struct box *box)
{
	if (box->cgroups.born_inside) {
		struct clone_args arguments = {
			.flags = CLONE_INTO_CGROUP,
			.exit_signal = SIGCHLD,
			.cgroup = (uint64_t)box->leaf.memory,
		};
		pid_t child = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
		if (child >= 0 || (errno != ENOSYS && errno != EINVAL && errno != E2BIG && errno != EPERM))
			return child;
		box->cgroups.born_inside = false;
	}
	return fork();
}

int child_prepare(struct box *box, struct fault *fault)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return failed(fault, "socketpair");
	box->desk->step = NULL;
	box->desk->exec_ns = 0;
	pid_t child = spawn(box);
	if (child == 0)
		child_main(box, ends[1]);
	int error = errno;
	close(ends[1]);
	if (child > 0) {
		box->child = child;
		box->child_socket = ends[0];
		return 0;
	}
	close(ends[0]);
	errno = error;
	return failed(fault, "fork");
}

int child_start(struct box *box, const int fds[3], struct fault *fault)
{
	int sent = message_send(box->child_socket, "go", sizeof "go", fds, 3);
	if (sent != 0)
		failed(fault, "start");
	close(box->child_socket);
	box->child_socket = -1;
	return sent;
}
