// A sum of logarithms for each answer.
#include "tutorials/20_one_model_many_tasks/exercises.h"

std::size_t most_probable(const Gpt& model, const Tokens& prompt,
                          const std::vector<Tokens>& answers) {
  const NoGrad no_grad;
  std::vector<double> scores;
  for (const Tokens& answer : answers) {
    Tokens all = prompt;
    all.insert(all.end(), answer.begin(), answer.end());
    const Index length = std::ssize(all) - 1;
    const Tensor logs = log_softmax(model(IndexTensor({1, length}, {all.begin(), all.end() - 1})));
    double score = 0;
    for (Index t = std::ssize(prompt) - 1; t < length; ++t) {
      score += double{logs.data()[t * logs.size(-1) + all[std::size_t(t + 1)]]};
    }
    scores.push_back(score);
  }
  return std::size_t(std::max_element(scores.begin(), scores.end()) - scores.begin());
}
