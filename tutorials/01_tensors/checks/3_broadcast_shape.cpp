#include <sstream>
#include <utility>

#include "tutorials/01_tensors/exercises.h"
#include "tutorials/common/check.h"

namespace {

/// What the reader's function makes of two shapes, in words.
std::string said(const Shape& a, const Shape& b) {
  std::ostringstream out;
  try {
    out << broadcast_shape(a, b);
  } catch (const std::invalid_argument&) {
    return "an error";
  } catch (const std::exception&) {
    return "an error of another type than std::invalid_argument";
  }
  return out.str();
}

std::string right(const Shape& a, const Shape& b) {
  std::ostringstream out;
  try {
    out << broadcast_shapes("check", a, b);
  } catch (const std::invalid_argument&) {
    return "an error";
  }
  return out.str();
}

void hold(const std::vector<std::pair<Shape, Shape>>& pairs, const std::string& cause) {
  for (const auto& [a, b] : pairs) {
    const std::string got = said(a, b), expected = right(a, b);
    std::ostringstream message;
    message << a << " and " << b << ": got " << got << ", expected " << expected;
    if (got.starts_with(expected) && got != expected) red(message.str());
    if (got != expected) red(message.str() + "\nlikely cause: " + cause);
    green(message.str());
  }
}

}  // namespace

int main() {
  return run_check([] {
    hold({{{3, 4}, {3, 4}}, {{3, 4}, {3, 1}}, {{5, 3, 4}, {5, 1, 1}}},
         "a size of 1 gives way to the other size");
    hold({{{3, 1}, {1, 4}}, {{1, 4}, {3, 4}}},
         "only b may be repeated, as it is; a may be as well, and both at once");
    hold({{{2, 3, 4}, {4}}, {{2, 3, 4}, {3, 1}}, {{3, 4}, {}}, {{}, {2}}, {{4}, {2, 3, 4}}},
         "aligned at the first axis; shapes are aligned at the last, and missing axes have size 1");
    hold({{{3, 4}, {3}}, {{2, 3}, {3, 2}}},
         "accepts sizes that differ and are not 1, or aligned at the first axis");
    hold({{{4}, {2}}, {{2, 8}, {2, 4}}, {{6, 3}, {2, 3}}},
         "accepts sizes that differ and are not 1: nothing is repeated a few times to fit");
    hold({{{2, 3, 4, 5}, {1, 1, 1, 5}}, {{1, 3, 4, 5}, {2, 1, 4, 1}}, {{2, 3, 4, 5}, {3, 3, 4, 5}}},
         "only the last three axes are looked at, or a's sizes are taken beyond them");
    hold({{{0}, {1}}, {{3, 0}, {3, 1}}, {{2, 0}, {2, 3}}},
         "an axis of size 0 stays empty: 1 gives way to 0 too, and 0 does not fit 3");
  });
}
