#include "tutorials/common/check.h"

#define GRADUS_DOUBLE
#include "pocket/gradcheck.h"

using gradus::green, gradus::red;
using namespace pocket;

namespace {

/// The message of the checker; empty if it passes.
std::string said(const TensorFunction& f, const std::vector<Tensor>& inputs,
                 const GradientCheck& options = {}) {
  return gradus::refusal([&] { check_gradient_at(f, inputs, options); }).value_or("");
}

void must_pass(const std::string& what, const TensorFunction& f, const std::vector<Tensor>& inputs,
               const GradientCheck& options = {}) {
  const std::string message = said(f, inputs, options);
  if (message.empty()) return green(what, " passes");
  red(what, ": the gradient is right, and your check says\n", message);
}

void must_fail(const std::string& what, const TensorFunction& f, const std::vector<Tensor>& inputs,
               const std::string& place, const GradientCheck& options = {}) {
  const std::string message = said(f, inputs, options);
  if (message.empty()) red(what, ": your check passes it");
  if (message.find(place) != std::string::npos) return green(what, " is found");
  red(what, ": the message must name ", place, ", got\n", message);
}

/// x * factor, whose gradient is dy * claimed, another number for each element.
TensorFunction scaled_by(Scalar factor, const Tensor& claimed) {
  return [=](const std::vector<Tensor>& x) {
    return record("scaled", x.at(0).detach() * factor, {x[0]},
                  [=](const Tensor& dy) -> Gradients { return {dy * claimed}; });
  };
}

}  // namespace

CHECK_ANSWER() {
  const Tensor x = tensor({{0.5, -1.25, 2}, {1, 0.75, -3}});
  const auto cube = [](const std::vector<Tensor>& x) { return x[0] * x[0] * x[0]; };
  must_pass("x * x * x", cube, {x});
  must_pass("x * x * x at about 1e3", cube, {x * 1000}, {.tolerance = 1e-5});
  const auto falling = [&](const std::vector<Tensor>& x) { return cube(x) * -1; };
  must_pass("-x * x * x at about 1e3", falling, {x * 1000}, {.tolerance = 1e-5});
  must_pass("0 * x", scaled_by(0, zeros({2, 3})), {x});
  const auto two = [](const std::vector<Tensor>& x) {
    return matmul(tanh(x.at(0)), tanh(x.at(1)));
  };
  must_pass("two arguments", two, {x, tensor({{1, 2}, {0.5, -1}, {-2, 3}})});
  const Tensor right = full({2, 3}, 2);
  Tensor at_last = right * 1, at_first = right * 1, none = right * 1;
  at_last.mutable_data()[5] = 2.001;
  at_first.mutable_data()[0] = 1.999;
  none.mutable_data()[3] = std::nan("");
  must_fail("a gradient that is too large in its last element", scaled_by(2, at_last), {x},
            "argument 0, element 5");
  must_fail("a gradient that is too small", scaled_by(2, at_first), {x}, "argument 0, element 0");
  must_fail("a gradient that is NaN", scaled_by(2, none), {x}, "argument 0, element 3");
  const auto second = [&](const std::vector<Tensor>& x) {
    return x.at(0) * scaled_by(2, at_last)({x[1]});
  };
  must_fail("a wrong second argument", second, {x, x}, "argument 1, element 5");
  const auto lost = [](const std::vector<Tensor>& x) { return x.at(0) * x.at(1).detach(); };
  must_fail("a second argument whose gradient is lost", lost, {x, x}, "argument 1, element 0");
  must_fail("x * x * x with a step of 0.1", cube, {x}, "argument 0, element 0", {.step = 0.1});
  must_pass("x * x * x with a step of 0.1 and a tolerance of 0.1", cube, {x},
            {.tolerance = 0.1, .step = 0.1});
  const std::string message = said(scaled_by(2, right * 2), {x});
  if (message.find("got 4") == std::string::npos || message.find("expected 2") > 200) {
    red("the message must say what was got and expected, it is\n", message);
  }
  const Tensor kept = x * 1;
  said(cube, {x});
  if (!std::equal(x.begin(), x.end(), kept.begin())) red("the inputs have changed");
  green("message, and inputs as they were");
}
