/* The keeper of a box: the first process of its namespaces. It builds the root, then serves runs until the
 * socket to Python ends; then it cleans up and, being the first process, takes all others with it. */
#include "runner.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { MEMLOCK_BYTES = 64 * 1024 };

/* The folder above a workspace of our own is kept open, so that the last act can remove it. */
static int open_workspace(const struct open_request *request, struct box *box, struct fault *fault)
{
	int workspace = open(request->workspace, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (workspace < 0)
		return failed(fault, "workspace");
	int given = tree_give(workspace, box->uid, box->uid);
	close(workspace);
	if (given != 0)
		return failed(fault, "workspace owner");
	if (!request->own_workspace)
		return 0;
	char parent[PATH_MAX];
	const char *slash = strrchr(request->workspace, '/');
	box->workspace_name = slash + 1;
	snprintf(parent, sizeof parent, "%.*s/", (int)(slash - request->workspace), request->workspace);
	box->workspace_parent = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return box->workspace_parent < 0 ? failed(fault, "workspace") : 0;
}

/* Rights that no child may ever get back, set once and inherited by all. */
static int renounce(struct fault *fault)
{
	if (limit_to(RLIMIT_CORE, 0) != 0 || limit_to(RLIMIT_MEMLOCK, MEMLOCK_BYTES) != 0 ||
	    limit_to(RLIMIT_MSGQUEUE, 0) != 0)
		return failed(fault, "rlimit");
	/* The keeper itself walks trees thousands of levels deep. */
	if (limit_to(RLIMIT_NOFILE, RLIM_INFINITY) != 0)
		return failed(fault, "rlimit");
	for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0)
			return failed(fault, "capabilities");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return failed(fault, "no_new_privs");
	return 0;
}

static int prepare_run(struct box *box, struct fault *fault)
{
	if (leaf_create(&box->cgroups, &box->leaf, fault) != 0 || child_prepare(box, fault) != 0)
		return -1;
	return run_prepare(box, fault);
}

/* The end of a run, or of a child that never got one. */
static void finish_run(struct box *box)
{
	struct outcome ignored;
	if (box->child)
		end_all(box, &ignored);
	if (box->child_socket >= 0)
		close(box->child_socket);
	box->child_socket = -1;
	leaf_remove(&box->cgroups, &box->leaf);
}

/* Only a process outside can map the users of a new user namespace: Python does, and tells. */
static int await_mapping(int socket, struct fault *fault)
{
	static struct message message;
	int received = message_receive(socket, &message, 0);
	if (received == 1 && message_is(&message, "mapped"))
		return 0;
	errno = received < 0 ? errno : EPROTO;
	return failed(fault, "user namespace");
}

static int prepare(const struct origin *origin, struct box *box, struct fault *fault)
{
	box->rootless = origin->settings->rootless;
	if (box->rootless && await_mapping(origin->socket, fault) != 0)
		return -1;
	/* The program may neither read nor trace us, and we die with the runner. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
		return failed(fault, "prctl");
	setsid();
	/* See go_first in watch.c. A child loses this as it becomes the program. */
	setpriority(PRIO_PROCESS, 0, -10);
	box->uid = (uid_t)origin->settings->uid;
	box->cores = origin->settings->cores;
	box->filter = origin->filter;
	box->socket = origin->socket;

	if (cgroups_open(origin->settings, origin->serial, &box->cgroups, fault) != 0 ||
	    open_workspace(origin->request, box, fault) != 0 || root_build(origin->request, box, fault) != 0)
		return -1;
	if (sethostname("box", 3) != 0)
		return failed(fault, "hostname");

	sigset_t children;
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, NULL);
	box->signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
	box->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	box->desk = mmap(NULL, sizeof *box->desk, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (box->signals < 0 || box->timer < 0 || box->desk == MAP_FAILED)
		return failed(fault, "keeper");
	if (renounce(fault) != 0)
		return -1;
	return prepare_run(box, fault);
}

/* System V objects outlive processes. Index walks as ipcs(1) does. */
static void sweep_ipc(void)
{
	struct shminfo shm;
	struct seminfo sem;
	struct msginfo msg;
	struct shmid_ds shm_status;
	struct semid_ds sem_status;
	struct msqid_ds msg_status;
	int last, id;
	last = shmctl(0, IPC_INFO, (void *)&shm);
	for (int i = 0; i <= last; i++)
		if ((id = shmctl(i, SHM_STAT, &shm_status)) >= 0)
			shmctl(id, IPC_RMID, NULL);
	last = semctl(0, 0, IPC_INFO, &sem);
	for (int i = 0; i <= last; i++)
		if ((id = semctl(i, 0, SEM_STAT, &sem_status)) >= 0)
			semctl(id, 0, IPC_RMID);
	last = msgctl(0, IPC_INFO, (void *)&msg);
	for (int i = 0; i <= last; i++)
		if ((id = msgctl(i, MSG_STAT, &msg_status)) >= 0)
			msgctl(id, IPC_RMID, NULL);
}

