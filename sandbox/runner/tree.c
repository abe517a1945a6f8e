/* Walks and empties folders that a hostile program filled: names of any bytes, thousands of levels,
 * folders without permissions, links to anywhere. Everything goes by descriptor, nothing follows a link. */
#include "runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 2048, FOLDERS_BESIDE_FILES = 16384 };

struct level {
	int fd;
	ssize_t at, end;
	_Alignas(struct dirent64) char buffer[BUFFER_BYTES];
};

/* The next entry but `.` and `..`; NULL with errno 0 at the end. */
static struct dirent64 *next_entry(struct level *level)
{
	for (;;) {
		if (level->at >= level->end) {
			level->at = 0;
			level->end = getdents64(level->fd, level->buffer, sizeof level->buffer);
			if (level->end <= 0) {
				if (level->end == 0)
					errno = 0;
				return NULL;
			}
		}
		struct dirent64 *entry = (void *)(level->buffer + level->at);
		level->at += entry->d_reclen;
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			return entry;
	}
}

static int open_folder(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 || errno != EACCES)
		return fd;
	/* Its owner shut it and we are not root: rootless, we share the owner's uid and may open it again. */
	int path = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (path < 0)
		return -1;
	char link[40];
	snprintf(link, sizeof link, "/proc/self/fd/%d", path);
	if (chmod(link, 0700) == 0)
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(path);
	return fd;
}

bool usage_exceeds(const struct usage *usage, const struct limits *limits)
{
	return usage->bytes > limits->disk_bytes || usage->files > limits->files ||
	       usage->folders > limits->files + FOLDERS_BESIDE_FILES;
}

/* Descends depth first, with one descriptor and one small buffer per level. */
struct walk {
	struct level *levels;
	size_t depth, room;
	dev_t device;
	struct stat status; /* of the entry at hand, which is `name` in `folder` ("." for a folder) */
	int folder;
	const char *name;
};

static int descend(struct walk *walk, int fd)
{
	if (walk->depth == walk->room) {
		size_t room = walk->room ? walk->room * 2 : 16;
		struct level *levels = realloc(walk->levels, room * sizeof *levels);
		if (!levels) {
			close(fd);
			return -1;
		}
		walk->levels = levels;
		walk->room = room;
	}
	struct level *level = &walk->levels[walk->depth++];
	level->fd = fd;
	level->at = level->end = 0;
	return 0;
}

static void ascend(struct walk *walk)
{
	close(walk->levels[--walk->depth].fd);
}

static int walk_start(struct walk *walk, int folder)
{
	*walk = (struct walk){0};
	if (fstat(folder, &walk->status) != 0)
		return -1;
	walk->device = walk->status.st_dev;
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -1 : descend(walk, fd);
}

static void walk_end(struct walk *walk)
{
	while (walk->depth)
		ascend(walk);
	free(walk->levels);
}

/* Steps to the next entry. False at the end (errno 0) or on a failure. What vanishes while a program runs
 * is passed over, and so is a mount. */
static bool walk_next(struct walk *walk)
{
	while (walk->depth) {
		struct level *level = &walk->levels[walk->depth - 1];
		struct dirent64 *entry = next_entry(level);
		if (!entry) {
			if (errno && errno != ENOENT)
				return false;
			ascend(walk);
			continue;
		}
		if (fstatat(level->fd, entry->d_name, &walk->status, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		walk->folder = level->fd;
		walk->name = entry->d_name;
		if (!S_ISDIR(walk->status.st_mode))
			return true;
		if (walk->status.st_dev != walk->device)
			continue;
		int fd = open_folder(level->fd, entry->d_name);
		if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EACCES))
			continue;
		if (fd < 0 || descend(walk, fd) != 0)
			return false;
		walk->folder = fd;
		walk->name = ".";
		return true;
	}
	errno = 0;
	return false;
}

int tree_measure(int folder, const struct limits *limits, struct usage *usage)
{
	struct walk walk;
	*usage = (struct usage){0};
	if (walk_start(&walk, folder) != 0)
		return -1;
	int error = 0;
	while (!usage_exceeds(usage, limits)) {
		if (!walk_next(&walk)) {
			error = errno;
			break;
		}
		if (S_ISDIR(walk.status.st_mode))
			usage->folders++;
		else
			usage->files++;
		if (S_ISREG(walk.status.st_mode))
			usage->bytes += (uint64_t)walk.status.st_size;
	}
	walk_end(&walk);
	if (error == EMFILE) { /* deeper than we have descriptors: over any sensible limit */
		usage->folders = UINT64_MAX;
		return 0;
	}
	errno = error;
	return error ? -1 : 0;
}

int tree_give(int folder, uid_t uid, gid_t gid)
{
	struct walk walk;
	if (fchown(folder, uid, gid) != 0 || walk_start(&walk, folder) != 0)
		return -1;
	int result = 0;
	while (result == 0 && walk_next(&walk))
		result = fchownat(walk.folder, walk.name, uid, gid, AT_SYMLINK_NOFOLLOW);
	int error = errno;
	walk_end(&walk);
	errno = error;
	return result != 0 || error ? -1 : 0;
}

bool folder_is_empty(int folder)
{
	struct level level = {.fd = folder};
	if (lseek(folder, 0, SEEK_SET) != 0)
		return false;
	return next_entry(&level) == NULL && errno == 0;
}

/* Moves an entry to a name in `top` that is free. */
static int lift(int from, const char *name, int top)
{
	static uint64_t serial;
	for (;;) {
		char free_name[32];
		snprintf(free_name, sizeof free_name, ".lifted-%llu", (unsigned long long)serial++);
		if (renameat2(from, name, top, free_name, RENAME_NOREPLACE) == 0)
			return 0;
		if (errno != EEXIST)
			return -1;
	}
}

/* Removes a folder whose own folders are lifted to `top` for a later pass: no depth is too deep. */
static int remove_folder(int top, const char *name, bool *lifted)
{
	struct level level = {.fd = open_folder(top, name)};
	if (level.fd < 0)
		return -1;
	int error = 0;
	struct dirent64 *entry;
	while ((entry = next_entry(&level))) {
		if (unlinkat(level.fd, entry->d_name, 0) == 0 || unlinkat(level.fd, entry->d_name, AT_REMOVEDIR) == 0)
			continue;
		if (lift(level.fd, entry->d_name, top) == 0)
			*lifted = true;
		else
			error = errno;
	}
	close(level.fd);
	if (unlinkat(top, name, AT_REMOVEDIR) == 0)
		return 0;
	if (error)
		errno = error;
	return -1;
}

int tree_empty(int folder)
{
	int error = 0;
	for (bool progress = true; progress;) {
		struct level level = {.fd = folder};
		struct dirent64 *entry;
		progress = false;
		error = 0;
		if (lseek(folder, 0, SEEK_SET) != 0)
			return -1;
		while ((entry = next_entry(&level))) {
			if (unlinkat(folder, entry->d_name, 0) == 0 || unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0 ||
			    remove_folder(folder, entry->d_name, &progress) == 0)
				progress = true;
			else if (errno != EBUSY) /* a mount stays */
				error = errno;
		}
	}
	errno = error;
	return error ? -1 : 0;
}
