#include "nn/tasks/labelled_rows.h"

#include <algorithm>

#include "autograd/graph.h"

namespace gradus {

LabelledRows::LabelledRows(const std::vector<LabelledText>& items,
                           const std::function<TokenRow(const LabelledText&)>& read) {
  for (const LabelledText& item : items) {
    rows.push_back(read(item));
    labels.push_back(item.label);
  }
}

LabelledRows::Batch LabelledRows::drawn(const RandomKey& key, int batch_size) const {
  Batch batch{{}, IndexTensor(Shape{batch_size})};
  for (const std::size_t i : drawn_items(key, batch_size, rows.size())) {
    batch.labels.data()[batch.rows.size()] = labels[i];
    batch.rows.push_back(rows[i]);
  }
  return batch;
}

Index LabelledRows::tokens_in(int batch_size) const {
  Index all = 0;
  for (const TokenRow& row : rows) {
    all += std::ssize(row);
  }
  return batch_size * all / std::ssize(rows);
}

std::vector<Guess> guesses_of(const std::vector<TokenRow>& rows,
                              const std::function<Tensor(const std::vector<TokenRow>&)>& logits) {
  constexpr Index kSideBySide = 100;
  const NoGrad no_grad;
  std::vector<Guess> all;
  for (Index first = 0; first < std::ssize(rows); first += kSideBySide) {
    const Index last = std::min(first + kSideBySide, std::ssize(rows));
    std::ranges::move(as_guesses(logits({rows.begin() + first, rows.begin() + last})),
                      std::back_inserter(all));
  }
  return all;
}

std::string shown(const std::vector<LabelledText>& items, const std::vector<Guess>& guesses,
                  const std::vector<std::string>& labels) {
  const auto name = [&](int label) { return labels[static_cast<std::size_t>(label)]; };
  std::string lines;
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    const auto& [text, right] = items[i];
    const int said = guesses[i].label;
    lines += text + "\n  " + name(said) +
             (said == right ? "" : "   (expected: " + name(right) + ")") + "\n";
  }
  return lines;
}

}  // namespace gradus
