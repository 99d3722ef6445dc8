#include "tutorials/common/check.h"

#include "pocket/tensor.h"

namespace {

using pocket::Shape;

struct Pair {
  Shape a, b;
  std::string right;
};

/// The result of the reader's function for two shapes, in words.
std::string said(const Shape& a, const Shape& b, const std::string& op) {
  std::ostringstream out;
  try {
    out << pocket::broadcast_shapes(op.c_str(), a, b);
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    if (message.starts_with(op + ": ")) return "an error";
    return "an error that does not begin with the op, \"" + op + ": \"";
  } catch (const std::logic_error& error) {
    if (std::string(error.what()).starts_with("exercise ")) throw;
    return "an error of another type than std::invalid_argument";
  } catch (const std::exception&) {
    return "an error of another type than std::invalid_argument";
  }
  return out.str();
}

void hold(const std::vector<Pair>& pairs, const std::string& cause) {
  for (const auto& [a, b, right] : pairs) {
    const std::string by_add = said(a, b, "add"), by_div = said(a, b, "div");
    const std::string got = by_add == right ? by_div : by_add;
    std::ostringstream message;
    message << a << " and " << b << ": got " << got;
    if (got != right) {
      message << ", expected " << right;
      const bool only_words = got.starts_with("an error") && right == "an error";
      gradus::red(message.str(), (only_words ? "" : "\nlikely cause: " + cause));
    }
    gradus::green(message.str());
  }
}

}  // namespace

CHECK_ANSWER() {
  const std::string error = "an error";
  hold(
      {{{3, 4}, {3, 4}, "[3, 4]"}, {{3, 4}, {3, 1}, "[3, 4]"}, {{5, 3, 4}, {5, 1, 1}, "[5, 3, 4]"}},
      "a size of 1 gives way to the other size");
  hold({{{3, 1}, {1, 4}, "[3, 4]"}, {{1, 4}, {3, 4}, "[3, 4]"}},
       "either side may be repeated, and both at once");
  hold({{{2, 3, 4}, {4}, "[2, 3, 4]"},
        {{2, 3, 4}, {3, 1}, "[2, 3, 4]"},
        {{3, 4}, {}, "[3, 4]"},
        {{}, {2}, "[2]"},
        {{4}, {2, 3, 4}, "[2, 3, 4]"}},
       "shapes are aligned at the last axis, and an axis that is missing gives way");
  hold({{{3, 4}, {3}, error}, {{2, 3}, {3, 2}, error}},
       "accepts sizes that differ and are not 1, or aligns at the first axis");
  hold({{{4}, {2}, error}, {{2, 8}, {2, 4}, error}, {{6, 3}, {2, 3}, error}},
       "accepts sizes that differ and are not 1: nothing is repeated a few times to fit");
  hold({{{2, 3, 4, 5}, {1, 1, 1, 5}, "[2, 3, 4, 5]"},
        {{1, 3, 4, 5}, {2, 1, 4, 1}, "[2, 3, 4, 5]"},
        {{2, 3, 4, 5}, {3, 3, 4, 5}, error}},
       "only the last three axes are compared");
  hold({{{1, 3, 4, 5, 6}, {2, 3, 1, 5, 1}, "[2, 3, 4, 5, 6]"},
        {{2, 3, 4, 5, 6}, {3, 3, 4, 5, 6}, error}},
       "only the last four axes are compared");
  hold({{{0}, {1}, "[0]"}, {{3, 0}, {3, 1}, "[3, 0]"}, {{2, 0}, {2, 3}, error}},
       "an axis of size 0 stays empty: 1 gives way to 0 too, and 0 does not fit 3");
}