/* After the report, while Python is busy with it: what the run left outside its workspace goes, and the next
 * run's cgroups and child are made. A fault here is tried again, and told, by the next run. */
static int sweep(struct box *box, struct fault *fault)
{
	finish_run(box);
	sweep_ipc();
	if ((!folder_is_empty(box->tmp) && tree_empty(box->tmp) != 0) ||
	    (!folder_is_empty(box->shm) && tree_empty(box->shm) != 0))
		return failed(fault, "sweep /tmp");
	return prepare_run(box, fault);
}

static int send_report(int socket, const struct outcome *o)
{
	static const char *const stops[] = {"", "cpu", "wall", "output", "disk", "killed"};
	char text[1024];
	int length = snprintf(text, sizeof text,
		"report%cstatus=%d%cstop=%s%ccpu_ns=%" PRIu64 "%cwall_ns=%" PRIu64 "%cended_ns=%" PRIu64
		"%cmemory_bytes=%" PRIu64
		"%cmemory_exceeded=%d%coom_kills=%" PRIu64 "%coutput_bytes=%" PRIu64 "%cdisk_bytes=%" PRIu64
		"%cfiles=%" PRIu64 "%cdisk_exceeded=%d",
		0, o->status, 0, stops[o->stop], 0, o->cpu_ns, 0, o->wall_ns, 0, o->ended_ns, 0, o->memory_bytes, 0,
		o->memory_exceeded, 0, o->oom_kills, 0, o->output_bytes, 0, o->usage.bytes, 0, o->usage.files, 0,
		o->disk_exceeded);
	return message_send(socket, text, (size_t)length + 1, NULL, 0);
}

/* False when the box is done: Python went away, or nothing can be told to it any more. */
static bool serve(struct box *box)
{
	struct message *message = &box->desk->message;
	struct fault fault;
	struct outcome outcome = {0};

	int received = message_receive(box->socket, message, 0);
	if (received <= 0)
		return received < 0 && errno == EMSGSIZE;
	if (message_is(message, "kill")) { /* the run that was meant is over */
		message_close_fds(message);
		return true;
	}
	if (message_is(message, "empty")) {
		message_close_fds(message);
		if (box_empty(box, &fault) != 0)
			return message_send_fault(box->socket, &fault) == 0;
		return message_send(box->socket, "ready", sizeof "ready", NULL, 0) == 0;
	}
	if (!message_is(message, "run") || parse_run(message->data, message->length, &box->desk->request) != 0) {
		message_close_fds(message);
		fault = (struct fault){"request", EPROTO};
		return message_send_fault(box->socket, &fault) == 0;
	}
	int result = box->child ? 0 : sweep(box, &fault);
	if (result == 0)
		result = box_run(box, &outcome, &fault);
	message_close_fds(message);
	if (outcome.hang_up)
		return false;
	int sent = result == 0 ? send_report(box->socket, &outcome) : message_send_fault(box->socket, &fault);
	if (sent != 0)
		return false;
	sched_yield(); /* who waits for the report may have been woken on this core */
	sweep(box, &fault);
	return true;
}

static void keep(const struct origin *origin)
{
	static struct box box = {.child_socket = -1, .workspace_parent = -1, .pipe = {-1, -1}};
	struct fault fault;
	/* only its own socket: the runner's must end for Python when the runner does */
	close_range(3, (unsigned)origin->socket - 1, 0);
	close_range((unsigned)origin->socket + 1, ~0U, 0);
	if (prepare(origin, &box, &fault) != 0) {
		message_send_fault(origin->socket, &fault);
		finish_run(&box);
		return;
	}
	if (message_send(box.socket, "ready", sizeof "ready", NULL, 0) == 0)
		while (serve(&box))
			continue;
	finish_run(&box);
	if (box.workspace_parent >= 0) {
		tree_empty(box.workspace);
		unlinkat(box.workspace_parent, box.workspace_name, AT_REMOVEDIR);
	}
}

pid_t box_spawn(const struct origin *origin, struct fault *fault)
{
	unsigned long namespaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
	if (!origin->settings->unified)
		namespaces |= CLONE_NEWCGROUP; /* v2: each run unshares its own, see leaf_enter */
	if (origin->settings->rootless)
		namespaces |= CLONE_NEWUSER;
	if (!origin->request->network)
		namespaces |= CLONE_NEWNET;
	pid_t keeper = (pid_t)syscall(SYS_clone, namespaces | SIGCHLD, NULL, NULL, NULL, NULL);
	if (keeper < 0)
		return failed(fault, "namespaces");
	if (keeper == 0) {
		keep(origin);
		_exit(0);
	}
	return keeper;
}
