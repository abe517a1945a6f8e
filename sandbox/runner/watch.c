/* Watches one run: pumps and counts its output, reaps, and stops it at the moment a limit is reached. */
#include "runner.h"

#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PUMP_BYTES = 64 * 1024, LITTLE_BYTES = 16 * 1024, REST_MS = 1 };

/* Memory and disk can only be sampled: densely at first, as most runs are short, then less and less. */
static const uint64_t FIRST_SAMPLE = 2000000, FIRST_DISK = 10000000, LAST_SAMPLE = 50000000, LEAST_SLEEP = 500000;

struct guard {
	struct box *box;
	const struct limits *limits;
	struct stream *streams;
	int *held;
	struct outcome *outcome;
	uint64_t told_ns, next_sample, sample_step, next_disk;
	uint64_t kept_bytes; /* of the output */
	bool resting;        /* from output that comes in little pieces */
	bool ended;
};

static void stop(struct guard *g, enum stop why)
{
	if (g->outcome->stop == STOP_NONE)
		g->outcome->stop = why;
}

static uint64_t started_ns(const struct guard *g)
{
	uint64_t exec_ns = g->box->desk->exec_ns;
	return exec_ns ? exec_ns : g->told_ns;
}

static int write_all(int file, const char *data, size_t length)
{
	while (length) {
		ssize_t written = write(file, data, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		data += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Takes what is in the pipe; what is within the limit goes to the file. 1 while there may be more, 0 at the
 * end of the stream or when it is empty, -1 on a fault of ours. */
static int pump(struct guard *g, struct stream *stream)
{
	static char buffer[PUMP_BYTES];
	ssize_t length = read(stream->pipe, buffer, sizeof buffer);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (length < 0)
		return -1;
	if (length == 0) {
		close(stream->pipe);
		stream->pipe = -1;
		return 0;
	}
	g->resting |= length < LITTLE_BYTES;
	g->outcome->output_bytes += (uint64_t)length;
	uint64_t room = g->limits->output_bytes - g->kept_bytes;
	size_t kept = (uint64_t)length < room ? (size_t)length : (size_t)room;
	g->kept_bytes += kept;
	if (g->outcome->output_bytes > g->limits->output_bytes)
		stop(g, STOP_OUTPUT);
	if (stream->file >= 0 && write_all(stream->file, buffer, kept) != 0)
		return -1;
	return 1;
}

static void forget_signals(int signals)
{
	struct signalfd_siginfo ignored;
	while (read(signals, &ignored, sizeof ignored) > 0)
		continue;
}

/* Being the first process of the box, the keeper inherits every orphan. */
static void reap(struct guard *g)
{
	forget_signals(g->box->signals);
	struct rusage rusage;
	int status;
	pid_t pid;
	while (!g->ended && (pid = wait4(-1, &status, WNOHANG, &rusage)) > 0) {
		if (pid != g->box->child || WIFSTOPPED(status)) /* PTRACE_TRACEME makes us its tracer */
			continue;
		g->ended = true;
		g->outcome->status = status;
		g->outcome->rusage = rusage;
	}
}

static void hear(struct guard *g)
{
	static struct message message;
	int received = message_receive(g->box->socket, &message, MSG_DONTWAIT);
	if (received < 0 && errno == EAGAIN)
		return;
	message_close_fds(&message);
	if (received <= 0)
		g->outcome->hang_up = true;
	if (received <= 0 || message_is(&message, "kill"))
		stop(g, STOP_KILLED);
}

static int cpu_used(const struct guard *g, uint64_t *ns)
{
	if (leaf_cpu_ns(&g->box->cgroups, &g->box->leaf, ns) != 0)
		return -1;
	uint64_t base = g->box->desk->cpu_base_ns;
	*ns = *ns > base ? *ns - base : 0;
	return 0;
}

/* Of what the program closed itself. In this order: a main process that has files after its pipe was not found
 * did close it, and is not just ending. */
static void let_go(struct guard *g)
{
	const struct box *box = g->box;
	for (int i = 0; i < 2; i++) {
		if (g->held[i] < 0 || !box->desk->exec_ns || is_open(box->proc, g->held[i]) ||
		    !has_files(box->proc, box->child))
			continue;
		close(g->held[i]);
		g->held[i] = -1;
	}
}

static int sample(struct guard *g, uint64_t now)
{
	uint64_t bytes;
	if (now < g->next_sample)
		return 0;
	if (leaf_memory_now(&g->box->cgroups, &g->box->leaf, &bytes) != 0)
		return -1;
	if (bytes > g->outcome->memory_bytes)
		g->outcome->memory_bytes = bytes;
	let_go(g);
	if (now >= g->next_disk) {
		struct usage usage;
		if (tree_measure(g->box->workspace, g->limits, &usage) != 0)
			return -1;
		unlinked_measure(g->box->proc, g->box->device, &usage);
		if (usage_exceeds(&usage, g->limits))
			stop(g, STOP_DISK);
		/* looking takes a tenth of the time at most */
		g->next_disk = now + (monotonic_ns() - now) * 10;
	}
	g->sample_step = g->sample_step * 3 / 2 < LAST_SAMPLE ? g->sample_step * 3 / 2 : LAST_SAMPLE;
	g->next_sample = now + g->sample_step;
	return 0;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Compares with the limits, and arms the timer for the first moment at which one can be reached. */
static int check(struct guard *g, uint64_t now)
{
	const struct limits *limits = g->limits;
	uint64_t used;
	if (cpu_used(g, &used) != 0 || sample(g, now) != 0)
		return -1;
	if (used > limits->cpu_ns)
		stop(g, STOP_CPU);
	uint64_t wall_end = started_ns(g) + limits->wall_ns;
	if (now >= wall_end)
		stop(g, STOP_WALL);
	if (g->outcome->stop != STOP_NONE)
		return 0;
	uint64_t cpu_end = now + (limits->cpu_ns - used) / g->box->cores;
	uint64_t next = earlier(earlier(wall_end, cpu_end), g->next_sample);
	if (next < now + LEAST_SLEEP)
		next = now + LEAST_SLEEP;
	struct itimerspec timer = {.it_value = {(time_t)(next / SECOND), (long)(next % SECOND)}};
	return timerfd_settime(g->box->timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

static int wait_and_handle(struct guard *g)
{
	/* A program that writes in little pieces shall not pay for a change of processes with each of them. */
	bool resting = g->resting;
	g->resting = false;
	struct pollfd polled[] = {
		{.fd = g->box->signals, .events = POLLIN},
		{.fd = g->box->timer, .events = POLLIN},
		{.fd = g->box->socket, .events = POLLIN},
		{.fd = resting ? -1 : g->streams[0].pipe, .events = POLLIN},
		{.fd = resting ? -1 : g->streams[1].pipe, .events = POLLIN},
	};
	if (poll(polled, sizeof polled / sizeof *polled, resting ? REST_MS : -1) < 0)
		return errno == EINTR ? 0 : -1;
	uint64_t now = monotonic_ns();
	g->outcome->ended_ns = now;
	g->outcome->wall_ns = now - started_ns(g);
	if (polled[0].revents)
		reap(g);
	if (polled[2].revents)
		hear(g);
	for (int i = 0; i < 2; i++)
		if (polled[3 + i].revents && pump(g, &g->streams[i]) < 0)
			return -1;
	if (polled[1].revents && !g->ended) {
		uint64_t expirations;
		if (read(g->box->timer, &expirations, sizeof expirations) < 0 && errno != EAGAIN)
			return -1;
		return check(g, now);
	}
	return 0;
}

/* One signal reaches every process of the box but the keeper, forks in flight included. */
void end_all(struct box *box, struct outcome *outcome)
{
	struct rusage rusage;
	int status;
	pid_t pid;
	leaf_kill(&box->leaf);
	kill(-1, SIGKILL);
	while ((pid = wait4(-1, &status, 0, &rusage)) > 0 || errno == EINTR) {
		if (pid != box->child)
			continue;
		outcome->status = status;
		outcome->rusage = rusage;
	}
	box->child = 0;
	forget_signals(box->signals);
}

/* The keeper runs for microseconds, but a limit is kept at the moment it wakes: while it watches it goes before all
 * that it watches, a hundred processes in sessions of their own on its own core too. Where that is not allowed
 * (rootless) it has its nice value alone. */
static void go_first(bool first)
{
	const struct sched_param priority = {.sched_priority = first};
	sched_setscheduler(0, first ? SCHED_RR : SCHED_OTHER, &priority);
}

int watch(struct box *box, const struct limits *limits, struct stream streams[2], int held[2],
	struct outcome *outcome, struct fault *fault)
{
	uint64_t now = monotonic_ns();
	struct guard guard = {
		.box = box,
		.limits = limits,
		.streams = streams,
		.held = held,
		.outcome = outcome,
		.told_ns = now,
		.next_sample = now + FIRST_SAMPLE,
		.sample_step = FIRST_SAMPLE,
		.next_disk = now + FIRST_DISK,
	};
	go_first(true);
	int result = check(&guard, now);
	while (result == 0 && !guard.ended && outcome->stop == STOP_NONE)
		result = wait_and_handle(&guard);
	if (result != 0)
		failed(fault, "watch");
	end_all(box, outcome);
	go_first(false);
	if (result == 0 && box->desk->step) {
		*fault = (struct fault){box->desk->step, box->desk->error};
		return -1;
	}

	for (int i = 0; i < 2 && result == 0; i++) {
		int more = 1;
		while (streams[i].pipe >= 0 && more > 0)
			more = pump(&guard, &streams[i]);
		if (more < 0)
			result = failed(fault, "output");
	}
	if (result == 0 && cpu_used(&guard, &outcome->cpu_ns) != 0)
		result = failed(fault, "cpu figures");
	if (outcome->cpu_ns > limits->cpu_ns)
		stop(&guard, STOP_CPU);
	if (outcome->wall_ns > limits->wall_ns)
		stop(&guard, STOP_WALL);
	return result;
}
