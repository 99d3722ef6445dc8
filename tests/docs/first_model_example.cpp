// The program of docs/first_model.md. programs_test.py checks that the page, this code and its
// output agree.

// [example]
#include <cmath>
#include <cstdio>

#include "gradus/nn.h"

using namespace gradus;

struct Net {
  KeySequence keys{1};
  Linear hidden{2, 32, keys}, out{32, 2, keys};
  Tensor operator()(const Tensor& x) const { return out(tanh(hidden(x))); }
  void fields(auto&& f) { f("hidden", hidden), f("out", out); }
};

int main() {
  std::vector<Scalar> points;
  std::vector<int> labels;
  for (int i = 0; i < 200; ++i) {  // two spirals, a point of each in turn
    const double r = 0.1 + 0.005 * i, angle = 6 * r + 3.14159 * (i % 2);
    points.insert(points.end(), {Scalar(r * std::cos(angle)), Scalar(r * std::sin(angle))});
    labels.push_back(i % 2);
  }
  const Tensor x = tensor({200, 2}, points);
  const IndexTensor y = indices(labels);
  Net net;
  AdamW optimiser(parameters(net), {.learning_rate = 0.02});
  for (int step = 0; step <= 400; ++step) {
    const Tensor loss = cross_entropy(net(x), y);
    if (step % 200 == 0) std::printf("step %d: loss %.2f\n", step, loss.item());
    optimiser.zero_grad();
    backward(loss);
    optimiser.step();
  }
  const IndexTensor found = argmax(net(x), -1);
  int right = 0;
  for (int i = 0; i < 200; ++i) right += found.data()[i] == y.data()[i];
  std::printf("%d of 200 points are right\n", right);
}
// [example]
