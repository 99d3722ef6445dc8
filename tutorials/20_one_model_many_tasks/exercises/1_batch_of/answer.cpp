// A position is asked if the token after it belongs to the answer.
#include "tutorials/20_one_model_many_tasks/exercises.h"

Batch batch_of(const Rows& rows, bool everything) {
  std::size_t length = 0;
  for (const Row& row : rows) length = std::max(length, row.prompt.size() + row.answer.size() - 1);
  Tokens inputs, targets;
  for (const Row& row : rows) {
    Tokens all = row.prompt;
    all.insert(all.end(), row.answer.begin(), row.answer.end());
    for (std::size_t t = 0; t < length; ++t) {
      const bool real = t + 1 < all.size();  // a token comes after it
      const bool asked = everything || t + 1 >= row.prompt.size();
      inputs.push_back(real ? all[t] : kEnd);
      targets.push_back(real && asked ? all[t + 1] : kIgnored);
    }
  }
  const Shape shape{std::ssize(rows), Index(length)};
  return {IndexTensor(shape, inputs), IndexTensor(shape, targets)};
}
