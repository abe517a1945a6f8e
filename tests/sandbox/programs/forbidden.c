/* Tries what is refused, and names what was not. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void refused(const char *name, long result)
{
	if (result >= 0)
		puts(name);
}

int main(void)
{
	static char memory[256];
	static const int spaces[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS,
		CLONE_NEWCGROUP};
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
		refused("unshare", unshare(spaces[i]));
		refused("clone", syscall(SYS_clone, spaces[i] | SIGCHLD, 0, 0, 0, 0));
	}
	refused("clone3", syscall(SYS_clone3, memory, 88));
	refused("setns", syscall(SYS_setns, open("/proc/self/ns/net", O_RDONLY), 0));
	refused("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
	refused("umount", umount2("/tmp", MNT_DETACH));
	refused("chroot", chroot("/tmp"));
	refused("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
	refused("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
	refused("io_uring_setup", syscall(SYS_io_uring_setup, 1, memory));
	refused("bpf", syscall(SYS_bpf, 0, memory, sizeof memory));
	refused("perf_event_open", syscall(SYS_perf_event_open, memory, 0, -1, -1, 0));
	refused("userfaultfd", syscall(SYS_userfaultfd, 1));
	refused("keyctl", syscall(SYS_keyctl, 0, -3, 1));
	refused("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3));
	refused("process_vm_readv", syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));
	refused("kcmp", syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 0));
	refused("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, memory, O_RDONLY));
	refused("memfd_secret", syscall(447, 0));
	refused("TIOCSTI", ioctl(0, TIOCSTI, "x"));
	refused("AF_VSOCK", socket(AF_VSOCK, SOCK_STREAM, 0));
	refused("AF_ALG", socket(AF_ALG, SOCK_SEQPACKET, 0));
	refused("AF_PACKET", socket(AF_PACKET, SOCK_RAW, 0));
	refused("netfilter", socket(AF_NETLINK, SOCK_RAW, 12));
	refused("raw socket", socket(AF_INET, SOCK_RAW, 1));
	refused("settimeofday", syscall(SYS_settimeofday, memory, 0));
	refused("sethostname", sethostname("x", 1));
	refused("setuid", syscall(SYS_setuid, 0));
	refused("setgroups", syscall(SYS_setgroups, 1, memory));
	refused("nice", setpriority(PRIO_PROCESS, 0, -1));
	refused("inotify_init1", syscall(SYS_inotify_init1, 0));
	refused("fallocate", fallocate(open("/work/f", O_RDWR | O_CREAT, 0600), FALLOC_FL_KEEP_SIZE, 0, 1 << 20));
	refused("mknod", syscall(SYS_mknod, "/work/device", 0020666, 0x0103));
	puts("done");
	return 0;
}
