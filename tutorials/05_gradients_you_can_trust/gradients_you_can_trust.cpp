// Chapter 05: gradients held against finite differences, in double.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/gradcheck.h"
#include "autograd/more/activation.h"
#include "autograd/more/functions.h"
#include "autograd/more/random.h"
#include "autograd/more/selection.h"
#include "autograd/more/views.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

// [differences]
template <class T>
T forward_difference(auto f, T x, T h) {
  const T above = x + h;
  return (f(above) - f(x)) / (above - x);  // the step as it was taken
}

template <class T>
T central_difference(auto f, T x, T h) {
  const T above = x + h, below = x - h;
  return (f(above) - f(below)) / (above - below);
}
// [differences]

/// What the library's check uses: two central differences, combined so that their errors cancel.
template <class T>
T four_points(auto f, T x, T h) {
  return (4 * central_difference(f, x, h) - central_difference(f, x, 2 * h)) / 3;
}

// Two formulas, four steps.
void steps() {
  const Part part("steps");
  std::printf("the slope of e^x at 1 is %.8f\n", std::exp(1.0));
  std::printf("step     forward difference   error     central difference   error\n");
  const auto f = [](double x) { return std::exp(x); };
  for (const double h : {0.1, 0.01, 0.001, 0.0001}) {
    const double forward = forward_difference(f, 1.0, h), central = central_difference(f, 1.0, h);
    std::printf("%-7g %14.8f %14.1e %17.8f %14.1e\n", h, forward, forward - f(1), central,
                central - f(1));
  }
}

// What is left of two values that are nearly alike.
void cancellation() {
  const Part part("cancellation");
  // [cancellation]
  const auto by_step = [](auto x, auto h) {  // in float or in double
    const auto near = std::exp(x), far = std::exp(x + h);
    std::printf("%.7f - %.7f = %.9f", far, near, far - near);
    std::printf(", over the step: %.4f\n", (far - near) / ((x + h) - x));
  };
  by_step(1.0f, 0.00001f);
  by_step(1.0, 0.00001);
  // [cancellation]
}

/// The mean relative error of a difference formula over a hundred places in [0, 1).
template <class T>
double mean_error(T (*difference)(T (*)(T), T, T), double h) {
  double total = 0;
  for (int i = 0; i < 100; ++i) {
    const T x = static_cast<T>(i + 0.37) / 100;
    const double slope = std::exp(static_cast<double>(x));
    const T got = difference([](T at) { return std::exp(at); }, x, static_cast<T>(h));
    total += std::abs(static_cast<double>(got) - slope) / slope;
  }
  return total / 100;
}

double float_forward(double h) { return mean_error<float>(forward_difference, h); }
double float_central(double h) { return mean_error<float>(central_difference, h); }
double double_forward(double h) { return mean_error<double>(forward_difference, h); }
double double_central(double h) { return mean_error<double>(central_difference, h); }
double double_four_points(double h) { return mean_error<double>(four_points, h); }

/// The error over steps from 10^-1 down to 10^last, `per_decade` of them to a decade.
Series curve(const char* name, double (*error)(double), int last, int per_decade) {
  Series series{name, {}, {}};
  for (int i = per_decade; i <= -last * per_decade; ++i) {
    const double h = std::pow(10.0, -static_cast<double>(i) / per_decade);
    const double e = error(h);
    if (e > 0 && std::isfinite(e)) series.x.push_back(h), series.y.push_back(e);
  }
  return series;
}

