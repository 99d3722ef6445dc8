#include "nn/module.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

std::vector<NamedTensor> trainable(const std::vector<NamedTensor>& parameters) {
  std::vector<NamedTensor> those;
  std::ranges::copy_if(parameters, std::back_inserter(those),
                       [](const NamedTensor& named) { return named.tensor.requires_grad(); });
  return those;
}

Index count(const std::vector<NamedTensor>& parameters) {
  Index total = 0;
  for (const NamedTensor& parameter : parameters) {
    total += parameter.tensor.size();
  }
  return total;
}

std::string not_finite(const Tensor& x) {
  constexpr Scalar kLargest = std::numeric_limits<Scalar>::max();
  const auto is_finite = [](Scalar value) { return std::abs(value) <= kLargest; };
  Index others = 0;
  for (const Scalar value : x) {  // no early exit, so that the compiler vectorises the loop
    others += is_finite(value) ? 0 : 1;
  }
  if (others == 0) {
    return "";
  }
  const Scalar* place = std::find_if_not(x.begin(), x.end(), is_finite);
  Index rest = place - x.begin();
  std::string numbers;
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    numbers = text(rest % x.size(axis), numbers.empty() ? "" : ", ", numbers);
    rest /= x.size(axis);
  }
  const char* name = std::isnan(*place) ? "NaN" : *place > 0 ? "inf" : "-inf";
  return numbers.empty() ? name : text(name, " at [", numbers, "]");
}

void detail::require_numbers(const char* what, std::span<const Scalar> computed) {
  constexpr Scalar kLargest = std::numeric_limits<Scalar>::max();
  for (const Scalar value : computed) {
    if (!(value <= kLargest)) {
      throw std::runtime_error(text(what, " are ", std::isnan(value) ? "NaN" : "infinite",
                                    ": the weights are too large (train the model again)"));
    }
  }
}

std::string summary(const std::vector<NamedTensor>& parameters) {
  std::size_t name_width = 9;  // the headings' widths
  std::size_t shape_width = 5;
  for (const auto& [name, tensor, role] : parameters) {
    name_width = std::max(name_width, name.size());
    shape_width = std::max(shape_width, text(tensor.shape()).size());
  }
  std::ostringstream table;
  const auto row = [&](const std::string& name, const std::string& shape, const auto& number) {
    table << std::left << std::setw(static_cast<int>(name_width) + 2) << name
          << std::setw(static_cast<int>(shape_width) + 2) << shape << std::right << std::setw(12)
          << number << '\n';
  };
  row("parameter", "shape", "numbers");
  for (const auto& [name, tensor, role] : parameters) {
    row(name, text(tensor.shape()), tensor.size());
  }
  row("total", "", count(parameters));
  return table.str();
}

}  // namespace gradus
