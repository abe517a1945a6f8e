/* Packets over a SOCK_SEQPACKET socket: NUL-terminated strings, and descriptors beside them. */
#include "runner.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int message_receive(int socket, struct message *message, int flags)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int) * MESSAGE_FDS)];
	} control;
	struct iovec data = {message->data, sizeof message->data};
	struct msghdr head = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	message->fd_count = 0;

	ssize_t length;
	do
		length = recvmsg(socket, &head, MSG_CMSG_CLOEXEC | flags);
	while (length < 0 && errno == EINTR);
	if (length < 0 && errno == ECONNRESET)
		return 0;
	if (length <= 0)
		return (int)length;

	message->length = (size_t)length;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&head); c; c = CMSG_NXTHDR(&head, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		message->fd_count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(message->fds, CMSG_DATA(c), message->fd_count * sizeof(int));
	}
	if (head.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
		message_close_fds(message);
		errno = EMSGSIZE;
		return -1;
	}
	return 1;
}

void message_close_fds(struct message *message)
{
	for (size_t i = 0; i < message->fd_count; i++)
		if (message->fds[i] >= 0)
			close(message->fds[i]);
	message->fd_count = 0;
}

int message_send(int socket, const char *data, size_t length, const int *fds, size_t fd_count)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int) * MESSAGE_FDS)];
	} control;
	size_t fd_bytes = fd_count * sizeof *fds;
	struct iovec part = {(void *)data, length};
	struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
	if (fd_count) {
		memset(&control, 0, sizeof control);
		control.head = (struct cmsghdr){CMSG_LEN(fd_bytes), SOL_SOCKET, SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.head), fds, fd_bytes);
		head.msg_control = &control;
		head.msg_controllen = CMSG_SPACE(fd_bytes);
	}
	ssize_t sent;
	do
		sent = sendmsg(socket, &head, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -1 : 0;
}

int message_send_fault(int socket, const struct fault *fault)
{
	char text[256];
	int length = snprintf(text, sizeof text, "fault%cstep=%s%cerrno=%d", 0, fault->step, 0, fault->error);
	return message_send(socket, text, (size_t)length + 1, NULL, 0);
}

bool message_is(const struct message *message, const char *verb)
{
	size_t length = strlen(verb) + 1;
	return message->length >= length && memcmp(message->data, verb, length) == 0;
}