// The error against the step, in float and double.
void v_curves() {
  const Part part("v_curves");
  std::printf("step     float, forward   central   double, forward   central   four points\n");
  for (int i = 1; i <= 14; ++i) {
    const double h = std::pow(10.0, -i);
    std::printf("1e-%02d", i);
    if (i <= 7) {
      std::printf(" %14.0e %11.0e", float_forward(h), float_central(h));
    } else {
      std::printf(" %14s %11s", "0 / 0", "0 / 0");
    }
    std::printf(" %15.0e %11.0e %11.0e\n", double_forward(h), double_central(h),
                double_four_points(h));
  }
  plot_lines(
      "v_curves",
      {.title = "Smaller steps, larger errors",
       .x = "step",
       .y = "relative error",
       .log_x = true,
       .log_y = true},
      {curve("float, forward", float_forward, -6, 4), curve("float, central", float_central, -6, 4),
       curve("double, forward", double_forward, -14, 4),
       curve("double, central", double_central, -14, 4),
       curve("double, four points", double_four_points, -14, 4)});
  const Series measured = curve("central difference, double", double_central, -14, 4);
  Series truncation{"truncation: h^2 / 6", {}, {}}, rounding{"rounding: epsilon / (2 h)", {}, {}};
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (const double h : measured.x) {
    if (h > 1e-8) truncation.x.push_back(h), truncation.y.push_back(h * h / 6);
    rounding.x.push_back(h), rounding.y.push_back(epsilon / (2 * h));
  }
  plot_lines("two_errors",
             {.title = "Two errors, one V",
              .x = "step",
              .y = "relative error",
              .log_x = true,
              .log_y = true},
             {measured, truncation, rounding});
}

// The step that theory names, and the best that was found.
void best_steps() {
  const Part part("best_steps");
  std::printf("                  step in theory   best step found   error there\n");
  const auto row = [](const char* name, double theory, double (*error)(double), int last) {
    const Series all = curve(name, error, last, 4);
    const auto best = std::ranges::min_element(all.y) - all.y.begin();
    std::printf("%-16s %15.0e %17.0e %13.0e\n", name, theory, all.x[static_cast<std::size_t>(best)],
                all.y[static_cast<std::size_t>(best)]);
  };
  const double single = std::numeric_limits<float>::epsilon();
  const double twice = std::numeric_limits<double>::epsilon();
  row("float, forward", std::sqrt(single), float_forward, -6);
  row("float, central", std::cbrt(single), float_central, -6);
  row("double, forward", std::sqrt(twice), double_forward, -14);
  row("double, central", std::cbrt(twice), double_central, -14);
  row("four points", std::pow(twice, 0.2), double_four_points, -14);
}

// [checker]
// The largest error of f's gradient at x, for the loss L = sum(w f(x)).
using Function = std::function<Tensor(const Tensor&)>;
double largest_error(const Function& f, const Tensor& x, const Tensor& w) {
  Tensor leaf = x.clone().set_requires_grad();
  backward(f(leaf), w);  // w is dL/dy
  double largest = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const auto loss = [&](double by) {
      const Tensor moved = x.clone();
      moved.mutable_data()[i] += by;
      return sum(w * f(moved)).item();
    };
    const double h = 1e-5 * std::max(1.0, std::abs(x.data()[i]));
    const double expected = (loss(h) - loss(-h)) / (2 * h);
    const double error = std::abs(leaf.grad().data()[i] - expected);
    largest = std::max(largest, error / std::max(1.0, std::abs(expected)));
  }
  return largest;
}
// [checker]

/// Numbers of either sign and none near 0, as weights of a loss.
Tensor weights(const Shape& shape) {
  Tensor w = uniform(shape, {.seed = 17}, -1, 1);
  return where(greater(w, 0), w + 0.5, w - 0.5);
}

const char* verdict(double error) {
  static char text[40];
  if (error < 1e-7) return "passes";
  std::snprintf(text, sizeof text, "is off by %.2f", error);
  return text;
}

// [forgetful]
// The softmax of each row of x, with a factor of its gradient forgotten.
Tensor forgetful_softmax(const Tensor& x) {
  const Tensor e = exp(x.detach());
  const Tensor y = e / sum(e, -1, {.keepdim = true});
  return record("softmax", y.clone(), {x}, [y](const Tensor& dy) -> Gradients {
    return {dy - sum(dy * y, -1, {.keepdim = true})};  // y * (...) is right
  });
}
// [forgetful]

// A loss that hides a fault, and one that shows it.
void loss_that_hides() {
  const Part part("loss_that_hides");
  const Tensor x = normal({2, 3}, {.seed = 1});
  std::printf("loss is the plain sum of y: %s\n",
              verdict(largest_error(forgetful_softmax, x, ones({2, 3}))));
  std::printf("loss with random weights:   %s\n",
              verdict(largest_error(forgetful_softmax, x, weights({2, 3}))));
}

