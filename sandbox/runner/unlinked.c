/* Files that a running program holds open without a name: the tree does not show them, the disk is full of
 * them all the same. They are found by the descriptors of the box's processes. */
#include "runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SEEN = 4096 };

struct seen {
	ino_t inodes[MOST_SEEN];
	size_t count;
};

static bool is_new(struct seen *seen, ino_t inode)
{
	for (size_t i = 0; i < seen->count; i++)
		if (seen->inodes[i] == inode)
			return false;
	if (seen->count < MOST_SEEN)
		seen->inodes[seen->count++] = inode;
	return true;
}

static void look_at(int fds, dev_t device, struct seen *seen, struct usage *usage)
{
	DIR *folder = fdopendir(fds);
	if (!folder) {
		close(fds);
		return;
	}
	struct dirent *entry;
	struct stat status;
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.' || fstatat(fds, entry->d_name, &status, 0) != 0)
			continue;
		if (!S_ISREG(status.st_mode) || status.st_dev != device || status.st_nlink > 0)
			continue;
		if (!is_new(seen, status.st_ino))
			continue;
		usage->bytes += (uint64_t)status.st_size;
		usage->files++;
	}
	closedir(folder);
}

void unlinked_measure(int proc, dev_t device, struct usage *usage)
{
	static struct seen seen;
	char path[32];
	struct dirent *entry;
	int again = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *processes = again < 0 ? NULL : fdopendir(again);
	if (!processes)
		return;
	seen.count = 0;
	while ((entry = readdir(processes))) {
		int pid = atoi(entry->d_name);
		if (pid <= 1) /* not a process, or the keeper */
			continue;
		snprintf(path, sizeof path, "%d/fd", pid);
		int fds = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fds >= 0)
			look_at(fds, device, &seen, usage);
	}
	closedir(processes);
}
