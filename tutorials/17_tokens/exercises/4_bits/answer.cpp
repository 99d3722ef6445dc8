// Both sums first, then one division.
#include "tutorials/17_tokens/exercises.h"

double bits_per_byte_of(const Tensor& logits, const IndexTensor& targets,
                        const std::vector<std::string>& pieces) {
  const Tensor logs = log_softmax(logits);
  double nats = 0, bytes = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    const std::int32_t token = targets.data()[i];
    if (token < 0) continue;
    nats -= logs.data()[i * logits.size(1) + token];
    bytes += double(pieces[static_cast<std::size_t>(token)].size());
  }
  return nats / bytes / std::log(2);
}
