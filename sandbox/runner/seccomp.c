/* What a program may not ask of the kernel: a deny list, because compilers and runtimes use nearly everything
 * else. Built once per box with libseccomp, applied to each child with one system call. */
#include "runner.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	int error;
} denied[] = {
	/* kept beside the processes: two submissions could pass data through them */
	{"keyctl", EPERM}, {"add_key", EPERM}, {"request_key", EPERM},
	{"flock", EOPNOTSUPP}, {"inotify_init", ENOSYS}, {"inotify_init1", ENOSYS}, {"fanotify_init", EPERM},
	{"mq_open", ENOSYS},
	/* a second way to make system calls, past this filter */
	{"io_uring_setup", ENOSYS}, {"io_uring_enter", ENOSYS}, {"io_uring_register", ENOSYS},
	/* large kernel surface without a use for a submission */
	{"bpf", EPERM}, {"perf_event_open", EPERM}, {"userfaultfd", EPERM}, {"memfd_secret", ENOSYS},
	{"modify_ldt", EPERM}, {"syslog", EPERM}, {"lookup_dcookie", EPERM}, {"quotactl", EPERM},
	{"kexec_load", EPERM}, {"kexec_file_load", EPERM}, {"init_module", EPERM}, {"finit_module", EPERM},
	{"delete_module", EPERM}, {"iopl", EPERM}, {"ioperm", EPERM}, {"acct", EPERM}, {"reboot", EPERM},
	{"swapon", EPERM}, {"swapoff", EPERM}, {"settimeofday", EPERM}, {"clock_settime", EPERM},
	{"sethostname", EPERM}, {"setdomainname", EPERM}, {"vhangup", EPERM},
	/* other processes' insides; ptrace stays, as the leak sanitizer needs it: in a box there is nobody else to
	 * trace but the keeper, which cannot be (not dumpable) */
	{"process_vm_readv", EPERM}, {"process_vm_writev", EPERM}, {"kcmp", EPERM},
	{"pidfd_getfd", EPERM}, {"process_madvise", EPERM}, {"move_pages", EPERM}, {"migrate_pages", EPERM},
	/* mounts and namespaces */
	{"mount", EPERM}, {"umount2", EPERM}, {"pivot_root", EPERM}, {"chroot", EPERM}, {"move_mount", EPERM},
	{"open_tree", EPERM}, {"fsopen", EPERM}, {"fsconfig", EPERM}, {"fsmount", EPERM}, {"fspick", EPERM},
	{"mount_setattr", EPERM}, {"unshare", EPERM}, {"setns", EPERM},
	{"open_by_handle_at", EPERM}, {"name_to_handle_at", EPERM},
	/* its flags lie in memory that a filter cannot read; C libraries fall back to clone */
	{"clone3", ENOSYS},
};

static const struct {
	const char *name;
	int error;
	struct scmp_arg_cmp argument;
} denied_arguments[] = {
	{"clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_NEWNS, CLONE_NEWNS}},
	{"clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_NEWCGROUP, CLONE_NEWCGROUP}},
	{"clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_NEWUTS, CLONE_NEWUTS}},
	{"clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_NEWIPC, CLONE_NEWIPC}},
	{"clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER}},
	{"clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_NEWPID, CLONE_NEWPID}},
	{"clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_NEWNET, CLONE_NEWNET}},
	/* typing into a terminal that someone left open (TIOCSTI, TIOCLINUX) */
	{"ioctl", EPERM, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, TIOCSTI}},
	{"ioctl", EPERM, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, TIOCLINUX}},
	/* space on disk that no file length shows (FS_IOC_RESVSP, FS_IOC_RESVSP64, fallocate modes) */
	{"ioctl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, 0x40305828}},
	{"ioctl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, 0x4030582a}},
	{"fallocate", EOPNOTSUPP, {1, SCMP_CMP_NE, 0, 0}},
	/* locks, leases and watches on files that all boxes share */
	{"fcntl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_GETLK}},
	{"fcntl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_SETLK}},
	{"fcntl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_SETLKW}},
	{"fcntl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_OFD_GETLK}},
	{"fcntl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_OFD_SETLK}},
	{"fcntl", EOPNOTSUPP, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_OFD_SETLKW}},
	{"fcntl", EPERM, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_SETLEASE}},
	{"fcntl", EPERM, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, F_NOTIFY}},
};

/* Families that reach neither past the network namespace nor into rarely read kernel code. */
static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};

static int deny_calls(scmp_filter_ctx filter)
{
	for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) {
		int call = seccomp_syscall_resolve_name(denied[i].name);
		if (call == __NR_SCMP_ERROR)
			continue; /* newer than this libseccomp, or not of this architecture */
		int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(denied[i].error), call, 0);
		if (error)
			return error;
	}
	for (size_t i = 0; i < sizeof denied_arguments / sizeof *denied_arguments; i++) {
		int call = seccomp_syscall_resolve_name(denied_arguments[i].name);
		int error = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(denied_arguments[i].error), call, 1,
			&denied_arguments[i].argument);
		if (error)
			return error;
	}
	return 0;
}

static int deny_families(scmp_filter_ctx filter)
{
	for (int family = 0; family < AF_MAX; family++) {
		bool allowed = false;
		for (size_t i = 0; i < sizeof families / sizeof *families; i++)
			allowed |= family == families[i];
		int error = allowed ? 0
				    : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
					      SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)family));
		if (error)
			return error;
	}
	/* of netlink only the routes, which getifaddrs(3) reads */
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPROTONOSUPPORT), SCMP_SYS(socket), 2,
		SCMP_A0(SCMP_CMP_EQ, AF_NETLINK), SCMP_A2(SCMP_CMP_NE, 0));
}

static int export(scmp_filter_ctx context, struct filter *filter)
{
	int memory = memfd_create("filter", MFD_CLOEXEC);
	if (memory < 0)
		return -errno;
	int error = seccomp_export_bpf(context, memory);
	struct stat status;
	if (!error && fstat(memory, &status) == 0) {
		filter->length = (unsigned short)((size_t)status.st_size / sizeof(struct sock_filter));
		filter->rules = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, memory, 0);
		error = filter->rules == MAP_FAILED ? -errno : 0;
	}
	close(memory);
	return error;
}

int filter_build(struct filter *filter, struct fault *fault)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	int error = context ? 0 : -ENOMEM;
	/* 32-bit and x32 calls: the process is killed by SIGSYS, the way the kernel does it */
	if (!error)
		error = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (!error)
		error = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a binary tree, not a list */
	if (!error)
		error = deny_calls(context);
	if (!error)
		error = deny_families(context);
	if (!error)
		error = export(context, filter);
	seccomp_release(context);
	errno = -error;
	return error ? failed(fault, "seccomp") : 0;
}

int filter_apply(const struct filter *filter)
{
	struct sock_fprog program = {filter->length, filter->rules};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
