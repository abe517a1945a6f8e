/* The cgroups of a run. Version 1: a leaf in memory and one in cpuacct per run, and one pids group per box,
 * which the keeper is in as well. Version 2: one leaf per run. All by descriptors that the keeper opened
 * before it went into its own root. Facts: Documentation/admin-guide/cgroup-v1 and cgroup-v2.rst. */
#include "runner.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(int folder, const char *file, int mode)
{
	return openat(folder, file, mode | O_CLOEXEC);
}

static int write_at(int folder, const char *file, const char *text)
{
	int fd = open_file(folder, file, O_WRONLY);
	if (fd < 0)
		return -1;
	ssize_t written = write(fd, text, strlen(text));
	int error = errno;
	close(fd);
	errno = error;
	return written < 0 ? -1 : 0;
}

static int write_number_at(int folder, const char *file, uint64_t number)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRIu64, number);
	return write_at(folder, file, text);
}

/* Reads an open file from its start into a string. */
static int read_again(int fd, char *text, size_t room)
{
	ssize_t length = pread(fd, text, room - 1, 0);
	if (length < 0)
		return -1;
	text[length] = '\0';
	return 0;
}

/* The number behind `key ` at the start of a line, 0 where there is none. */
static uint64_t keyed(const char *text, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == ' ')
			return strtoull(line + length + 1, NULL, 10);
	}
	return 0;
}

