// rejected: weighs short tokens too much
#include "tutorials/17_tokens/exercises.h"

double bits_per_byte(const Tensor& logits, const IndexTensor& targets,
                     const std::vector<std::string>& pieces) {
  const Tensor logs = log_softmax(logits);
  double ratios = 0, count = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    const std::int32_t token = targets.data()[i];
    if (token < 0) continue;
    ratios -= logs.data()[i * logits.size(1) + token] / double(pieces[std::size_t(token)].size());
    ++count;
  }
  return ratios / count / std::log(2);
}
