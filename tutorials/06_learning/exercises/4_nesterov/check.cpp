#include "tutorials/common/check.h"

#include "tutorials/06_learning/exercises.h"

using namespace gradus;

CHECK_ANSWER() {
  for (const float scale : {1.f, 1e4f}) {
    for (const std::size_t n : {3u, 1u, 7u}) {
      Scalars w(n), right(n), v, rv(n);
      for (std::size_t i = 0; i < n; ++i) w[i] = right[i] = scale * float(i + 1);
      const float rate = 0.1f, momentum = 0.75f;
      for (int step = 1; step <= 3; ++step) {
        Scalars g(n);
        for (std::size_t i = 0; i < n; ++i) g[i] = scale * float(step * step) - float(i);
        const Scalars before = right, old = rv, given = g;
        my_nesterov(w, g, v, rate, momentum);
        if (v.size() != n)
          red("the velocity has the wrong size: it starts as zeros, one for each w");
        for (std::size_t i = 0; i < n; ++i) {
          rv[i] = momentum * old[i] + g[i];
          right[i] = before[i] - rate * (g[i] + momentum * rv[i]);
        }
        if (g != given) red("the gradient has changed");
        const Shape shape{Index(n)};
        const std::string name = "step " + std::to_string(step) + " of " + std::to_string(n) +
                                 " numbers of about " + std::to_string(int(scale));
        expect(name + ", w", tensor(shape, w), tensor(shape, right), "", 1e-4 * scale);
        expect(name + ", velocity", tensor(shape, v), tensor(shape, rv), "", 1e-4 * scale);
      }
    }
  }
}
