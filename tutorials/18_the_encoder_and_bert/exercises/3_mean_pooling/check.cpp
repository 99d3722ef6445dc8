#include "tutorials/18_the_encoder_and_bert/exercises.h"
#include "tutorials/common/compare.h"

namespace {

void ask(const std::string& what, const IndexTensor& tokens, std::int32_t padding, Index channels,
         Scalar scale = 1, Scalar in_padding = 1) {
  const Index rows = tokens.size(0), length = tokens.size(1);
  Tensor x = normal({rows, length, channels}, {.seed = 4}, Scalar(0.5), scale);
  const auto is_word = [&](Index row, Index t) {
    return tokens.data()[row * length + t] != padding;
  };
  for (Index i = 0; i < x.size(); ++i) {
    const Index t = i / channels;
    if (!is_word(t / length, t % length)) x.mutable_data()[i] *= in_padding;
  }
  x.set_requires_grad();
  Tensor counted({rows, length, 1}), count({rows, 1});
  for (Index i = 0; i < rows * length; ++i) {
    counted.mutable_data()[i] = is_word(i / length, i % length);
    count.mutable_data()[i / length] += counted.data()[i];
  }
  for (Scalar* n = count.mutable_data(); n != count.data() + rows; ++n)
    *n = std::max<Scalar>(*n, 1);
  compare(
      what, std::vector<NamedTensor>{{"features", x}},
      [&] { return mean_of_vectors(x, tokens, padding); },
      [&] { return sum(x * counted, 1) / count; });
}

}  // namespace

CHECK_ANSWER() {
  ask("two rows", indices({{1, 7, 8, 2, 0, 0}, {1, 9, 2, 0, 0, 0}}), 0, 3);
  ask("no padding", indices({{1, 7, 8, 2}, {1, 6, 5, 2}, {3, 3, 3, 3}}), 0, 4);
  ask("padding is token 9, and 0 is a word", indices({{0, 7, 9, 9, 9}, {0, 0, 0, 4, 2}}), 9, 2);
  ask("padding inside", indices({{1, 0, 8, 0, 2}, {0, 0, 6, 2, 0}}), 0, 5);
  ask("a row of nothing but padding", indices({{0, 0, 0}, {1, 4, 2}}), 0, 3);
  ask("one long row",
      IndexTensor({1, 300},
                  [] {
                    Tokens tokens(300, 5);
                    std::fill(tokens.begin() + 211, tokens.end(), 0);
                    return tokens;
                  }()),
      0, 7);
  const IndexTensor tokens = indices({{1, 7, 8, 2, 0, 0}, {1, 9, 2, 0, 0, 0}});
  ask("large numbers", tokens, 0, 3, 1e4);
  ask("large numbers in the padding alone", tokens, 0, 3, 1, 1e20F);
}
