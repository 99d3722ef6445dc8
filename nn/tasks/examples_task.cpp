#include "nn/tasks/examples_task.h"

namespace gradus {

std::string shown_answer(const std::string& input, const std::string& answer,
                         const std::string& expected) {
  return input + "\n " + answer + (answer == expected ? "" : "   (expected:" + expected + ")") +
         "\n";
}

}  // namespace gradus
