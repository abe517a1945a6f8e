/* The root of a box: a small tmpfs with the toolchain bound read-only into it, and nothing else of the host. */
#include "runner.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct option {
	const char *key, *value;
};

/* A new file system that is not attached anywhere yet. */
static int detached(const char *type, const struct option *options, unsigned attributes)
{
	int context = fsopen(type, FSOPEN_CLOEXEC);
	if (context < 0)
		return -1;
	int result = 0;
	for (; result == 0 && options->key; options++)
		result = fsconfig(context, FSCONFIG_SET_STRING, options->key, options->value, 0);
	if (result == 0)
		result = fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0);
	if (result == 0)
		result = fsmount(context, FSMOUNT_CLOEXEC, attributes);
	int error = errno;
	close(context);
	errno = error;
	return result;
}

static int detached_tmpfs(uint64_t bytes, const char *mode, unsigned attributes)
{
	char size[24];
	snprintf(size, sizeof size, "%" PRIu64, bytes);
	const struct option options[] = {{"size", size}, {"mode", mode}, {"nr_inodes", "100000"}, {0}};
	return detached("tmpfs", options, attributes);
}

/* A copy of the mounts at `source`, private, without set-uid programs and devices. */
static int bound(const char *source, bool writable, uint64_t devices)
{
	int tree = open_tree(AT_FDCWD, source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	struct mount_attr attributes = {
		.attr_set = MOUNT_ATTR_NOSUID | devices | (writable ? 0 : MOUNT_ATTR_RDONLY),
		.propagation = MS_PRIVATE,
	};
	if (tree < 0 || mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes) != 0)
		return -1;
	return tree;
}

/* Makes the folders above `path` (relative to `root`), and `path` itself as a folder or an empty file. */
static int make_place(int root, const char *path, bool folder)
{
	char part[PATH_MAX];
	size_t length = strlen(path);
	if (length >= sizeof part) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (size_t i = 1; i < length; i++) {
		if (path[i] != '/')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdirat(root, part, 0755) != 0 && errno != EEXIST)
			return -1;
	}
	if (folder)
		return mkdirat(root, path, 0755) != 0 && errno != EEXIST ? -1 : 0;
	int fd = openat(root, path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	return fd < 0 ? -1 : close(fd);
}

/* Attaches `tree` at `target`, an absolute path of the box, and closes it. */
static int attach(int root, int tree, const char *target)
{
	const char *path = target + strspn(target, "/");
	struct stat status;
	if (tree < 0 || fstat(tree, &status) != 0 || make_place(root, path, S_ISDIR(status.st_mode)) != 0 ||
	    move_mount(tree, "", root, path, MOVE_MOUNT_F_EMPTY_PATH) != 0)
		return -1;
	return close(tree);
}

static int write_file(int root, const char *path, const char *text)
{
	int fd = openat(root, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return -1;
	ssize_t written = write(fd, text, strlen(text));
	close(fd);
	return written < 0 ? -1 : 0;
}

static int make_etc(int root, uid_t uid)
{
	char passwd[160], group[80];
	snprintf(passwd, sizeof passwd, "root:x:0:0::/:/usr/sbin/nologin\nbox:x:%u:%u::/work:/bin/sh\n", uid, uid);
	snprintf(group, sizeof group, "root:x:0:\nbox:x:%u:\n", uid);
	if (mkdirat(root, "etc", 0755) != 0)
		return -1;
	return write_file(root, "etc/passwd", passwd) == 0 && write_file(root, "etc/group", group) == 0 ? 0 : -1;
}

static int make_device(int root, const char *name, unsigned minor)
{
	char path[32];
	snprintf(path, sizeof path, "dev/%s", name);
	if (mknodat(root, path, S_IFCHR | 0666, makedev(1, minor)) == 0)
		return fchmodat(root, path, 0666, 0);
	if (errno != EPERM)
		return -1;
	snprintf(path, sizeof path, "/dev/%s", name); /* rootless: only a bind of the host's */
	return attach(root, bound(path, true, 0), path);
}

static int make_dev(int root)
{
	static const struct {
		const char *name;
		unsigned minor;
	} devices[] = {{"null", 3}, {"zero", 5}, {"full", 7}, {"random", 8}, {"urandom", 9}};
	static const char *links[][2] = {
		{"/proc/self/fd", "dev/fd"},
		{"/proc/self/fd/0", "dev/stdin"},
		{"/proc/self/fd/1", "dev/stdout"},
		{"/proc/self/fd/2", "dev/stderr"},
	};
	if (mkdirat(root, "dev", 0755) != 0)
		return -1;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (make_device(root, devices[i].name, devices[i].minor) != 0)
			return -1;
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (symlinkat(links[i][0], root, links[i][1]) != 0)
			return -1;
	return 0;
}

/* Leaves the old root behind: from here on, nothing of the host can be named. */
static int enter(int root)
{
	struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY};
	if (mount_setattr(root, "", AT_EMPTY_PATH, &read_only, sizeof read_only) != 0 || fchdir(root) != 0)
		return -1;
	if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0)
		return -1;
	return chdir("/");
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int root_build(const struct open_request *request, struct box *box, struct fault *fault)
{
	const unsigned plain = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
	static const struct option proc_options[] = {{"hidepid", "invisible"}, {0}};
	int trees[MAX_MOUNTS];

	/* No mount of ours may reach the host. */
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return failed(fault, "mount namespace");
	/* Sources are opened before the new root covers anything. */
	int workspace = bound(request->workspace, true, MOUNT_ATTR_NODEV);
	if (workspace < 0)
		return failed(fault, "workspace");
	for (size_t i = 0; i < request->mount_count; i++)
		if ((trees[i] = bound(request->mounts[i].source, request->mounts[i].writable, MOUNT_ATTR_NODEV)) < 0)
			return failed(fault, request->mounts[i].source);

	int root = detached_tmpfs(1 << 20, "755", MOUNT_ATTR_NOSUID);
	if (root < 0 || move_mount(root, "", AT_FDCWD, "/tmp", MOVE_MOUNT_F_EMPTY_PATH) != 0)
		return failed(fault, "root");
	if (make_etc(root, box->uid) != 0)
		return failed(fault, "/etc");
	if (make_dev(root) != 0)
		return failed(fault, "/dev");
	if (attach(root, detached_tmpfs(request->tmp_bytes, "1777", plain), "/tmp") != 0 ||
	    attach(root, detached_tmpfs(request->tmp_bytes, "1777", plain), "/dev/shm") != 0)
		return failed(fault, "/tmp");
	if (attach(root, detached("proc", proc_options, plain | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY), "/proc") != 0)
		return failed(fault, "/proc");
	if (attach(root, workspace, "/work") != 0)
		return failed(fault, "/work");
	for (size_t i = 0; i < request->mount_count; i++)
		if (attach(root, trees[i], request->mounts[i].target) != 0)
			return failed(fault, request->mounts[i].target);
	if (enter(root) != 0)
		return failed(fault, "pivot_root");
	close(root);

	box->workspace = open_folder("/work");
	box->tmp = open_folder("/tmp");
	box->shm = open_folder("/dev/shm");
	box->proc = open_folder("/proc");
	struct stat status;
	if (box->workspace < 0 || box->tmp < 0 || box->shm < 0 || box->proc < 0 || fstat(box->workspace, &status) != 0)
		return failed(fault, "folders");
	box->device = status.st_dev;
	return 0;
}
