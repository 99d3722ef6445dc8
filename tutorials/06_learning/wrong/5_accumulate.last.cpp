// rejected: that is the last piece alone
#include "tutorials/06_learning/exercises.h"

using namespace pocket;

void my_gradients(const std::vector<Tensor>& pieces,
                  const std::function<Tensor(const Tensor& x)>& mean_loss) {
  backward(mean_loss(pieces.back()));
}
