#include "nn/module.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

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

std::string summary(const std::vector<NamedTensor>& parameters) {
  std::size_t name_width = 9;  // of the headings
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
