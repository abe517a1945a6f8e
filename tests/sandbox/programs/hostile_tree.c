/* Fills its folder with what is hard to remove. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void touch(const char *name)
{
	close(open(name, O_WRONLY | O_CREAT, 0));
}

int main(void)
{
	mkdir("shut", 0700);
	touch("shut/file");
	mkdir("shut/inner", 0700);
	touch("shut/inner/file");
	chmod("shut/inner", 0);
	chmod("shut", 0);
	touch("new\nline");
	touch("-rf");
	touch("\xff\xfe not utf-8 \x01");
	symlink("/", "root");
	symlink(".", "self");
	symlink("loop", "loop");
	mkfifo("pipe", 0);
	for (int i = 0; i < 5000; i++)
		if (mkdir("deep", 0700) != 0 || chdir("deep") != 0)
			return 1;
	touch("bottom");
	return 0;
}
