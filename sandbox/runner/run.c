/* One run: from the request to the figures. */
#include "runner.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20 };

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
	return 0;
}

static int descriptor(const struct message *message, int place)
{
	return place >= 0 && (size_t)place < message->fd_count ? message->fds[place] : -1;
}

/* Once the child has them: the other end of a pipe must see the end when the program, not we, closes it. */
static void release(struct message *message, int place)
{
	if (descriptor(message, place) < 0)
		return;
	close(message->fds[place]);
	message->fds[place] = -1;
}

int box_run(struct box *box, struct outcome *outcome, struct fault *fault)
{
	struct message *message = &box->desk->message;
	const struct run_request *request = &box->desk->request;
	int in = descriptor(message, request->stdin_at), out = descriptor(message, request->stdout_at),
	    err = descriptor(message, request->stderr_at);
	struct stream streams[2] = {{-1, -1}, {-1, -1}};
	int fds[3] = {in < 0 ? STDIN_FILENO : in, -1, -1}; /* the keeper's own three are /dev/null */
	int to_close[2] = {-1, -1}; /* the program's ends of the pipes */

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

	if (result == 0)
		result = child_start(box, fds, fault);
	close_all(to_close, 2);
	if (request->stdin_at != request->stdout_at && request->stdin_at != request->stderr_at)
		release(message, request->stdin_at);
	if (request->direct && request->stdout_at != request->stderr_at)
		release(message, request->stdout_at);
	if (result == 0)
		result = watch(box, &request->limits, streams, outcome, fault);
	for (int i = 0; i < 2; i++)
		if (streams[i].pipe >= 0)
			close(streams[i].pipe);
	return result == 0 ? measure(box, &request->limits, outcome, fault) : -1;
}
