/* The runner's shared words. The theory of operation is at the head of main.c. Calls run one way:
 *   main.c -> box.c -> root.c, run.c -> child.c, watch.c
 *     -> cgroup.c, tree.c, open_files.c, seccomp.c, message.c, request.c -> fault.c, clock.c, rlimit.c */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

enum {
	MESSAGE_BYTES = 256 * 1024,
	MESSAGE_FDS = 4,
	MAX_STRINGS = 8192, /* argv and env together */
	MAX_MOUNTS = 128,
};

static const uint64_t SECOND = 1000000000, MILLISECOND = 1000000;

/* What of ours failed: a step for a person, an errno for a program. */
struct fault {
	const char *step;
	int error;
};

/* ---- fault.c, clock.c, rlimit.c: what all others call, and which call nothing of ours ---- */

/* Records the fault and returns -1, so that a step reads `return failed(fault, "step")`. */
int failed(struct fault *fault, const char *step);
uint64_t monotonic_ns(void);
uint64_t own_cpu_ns(void);
/* Lowers a limit of this process. One that is lower already stays: raising takes a right that a container may not
 * have. */
int limit_to(int resource, uint64_t most);

/* ---- request.c: what Python asks for; every pointer points into the message ---- */

struct limits {
	uint64_t cpu_ns, wall_ns, memory_bytes, processes, output_bytes, disk_bytes, files;
};

struct run_request {
	struct limits limits;
	const char *argv[MAX_STRINGS + 1], *env[MAX_STRINGS + 1];
	size_t argc, envc;
	const char *cwd;
	int stdin_at, stdout_at, stderr_at; /* places in the message's descriptors, or -1 */
	bool keep_workspace, direct;
};

struct mount_request {
	const char *source, *target;
	bool writable;
};

struct open_request {
	const char *workspace;
	bool network, own_workspace;
	uint64_t tmp_bytes;
	struct mount_request mounts[MAX_MOUNTS];
	size_t mount_count;
};

/* How the runner was started: the cgroup folders that it may use, and who it runs programs as. */
struct settings {
	const char *unified;                  /* v2; or the three of v1: */
	const char *memory, *cpuacct, *pids;
	uint64_t uid, cores;
	const char *without; /* files of cgroups to do without, as on an older kernel */
	bool rootless; /* boxes need a user namespace, in which Python maps the user to `uid` */
};

/* Each parses `length` bytes of NUL-terminated `key=value` strings. 0, or -1 with errno EPROTO. */
int parse_run(const char *data, size_t length, struct run_request *request);
int parse_open(const char *data, size_t length, struct open_request *request);
int parse_settings(int argc, char **argv, struct settings *settings);

/* ---- message.c: packets of strings and descriptors ---- */

struct message {
	char data[MESSAGE_BYTES];
	size_t length;
	int fds[MESSAGE_FDS];
	size_t fd_count;
};

/* 1 with a message, 0 at the end of the stream, -1 with errno. */
int message_receive(int socket, struct message *message, int flags);
void message_close_fds(struct message *message);
int message_send(int socket, const char *data, size_t length, const int *fds, size_t fd_count);
int message_send_fault(int socket, const struct fault *fault);
bool message_is(const struct message *message, const char *verb);

/* ---- cgroup.c ---- */

struct cgroups {
	bool unified;
	bool born_inside; /* v2: children are born in their leaf, which some sandboxes around us forbid */
	const char *without;
	int memory, cpuacct, pids; /* folders of this runner; on v2 all the same */
	uint64_t box;
};

struct leaf {
	bool ready;
	char name[48];
	uint64_t memory_bytes, processes; /* the limits as they stand, 0 for none yet */
	int memory, cpu, tasks, cpu_tasks; /* v2: memory is the leaf's folder, and the only one */
	/* files, opened ahead of the run that reads them; -1 where the kernel has no such */
	int usage, stat, events, peak, pids_max, kill;
};

struct memory_figures {
	uint64_t peak_bytes, oom_kills;
};

int cgroups_open(const struct settings *settings, uint64_t box, struct cgroups *cgroups, struct fault *fault);
void cgroups_close(struct cgroups *cgroups);
int leaf_create(struct cgroups *cgroups, struct leaf *leaf, struct fault *fault);
int leaf_limit(struct cgroups *cgroups, struct leaf *leaf, const struct limits *limits, struct fault *fault);
int leaf_enter(const struct cgroups *cgroups, const struct leaf *leaf); /* in the child */
/* Kills all that is in the leaf where one order does that (v2). */
void leaf_kill(const struct leaf *leaf);
int leaf_cpu_ns(const struct cgroups *cgroups, const struct leaf *leaf, uint64_t *ns);
int leaf_memory_now(const struct cgroups *cgroups, const struct leaf *leaf, uint64_t *bytes);
int leaf_memory_end(const struct leaf *leaf, struct memory_figures *figures);
void leaf_remove(struct cgroups *cgroups, struct leaf *leaf);

