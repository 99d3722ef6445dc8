/// @file
/// Marks a part of a program's output that the chapter shows.
#pragma once

#include <cstdio>
#include <string>

namespace course {

/// The name of the part that began last. A figure is of this part: write_figure() notes it.
inline std::string latest_part;

/// Prints its name in brackets at its beginning and its end; the chapter's excerpt is between them.
class Part {
 public:
  explicit Part(const char* name) : name_(name) {
    latest_part = name;
    std::printf("[%s]\n", name_);
  }
  ~Part() { std::printf("[%s]\n\n", name_); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 private:
  const char* name_;
};

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}
