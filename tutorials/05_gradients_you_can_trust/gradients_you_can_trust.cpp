// Chapter 05: gradients compared with finite differences, in double.
#include <random>

#include "figures.h"
#include "pocket/gradcheck.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using namespace pocket;
using namespace course;

// [wrong_tanh]
// tanh. Its slope is 1 - y * y; this gradient has a slip.
Tensor wrong_tanh(const Tensor& x) {
  return map(
      "tanh", x, [](Scalar v) { return std::tanh(v); }, [](Scalar, Scalar y) { return 1 - y; });
}
// [wrong_tanh]

// [numbers]
// Numbers in [-1, 1) without a pattern. Chapter 06 writes such a function for pocket.
Tensor numbers(const Shape& shape, unsigned seed) {
  std::mt19937 random(seed);
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = random() * 0x1p-31 - 1;
  return x;
}
// [numbers]

// [train]
using Function = std::function<Tensor(const Tensor&)>;

// The loss of a network with sixteen hidden numbers after 2000 steps on y = sin(3 x).
double trained_loss(const Function& activation, unsigned seed) {
  const Tensor x = numbers({40, 1}, 0);
  Tensor target(x.shape());
  for (Index i = 0; i < 40; ++i) target.mutable_data()[i] = std::sin(3 * x.data()[i]);
  std::vector<Tensor> weights{numbers({1, 16}, seed), zeros({16}), numbers({16, 1}, seed + 50),
                              zeros({1})};
  for (Tensor& w : weights) w.set_requires_grad();
  for (int step = 0;; ++step) {
    const Tensor hidden = activation(matmul(x, weights[0]) + weights[1]);
    const Tensor error = matmul(hidden, weights[2]) + weights[3] - target;
    const Tensor loss = mean(error * error);
    if (step == 2000) return loss.item();
    backward(loss);
    for (Tensor& w : weights) {
      for (Index i = 0; i < w.size(); ++i) w.mutable_data()[i] -= 0.05 * w.grad().data()[i];
      w.zero_grad();
    }
  }
}
// [train]

// [wrong_gradients_learn]
void wrong_gradients_learn() {
  const Part part("wrong_gradients_learn");
  std::printf("loss after 2000 steps, five seeds    mean   from      to\n");
  const auto row = [](const char* name, const Function& activation) {
    std::vector<double> losses;
    for (unsigned seed = 1; seed <= 5; ++seed) losses.push_back(trained_loss(activation, seed));
    const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / 5;
    const auto [least, most] = std::ranges::minmax(losses);
    std::printf("%-34s %.4f %.4f  %.4f\n", name, mean, least, most);
  };
  row("no activation: the best line", [](const Tensor& x) { return x; });
  row("a slip in the slope of tanh", wrong_tanh);
  row("the right slope", [](const Tensor& x) { return tanh(x); });
}
// [wrong_gradients_learn]

