/* The request parser: pure, strict, and the part that the fuzzer drives. */
#include "runner.h"

#include <string.h>

static const uint64_t LARGEST = UINT64_C(1) << 62;

static bool number(const char *text, uint64_t *value)
{
	uint64_t sum = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		sum = sum * 10 + (uint64_t)(*text - '0');
		if (sum > LARGEST)
			return false;
	}
	*value = sum;
	return true;
}

static bool flag(const char *text, bool *value)
{
	*value = text[0] == '1';
	return (text[0] == '0' || text[0] == '1') && !text[1];
}

static bool place(const char *text, int *value)
{
	uint64_t wide;
	if (!number(text, &wide) || wide >= MESSAGE_FDS)
		return false;
	*value = (int)wide;
	return true;
}

static bool absolute(const char *text, const char **value)
{
	*value = text;
	return text[0] == '/';
}

/* The value where `string` is `key=value`, else NULL. */
static const char *value_of(const char *string, const char *key)
{
	size_t length = strlen(key);
	return strncmp(string, key, length) == 0 && string[length] == '=' ? string + length + 1 : NULL;
}

static bool run_field(const char *string, struct run_request *r)
{
	const char *value;
	if ((value = value_of(string, "arg")))
		return r->argc < MAX_STRINGS && (r->argv[r->argc++] = value);
	if ((value = value_of(string, "env")))
		return r->envc < MAX_STRINGS && strchr(value, '=') && (r->env[r->envc++] = value);
	if ((value = value_of(string, "cwd")))
		return absolute(value, &r->cwd);
	if ((value = value_of(string, "stdin")))
		return place(value, &r->stdin_at);
	if ((value = value_of(string, "stdout")))
		return place(value, &r->stdout_at);
	if ((value = value_of(string, "stderr")))
		return place(value, &r->stderr_at);
	if ((value = value_of(string, "keep")))
		return flag(value, &r->keep_workspace);
	if ((value = value_of(string, "direct")))
		return flag(value, &r->direct);
	if ((value = value_of(string, "cpu_ns")))
		return number(value, &r->limits.cpu_ns);
	if ((value = value_of(string, "wall_ns")))
		return number(value, &r->limits.wall_ns);
	if ((value = value_of(string, "memory_bytes")))
		return number(value, &r->limits.memory_bytes);
	if ((value = value_of(string, "processes")))
		return number(value, &r->limits.processes);
	if ((value = value_of(string, "output_bytes")))
		return number(value, &r->limits.output_bytes);
	if ((value = value_of(string, "disk_bytes")))
		return number(value, &r->limits.disk_bytes);
	if ((value = value_of(string, "files")))
		return number(value, &r->limits.files);
	return false;
}

static bool open_field(const char *string, struct open_request *r)
{
	const char *value;
	struct mount_request *last = r->mount_count ? &r->mounts[r->mount_count - 1] : NULL;
	if ((value = value_of(string, "workspace")))
		return absolute(value, &r->workspace);
	if ((value = value_of(string, "own")))
		return flag(value, &r->own_workspace);
	if ((value = value_of(string, "network")))
		return flag(value, &r->network);
	if ((value = value_of(string, "tmp_bytes")))
		return number(value, &r->tmp_bytes);
	if ((value = value_of(string, "from"))) {
		if (r->mount_count == MAX_MOUNTS)
			return false;
		return absolute(value, &r->mounts[r->mount_count++].source);
	}
	if ((value = value_of(string, "to")))
		return last && !last->target && absolute(value, &last->target);
	if ((value = value_of(string, "writable")))
		return last && flag(value, &last->writable);
	return false;
}

static bool settings_field(const char *string, struct settings *s)
{
	const char *value;
	if ((value = value_of(string, "unified")))
		return absolute(value, &s->unified);
	if ((value = value_of(string, "memory")))
		return absolute(value, &s->memory);
	if ((value = value_of(string, "cpuacct")))
		return absolute(value, &s->cpuacct);
	if ((value = value_of(string, "pids")))
		return absolute(value, &s->pids);
	if ((value = value_of(string, "uid")))
		return number(value, &s->uid) && s->uid < UINT32_MAX;
	if ((value = value_of(string, "without")))
		return (s->without = value) != NULL;
	if ((value = value_of(string, "rootless")))
		return flag(value, &s->rootless);
	if ((value = value_of(string, "cores")))
		return number(value, &s->cores) && s->cores > 0;
	return false;
}

static int refuse(void)
{
	errno = EPROTO;
	return -1;
}

/* Skips the verb, the message's first string. NULL where the message is not a list of strings. */
static const char *after_verb(const char *data, size_t length)
{
	if (length == 0 || data[length - 1] != '\0')
		return NULL;
	return data + strlen(data) + 1;
}

int parse_run(const char *data, size_t length, struct run_request *request)
{
	const char *string = after_verb(data, length);
	request->argc = request->envc = 0;
	request->limits = (struct limits){0};
	request->cwd = NULL;
	request->stdin_at = request->stdout_at = request->stderr_at = -1;
	request->keep_workspace = request->direct = false;
	if (!string)
		return refuse();
	for (; string < data + length; string += strlen(string) + 1)
		if (!run_field(string, request))
			return refuse();
	request->argv[request->argc] = request->env[request->envc] = NULL;
	const struct limits *l = &request->limits;
	bool complete = request->argc && request->argv[0][0] && request->cwd && l->cpu_ns && l->wall_ns &&
			l->memory_bytes && l->processes;
	return complete ? 0 : refuse();
}

int parse_open(const char *data, size_t length, struct open_request *request)
{
	const char *string = after_verb(data, length);
	*request = (struct open_request){0};
	if (!string)
		return refuse();
	for (; string < data + length; string += strlen(string) + 1)
		if (!open_field(string, request))
			return refuse();
	for (size_t i = 0; i < request->mount_count; i++)
		if (!request->mounts[i].target)
			return refuse();
	return request->workspace && request->tmp_bytes ? 0 : refuse();
}

int parse_settings(int argc, char **argv, struct settings *settings)
{
	*settings = (struct settings){0};
	for (int i = 1; i < argc; i++)
		if (!settings_field(argv[i], settings))
			return refuse();
	bool v1 = settings->memory && settings->cpuacct && settings->pids;
	return settings->cores && (settings->unified || v1) ? 0 : refuse();
}
