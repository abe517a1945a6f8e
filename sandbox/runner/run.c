/* One run: from the request to the figures. */
#include "runner.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20, LEAST_MEMORY = 64 << 20 };

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* The program may open its end again by /dev/stdout. */
static int make_pipe(const struct box *box, int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES); /* smaller where the host says so */
	if (fchown(ends[1], box->uid, box->uid) == 0)
		return 0;
	int error = errno;
	close_all(ends, 2);
	ends[0] = ends[1] = -1;
	errno = error;
	return -1;
}

int run_prepare(struct box *box, struct fault *fault)
{
	/* A child waits in the leaf already, which too little memory could kill. */
	if (box->limits.memory_bytes >= LEAST_MEMORY &&
	    leaf_limit(&box->cgroups, &box->leaf, &box->limits, fault) != 0)
		return -1;
	return box->pipe[0] >= 0 || make_pipe(box, box->pipe) == 0 ? 0 : failed(fault, "pipe");
}

/* A pipe for a captured stream: our end, and theirs. */
static int capture(struct box *box, int file, struct stream *stream, int *theirs)
{
	int ends[2] = {box->pipe[0], box->pipe[1]};
	box->pipe[0] = box->pipe[1] = -1;
	if (ends[0] < 0 && make_pipe(box, ends) != 0)
		return -1;
	stream->pipe = ends[0];
	stream->file = file;
	*theirs = ends[1];
	return 0;
}

/* What a program gets as stdin. Of a file it gets a sealed copy: the file itself would tell its path by
 * /proc/self/fd, could be locked, and rootless (its owner being the program's user) opened for writing. A pipe it
 * may open again by /dev/stdin. -1 with errno. */
static int take_input(const struct box *box, int given)
{
	struct stat status;
	if (fstat(given, &status) != 0)
		return -1;
	if (S_ISFIFO(status.st_mode) && fchown(given, box->uid, box->uid) != 0 && errno != EPERM)
		return -1;
	if (!S_ISREG(status.st_mode))
		return fcntl(given, F_DUPFD_CLOEXEC, 3);
	int copy = memfd_create("stdin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	off_t at = lseek(given, 0, SEEK_CUR);
	ssize_t sent = 1;
	while (copy >= 0 && at < status.st_size && sent > 0)
		sent = sendfile(copy, given, &at, (size_t)(status.st_size - at));
	if (copy < 0 || sent < 0 || fcntl(copy, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) != 0 ||
	    lseek(copy, 0, SEEK_SET) != 0) {
		int error = errno;
		if (copy >= 0)
			close(copy);
		errno = error;
		return -1;
	}
	return copy;
}

static int measure(struct box *box, const struct limits *limits, struct outcome *outcome, struct fault *fault)
{
	struct memory_figures memory;
	if (leaf_memory_end(&box->leaf, &memory) != 0)
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
	outcome->disk_exceeded = outcome->stop == STOP_DISK || usage_exceeds(&outcome->usage, limits) ||
				 (WIFSIGNALED(outcome->status) && WTERMSIG(outcome->status) == SIGXFSZ);
	return 0;
}

static int descriptor(const struct message *message, int place)
{
	return place >= 0 && (size_t)place < message->fd_count ? message->fds[place] : -1;
}

/* The descriptors of a run. */
struct handout {
	int fds[3];               /* what the program gets */
	int to_close[3];          /* those of them that are ours to close once it has them */
	struct stream streams[2]; /* what is captured */
	/* Pipes to another box are held until the main process has ended, so that the other program sees their end
	 * after the time of that end was taken, and two reports tell who ended first. watch.c lets go of what the
	 * program closed before. */
	int held[2];
};

static int hold(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int hand_out(struct box *box, const struct run_request *request, struct handout *h, struct fault *fault)
{
	const struct message *message = &box->desk->message;
	int in = descriptor(message, request->stdin_at), out = descriptor(message, request->stdout_at),
	    err = descriptor(message, request->stderr_at);

	h->fds[0] = STDIN_FILENO; /* the keeper's own three are /dev/null */
	if (in >= 0 && (h->fds[0] = h->to_close[0] = take_input(box, in)) < 0)
		return failed(fault, "stdin");
	if (request->direct) {
		h->fds[1] = out < 0 ? STDOUT_FILENO : out;
		h->held[0] = hold(in);
		h->held[1] = hold(out);
	} else {
		if (capture(box, out, &h->streams[0], &h->to_close[1]) != 0)
			return failed(fault, "stdout");
		h->fds[1] = h->to_close[1];
	}
	if (!request->direct && out == err) { /* one pipe keeps the order of what is written */
		h->fds[2] = h->fds[1];
		return 0;
	}
	if (capture(box, err, &h->streams[1], &h->to_close[2]) != 0)
		return failed(fault, "stderr");
	h->fds[2] = h->to_close[2];
	return 0;
}

/* Closes what only the program needs, once the child has it. */
static void release(struct message *message, const struct run_request *request)
{
	for (int i = 0; i < (int)message->fd_count; i++) {
		bool captured = i == request->stderr_at || (i == request->stdout_at && !request->direct);
		if (captured)
			continue;
		close(message->fds[i]);
		message->fds[i] = -1;
	}
}

int box_empty(struct box *box, struct fault *fault)
{
	if (!folder_is_empty(box->workspace) && tree_empty(box->workspace) != 0)
		return failed(fault, "empty the workspace");
	return 0;
}

int box_run(struct box *box, struct outcome *outcome, struct fault *fault)
{
	const struct run_request *request = &box->desk->request;
	struct handout h = {.to_close = {-1, -1, -1}, .streams = {{-1, -1}, {-1, -1}}, .held = {-1, -1}};

	if (!request->keep_workspace && box_empty(box, fault) != 0)
		return -1;
	box->limits = request->limits;
	if (leaf_limit(&box->cgroups, &box->leaf, &box->limits, fault) != 0)
		return -1;
	int result = hand_out(box, request, &h, fault);
	if (result == 0)
		result = child_start(box, h.fds, fault);
	close_all(h.to_close, 3);
	release(&box->desk->message, request);
	if (result == 0)
		result = watch(box, &request->limits, h.streams, h.held, outcome, fault);
	close_all(h.held, 2);
	for (int i = 0; i < 2; i++)
		close_all(&h.streams[i].pipe, 1);
	return result == 0 ? measure(box, &request->limits, outcome, fault) : -1;
}