// [verdict]
// "passes", or the checker's message.
std::string verdict(const TensorFunction& f, const std::vector<Tensor>& inputs,
                    const GradientCheck& options = {}) {
  try {
    check_gradient_at(f, inputs, options);
    return "passes";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}
// [verdict]

// [first_check]
void first_check() {
  const Part part("first_check");
  const auto right = [](const auto& x) { return tanh(x[0]); };
  const auto wrong = [](const auto& x) { return wrong_tanh(x[0]); };
  std::printf("tanh:       %s\n", verdict(right, {tensor({-1, 0.5, 2})}).c_str());
  std::printf("wrong_tanh: %s\n", verdict(wrong, {tensor({-1, 0.5, 2})}).c_str());
}
// [first_check]

// [every_op]
void every_op() {
  const Part part("every_op");
  const auto row = [](const char* name, const TensorFunction& f, const std::vector<Shape>& shapes) {
    std::vector<Tensor> x;
    for (const Shape& shape : shapes) x.push_back(numbers(shape, 1 + unsigned(x.size())));
    std::printf("%-10s %s\n", name, verdict(f, x).c_str());
  };
  row("a + b", [](const auto& x) { return x[0] + x[1]; }, {{2, 3}, {3}});
  row("a - b", [](const auto& x) { return x[0] - x[1]; }, {{2, 1}, {2, 3}});
  const auto slip = [](const auto& x) {
    return record("minus", x[0].detach() - x[1].detach(), {x[0], x[1]},
                  [](const Tensor& dy) -> Gradients {
                    return {dy, dy};
                  });
  };
  row("with slip", slip, {{2, 3}, {2, 3}});
  row("a * b", [](const auto& x) { return x[0] * x[1]; }, {{2, 3, 5}, {3, 1}});
  row("x / 4 + 3", [](const auto& x) { return x[0] / 4 + 3; }, {{2, 3}});
  row("tanh", [](const auto& x) { return tanh(x[0]); }, {{2, 3}});
  row("mean", [](const auto& x) { return mean(x[0]); }, {{2, 3}});
  row("sum_to", [](const auto& x) { return sum_to(x[0], {3, 1}); }, {{2, 3, 5}});
  row("reshape", [](const auto& x) { return reshape(x[0], {3, -1}); }, {{2, 3}});
  row("a b", [](const auto& x) { return matmul(x[0], x[1]); }, {{7, 2, 3}, {3, 5}});
  row("a^T b", [](const auto& x) { return matmul(x[0], x[1], {.a = true}); }, {{3, 2}, {3, 5}});
  row("a b^T", [](const auto& x) { return matmul(x[0], x[1], {.b = true}); }, {{2, 3}, {5, 3}});
  const Transposed both{true, true};
  row("a^T b^T", [=](const auto& x) { return matmul(x[0], x[1], both); }, {{3, 2}, {5, 3}});
  row("x, 3 times", [](const auto& x) { return tanh(x[0] * x[0]) + x[0]; }, {{2, 3}});
}
// [every_op]

// [tiny_step]
void tiny_step() {
  const Part part("tiny_step");
  const auto f = [](const auto& x) { return tanh(x[0]); };
  for (const double h : {1e-1, 1e-5, 1e-12}) {
    std::printf("step %g: %s\n", h, verdict(f, {tensor({-1, 0.5, 2})}, {.step = h}).c_str());
  }
}
// [tiny_step]

// [v_curve]
// The mean error of central differences of e^x, relative to its slope e^x, at a hundred places.
template <class Number>
double central_error(Number h) {
  double total = 0;
  for (int i = 0; i < 100; ++i) {
    const Number x = Number(i) / 100, slope = (std::exp(x + h) - std::exp(x - h)) / (2 * h);
    total += std::abs(double(slope / std::exp(x)) - 1);
  }
  return total / 100;
}

void v_curve() {
  const Part part("v_curve");
  std::printf("  step   error in float   error in double\n");
  for (double h = 1e-1; h > 1e-10; h /= 10) {
    std::printf("%6.0e   %14.0e   %15.0e\n", h, central_error(float(h)), central_error(h));
  }
  double least = 1;  // error in float, over many steps
  for (float h = 0.1f; h > 1e-5f; h /= 1.2f) least = std::min(least, central_error(h));
  std::printf("float, best step   %.0e\n", least);
  draw_v_curve(central_error<float>, central_error<double>);
}
// [v_curve]

// [cancellation]
void cancellation() {
  const Part part("cancellation");
  const float x = 1, h = 1e-5f, above = std::exp(x + h), below = std::exp(x - h);
  std::printf("%.7f - %.7f = %.7f\n", above, below, above - below);
  std::printf("over 2h: %.7f, and e is %.7f\n", (above - below) / (2 * h), std::exp(1.0));
}
// [cancellation]

// [blind_loss]
// Each number's share of the whole, y = x / sum(x). Its gradient lacks a factor.
Tensor shares(const Tensor& x) {
  const Scalar total = sum(x.detach()).item();
  const Tensor y = x.detach() / total;
  return record("shares", y, {x}, [y](const Tensor& dy) -> Gradients {
    return {dy - sum(dy * y)};  // right: (dy - sum(dy * y)) / total
  });
}

void blind_loss() {
  const Part part("blind_loss");
  const auto plain = [](const auto& x) { return sum(shares(x[0])); };
  const auto weighted = [](const auto& x) { return shares(x[0]); };
  std::printf("plain sum:     %s\n", verdict(plain, {tensor({1, 2, 5})}).c_str());
  std::printf("weighted loss: %s\n", verdict(weighted, {tensor({1, 2, 5})}).c_str());
}
// [blind_loss]

// [one_place]
// The mean of each row, [M, N] to [M, 1].
Tensor row_mean(const Tensor& x) {
  const Index m = x.size(0), n = x.size(1);
  const Tensor y = sum_to(x.detach(), {m, 1}) / Scalar(n);
  return record("row_mean", y, {x}, [=](const Tensor& dy) -> Gradients {
    return {dy / Scalar(m) + zeros({m, n})};  // right: dy / n
  });
}

void one_place() {
  const Part part("one_place");
  const auto f = [](const auto& x) { return row_mean(x[0]); };
  std::printf("x [3, 3]: %s\n", verdict(f, {numbers({3, 3}, 1)}).c_str());
  std::printf("x [2, 3]: %s\n", verdict(f, {numbers({2, 3}, 1)}).c_str());
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  wrong_gradients_learn(), first_check(), every_op();
  tiny_step(), v_curve(), cancellation();
  blind_loss(), one_place();
}
// [one_place]