static int open_group(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int cgroups_open(const struct settings *settings, uint64_t box, struct cgroups *cgroups, struct fault *fault)
{
	cgroups->box = box;
	cgroups->without = settings->without;
	cgroups->born_inside = cgroups->unified = settings->unified != NULL;
	if (cgroups->unified) {
		cgroups->memory = cgroups->cpuacct = cgroups->pids = open_group(settings->unified);
		return cgroups->memory < 0 ? failed(fault, "cgroup") : 0;
	}
	if ((cgroups->memory = open_group(settings->memory)) < 0)
		return failed(fault, "cgroup memory");
	if ((cgroups->cpuacct = open_group(settings->cpuacct)) < 0)
		return failed(fault, "cgroup cpuacct");
	int pids = open_group(settings->pids);
	char name[48];
	snprintf(name, sizeof name, "box-%" PRIu64, box);
	if (pids < 0 || mkdirat(pids, name, 0755) != 0)
		return failed(fault, "cgroup pids");
	cgroups->pids = openat(pids, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	close(pids);
	/* "0" to tasks moves this thread alone, which spares the kernel's global lock that cgroup.procs takes. */
	if (cgroups->pids < 0 || write_at(cgroups->pids, "tasks", "0") != 0)
		return failed(fault, "cgroup pids");
	return 0;
}

void cgroups_close(struct cgroups *cgroups)
{
	/* The pids group holds the keeper itself: whoever reaps the keeper removes it. */
	close(cgroups->memory);
	if (!cgroups->unified) {
		close(cgroups->cpuacct);
		close(cgroups->pids);
	}
}

static int open_leaf(int group, const char *name)
{
	if (mkdirat(group, name, 0755) != 0)
		return -1;
	return openat(group, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A file that not every kernel has, or -1. */
static int open_optional(const struct cgroups *cgroups, const struct leaf *leaf, const char *file, int mode)
{
	const char *without = cgroups->without ? strstr(cgroups->without, file) : NULL;
	return without ? -1 : open_file(leaf->memory, file, mode);
}

static int create_version1(struct cgroups *cgroups, struct leaf *leaf, struct fault *fault)
{
	if ((leaf->cpu = open_leaf(cgroups->cpuacct, leaf->name)) < 0)
		return failed(fault, "cpuacct leaf");
	leaf->usage = open_file(leaf->cpu, "cpuacct.usage", O_RDONLY);
	leaf->cpu_tasks = open_file(leaf->cpu, "tasks", O_WRONLY);
	leaf->tasks = open_file(leaf->memory, "tasks", O_WRONLY);
	leaf->events = open_file(leaf->memory, "memory.oom_control", O_RDONLY);
	leaf->peak = open_optional(cgroups, leaf, "memory.max_usage_in_bytes", O_RDONLY);
	leaf->pids_max = open_file(cgroups->pids, "pids.max", O_WRONLY);
	if (leaf->usage < 0 || leaf->cpu_tasks < 0 || leaf->tasks < 0 || leaf->events < 0 || leaf->pids_max < 0)
		return failed(fault, "cgroup files");
	return 0;
}

static int create_version2(const struct cgroups *cgroups, struct leaf *leaf, struct fault *fault)
{
	leaf->cpu = leaf->memory;
	leaf->usage = open_file(leaf->memory, "cpu.stat", O_RDONLY);
	leaf->events = open_file(leaf->memory, "memory.events", O_RDONLY);
	leaf->peak = open_optional(cgroups, leaf, "memory.peak", O_RDONLY); /* since Linux 5.19 */
	leaf->kill = open_optional(cgroups, leaf, "cgroup.kill", O_WRONLY); /* since Linux 5.14 */
	leaf->pids_max = open_file(leaf->memory, "pids.max", O_WRONLY);
	leaf->tasks = open_file(leaf->memory, "cgroup.procs", O_WRONLY);
	if (leaf->usage < 0 || leaf->events < 0 || leaf->pids_max < 0 || leaf->tasks < 0)
		return failed(fault, "cgroup files");
	/* The kernel may kill one process of many: the rest shall be judged, not vanish. */
	if (write_at(leaf->memory, "memory.oom.group", "0") != 0)
		return failed(fault, "cgroup memory.oom.group");
	return 0;
}

int leaf_create(struct cgroups *cgroups, struct leaf *leaf, struct fault *fault)
{
	static uint64_t serial;
	snprintf(leaf->name, sizeof leaf->name, "run-%" PRIu64 "-%" PRIu64, cgroups->box, serial++);
	leaf->memory = leaf->cpu = leaf->tasks = leaf->cpu_tasks = -1;
	leaf->usage = leaf->stat = leaf->events = leaf->peak = leaf->pids_max = leaf->kill = -1;
	leaf->memory_bytes = leaf->processes = 0;
	leaf->ready = true; /* there is something to remove now, whatever fails */

	if ((leaf->memory = open_leaf(cgroups->memory, leaf->name)) < 0)
		return failed(fault, "memory leaf");
	if ((leaf->stat = open_file(leaf->memory, "memory.stat", O_RDONLY)) < 0)
		return failed(fault, "memory.stat");
	return cgroups->unified ? create_version2(cgroups, leaf, fault) : create_version1(cgroups, leaf, fault);
}

static int limit_swap(const struct cgroups *cgroups, const struct leaf *leaf, uint64_t memory_bytes)
{
	if (cgroups->unified) {
		int result = write_at(leaf->memory, "memory.swap.max", "0");
		return result != 0 && errno == ENOENT ? 0 : result; /* a kernel without swap */
	}
	if (write_number_at(leaf->memory, "memory.memsw.limit_in_bytes", memory_bytes) == 0)
		return 0;
	/* Booted without swap accounting: then nothing of the group may be swapped. */
	return errno == ENOENT ? write_at(leaf->memory, "memory.swappiness", "0") : -1;
}

static int limit_memory(const struct cgroups *cgroups, const struct leaf *leaf, uint64_t bytes)
{
	return write_number_at(leaf->memory, cgroups->unified ? "memory.max" : "memory.limit_in_bytes", bytes);
}

int leaf_limit(struct cgroups *cgroups, struct leaf *leaf, const struct limits *limits, struct fault *fault)
{
	uint64_t bytes = limits->memory_bytes;
	if (leaf->memory_bytes != bytes) {
		/* v1: the limit with swap is never the lower one of the two, so it rises first */
		bool rises = leaf->memory_bytes && bytes > leaf->memory_bytes;
		if ((rises && limit_swap(cgroups, leaf, bytes) != 0) || limit_memory(cgroups, leaf, bytes) != 0 ||
		    (!rises && limit_swap(cgroups, leaf, bytes) != 0))
			return failed(fault, "memory limit");
		leaf->memory_bytes = bytes;
	}
	if (leaf->processes != limits->processes) {
		uint64_t most = limits->processes + !cgroups->unified; /* v1: the keeper is in the group */
		if (dprintf(leaf->pids_max, "%" PRIu64, most) < 0)
			return failed(fault, "process limit");
		leaf->processes = limits->processes;
	}
	return 0;
}

int leaf_enter(const struct cgroups *cgroups, const struct leaf *leaf)
{
	if (!cgroups->born_inside && write(leaf->tasks, "0", 1) != 1)
		return -1;
	if (!cgroups->unified)
		return write(leaf->cpu_tasks, "0", 1) == 1 ? 0 : -1;
	/* The leaf becomes the root of what the program can see of cgroups. */
	return unshare(CLONE_NEWCGROUP);
}

void leaf_kill(const struct leaf *leaf)
{
	if (leaf->kill >= 0)
		while (write(leaf->kill, "1", 1) < 0 && errno == EINTR)
			continue;
}

int leaf_cpu_ns(const struct cgroups *cgroups, const struct leaf *leaf, uint64_t *ns)
{
	char text[1024];
	if (read_again(leaf->usage, text, sizeof text) != 0)
		return -1;
	*ns = cgroups->unified ? keyed(text, "usage_usec") * 1000 : strtoull(text, NULL, 10);
	return 0;
}

int leaf_memory_now(const struct cgroups *cgroups, const struct leaf *leaf, uint64_t *bytes)
{
	char text[4096];
	if (read_again(leaf->stat, text, sizeof text) != 0)
		return -1;
	*bytes = keyed(text, cgroups->unified ? "anon" : "rss") + keyed(text, "shmem");
	return 0;
}

int leaf_memory_end(const struct leaf *leaf, struct memory_figures *figures)
{
	char text[1024];
	if (read_again(leaf->events, text, sizeof text) != 0)
		return -1;
	figures->oom_kills = keyed(text, "oom_kill");
	bool known = leaf->peak >= 0 && read_again(leaf->peak, text, sizeof text) == 0;
	figures->peak_bytes = known ? strtoull(text, NULL, 10) : UINT64_MAX;
	return 0;
}

/* A group is free a moment after its last process was reaped. What still will not go, the owner of this
 * runner's folder removes at the end. */
static void remove_group(int parent, const char *name)
{
	const struct timespec moment = {0, MILLISECOND};
	for (int tries = 0; unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno == EBUSY && tries < 100; tries++)
		nanosleep(&moment, NULL);
}

void leaf_remove(struct cgroups *cgroups, struct leaf *leaf)
{
	if (!leaf->ready)
		return;
	leaf->ready = false;
	const int files[] = {leaf->usage, leaf->stat, leaf->events, leaf->peak, leaf->pids_max, leaf->kill,
		leaf->tasks, leaf->cpu_tasks, leaf->memory, cgroups->unified ? -1 : leaf->cpu};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (files[i] >= 0)
			close(files[i]);
	remove_group(cgroups->memory, leaf->name);
	if (!cgroups->unified)
		remove_group(cgroups->cpuacct, leaf->name);
}
