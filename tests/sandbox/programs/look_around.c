/* Looks for what belongs to others: names every process it can see but itself, and everything of theirs it can read. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	static const char *const parts[] = {"mem", "maps", "environ", "cwd", "root", "fd", "exe"};
	char path[64], byte[8];
	for (int pid = 1; pid < 500; pid++) {
		if (pid == getpid())
			continue;
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
			snprintf(path, sizeof path, "/proc/%d/%s", pid, parts[i]);
			int fd = open(path, O_RDONLY);
			if (fd >= 0 || readlink(path, byte, sizeof byte) >= 0)
				puts(path);
		}
	}
	/* beside and above the workspace */
	DIR *above = opendir("/work/..");
	for (struct dirent *entry; above && (entry = readdir(above));)
		puts(entry->d_name);
	return 0;
}