/* ---- tree.c: folders that a hostile program filled ---- */

struct usage {
	uint64_t bytes, files, folders;
};

/* Sums lengths of regular files and counts entries below `folder`, never following a link; stops early
 * once over `limits`. 0, or -1 with errno. */
int tree_measure(int folder, const struct limits *limits, struct usage *usage);
bool usage_exceeds(const struct usage *usage, const struct limits *limits);
/* Removes everything below `folder` that is not a mount. No other process may be writing there. */
int tree_empty(int folder);
int tree_give(int folder, uid_t uid, gid_t gid);
bool folder_is_empty(int folder);

/* ---- open_files.c ---- */

/* Adds the files of `device` that processes of the box hold open although they have no name any more. */
void unlinked_measure(int proc, dev_t device, struct usage *usage);
/* Whether a process of the box has what `fd` is open too. */
bool is_open(int proc, int fd);
/* Whether a process has anything open. One that is ending has not, a moment before its end is told. */
bool has_files(int proc, pid_t pid);

/* ---- seccomp.c ---- */

struct filter {
	unsigned short length;
	struct sock_filter *rules;
};

int filter_build(struct filter *filter, struct fault *fault);
int filter_apply(const struct filter *filter);

/* ---- box.c ---- */

struct box {
	int socket;
	int workspace, tmp, shm, proc;
	dev_t device; /* of the workspace */
	int workspace_parent; /* -1 where the workspace is the caller's */
	const char *workspace_name;
	uid_t uid;
	bool rootless;
	uint64_t cores;
	struct cgroups cgroups;
	struct leaf leaf;
	struct limits limits; /* of the last run: the next one will most likely have the same */
	int pipe[2];          /* for the next captured stream, or -1 */
	const struct filter *filter;
	struct desk *desk;
	pid_t child; /* waiting for its command, or running it; 0 for none */
	int child_socket;
	int signals, timer;
};

struct origin {
	const struct settings *settings;
	const struct open_request *request;
	const struct filter *filter;
	uint64_t serial;
	int socket; /* the keeper's end */
};

/* Starts the keeper of a new box. Its process id, or -1. */
pid_t box_spawn(const struct origin *origin, struct fault *fault);

/* ---- root.c ---- */
/* Builds the box's root and makes it the process's own; opens the box's folders. */
int root_build(const struct open_request *request, struct box *box, struct fault *fault);

/* ---- child.c ---- */

/* Lies in memory shared by the keeper and the child that waits for a command. */
struct desk {
	struct message message;
	struct run_request request; /* points into the message */
	/* the child's last words before it becomes the program */
	const char *step; /* what failed, or NULL; a literal, so it means the same in both */
	int error;
	uint64_t exec_ns, cpu_base_ns;
};

/* Forks a child into the leaf, which gives up its rights and waits. */
int child_prepare(struct box *box, struct fault *fault);
/* Lets it execute the request on the desk, with these three descriptors. */
int child_start(struct box *box, const int fds[3], struct fault *fault);

/* ---- run.c, watch.c ---- */

enum stop { STOP_NONE, STOP_CPU, STOP_WALL, STOP_OUTPUT, STOP_DISK, STOP_KILLED };

struct stream {
	int pipe; /* our end, or -1 */
	int file; /* where to, or -1 for nowhere */
};

struct outcome {
	int status; /* of wait(2) */
	enum stop stop;
	uint64_t cpu_ns, wall_ns, ended_ns, memory_bytes, output_bytes;
	uint64_t oom_kills;
	bool memory_exceeded, disk_exceeded;
	struct usage usage;
	struct rusage rusage;
	bool hang_up; /* Python went away */
};

/* Makes what a run takes time to make, ahead of it. */
int run_prepare(struct box *box, struct fault *fault);
int box_empty(struct box *box, struct fault *fault); /* its workspace */
int box_run(struct box *box, struct outcome *outcome, struct fault *fault);
/* Lives with a run until its main process is gone; then nothing of the run is left alive. */
int watch(struct box *box, const struct limits *limits, struct stream streams[2], int held[2],
	struct outcome *outcome, struct fault *fault);
/* Kills and reaps every process of the box but the keeper. */
void end_all(struct box *box, struct outcome *outcome);
