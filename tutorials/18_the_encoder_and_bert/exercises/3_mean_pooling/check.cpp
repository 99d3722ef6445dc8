#include "tutorials/18_the_encoder_and_bert/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

/// What the answer should be, in plain loops; `counted` says how much each position counts.
gradus::Tensor mean_by(const Tensor& x, const std::function<double(Index, Index)>& counted) {
  const Index rows = x.size(0), length = x.size(1), channels = x.size(2);
  gradus::Tensor y({rows, channels});
  for (Index row = 0; row < rows; ++row) {
    double count = 0;
    for (Index t = 0; t < length; ++t) count += counted(row, t);
    for (Index c = 0; c < channels; ++c) {
      double total = 0;
      for (Index t = 0; t < length; ++t) {
        total += counted(row, t) * double{x.data()[(row * length + t) * channels + c]};
      }
      y.mutable_data()[row * channels + c] = Scalar(count > 0 ? total / count : 0);
    }
  }
  return y;
}

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
  const Tensor y =
      gradus::unchanged<Tensor>(what, {x}, [&] { return mean_of_words(x, tokens, padding); });
  if (!y.defined()) red(what + ": got nothing: a tensor that was never set");
  gradus::must_be_finite(what, y, "a row of nothing but padding divides 0 by 0");
  const gradus::Tensor right = mean_by(x, is_word);
  const double most = gradus::scale_of(right);
  gradus::expect(what, as_library(y), right, "", 1e-4 * most);
  const Tensor weights = normal(y.shape(), {.seed = 5});
  if (y.requires_grad()) backward(sum(y * weights));
  gradus::Tensor expected = gradus::zeros(as_library(x).shape());
  for (Index i = 0; i < x.size(); ++i) {
    const Index row = i / channels / length, t = i / channels % length;
    Index count = 0;
    for (Index s = 0; s < length; ++s) count += is_word(row, s);
    if (!is_word(row, t)) continue;
    expected.mutable_data()[i] = weights.data()[row * channels + i % channels] / Scalar(count);
  }
  gradus::expect_gradient(what + ": the gradient", x, expected);
}

}  // namespace

int main() {
  return gradus::run_check([] {
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
  });
}
