/* Names every address that a packet could be sent to. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

int main(void)
{
	static const char *const addresses[] = {"127.0.0.1", "169.254.169.254", "8.8.8.8", "10.0.0.1"};
	for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
		struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(53)};
		inet_pton(AF_INET, addresses[i], &to.sin_addr);
		int udp = socket(AF_INET, SOCK_DGRAM, 0);
		if (sendto(udp, "x", 1, 0, (void *)&to, sizeof to) >= 0)
			printf("udp %s\n", addresses[i]);
		if (connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&to, sizeof to) == 0)
			printf("tcp %s\n", addresses[i]);
	}
	struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons(53), .sin6_addr = in6addr_loopback};
	if (connect(socket(AF_INET6, SOCK_STREAM, 0), (void *)&to, sizeof to) == 0)
		puts("tcp ::1");
	puts("done");
	return 0;
}
