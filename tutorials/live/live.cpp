// Linked with the live pieces: a C interface for pages, or a main that answers lines.
#include "live/live.h"

#include <exception>

#ifdef __EMSCRIPTEN__

namespace {
live::Numbers arguments, results;
}  // namespace

extern "C" {
/// The memory for `count` arguments.
double* live_arguments(int count) {
  arguments.assign(static_cast<std::size_t>(count), 0);
  return arguments.data();
}
/// Calls a function, and returns the number of results.
int live_call(const char* name) {
  results = live::functions().at(name)(arguments);
  return static_cast<int>(results.size());
}
const double* live_results() { return results.data(); }
/// The message of an exception from live_call.
const char* live_trouble(const std::exception* thrown) { return thrown->what(); }
}

#else

#include <cstdio>
#include <iostream>
#include <sstream>

/// Each line is a function's name and its arguments; the answer is a line of its results, or an
/// error.
int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string name;
    live::Numbers arguments;
    words >> name;
    for (double x = 0; words >> x;) arguments.push_back(x);
    try {
      for (const double x : live::functions().at(name)(arguments)) std::printf("%.9g ", x);
      std::puts("");
    } catch (const std::exception& trouble) {
      std::printf("! %s\n", trouble.what());
    }
    std::fflush(stdout);
  }
}

#endif
