#include "tutorials/common/check.h"

#include "pocket/tensor.h"

namespace {

using pocket::Shape, pocket::Strides;

std::string listed(const Strides& strides) {
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(strides.size(), 6); ++k)
    text += (text.empty() ? "" : " ") + std::to_string(strides[k]);
  if (strides.size() > 6) text += " ... " + std::to_string(strides.size()) + " in all";
  return "{" + text + "}";
}

/// What likely went wrong.
std::string cause_of(const Shape& shape, const Strides& got, const Strides& right) {
  const int rank = shape.rank();
  Strides own(rank, 1), next(rank, 1), first_fastest(rank, 1), bytes = right;
  for (int k = 0; k < rank; ++k) {
    own[k] = right[k] * shape[k];
    if (k + 1 < rank) next[k] = shape[k + 1];
    if (k > 0) first_fastest[k] = first_fastest[k - 1] * shape[k - 1];
    bytes[k] *= static_cast<pocket::Index>(sizeof(pocket::Scalar));
  }
  if (std::ssize(got) != rank)
    return "there is one stride for each axis: rank() counts axes, size() elements";
  if (got == first_fastest)
    return "the first axis is taken for the one whose neighbours touch; it is the last";
  if (got == own)
    return "the size of the axis itself was multiplied in; only later axes lie between neighbours";
  if (got == next) return "a stride is the product of all later sizes, not the next size alone";
  if (got == bytes) return "counted in bytes; a stride counts elements";
  if (got == Strides(shape.begin(), shape.end())) return "these are the sizes";
  if (Strides(got.rbegin(), got.rend()) == right) return "the strides are in reverse order";
  if (right[0] > 1'000'000'000)
    return "an int is too small for this product, and a float too coarse; Index is neither";
  return "the stride of an axis is the product of the sizes of all later axes";
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const std::vector<std::pair<Shape, Strides>> asked = {
        {{2, 3, 5, 7}, {105, 35, 7, 1}},
        {{2, 3, 5, 7, 11}, {1155, 385, 77, 11, 1}},
        {{2, 3, 4}, {12, 4, 1}},
        {{3, 1}, {1, 1}},
        {{6}, {1}},
        {{}, {}},
        {{3, 100'001, 100'003}, {10'000'400'003, 100'003, 1}}};
    for (const auto& [shape, right] : asked) {
      const Strides got = pocket::strides_of(shape);
      std::ostringstream what;
      what << shape << ": got " << listed(got);
      if (got != right) {
        gradus::red(what.str() + ", expected " + listed(right) +
                    "\nlikely cause: " + cause_of(shape, got, right));
      }
      gradus::green(what.str());
    }
  });
}