// [faulty]
// The mean of each row, [M, N] to [M, 1], with a fault.
Tensor row_mean(const Tensor& x) {
  const Tensor y = mean(x.detach(), -1, {.keepdim = true});
  const auto gradient = [shape = x.shape()](const Tensor& dy) -> Gradients {
    const Index n = shape[0];  // shape[1] is right
    return {broadcast_to(dy / static_cast<Scalar>(n), shape)};
  };
  return record("row_mean", y, {x}, gradient);
}

// x + b, with a fault.
Tensor add_bias(const Tensor& x, const Tensor& b) {
  const auto gradient = [](const Tensor& dy) -> Gradients {
    return {dy, dy};  // {sum_to(dy, x.shape()), sum_to(dy, b.shape())} is right
  };
  return record("add_bias", x.detach() + b.detach(), {x, b}, gradient);
}

// x times one number s, of shape [], with a fault.
Tensor scaled(const Tensor& x, const Tensor& s) {
  const auto gradient = [s = s.detach()](const Tensor& dy) -> Gradients {
    return {dy * s, sum(dy)};  // sum(dy * x) is right
  };
  return record("scaled", x.detach() * s.detach(), {x, s}, gradient);
}
// [faulty]

// Three wrong gradients, each right somewhere.
void one_shape() {
  const Part part("one_shape");
  const auto row = [](const char* what, const std::function<double()>& error) {
    try {
      std::printf("%-30s %s\n", what, verdict(error()));
    } catch (const std::invalid_argument& message) {
      std::printf("%-30s an error:\n  %s\n", what, message.what());
    }
  };
  const Tensor square = normal({3, 3}, {.seed = 1}), wide = normal({2, 3}, {.seed = 2});
  row("row_mean, x [3, 3]", [&] { return largest_error(row_mean, square, weights({3, 1})); });
  row("row_mean, x [2, 3]", [&] { return largest_error(row_mean, wide, weights({2, 1})); });
  const auto by_bias = [&](const Tensor& b) { return add_bias(wide, b); };
  row("add_bias, x and b [2, 3]", [&] { return largest_error(by_bias, wide, weights({2, 3})); });
  row("add_bias, x [2, 3], b [3]", [&] {
    return largest_error(by_bias, normal({3}, {.seed = 3}), weights({2, 3}));
  });
  row("scaled, x all 1", [&] {
    return largest_error(
        [](const Tensor& s) {
          return scaled(ones({2, 3}), s);
        },
        scalar(0.7), weights({2, 3}));
  });
  row("scaled, x random", [&] {
    return largest_error([&](const Tensor& s) { return scaled(wide, s); }, scalar(0.7),
                         weights({2, 3}));
  });
}

// What undoes a broadcast.
void broadcasts() {
  const Part part("broadcasts");
  // [broadcasts]
  const Tensor dy = tensor({{1, 2, 3}, {10, 20, 30}});     // [2, 3]
  const Tensor of_row = sum(dy, 0);                        // for b [3]
  const Tensor of_column = sum(dy, 1, {.keepdim = true});  // for b [2, 1]
  const Tensor of_number = sum(dy);                        // for b []
  // [broadcasts]
  std::printf("b [3]:    %g %g %g\n", of_row.at({0}), of_row.at({1}), of_row.at({2}));
  std::printf("b [2, 1]: %g %g\n", of_column.at({0, 0}), of_column.at({1, 0}));
  std::printf("b []:     %g\n", of_number.item());
  const Tensor x = zeros({2, 3});
  const auto gradient = [&](const Shape& shape) {
    Tensor b = zeros(shape).set_requires_grad();
    backward(x + b, dy);
    return b.grad();
  };
  must_equal("b [3], by the engine", of_row, gradient({3}));
  must_equal("b [2, 1], by the engine", of_column, gradient({2, 1}));
  must_equal("b [], by the engine", of_number, gradient({}));
  must_equal(
      "sum_to, all three",
      concat({sum_to(dy, {3}), reshape(sum_to(dy, {2, 1}), {2}), reshape(sum_to(dy, {}), {1})}, 0),
      concat({of_row, reshape(of_column, {2}), reshape(of_number, {1})}, 0));
}

