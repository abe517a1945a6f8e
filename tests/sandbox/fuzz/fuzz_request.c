/* Feeds the runner's request parser with mutated messages: fuzz_request ROUNDS SEED FILE...
 * The same numbers give the same messages. A sanitizer ends it where the parser errs. */
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096, MOST_FILES = 64 };

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void check_run(const char *data, size_t length)
{
	static struct run_request request;
	if (parse_run(data, length, &request) != 0)
		return;
	/* what the runner relies on */
	size_t bytes = strlen(request.cwd);
	for (size_t i = 0; i < request.argc; i++)
		bytes += strlen(request.argv[i]);
	for (size_t i = 0; i < request.envc; i++)
		bytes += strlen(request.env[i]);
	if (!request.argc || request.argv[request.argc] || request.env[request.envc] || bytes > length ||
	    request.stdin_at >= MESSAGE_FDS || request.stdout_at >= MESSAGE_FDS || request.stderr_at >= MESSAGE_FDS ||
	    request.cwd[0] != '/' || !request.limits.cpu_ns || !request.limits.memory_bytes)
		abort();
}

static void check_open(const char *data, size_t length)
{
	struct open_request request;
	if (parse_open(data, length, &request) != 0)
		return;
	for (size_t i = 0; i < request.mount_count; i++)
		if (request.mounts[i].source[0] != '/' || request.mounts[i].target[0] != '/')
			abort();
	if (request.workspace[0] != '/' || request.mount_count > MAX_MOUNTS)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	/* of exactly this size on the heap, so that the sanitizer sees the first byte past it */
	char *copy = malloc(length ? length : 1);
	memcpy(copy, data, length);
	check_run(copy, length);
	check_open(copy, length);
	free(copy);
	return 0;
}

static size_t mutate(char *data, size_t length)
{
	for (uint64_t edits = draw(6); edits; edits--) {
		size_t at = length ? (size_t)draw(length) : 0;
		switch (draw(6)) {
		case 0: /* another byte */
			if (length)
				data[at] = (char)draw(256);
			break;
		case 1: /* a terminator more or less */
			if (length)
				data[at] = data[at] ? '\0' : '=';
			break;
		case 2: /* cut */
			length = at;
			break;
		case 3: /* a part twice */
			if (length && length * 2 < MOST_BYTES) {
				size_t part = (size_t)draw(length - at) + 1;
				memmove(data + at + part, data + at, length - at);
				length += part;
			}
			break;
		case 4: /* a part away */
			if (length) {
				size_t part = (size_t)draw(length - at) + 1;
				memmove(data + at, data + at + part, length - at - part);
				length -= part;
			}
			break;
		default: /* a digit */
			if (length)
				data[at] = (char)('0' + draw(10));
		}
	}
	return length;
}

#ifndef LIBFUZZER
int main(int argc, char **argv)
{
	static char files[MOST_FILES][MOST_BYTES], data[MOST_BYTES];
	size_t lengths[MOST_FILES];
	int count = 0;
	for (int i = 3; i < argc && count < MOST_FILES; i++) {
		FILE *file = fopen(argv[i], "rb");
		if (!file)
			return 2;
		lengths[count] = fread(files[count], 1, MOST_BYTES, file);
		fclose(file);
		count++;
	}
	if (!count)
		return 2;
	state = strtoull(argv[2], NULL, 10) * 2654435769u + 1;
	for (long rounds = atol(argv[1]); rounds; rounds--) {
		int chosen = (int)draw((uint64_t)count);
		memcpy(data, files[chosen], lengths[chosen]);
		size_t length = mutate(data, lengths[chosen]);
		LLVMFuzzerTestOneInput((const uint8_t *)data, length);
	}
	return 0;
}
#endif
