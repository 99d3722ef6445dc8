// Exercise 23.1: both send first
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

// Two processes each send n floats to the other with one call of send, then receive. A call
// that is not done after two seconds is given up.
int main() {
  for (const std::size_t n : {10'000, 40'000, 80'000}) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    const pid_t copy = fork();
    const int own = pair[copy == 0];
    close(pair[copy != 0]);
    const timeval patience{2, 0};
    setsockopt(own, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    std::vector<float> out(n, 1), in(n);
    const ssize_t bytes = static_cast<ssize_t>(n * sizeof(float));
    const bool is_sent = send(own, out.data(), n * sizeof(float), MSG_NOSIGNAL) == bytes;
    if (is_sent) recv(own, in.data(), n * sizeof(float), MSG_WAITALL);
    close(own);
    if (copy == 0) _exit(0);
    waitpid(copy, nullptr, 0);
    std::printf("%7zu floats each: %s\n", n, is_sent ? "done" : "not done");
  }
}
