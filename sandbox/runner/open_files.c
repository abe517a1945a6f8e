/* What the processes of the box hold open. Two things can be found in no other way: files without a name, which
 * fill the disk all the same, and whether a pipe that we hold too is still in the program's hands. */
#include "runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SEEN = 4096 };

typedef void visitor(const struct stat *file, void *state);

static void visit_process(int fds, visitor *visit, void *state)
{
	DIR *folder = fdopendir(fds);
	if (!folder) {
		close(fds);
		return;
	}
	struct dirent *entry;
	struct stat status;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.' && fstatat(fds, entry->d_name, &status, 0) == 0)
			visit(&status, state);
	closedir(folder);
}

static void visit_all(int proc, visitor *visit, void *state)
{
	char path[32];
	struct dirent *entry;
	int again = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *processes = again < 0 ? NULL : fdopendir(again);
	if (!processes)
		return;
	while ((entry = readdir(processes))) {
		int pid = atoi(entry->d_name);
		if (pid <= 1) /* not a process, or the keeper */
			continue;
		snprintf(path, sizeof path, "%d/fd", pid);
		int fds = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fds >= 0)
			visit_process(fds, visit, state);
	}
	closedir(processes);
}

struct unlinked {
	dev_t device;
	struct usage *usage;
	ino_t seen[MOST_SEEN]; /* one file may be open many times */
	size_t count;
};

static void add_unlinked(const struct stat *file, void *state)
{
	struct unlinked *unlinked = state;
	if (!S_ISREG(file->st_mode) || file->st_dev != unlinked->device || file->st_nlink > 0)
		return;
	for (size_t i = 0; i < unlinked->count; i++)
		if (unlinked->seen[i] == file->st_ino)
			return;
	if (unlinked->count < MOST_SEEN)
		unlinked->seen[unlinked->count++] = file->st_ino;
	unlinked->usage->bytes += (uint64_t)file->st_size;
	unlinked->usage->files++;
}

void unlinked_measure(int proc, dev_t device, struct usage *usage)
{
	static struct unlinked unlinked;
	unlinked.device = device;
	unlinked.usage = usage;
	unlinked.count = 0;
	visit_all(proc, add_unlinked, &unlinked);
}

struct sought {
	struct stat file;
	bool found;
};

static void compare(const struct stat *file, void *state)
{
	struct sought *sought = state;
	sought->found |= file->st_ino == sought->file.st_ino && file->st_dev == sought->file.st_dev;
}

bool is_open(int proc, int fd)
{
	struct sought sought = {.found = false};
	if (fstat(fd, &sought.file) == 0)
		visit_all(proc, compare, &sought);
	return sought.found;
}

static void count(const struct stat *file, void *state)
{
	(void)file;
	++*(int *)state;
}

bool has_files(int proc, pid_t pid)
{
	char path[32];
	int files = 0;
	snprintf(path, sizeof path, "%d/fd", pid);
	int fds = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fds >= 0)
		visit_process(fds, count, &files);
	return files > 0;
}
