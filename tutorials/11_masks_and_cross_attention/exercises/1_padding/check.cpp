#include "tutorials/common/check.h"

#include "pocket/attention.h"

namespace {

void check_one(const std::string& what, const pocket::IndexTensor& tokens, std::int32_t padding) {
  gradus::Tensor right({tokens.size(0), 1, 1, tokens.size(1)});
  for (pocket::Index i = 0; i < tokens.size(); ++i) {
    right.mutable_data()[i] = tokens.data()[i] != padding;
  }
  gradus::expect(what, gradus::as_library(pocket::padding_mask(tokens, padding)), right);
}

}  // namespace

CHECK_ANSWER() {
  using pocket::indices;
  check_one("two rows, padded on the right", indices({{1, 2, 3, 4}, {5, 6, 0, 0}}), 0);
  check_one("padded on the left, one token in the middle", indices({{0, 0, 7}, {7, 0, 7}}), 0);
  check_one("another padding token", indices({{9, 0, 3, 9, 9}}), 9);
  check_one("a row of padding alone", indices({{4, 4}, {1, 4}, {4, 1}}), 4);
  std::vector<std::int32_t> many(2 * 700, 3);
  for (std::size_t i = 0; i < many.size(); i += 3) many[i] = 0;
  check_one("two rows of 700 tokens", pocket::IndexTensor({2, 700}, many), 0);
  const pocket::Tensor q = pocket::normal({2, 3, 5, 4}, {.seed = 1});
  const pocket::Tensor k = pocket::normal({2, 3, 4, 4}, {.seed = 2});
  const pocket::IndexTensor tokens = indices({{1, 2, 3, 4}, {5, 6, 0, 0}});
  const auto w = pocket::attention_weights(q, k, {.mask = pocket::padding_mask(tokens, 0)});
  for (pocket::Index i = 0; i < w.size(); ++i) {
    const bool hidden = i >= w.size() / 2 && i % 4 >= 2;
    if (hidden != (w.data()[i] == 0)) gradus::red("three heads of five queries hide other keys");
  }
  gradus::green("three heads of five queries hide the padding of their row");
}
