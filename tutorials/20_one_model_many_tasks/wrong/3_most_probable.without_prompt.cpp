// rejected: given the prompt
#include "tutorials/20_one_model_many_tasks/exercises.h"

std::size_t most_probable(const Gpt& model, const Tokens& prompt,
                          const std::vector<Tokens>& answers) {
  const NoGrad no_grad;
  std::vector<double> scores;
  for (const Tokens& answer : answers) {
    Tokens all = {prompt.back()};
    const Index t0 = std::ssize(prompt) - 1;
    all.insert(all.end(), answer.begin(), answer.end());
    const Index length = std::ssize(all) - 1;
    const Tensor logs = log_softmax(model(IndexTensor({1, length}, {all.begin(), all.end() - 1})));
    double score = 0;
    for (Index t = std::ssize(prompt) - 1; t - t0 < length; ++t) {
      score += double{logs.data()[(t - t0) * logs.size(-1) + all[std::size_t(t - t0 + 1)]]};
    }
    scores.push_back(score);
  }
  return std::size_t(std::max_element(scores.begin(), scores.end()) - scores.begin());
}
