/*
 * The runner: runs programs that nobody trusts. Theory of operation.
 *
 *   Python (one per slot) --- runner --- keeper of a box --- the program and its descendants
 *
 * Python starts a *runner* per slot and talks to it over a SOCK_SEQPACKET socket, its standard input. A message
 * is a list of NUL-terminated strings, a verb and then key=value; descriptors travel beside them.
 *
 * `open` makes a box: the runner clones a *keeper*, the first process of new mount, pid, ipc, net, uts and
 * cgroup namespaces, and hands Python the other end of the keeper's own socket. The keeper builds the box's
 * root (root.c), leaves the host's behind, gives up what it does not need, and answers `ready`.
 *
 * `run`, sent to the keeper, is one command (run.c). A *child* (child.c) waits for it: forked ahead of time, it
 * is in its cgroups and has lost user, capabilities and system calls before it knows what to run; now it gets
 * its descriptors and limits and executes. The keeper watches (watch.c). When the main process ends or is
 * stopped, the keeper kills all that is left in the box: it is the box's init, so one signal reaches everything
 * and nothing can outlive it. It answers with a `report`, or with a `fault` (step, errno), which is always ours
 * and never the program's. Then it sweeps what outlives processes (temporary files, shared memory, System V
 * objects, the cgroups) and makes all that the next run needs: cgroups, limits, a pipe, the next child.
 * `empty` clears the workspace between runs, and is answered with `ready`.
 *
 * Who may what: runner and keeper have the rights they were started with and hold no secrets. The program has
 * an unprivileged uid, no capability, no_new_privs, a system call filter, three descriptors, and a root in
 * which there is nothing of others.
 *
 * Who dies with whom: a socket that ends is an order to clean up and leave, so a killed Python takes everything
 * with it; the keeper dies with the runner (PR_SET_PDEATHSIG); the program dies with the keeper (pid
 * namespace). What a kill leaves behind (empty cgroups, a workspace) the next runner's owner sweeps.
 */
#include "runner.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BOXES = 256 };

struct server {
	struct settings settings;
	struct filter filter;
	int socket, signals, pids;
	uint64_t serial;
	struct {
		pid_t keeper;
		uint64_t serial;
	} boxes[MOST_BOXES];
	size_t box_count;
};

static int open_box(struct server *server, const struct message *message, int *theirs, struct fault *fault)
{
	struct open_request request;
	int ends[2];
	if (!message_is(message, "open") || parse_open(message->data, message->length, &request) != 0) {
		errno = EPROTO;
		return failed(fault, "request");
	}
	if (server->box_count == MOST_BOXES) {
		errno = EMFILE;
		return failed(fault, "boxes");
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return failed(fault, "socketpair");
	struct origin origin = {&server->settings, &request, &server->filter, ++server->serial, ends[0]};
	pid_t keeper = box_spawn(&origin, fault);
	close(ends[0]);
	if (keeper < 0) {
		close(ends[1]);
		return -1;
	}
	server->boxes[server->box_count].keeper = keeper;
	server->boxes[server->box_count++].serial = origin.serial;
	*theirs = ends[1];
	return 0;
}

/* False at the end of the stream. */
static bool serve(struct server *server)
{
	static struct message message;
	struct fault fault;
	int theirs;
	int received = message_receive(server->socket, &message, 0);
	if (received <= 0)
		return received < 0 && errno == EMSGSIZE;
	message_close_fds(&message);
	if (open_box(server, &message, &theirs, &fault) != 0)
		return message_send_fault(server->socket, &fault) == 0;
	char text[48];
	int length = snprintf(text, sizeof text, "opened%cpid=%d", 0, server->boxes[server->box_count - 1].keeper);
	int sent = message_send(server->socket, text, (size_t)length + 1, &theirs, 1);
	close(theirs);
	return sent == 0;
}

static void reap(struct server *server)
{
	struct signalfd_siginfo ignored;
	while (read(server->signals, &ignored, sizeof ignored) > 0)
		continue;
	pid_t keeper;
	while ((keeper = waitpid(-1, NULL, WNOHANG)) > 0) {
		for (size_t i = 0; i < server->box_count; i++) {
			if (server->boxes[i].keeper != keeper)
				continue;
			char name[48];
			snprintf(name, sizeof name, "box-%" PRIu64, server->boxes[i].serial);
			if (server->pids >= 0)
				unlinkat(server->pids, name, AT_REMOVEDIR);
			server->boxes[i] = server->boxes[--server->box_count];
			break;
		}
	}
}

/* Standard input is the socket: it moves away, so that 0, 1 and 2 are /dev/null for all that follows. */
static int take_socket(void)
{
	int socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (socket < 0 || null < 0)
		return -1;
	for (int fd = 0; fd < 3; fd++)
		if (dup2(null, fd) < 0)
			return -1;
	close(null);
	return socket;
}

static int prepare(struct server *server, struct fault *fault)
{
	if ((server->socket = take_socket()) < 0)
		return failed(fault, "socket");
	umask(022);
	for (int signal_number = 1; signal_number < NSIG; signal_number++)
		signal(signal_number, SIG_DFL);
	sigset_t children;
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_SETMASK, &children, NULL);
	if ((server->signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK)) < 0)
		return failed(fault, "signalfd");
	server->pids = server->settings.pids ? open(server->settings.pids, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	return filter_build(&server->filter, fault);
}

/* For Python, whose own removal a deep tree can defeat. */
static int remove_tree(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0 && errno == ENOENT)
		return 0;
	if (folder < 0 || tree_empty(folder) != 0 || rmdir(path) != 0) {
		perror(path);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct server server;
	struct fault fault;
	if (argc == 2 && strncmp(argv[1], "remove=", 7) == 0)
		return remove_tree(argv[1] + 7);
	if (parse_settings(argc, argv, &server.settings) != 0) {
		fprintf(stderr, "runner: started by the Python package `sandbox`, not by hand\n");
		return 2;
	}
	if (prepare(&server, &fault) != 0) {
		message_send_fault(server.socket, &fault);
		return 1;
	}
	message_send(server.socket, "ready", sizeof "ready", NULL, 0);
	bool open = true;
	while (open || server.box_count) { /* keepers die with us, and so must be let finish */
		struct pollfd polled[] = {
			{.fd = server.signals, .events = POLLIN},
			{.fd = open ? server.socket : -1, .events = POLLIN},
		};
		if (poll(polled, 2, -1) < 0 && errno != EINTR)
			return 1;
		if (polled[0].revents)
			reap(&server);
		if (open && polled[1].revents)
			open = serve(&server);
	}
	return 0;
}
