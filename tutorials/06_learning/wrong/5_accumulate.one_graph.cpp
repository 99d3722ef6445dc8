// rejected: graphs existed at a time
#include "tutorials/06_learning/exercises.h"

using namespace pocket;

void my_gradients(const std::vector<Tensor>& pieces,
                  const std::function<Tensor(const Tensor& x)>& mean_loss) {
  Index rows = 0;
  for (const Tensor& x : pieces) rows += x.size(0);
  Tensor total = scalar(0);
  for (const Tensor& x : pieces) {
    total = total + mean_loss(x) * (Scalar(x.size(0)) / Scalar(rows));
  }
  backward(total);
}
