/* One run: from the request to the figures. What happens between fork and exec is in `become`, in the order
 * in which rights are given up. */
#include "runner.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20, OPEN_FILES = 4096 };

static int limit_to(int resource, uint64_t most)
{
	/* An already lower ceiling stays: raising it takes a right that a container may not have. */
	struct rlimit limit;
	if (getrlimit(resource, &limit) != 0)
		return -1;
	rlim_t value = most < limit.rlim_max ? most : limit.rlim_max;
	return setrlimit(resource, &(struct rlimit){value, value});
}

static int drop_capabilities(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}};
	return (int)syscall(SYS_capset, &head, none);
}

/* As the shell finds commands; the errno is that of the most telling failure. */
static void execute(const struct run_request *request)
{
	char *const *argv = (char *const *)request->argv, *const *env = (char *const *)request->env;
	const char *name = request->argv[0], *path = "";
	if (strchr(name, '/')) {
		execve(name, argv, env);
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
			execve(file, argv, env);
			if (errno != ENOENT && errno != ENOTDIR)
				error = errno;
		}
		path += length;
		path += *path == ':';
	}
	errno = error;
}

static uint64_t own_cpu_ns(void)
{
	struct timespec spent;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	return (uint64_t)spent.tv_sec * SECOND + (uint64_t)spent.tv_nsec;
}

static _Noreturn void become(const struct box *box, const struct run_request *request, const int fds[3])
{
	struct start *start = box->start;
	const struct limits *limits = &request->limits;
	uint64_t largest_file = limits->disk_bytes > limits->memory_bytes ? limits->disk_bytes : limits->memory_bytes;
	sigset_t none;
	sigemptyset(&none);

#define STEP(name, condition)                  \
	do {                                   \
		if (!(condition)) {            \
			start->error = errno;  \
			start->step = (name);  \
			_exit(127);            \
		}                              \
	} while (0)

	/* a session of its own, with the three descriptors it was given */
	setsid();
	STEP("signals", sigprocmask(SIG_SETMASK, &none, NULL) == 0);
	for (int i = 0; i < 3; i++)
		STEP("descriptors", dup2(fds[i], i) == i);
	STEP("descriptors", close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0);
	/* limits of the process */
	STEP("rlimit", limit_to(RLIMIT_STACK, limits->memory_bytes) == 0);
	STEP("rlimit", limit_to(RLIMIT_FSIZE, largest_file) == 0);
	STEP("rlimit", limit_to(RLIMIT_NOFILE, OPEN_FILES) == 0);
	/* limits of the tree; from here on its CPU time counts, so the rest of the set-up is taken off again */
	uint64_t before = box->cgroups.unified ? 0 : own_cpu_ns();
	STEP("cgroup", leaf_enter(&box->cgroups, &box->leaf) == 0);
	/* the user, without a single right */
	STEP("user", setgroups(0, NULL) == 0 && setresgid(box->uid, box->uid, box->uid) == 0 &&
			     setresuid(box->uid, box->uid, box->uid) == 0);
	STEP("capabilities", drop_capabilities() == 0);
	STEP("cwd", chdir(request->cwd) == 0);
	umask(022);
	/* what it may ask of the kernel */
	STEP("seccomp", filter_apply(box->filter) == 0);
	start->cpu_base_ns = own_cpu_ns() - before;
	start->exec_ns = monotonic_ns();
	execute(request);
	STEP("exec", false);
	_exit(127);
#undef STEP
}

static pid_t spawn(const struct box *box)
{
	struct clone_args arguments = {.exit_signal = SIGCHLD};
	if (box->cgroups.unified) {
		arguments.flags = CLONE_INTO_CGROUP;
		arguments.cgroup = (uint64_t)box->leaf.memory;
	}
	return (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
}

/* A pipe for a captured stream: our end, and theirs, which the program may open again by /dev/stdout. */
static int capture(const struct box *box, int file, struct stream *stream, int *theirs)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	stream->pipe = ends[0];
	stream->file = file;
	*theirs = ends[1];
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES); /* smaller where the host says so */
	return fchown(ends[1], box->uid, box->uid);
}

static void close_all(int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int measure(struct box *box, const struct limits *limits, struct outcome *outcome, struct fault *fault)
{
	struct memory_figures memory;
	if (leaf_memory_end(&box->cgroups, &box->leaf, &memory) != 0)
		return failed(fault, "memory figures");
	/* Short runs end before the first sample. The peak of the group holds page cache, the peak of the
	 * process its mapped files; anonymous and shared memory was no more than either. */
	uint64_t bound = (uint64_t)outcome->rusage.ru_maxrss * 1024;
	bound = memory.peak_bytes < bound ? memory.peak_bytes : bound;
	if (outcome->memory_bytes >= limits->memory_bytes)
		outcome->memory_exceeded = true;
	if (outcome->memory_bytes < bound)
		outcome->memory_bytes = bound;
	outcome->oom_kills = memory.oom_kills;
	outcome->memory_exceeded |= memory.oom_kills > 0;

	if (tree_measure(box->workspace, limits, &outcome->usage) != 0)
		return failed(fault, "disk figures");
	return 0;
}

static int descriptor(const struct message *message, int place)
{
	return place >= 0 && (size_t)place < message->fd_count ? message->fds[place] : -1;
}

int box_run(struct box *box, const struct run_request *request, const struct message *message, struct outcome *outcome,
	struct fault *fault)
{
	int in = descriptor(message, request->stdin_at), out = descriptor(message, request->stdout_at),
	    err = descriptor(message, request->stderr_at);
	struct stream streams[2] = {{-1, -1}, {-1, -1}};
	int fds[3] = {in < 0 ? STDIN_FILENO : in, -1, -1}; /* the keeper's own three are /dev/null */
	int to_close[4] = {-1, -1, -1, -1};

	if (!request->keep_workspace && !folder_is_empty(box->workspace) && tree_empty(box->workspace) != 0)
		return failed(fault, "empty the workspace");
	if (leaf_limit(&box->cgroups, &box->leaf, &request->limits, fault) != 0)
		return -1;

	int result = 0;
	bool one_stream = !request->direct && out == err; /* keeps the order of what is written */
	if (request->direct)
		fds[1] = out < 0 ? STDOUT_FILENO : out;
	else if (capture(box, out, &streams[0], &to_close[0]) != 0)
		result = failed(fault, "pipe");
	else
		fds[1] = to_close[0];
	if (result == 0 && one_stream)
		fds[2] = fds[1];
	else if (result == 0 && capture(box, err, &streams[1], &to_close[1]) != 0)
		result = failed(fault, "pipe");
	else if (result == 0)
		fds[2] = to_close[1];
	to_close[2] = streams[0].pipe;
	to_close[3] = streams[1].pipe;

	if (result == 0) {
		*box->start = (struct start){0};
		pid_t child = spawn(box);
		if (child == 0)
			become(box, request, fds);
		close_all(to_close, 2);
		to_close[0] = to_close[1] = -1;
		result = child < 0 ? failed(fault, "fork")
				   : watch(box, child, &request->limits, streams, outcome, fault);
	}
	close_all(to_close, 4);
	if (result == 0 && box->start->step) {
		*fault = (struct fault){box->start->step, box->start->error};
		result = -1;
	}
	return result == 0 ? measure(box, &request->limits, outcome, fault) : -1;
}