// Where there is no slope.
void kink() {
  const Part part("kink");
  const auto f = [](double x) { return std::max(x, 0.0); };
  const double h = 0.1;
  std::printf("relu, step 0.1\n    x   from the left   central   from the right   gradient\n");
  for (const double x : {-0.2, -0.05, 0.0, 0.05, 0.2}) {
    Tensor leaf = scalar(x).set_requires_grad();
    backward(relu(leaf));
    std::printf("%5.2f %15.2f %9.2f %16.2f %10.2f\n", x, std::abs(forward_difference(f, x, -h)),
                central_difference(f, x, h), forward_difference(f, x, h), leaf.grad().item());
  }
  try {
    check_gradient_at([](const auto& x) { return relu(x[0]); }, {tensor({-1, 0, 1})});
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    std::printf("%s ...\n", message.substr(0, message.find(" by central")).c_str());
  }
  Series central{"central difference, step 0.1", {}, {}}, gradient{"gradient", {}, {}};
  for (int i = -60; i <= 60; ++i) {
    const double x = i * 0.005;
    central.x.push_back(x), central.y.push_back(central_difference(f, x, h));
    gradient.x.push_back(x), gradient.y.push_back(x > 0 ? 1 : 0);
  }
  plot_lines("kink", {.title = "The slope of relu, by two ways", .x = "x", .y = "slope"},
             {central, gradient});
}

/// An op, at shapes and in a range where it has a slope.
struct Row {
  const char* name;
  TensorFunction f;
  std::vector<Shape> shapes;
  double low = -2, high = 2;
};

std::vector<Row> all_ops() {
  const IndexTensor mask = greater(normal({2, 3}, {.seed = 5}), 0);
  // [rows]
  return {
      {"a + b", [](const auto& x) { return x[0] + x[1]; }, {{2, 3}, {3}}},
      {"a - b", [](const auto& x) { return x[0] - x[1]; }, {{2, 1}, {2, 3}}},
      {"a * b", [](const auto& x) { return x[0] * x[1]; }, {{2, 3, 5}, {3, 1}}},
      {"a / b", [](const auto& x) { return x[0] / x[1]; }, {{2, 3}, {}}, 0.5, 2},
      // [rows]
      {"-x", [](const auto& x) { return -x[0]; }, {{2, 3}}},
      {"3 - x / 2", [](const auto& x) { return 3 - x[0] / 2; }, {{2, 3}}},
      {"1 / x", [](const auto& x) { return 1 / x[0]; }, {{2, 3}}, 0.5, 2},
      {"pow, exponent 3", [](const auto& x) { return pow(x[0], 3); }, {{2, 3}}},
      {"abs", [](const auto& x) { return abs(x[0]); }, {{2, 3}}},
      {"maximum", [](const auto& x) { return maximum(x[0], x[1]); }, {{2, 3}, {3}}},
      {"exp", [](const auto& x) { return exp(x[0]); }, {{2, 3}}},
      {"log", [](const auto& x) { return log(x[0]); }, {{2, 3}}, 0.5, 2},
      {"sqrt", [](const auto& x) { return sqrt(x[0]); }, {{2, 3}}, 0.5, 2},
      {"tanh", [](const auto& x) { return tanh(x[0]); }, {{2, 3}}},
      {"sigmoid", [](const auto& x) { return sigmoid(x[0]); }, {{2, 3}}},
      {"relu", [](const auto& x) { return relu(x[0]); }, {{2, 3}}},
      {"relu_squared", [](const auto& x) { return relu_squared(x[0]); }, {{2, 3}}},
      {"gelu", [](const auto& x) { return gelu(x[0]); }, {{2, 3}}},
      {"gelu_erf", [](const auto& x) { return gelu_erf(x[0]); }, {{2, 3}}},
      {"silu", [](const auto& x) { return silu(x[0]); }, {{2, 3}}},
      {"sum, one axis", [](const auto& x) { return sum(x[0], 1); }, {{2, 3, 5}}},
      {"mean, two axes",
       [](const auto& x) {
         return mean(x[0], {0, 2});
       },
       {{2, 3, 5}}},
      {"max", [](const auto& x) { return max(x[0], -1); }, {{2, 3}}},
      {"variance", [](const auto& x) { return variance(x[0], -1); }, {{2, 3}}},
      {"sum_to",
       [](const auto& x) {
         return sum_to(x[0], {3, 1});
       },
       {{2, 3, 5}}},
      {"broadcast_to",
       [](const auto& x) {
         return broadcast_to(x[0], {2, 3, 5});
       },
       {{3, 1}}},
      {"reshape",
       [](const auto& x) {
         return reshape(x[0], {3, 2});
       },
       {{2, 3}}},
      {"transpose", [](const auto& x) { return transpose(x[0]); }, {{2, 3, 5}}},
      {"permute",
       [](const auto& x) {
         return permute(x[0], {2, 0, 1});
       },
       {{2, 3, 5}}},
      {"concat",
       [](const auto& x) {
         return concat({x[0], x[1]}, 1);
       },
       {{2, 3}, {2, 5}}},
      {"stack",
       [](const auto& x) {
         return stack({x[0], x[1]}, 0);
       },
       {{2, 3}, {2, 3}}},
      {"slice", [](const auto& x) { return slice(x[0], 1, 1, 4); }, {{2, 5}}},
      {"split",
       [](const auto& x) {
         return split(x[0], {2, 3}, 1)[1];
       },
       {{2, 5}}},
      {"pad", [](const auto& x) { return pad(x[0], 1, 2, 1); }, {{2, 3}}},
      {"where", [mask](const auto& x) { return where(mask, x[0], x[1]); }, {{2, 3}, {3}}},
      {"masked_fill", [mask](const auto& x) { return masked_fill(x[0], mask, 7); }, {{2, 3}}},
      {"matmul", [](const auto& x) { return matmul(x[0], x[1]); }, {{2, 3}, {3, 5}}},
      {"matmul, b turned",
       [](const auto& x) { return matmul(x[0], x[1], {.b = true}); },
       {{7, 2, 3}, {5, 3}}},
      {"linear", [](const auto& x) { return linear(x[0], x[1], x[2]); }, {{2, 3}, {3, 5}, {5}}},
  };
}

