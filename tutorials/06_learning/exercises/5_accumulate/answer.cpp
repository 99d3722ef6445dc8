// Leaves accumulate, so the pieces add up by themselves. Each counts by its share of the rows.
#include "tutorials/06_learning/exercises.h"

using namespace pocket;

void my_gradients(const std::vector<Tensor>& pieces,
                  const std::function<Tensor(const Tensor& x)>& mean_loss) {
  Index rows = 0;
  for (const Tensor& x : pieces) rows += x.size(0);
  for (const Tensor& x : pieces) {
    backward(mean_loss(x) * (static_cast<Scalar>(x.size(0)) / static_cast<Scalar>(rows)));
  }
}
