// rejected: the mean of means counts
#include "tutorials/06_learning/exercises.h"

using namespace pocket;

void my_gradients(const std::vector<Tensor>& pieces,
                  const std::function<Tensor(const Tensor& x)>& mean_loss) {
  for (const Tensor& x : pieces) backward(mean_loss(x) / Scalar(pieces.size()));
}