// Every op so far, by the chapter's checker and by the library's.
void table() {
  const Part part("table");
  std::printf("op                 shapes                slopes   largest error\n");
  const std::vector<Row> rows = all_ops();
  Index slopes = 0;
  double largest = 0;
  for (const Row& row : rows) {
    std::vector<Tensor> inputs;
    for (const Shape& shape : row.shapes) {
      inputs.push_back(uniform(shape,
                               {.seed = 23, .place = static_cast<std::uint32_t>(inputs.size())},
                               row.low, row.high));
    }
    const Tensor w = weights(row.f(inputs).shape());
    Index here = 0;
    double error = 0;
    std::string shapes;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const auto of_one = [&](const Tensor& x) {
        std::vector<Tensor> arguments = inputs;
        arguments[k] = x;
        return row.f(arguments);
      };
      error = std::max(error, largest_error(of_one, inputs[k], w));
      here += inputs[k].size();
      shapes += (k > 0 ? " " : "") + detail::text(inputs[k].shape());
    }
    check_gradient(row.f, row.shapes, {.low = row.low, .high = row.high});  // throws if it is off
    std::printf("%-18s %-22s %5d   %s\n", row.name, shapes.c_str(), static_cast<int>(here),
                error < 1e-8 ? "below 1e-8" : verdict(error));
    slopes += here;
    largest = std::max(largest, error);
  }
  std::printf("%d ops, %d slopes: %s, here and by check_gradient()\n",
              static_cast<int>(rows.size()), static_cast<int>(slopes),
              largest < 1e-8 ? "all right" : "NOT all right");
  if (largest >= 1e-8) std::exit(1);
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  steps();
  cancellation();
  v_curves();
  best_steps();
  loss_that_hides();
  one_shape();
  broadcasts();
  kink();
  table();
}
