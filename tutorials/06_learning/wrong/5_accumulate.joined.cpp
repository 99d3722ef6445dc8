// rejected: room for the largest piece alone
#include "tutorials/06_learning/exercises.h"

using namespace pocket;

void my_gradients(const std::vector<Tensor>& pieces,
                  const std::function<Tensor(const Tensor& x)>& mean_loss) {
  std::vector<Scalar> numbers;
  for (const Tensor& x : pieces) numbers.insert(numbers.end(), x.begin(), x.end());
  const Index columns = pieces[0].size(1);
  backward(mean_loss(tensor({Index(numbers.size()) / columns, columns}, numbers)));
}
