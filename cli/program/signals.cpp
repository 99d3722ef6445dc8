#include "cli/program/signals.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace gradus {
namespace {

constexpr int kStops[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

// Variables that a handler uses must have these types, or be constant while it is installed.
volatile std::sig_atomic_t first_signal = 0;
const char* volatile first_message = "";

void on_signal(int signal) {
  if (first_signal != 0) {
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, "\n", 1);
    _exit(128 + signal);
  }
  first_signal = signal;
  [[maybe_unused]] const auto ignored =
      ::write(STDERR_FILENO, first_message, std::strlen(first_message));
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals(const char* message, bool ignored_afterwards)
    : ignored_afterwards_(ignored_afterwards) {
  first_signal = 0;
  first_message = message;
  for (const int signal : kStops) {
    // nohup ignores SIGHUP, and it must stay ignored.
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) {
      handle(signal, on_signal);
    }
  }
  handle(SIGPIPE, SIG_IGN);
}

StopSignals::~StopSignals() {
  for (const int signal : kStops) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == on_signal) {
      handle(signal, ignored_afterwards_ ? SIG_IGN : SIG_DFL);
    }
  }
  handle(SIGPIPE, SIG_DFL);
}

int StopSignals::received() { return first_signal == SIGUSR1 ? SIGINT : first_signal; }

}  // namespace gradus
