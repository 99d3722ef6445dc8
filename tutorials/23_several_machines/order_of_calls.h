/// @file
/// Whether a rank of chapter 23 sends before it waits. Only a check's own source may include it.
#pragma once

#include <sys/socket.h>

namespace course {
inline int sent = 0, received = 0;  // calls, of this rank
inline bool waited = false;         // has it received more often than it had sent by then?

inline void count_calls() { sent = received = 0, waited = false; }
}  // namespace course

// These take the place of the system's, so that the check sees in which order a rank calls them.
extern "C" ssize_t send(int socket, const void* bytes, size_t count, int flags) {
  ++course::sent;
  return sendto(socket, bytes, count, flags, nullptr, 0);
}

extern "C" ssize_t recv(int socket, void* bytes, size_t count, int flags) {
  ++course::received;
  course::waited = course::waited || course::received > course::sent;
  return recvfrom(socket, bytes, count, flags, nullptr, nullptr);
}
